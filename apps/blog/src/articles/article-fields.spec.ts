import { completeArticle, completeChange } from './article-fields.js';

const words = (count: number, word = 'palavra') => `<p>${`${word} `.repeat(count).trim()}</p>`;
const complete = (row: Record<string, unknown>) => completeArticle(row, 'Equipe Decola').row;

describe('a new article', () => {
  it('gets slug, excerpt, reading time, number of words and author when it brings none', () => {
    expect(complete({ title: 'Café & chá', content: words(500) })).toMatchObject({
      slug: 'cafe-e-cha',
      word_count: 500,
      read_time: 3,
      author: 'Equipe Decola',
      excerpt: expect.stringMatching(/^palavra palavra .*…$/),
    });
  });

  it('keeps what it brings', () => {
    const given = { title: 't', content: words(3), slug: 'outro', excerpt: 'Resumo', read_time: 9, author: 'Ana' };
    expect(completeArticle(given, 'Equipe Decola')).toMatchObject({ row: { ...given, word_count: 3 }, isSlugChosen: true });
  });

  it('has no active content', () => {
    expect(complete({ title: 't', content: '<p onclick="a()">a</p><script>alert(1)</script>' })['content']).toBe('<p>a</p>');
  });

  it('has no reading time and no excerpt without words', () => {
    expect(complete({ title: 't' })).toMatchObject({ content: '', word_count: 0, read_time: null, excerpt: null });
  });

  it('writes each of its tags and its category in one way', () => {
    expect(complete({ title: 't', tags: [' seo ', 'redes  sociais', '', 'seo'], category: ' Marketing\ndigital ' })).toMatchObject({
      tags: ['seo', 'redes sociais'],
      category: 'Marketing digital',
    });
    expect('tags' in complete({ title: 't' })).toBe(false);
  });
});

describe('a change of an article', () => {
  const before = complete({ title: 't', content: words(500) });

  it('of its text brings reading time, number of words, and an excerpt while nobody has written one', () => {
    const change = completeChange(before, { content: words(1_000, 'nova') });
    expect(change).toMatchObject({ word_count: 1_000, read_time: 5, excerpt: expect.stringMatching(/^nova nova/) });
    expect(completeChange({ ...before, excerpt: 'Escrito por alguém' }, { content: words(2) })).not.toHaveProperty('excerpt');
    expect(completeChange(before, { content: words(2), excerpt: 'Dela', read_time: 7 })).toMatchObject({ excerpt: 'Dela', read_time: 7 });
  });

  it('that empties the excerpt gets the beginning of the text instead', () => {
    expect(completeChange({ ...before, excerpt: 'Escrito' }, { excerpt: ' ' })).toEqual({ excerpt: before['excerpt'] });
  });

  it('of something else changes nothing more', () => {
    expect(completeChange(before, { title: 'outro', published: true, word_count: 9 })).toEqual({ title: 'outro', published: true });
  });

  it('of the slug makes it an address', () => {
    expect(completeChange(before, { slug: 'Olá Mundo' })).toEqual({ slug: 'ola-mundo' });
  });
});
