import fc from 'fast-check';
import { cleanHtml, htmlTree } from './clean-html.js';
import { eachElement } from './hast.js';

describe('the HTML of an article', () => {
  it.each([
    '<p>Olá <strong>mundo</strong> &#x26; você</p>',
    '<h2 id="s-um">Um</h2><ul><li>a</li></ul><ol start="3"><li>b</li></ol><hr><pre><code>x &#x3C; y</code></pre>',
    '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    '<figure><img src="/media/a.webp" alt="Um café" width="800" height="600"><figcaption>c</figcaption></figure>',
    '<a href="/blog/outro">aqui</a> <a href="#s-um">acima</a> <a href="mailto:a@b.example">escreva</a>',
    '<a href="https://site.example/a?b=1" rel="nofollow noopener">fora</a>',
    '<img src="data:image/png;base64,iVBORw0KGgo=" alt="">',
  ])('keeps the elements that articles use: %s', (html) => expect(cleanHtml(html)).toBe(html));

  it.each([
    '<script>alert(1)</script>',
    '<p onclick="alert(1)" style="position:fixed" class="x">a</p>',
    '<img src=x onerror=alert(1)>',
    '<img src="https://a.example/x.png" srcset="javascript:alert(1)" onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<svg/onload=alert(1)>',
    '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<form action="https://evil.example"><input name=password><button>ok</button></form>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href="JaVa\tScRiPt:alert(1)">a</a>',
    '<a href="&#106;avascript:alert(1)">a</a>',
    '<a href="data:text/html,<script>alert(1)</script>">a</a>',
    '<a href="//evil.example/">a</a>',
    '<a href="/\\evil.example/">a</a>',
    '<a href="/\t/evil.example/">a</a>',
    '<a href="http://evil.example/">a</a>',
    '<a href="https://user:pass@evil.example/">a</a>',
    '<img src="//evil.example/x.png">',
    '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
    '<style>@import "https://evil.example/x.css"</style>',
    '<link rel=stylesheet href="https://evil.example/x.css"><base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<template><script>alert(1)</script></template>',
    '<!--><script>alert(1)</script>-->',
    '<p id="location">a</p><h2 id="location">b</h2>',
  ])('loses active content, and a second cleaning changes nothing: %s', (html) => {
    const clean = cleanHtml(html);
    expect(clean).not.toMatch(
      /<(?:script|svg|math|iframe|object|form|input|button|style|link|base|meta|template|noscript)|\son\w+=|javascript:|evil|data:text|srcset|svg\+xml|style=|"location"|<!--/i,
    );
    expect(cleanHtml(clean)).toBe(clean);
  });

  it('keeps the text of elements that it removes', () => {
    expect(cleanHtml('<div><h1>Título</h1><section>a <u>b</u></section></div>')).toBe('Títuloa b');
  });

  it('cleans an article with megabytes of pictures in its text within ten seconds', () => {
    const html = `<p>a</p><img src="data:image/png;base64,${'A'.repeat(5_000_000)}">`;
    const begun = process.cpuUsage();
    expect(cleanHtml(html)).toContain('data:image/png');
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(10_000);
  });

  it.each([
    '<a href="/a"><marquee><a href="/b">b</a></marquee></a>',
    '<p><marquee><p>a</p></marquee></p>',
    '<pre>\n\n\nx</pre>',
    '<pre><code>\n\nx</code></pre>',
    '<table><caption>a<table><tr><td>b</table></caption><tr><td>c</table>',
    '<h2><marquee><h3>a</h3></marquee></h2>',
  ])('settles in the tree that browsers build: %s', (html) => {
    const clean = cleanHtml(html);
    expect(cleanHtml(clean)).toBe(clean);
  });

  it('has headings with ids of ours, unique in the article', () => {
    expect(cleanHtml('<h2>Preço &amp; prazo</h2><h3>Preço e prazo</h3><h2>Preço e prazo</h2><h2>…</h2>')).toBe(
      '<h2 id="s-preco-and-prazo">Preço &#x26; prazo</h2><h3 id="s-preco-e-prazo">Preço e prazo</h3><h2 id="s-preco-e-prazo-2">Preço e prazo</h2><h2 id="s-parte">…</h2>',
    );
  });

  it('has our pictures in their sizes, whatever the author says of them', () => {
    const src = `/storage/v1/object/public/blog-images/${'a'.repeat(32)}-1200.webp`;
    const clean = cleanHtml(`<img src="${src}" alt="Café" width="1200" height="800" srcset="https://evil.example/x 1w" loading="eager">`);
    expect(clean).toMatch(
      /srcset="[^"]*-480\.webp 480w, [^"]*-800\.webp 800w, [^"]*-1200\.webp 1200w" sizes="[^"]+" loading="lazy" decoding="async"/,
    );
    expect(clean).not.toContain('evil');
    expect(cleanHtml(clean)).toBe(clean);
  });

  it('passes nothing on to other sites, and something to the own one', () => {
    const html = '<a href="https://www.loja.example/a">a</a><a href="https://outra.example/b">b</a>';
    expect(cleanHtml(html, { site: 'https://loja.example' })).toBe(
      '<a href="https://www.loja.example/a">a</a><a href="https://outra.example/b" rel="nofollow noopener">b</a>',
    );
  });
});

