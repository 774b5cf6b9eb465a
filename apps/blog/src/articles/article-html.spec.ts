import { plainText } from '@decola/contracts';
import fc from 'fast-check';
import { articleFromHtml, articleFromMarkdown, type ArticleReference } from './article-html.js';
import { cleanHtml } from './clean-html.js';

const refs = new Map<number, ArticleReference>([
  [1, { href: '/blog/bio-que-vende', kind: 'inventory' }],
  [2, { href: 'https://fonte.example/estudo', kind: 'source' }],
  [3, { href: 'https://loja.example/pao', kind: 'inventory' }],
]);
const article = (markdown: string) => articleFromMarkdown(markdown, { refs });

describe('an article from Markdown', () => {
  it('has the elements of an article, and is read block by block', () => {
    const { html, text } = article(
      '# Título\n\nUm **parágrafo** com [um guia](ref:1).\n\n## Parte\n\n- um\n- dois\n  - três\n\n> Disse.\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nx < y\n```\n',
    );
    expect(html).toContain('<p>Um <strong>parágrafo</strong> com <a href="/blog/bio-que-vende">um guia</a>.</p>');
    expect(html).toContain('<h2 id="s-parte">Parte</h2>');
    expect(html.replace(/\n/g, '')).toContain(
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>',
    );
    expect(text).toEqual({
      blocks: [
        { kind: 'heading', level: 1, text: 'Título' },
        { kind: 'paragraph', text: 'Um parágrafo com um guia.' },
        { kind: 'heading', level: 2, text: 'Parte' },
        { kind: 'item', text: 'um' },
        { kind: 'item', text: 'dois' },
        { kind: 'item', text: 'três' },
        { kind: 'quote', text: 'Disse.' },
        ...['a', 'b', 'c', 'd'].map((cell) => ({ kind: 'cell', text: cell })),
        { kind: 'code', text: 'x < y' },
      ],
      internalLinks: 1,
      deadLinks: [],
    });
  });

  it('links to given pages by their numbers, and to nothing else', () => {
    const { html, text } = article(
      'Veja [a fonte](ref:2), [isto](ref:9), [o site](https://inventado.example), www.outro.example, [ali](/blog/inventado) e ![foto](https://x.example/a.png).',
    );
    expect(html).toBe(
      '<p>Veja <a href="https://fonte.example/estudo" rel="nofollow noopener">a fonte</a>, isto, o site, www.outro.example, ali e .</p>',
    );
    expect(text).toMatchObject({ deadLinks: ['ref:9'], internalLinks: 0, blocks: [{ hasSource: true }] });
  });

  it('knows the pages of a customer’s site by its host', () => {
    const { html, text } = articleFromMarkdown('Veja [o pão](ref:3).', { refs, site: 'https://www.loja.example' });
    expect(html).toBe('<p>Veja <a href="https://loja.example/pao">o pão</a>.</p>');
    expect(text).toMatchObject({ internalLinks: 1 });
  });

  it('drops HTML', () => {
    expect(article('<script>alert(1)</script>\n\nUm <b onclick="x()">dois</b> <img src=x onerror=alert(1)>\n').html).toBe(
      '<p>Um dois </p>',
    );
  });

  it('is read alike from its own HTML', () => {
    const { html, text } = article('Um [guia](ref:1).\n\n## Parte\n\n1. um\n2. dois\n\n> Disse.\n');
    expect(articleFromHtml(html).text).toEqual(text);
  });

  it('is clean whatever the model writes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          '# ',
          '## ',
          '- ',
          '1. ',
          '> ',
          '```\n',
          '**',
          '_',
          '`',
          '[a](ref:1)',
          '[b](javascript:alert(1))',
          '![c](//x)',
          '<div onclick=a>',
          '\n\n',
        ],
        ...['| a | b |\n|--|--|\n', '[^1]', '[^1]: nota\n', '~~x~~', '- [ ] fazer\n', 'www.a.example', '<!--', '&lt;b&gt;', '\\', '    '],
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { html, text } = article(pieces.join(''));
        expect(cleanHtml(html)).toBe(html);
        expect(html).not.toMatch(/<[^>]*\son\w+=|href="(?!\/blog\/bio-que-vende")/);
        expect(typeof plainText(text)).toBe('string');
      }),
      { numRuns: 200 },
    );
  });
});

describe('an article from HTML', () => {
  it('is read with the levels that it had, and without what is active', () => {
    const { html, text } = articleFromHtml(
      '<h1>T</h1><div>Um<br>dois<script>x()</script></div><h5>f</h5><p>g <a href="https://x.example">h</a></p>',
    );
    expect(html).not.toContain('script');
    expect(text.blocks).toEqual([
      { kind: 'heading', level: 1, text: 'T' },
      { kind: 'paragraph', text: 'Um dois' },
      { kind: 'heading', level: 5, text: 'f' },
      { kind: 'paragraph', text: 'g h', hasSource: true },
    ]);
  });
});
