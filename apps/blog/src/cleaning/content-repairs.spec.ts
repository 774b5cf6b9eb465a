import fc from 'fast-check';
import { cleanHtml } from '../articles/clean-html.js';
import { repairContent } from './content-repairs.js';

const facts = { title: 'Bio que vende', isDeadPath: (path: string) => path.startsWith('/blog/sumiu') };
const repaired = (html: string) => repairContent(html, facts);

describe('the repairs of an article', () => {
  it.each([
    '<p>Um <strong>dois</strong> &#x26; três</p><h2 id="s-parte">Parte</h2><ul><li>a</li><li>b</li></ul>',
    '<pre><code>User-agent: *\n\n# nota</code></pre>',
    '<p>Use <code>&#x3C;p></code> e <code>**</code>.</p>',
    '<p>– Um dito de alguém.</p><p>2 * 3 * 4</p>',
    '<figure><img src="/media/a.webp" alt="Um café" width="800" height="600"><figcaption>c</figcaption></figure>',
    '<p>A tag &#x3C;h2> abre um título.</p>',
    '<p>Veja <a href="/blog/outro">outro</a> e <a href="https://a.example/" rel="nofollow noopener">fora</a>.</p>',
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td></td></tr></tbody></table>',
    '<p>Claro que dá certo.</p>',
    '<h2 id="s-um">Um</h2>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>Dois</p>\n',
  ])('leave what is right: %s', (html) => expect(repaired(html)).toBe(html));

  it.each([
    ['a fence around HTML', '```html\n<p>Um</p>\n```', '<p>Um</p>'],
    ['a fence in paragraphs', '<p>```html</p><p>Um</p><p>```</p>', '<p>Um</p>'],
    [
      'a fence that became code',
      '<pre><code class="language-html">&lt;h2&gt;Um&lt;/h2&gt;&lt;p&gt;Dois&lt;/p&gt;</code></pre>',
      '<h2 id="s-um">Um</h2><p>Dois</p>',
    ],
    ['Markdown that became code', '<pre><code class="language-markdown">## Um\n\nDois</code></pre>', '<h2 id="s-um">Um</h2><p>Dois</p>'],
    ['wrappers', '<html><body><article><div><p>Um</p><div>Dois</div></div></article></body></html>', '<p>Um</p><p>Dois</p>'],
    ['bare text', 'Um texto<p>Dois</p>', '<p>Um texto</p><p>Dois</p>'],
    ['the title as heading', '<h1>Bio que vende!</h1><p>Um</p>', '<p>Um</p>'],
    ['the title as first heading', '<h2>BIO que vende</h2><p>Um</p>', '<p>Um</p>'],
    ['another heading of the first level', '<p>Um</p><h1>Parte</h1><p>Dois</p>', '<p>Um</p><h2 id="s-parte">Parte</h2><p>Dois</p>'],
    ['a preamble', '<p>Claro! Aqui está o artigo:</p><p>Um</p>', '<p>Um</p>'],
    ['chat at the end', '<p>Um</p><hr><p>Se quiser, posso ajustar o tom.</p>', '<p>Um</p>'],
    ['empty blocks', '<p>Um</p><p>&nbsp;</p><h2></h2><ul><li></li></ul><p><strong> </strong><br></p>', '<p>Um</p>'],
    ['double escapes', '<p>A &amp;amp; B&amp;nbsp;C</p>', '<p>A &#x26; B\u00a0C</p>'],
    ['markup escaped twice', '&lt;p&gt;Um &lt;strong&gt;dois&lt;/strong&gt;&lt;/p&gt;', '<p>Um <strong>dois</strong></p>'],
    [
      'an article in Markdown',
      '## Um\n\nDois **três**\n\n- a\n- b',
      '<h2 id="s-um">Um</h2><p>Dois <strong>três</strong></p><ul>\n<li>a</li>\n<li>b</li></ul>',
    ],
    ['a heading in a paragraph', '<p>## Um</p><p>Dois</p>', '<h2 id="s-um">Um</h2><p>Dois</p>'],
    ['a list in a paragraph', '<p>- a<br>- b</p>', '<ul>\n<li>a</li>\n<li>b</li></ul>'],
    ['bold in Markdown', '<p>Um **dois** e <em>__três__</em></p>', '<p>Um <strong>dois</strong> e <em><strong>três</strong></em></p>'],
    ['a link in Markdown', '<p>Veja [isto](/blog/outro).</p>', '<p>Veja <a href="/blog/outro">isto</a>.</p>'],
    ['a dead link', '<p>Veja <a href="/blog/sumiu">isto</a>.</p>', '<p>Veja isto.</p>'],
    ['a link without an address', '<p>Veja <a>isto</a> e <a href="javascript:x()">ali</a>.</p>', '<p>Veja isto e ali.</p>'],
    ['active content', '<p onclick="x()">Um</p><script>x()</script>', '<p>Um</p>'],
  ])('mend %s', (_, html, expected) => {
    expect(repaired(html)).toBe(expected);
    expect(repaired(expected)).toBe(expected);
  });

  it('leave pictures of megabytes inside the text as they are, within five seconds', () => {
    const picture = `<img src="data:image/png;base64,${'A'.repeat(5_000_000)}" alt="Um café">`;
    const begun = process.cpuUsage();
    expect(repaired(`<p>Um</p>${picture}<p></p><a href="data:image/png;base64,AAAA">b</a>`)).toBe(`<p>Um</p>${picture}<p>b</p>`);
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  });

  it('leave clean HTML behind, and change nothing a second time', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          '<p>',
          '</p>',
          '<div>',
          '</div>',
          '<h1>',
          '</h1>',
          '<h2>',
          '</h2>',
          '<strong>',
          '</strong>',
          '<a href="/blog/sumiu">',
          '</a>',
          '<pre>',
          '</pre>',
        ],
        ...[
          '```html\n',
          '\n```',
          '## Um\n',
          '**',
          '- a\n',
          '&lt;p&gt;',
          '&lt;/p&gt;',
          '&amp;amp;',
          '&nbsp;',
          '<br>',
          '<script>',
          '</script>',
          'palavra ',
          '\n\n',
        ],
        ...[
          'Claro! Aqui está o artigo:',
          'Bio que vende',
          '<img src="/a.png">',
          '<table><tr><td>',
          '</table>',
          '[a](/b)',
          '`c`',
          '<!-- x -->',
        ],
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const once = repaired(pieces.join(''));
        expect(cleanHtml(once)).toBe(once);
        expect(repaired(once)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });
});