describe('any HTML', () => {
  const allowed = new Set(
    'p h2 h3 h4 ul ol li strong em b i a blockquote code pre br hr table thead tbody tr th td figure figcaption img'.split(' '),
  );
  const attributes = new Set('id href title rel src alt width height srcSet sizes loading decoding start colSpan rowSpan scope'.split(' '));
  const tags = [
    ...allowed,
    ...'h1 h5 h6 div span section u s marquee applet object svg math style script template noscript iframe form input button select'.split(
      ' ',
    ),
    ...'option textarea title caption colgroup col tfoot dl dd dt ruby rt frameset body html head plaintext xmp listing nobr font'.split(
      ' ',
    ),
    ...'mi mtext annotation-xml foreignObject desc details summary dialog video audio source base link meta'.split(' '),
  ];
  const address = fc.oneof(
    fc.constantFrom(
      ...[
        'javascript:alert(1)',
        ' java\nscript:alert(1)',
        'vbscript:x',
        'data:text/html,<script>alert(1)</script>',
        '//evil.example',
        '/\\evil.example',
      ],
      ...[
        '/blog/a',
        '#s-a',
        'https://a.example/?b=1&c=2',
        'http://a.example',
        'mailto:a@b.example',
        'https://u:p@a.example',
        'data:image/png;base64,AAAA',
      ],
    ),
    fc.webUrl(),
    fc.string(),
  );
  const attribute = fc.oneof(
    fc.tuple(fc.constantFrom('href', 'src', 'srcset', 'action', 'formaction', 'xlink:href', 'poster', 'background'), address),
    fc.tuple(
      fc.constantFrom('onclick', 'onerror', 'onload', 'style', 'id', 'name', 'class', 'title', 'alt', 'width', 'srcdoc', 'is'),
      fc.string(),
    ),
  );
  const quote = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const piece = fc.oneof(
    fc
      .tuple(fc.constantFrom(...tags), fc.array(attribute, { maxLength: 3 }))
      .map(([tag, list]) => `<${tag}${list.map(([name, value]) => ` ${name}="${quote(value)}"`).join('')}>`),
    fc.constantFrom(...tags).map((tag) => `</${tag}>`),
    fc.constantFrom(
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&lt;script&gt;',
      '&amp;lt;b&amp;gt;',
      '&#x6a;',
      '\n',
      '<',
      '>',
      '"',
      "'",
      '<a href=//x ',
      '\u0000',
    ),
    fc.string(),
  );
  const anyHtml = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('is clean and stays as it is when it is cleaned again', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const clean = cleanHtml(html);
        expect(cleanHtml(clean)).toBe(clean);
        const ids: unknown[] = [];
        eachElement(htmlTree(clean), ({ tagName, properties = {} }) => {
          expect(allowed).toContain(tagName);
          for (const [name, value] of Object.entries(properties)) {
            expect(attributes).toContain(name);
            if (name === 'href') expect(value).toMatch(/^(?:https:\/\/|mailto:|\/(?![/\\])|#)/);
            if (name === 'src') expect(value).toMatch(/^(?:https:\/\/|\/(?![/\\])|#|data:image\/(?:png|jpe?g|gif|webp|avif);)/);
            if (name === 'id') ids.push(value);
          }
        });
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 400 },
    );
  });
});
