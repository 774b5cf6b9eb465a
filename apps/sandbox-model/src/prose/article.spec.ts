import { type ArticleOrder, writeArticle, wordsIn } from './article.js';
import { randomOf } from '../random/random.js';
import { headingsOf, pointOf, summaryOf, titleOf, topicOf } from './headlines.js';
import { fields } from './vocabulary.js';

const orderOf = (seed: number, focusKeyword = 'marketing digital', words = 1150): ArticleOrder => {
  const random = randomOf('order', seed);
  return {
    focusKeyword,
    words,
    sections: headingsOf(random, 6).map((heading, index) => ({
      heading,
      level: 2,
      points: index === 2 ? [1, 2, 3].map(() => pointOf(random, random.pick(fields))) : [],
      links: index < 2 ? [{ ref: String(index + 1), title: 'Outro texto nosso' }] : [],
    })),
  };
};

/** What a reader sees of a Markdown text. */
const plainText = (markdown: string) =>
  markdown
    .replace(/^#+ /gm, '')
    .replace(/^- /gm, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*/gu) ?? [];
const syllablesIn = (word: string) =>
  Math.max(
    1,
    word
      .replace(/[gq]u(?=[eéií])/g, 'g')
      .match(/[aáâãàeéêiíoóôõuúü]+/g)
      ?.reduce((sum, vowels) => sum + nuclei(vowels), 0) ?? 0,
  );
/** Vowels in a row that are spoken apart: `ia`, `io`, `oe`, accents on the second one. */
const nuclei = (vowels: string) => (/^(ia|io|ie|ua|ea|eo|oa|iã|aí|aú|uí|iá|ió)/.test(vowels) ? 2 : 1);

/** Martins et al. 1996: 100 is very easy, below 25 very hard. */
function ease(markdown: string): number {
  const text = plainText(markdown);
  const sentences = text.split(/[.!?:]+\s/).filter((each) => /\p{L}/u.test(each)).length;
  const words = wordsOf(text);
  const syllables = words.reduce((sum, word) => sum + syllablesIn(word), 0);
  return 248.835 - 1.015 * (words.length / sentences) - 84.6 * (syllables / words.length);
}

function shingles(text: string): Set<string> {
  const words = wordsOf(plainText(text));
  return new Set(words.slice(4).map((_, index) => words.slice(index, index + 5).join(' ')));
}

const seeds = Array.from({ length: 60 }, (_, index) => index);
const articles = seeds.map((seed) => writeArticle(orderOf(seed), seed));

describe('an article', () => {
  it('is the same for the same seed and order', () => {
    expect(writeArticle(orderOf(7), 7)).toBe(articles[7]);
    expect(writeArticle(orderOf(7), 8)).not.toBe(articles[7]);
  });

  it.each([[600], [900], [1150], [1400], [2000]])('has about the %i words that were wanted', (words) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const count = wordsIn(plainText(writeArticle(orderOf(seed, 'vendas', words), seed)));
      expect(count).toBeGreaterThan(words * 0.88);
      expect(count).toBeLessThan(words * 1.12);
    }
  });

  it('names no figure, source or quotation, and has no words of delicate subjects', () => {
    for (const article of articles) {
      const own = article.replace(/\(ref:\d+\)/g, '');
      expect(own).not.toMatch(/\d|%|R\$|["“”«»]|http|[<>`*_]/);
      expect(own).not.toMatch(/\bsegundo\b|pesquis|estudo|de acordo com|especialistas|em cada\b/i);
      expect(own).not.toMatch(/pol[ií]tica|religi|droga|viol[eê]ncia|arma|crime|discrimina|preconceito|[oó]dio|difama|cal[uú]nia/i);
      expect(own).not.toMatch(/concorrente|competidor|rival|facebook|tiktok|twitter|youtube|google|\bads\b/i);
      expect(own).not.toMatch(
        /sa[uú]de|doen[cç]|rem[eé]dio|\blei\b|jur[ií]dic|invest|dinheiro|lucro|aposta|sexo|intelig[eê]ncia artificial/i,
      );
    }
  });

  it('has whole sentences, no paragraph twice, and at most 300 words without a heading', () => {
    for (const article of articles) {
      const blocks = article.trim().split('\n\n');
      expect(new Set(blocks).size).toBe(blocks.length);
      for (const block of blocks.filter((each) => !each.startsWith('#'))) expect(block).toMatch(/[.:]$/);
      for (const part of article.split(/^#+ .*$/m)) expect(wordsIn(part)).toBeLessThan(300);
      expect(article.match(/^## /gm)).toHaveLength(6);
      expect(article).not.toMatch(/^# /m);
    }
  });

  it('is easy to read', () => {
    for (const article of articles) expect(ease(article)).toBeGreaterThan(52);
  });

  it('mentions the keyword in the first paragraph, and not too often', () => {
    for (const [seed, article] of articles.entries()) {
      const [first = ''] = article.split('\n\n');
      expect([seed, first.toLowerCase().includes('marketing digital')]).toEqual([seed, true]);
      const mentions = article.toLowerCase().split('marketing digital').length - 1;
      expect(mentions).toBeGreaterThanOrEqual(3);
      expect((mentions * 2) / wordsIn(article)).toBeLessThan(0.025);
    }
  });

  it('shares hardly any five words in a row with any other', () => {
    const all = articles.map(shingles);
    let most = 0;
    for (const [index, one] of all.entries())
      for (const other of all.slice(0, index)) most = Math.max(most, [...one].filter((each) => other.has(each)).length / one.size);
    expect(most).toBeLessThan(0.04);
  });

  it('has the links that the sections order, by number', () => {
    expect(articles[0]!.match(/\[Outro texto nosso\]\(ref:[12]\)/g)).toHaveLength(2);
  });
});

describe('titles and summaries', () => {
  it('fit the places where search engines show them', () => {
    for (const seed of seeds) {
      const random = randomOf('titles', seed);
      const { title, focusKeyword } = topicOf(random, 'marketing digital', []);
      expect(title.toLowerCase()).toContain(focusKeyword);
      expect(title.length).toBeGreaterThanOrEqual(30);
      expect(title.length).toBeLessThanOrEqual(60);
      expect(titleOf(random, 'seo').length).toBeGreaterThanOrEqual(30);
      const description = summaryOf(random, focusKeyword, 110, 155);
      expect(description.length).toBeGreaterThanOrEqual(110);
      expect(description.length).toBeLessThanOrEqual(155);
    }
  });

  it('cut a keyword that is too long at the end of a word', () => {
    const title = titleOf(randomOf('long'), 'um assunto muito longo que ninguém digitaria inteiro em uma busca qualquer');
    expect(title).toBe('Um assunto muito longo que ninguém digitaria inteiro em uma');
  });
});

it('proposes three months of daily topics about one word, each unlike all before', () => {
  const known: string[] = [];
  const ownWords = (title: string) => new Set(wordsOf(title).filter((word) => word.length > 2 && word !== 'para'));
  for (let call = 0; call < 90; call++) {
    const { title } = topicOf(randomOf('topics', call), 'instagram', known);
    const own = ownWords(title);
    for (const other of known) {
      const others = ownWords(other);
      const alike = (2 * [...own].filter((word) => others.has(word)).length) / (own.size + others.size);
      expect([title, other, alike < 0.6]).toEqual([title, other, true]);
    }
    known.push(title);
  }
});
