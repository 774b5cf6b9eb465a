import { type ArticleFields, cutAfterWord, excerptOf, fieldLimits, repairFields, repairSlug } from './article-fields.js';
import { gateArticle } from './gate.js';
import { soundArticle, soundFacts } from './sound-article.testing.js';

const { text } = soundArticle;
const repaired = (fields: Partial<ArticleFields>) =>
  repairFields({ ...soundArticle, ...fields }, text, { categories: soundFacts.categories });

describe('the fields of an article', () => {
  it('stay as they are when nothing is wrong', () => expect(repaired({})).toEqual(soundArticle));

  it.each([
    [{ metaTitle: 'Curto' }],
    [{ metaTitle: 'palavra '.repeat(20) }],
    [{ metaDescription: 'Curta demais.' }],
    [{ metaDescription: 'palavra '.repeat(40) }],
    [{ excerpt: 'Um resumo curto' }],
    [{ excerpt: 'palavra '.repeat(40) }],
    [{ slug: `Olá, ${'ação '.repeat(40)}` }],
    [{ tags: ['#Hashtag', 'hashtag', '  '] }],
    [{ tags: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }],
    [{ category: 'instagram' }],
  ])('are brought to their lengths, once and for all: %j', (fields) => {
    const once = repaired(fields);
    const report = gateArticle(once, soundFacts);
    expect([...report.hard, ...report.soft]).toEqual([]);
    expect(repairFields(once, text, { categories: soundFacts.categories })).toEqual(once);
  });

  it.each([[{ metaTitle: '' }], [{ metaDescription: ' ' }], [{ excerpt: '' }], [{ tags: [] }], [{ category: 'Culinária' }]])(
    'stay missing when they are missing: %j',
    (fields) => expect(gateArticle(repaired(fields), soundFacts).hard).toMatchObject([{ rule: 'fields' }]),
  );

  it('are cut after a whole word', () => {
    expect(cutAfterWord('um dois três', 12)).toBe('um dois três');
    expect(cutAfterWord('um dois, três', 12)).toBe('um dois…');
    expect(cutAfterWord('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`);
  });

  it('have a slug of letters, digits and hyphens', () => {
    expect(repairSlug('Ação & Reação: 10 dicas!')).toBe('acao-reacao-10-dicas');
    expect(repairSlug('palavra-'.repeat(20))).toMatch(/^[a-z-]{1,75}$/);
    expect(repairSlug('palavra-'.repeat(20))).toMatch(/palavra$/);
    expect(repairSlug('!!!')).toBe('');
  });

  it('have an excerpt from the article’s own sentences', () => {
    const excerpt = excerptOf(text);
    expect(excerpt.length).toBeGreaterThanOrEqual(fieldLimits.excerpt.min);
    expect(excerpt.length).toBeLessThanOrEqual(fieldLimits.excerpt.max);
    expect(text.blocks[0]!.text.startsWith(excerpt.replace('…', ''))).toBe(true);
    expect(excerptOf({ ...text, blocks: [] })).toBe('');
  });
});
