import { markdownOfHtml } from './markdown-of-html.js';
import { unsafeTermsIn } from './safe-words.js';

describe('an edited article as Markdown', () => {
  it('keeps headings, lists and quotations', () => {
    const html =
      '<h2>Massa</h2><p>Farinha e <a href="https://a.example">água</a>.</p><h3>Sal</h3><ul><li>fino</li><li>grosso</li></ul><blockquote>Sem pressa</blockquote>';
    expect(markdownOfHtml(html)).toBe('## Massa\n\nFarinha e água.\n\n### Sal\n\n- fino\n\n- grosso\n\n> Sem pressa');
  });
});

describe('words that no customer’s article is about', () => {
  const article = { title: 'Pão', content_html: '<h2>Massa</h2><p>Uma pistola de confeitar</p>', tags: ['trigo'] };
  it('are looked for in title, headings and tags, and left alone in the text', () => {
    expect(unsafeTermsIn(article)).toEqual([]);
    expect(unsafeTermsIn({ ...article, title: 'Cassinos no Brasil' })).toEqual(['cassino']);
    expect(unsafeTermsIn({ ...article, content_html: '<h2>Onde achar munição</h2>', tags: ['fuzil'] })).toEqual(['munição', 'fuzil']);
  });
});
