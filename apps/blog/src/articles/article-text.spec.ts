import { excerptOfText, textOfHtml } from './article-text.js';

describe('the text of an article', () => {
  it('has the words of its paragraphs, apart from each other, and none of its pictures', () => {
    const html = `<h2>Um</h2><p>Dois <strong>três</strong></p><img src="data:image/png;base64,${'A'.repeat(2_000_000)}" alt="foto"><ul><li>quatro</li></ul>`;
    expect(textOfHtml(html).split(/\s+/)).toEqual(['Um', 'Dois', 'três', 'quatro']);
    expect(textOfHtml('')).toBe('');
    expect(textOfHtml('<p>a &amp; b</p>')).toBe('a & b');
    // The beginning of a long text can end anywhere.
    expect(textOfHtml('<p>a</p><img src="data:image/png;base64,AAAA').trim()).toBe('a');
  });

  it('gives an excerpt of at most 150 characters', () => {
    const excerpt = excerptOfText('palavra '.repeat(100));
    expect(excerpt.length).toBeLessThanOrEqual(150);
    expect(excerpt).toMatch(/palavra…$/);
  });
});
