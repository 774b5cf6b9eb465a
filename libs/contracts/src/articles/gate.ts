import { type ArticleFields, fieldLimits } from './article-fields.js';
import { type ArticleText, firstParagraphOf, plainText, proseOf } from './article-text.js';
import { clichesIn, cutTextOf, leftoverOf, repeatedTextOf } from './draft-slips.js';
import { type FactualClaim, factualClaimsOf, GivenFacts } from './factual-claims.js';
import { gateTexts } from './gate-texts.js';
import { countWords, stemsOf } from './portuguese-words.js';
import { readingEase } from './reading-ease.js';
import { areasWithoutDisclaimer, isGiven, sensitiveClaimsOf } from './sensitive-advice.js';
import { sharedShingles, shinglesOf } from './shingles.js';
import { type ArticleAudience, refusedTermsIn } from './word-lists.js';

/** An article as the gate sees it. */
export interface GateArticle extends ArticleFields {
  text: ArticleText;
}

/** What the gate knows besides the article. */
export interface GateFacts {
  audience: ArticleAudience;
  /** Wanted number of words. Default: 900 to 1,400. */
  length?: { min: number; max: number };
  /** An article's category is one of these. */
  categories: readonly string[];
  /** Brief, sources, texts of the site: numbers, names and quotations must stand in one of them. */
  given: readonly string[];
  /** How many pages of the site the article could link to. */
  inventorySize: number;
  /** Earlier articles of the same owner and site. */
  earlier: readonly { title: string; shingles: ReadonlySet<number> }[];
  now: Date;
}

export const gateRules = [
  'length',
  'headings',
  'facts',
  'advice',
  'slips',
  'repetition',
  'ease',
  'fields',
  'links',
  'keyword',
  'words',
] as const;
export type GateRule = (typeof gateRules)[number];

/** What an article breaks. */
export interface GateFinding {
  rule: GateRule;
  /** `hard`: the article is revised once, and then held for a person. `soft`: it stands in the quality report only. */
  severity: 'hard' | 'soft';
  /** What is wrong, for a person and for the model that revises. */
  sentence: string;
  /** The place, as it stands in the article. */
  quote?: string;
}

export interface GateReport {
  /** No rule is broken hard: the article may be published. */
  passed: boolean;
  hard: GateFinding[];
  soft: GateFinding[];
  measures: {
    words: number;
    /** Null for an article without prose. */
    ease: number | null;
    /** Share of words for word equal runs with the earlier article that is most alike, 0 to 1. */
    repetition: number;
    /** Uses of the focus keyword per word, 0 to 1. */
    keywordShare: number;
  };
}

/** Limits of section "the gate" of the blog's design; shares are 0 to 1. */
export const gateLimits = {
  length: { min: 900, max: 1_400, hardMin: 0.7, hardMax: 1.5 },
  headings: { fewest: 3, most: 8, wordsWithout: 300 },
  repetition: { hard: 0.15, soft: 0.08 },
  ease: { hard: 25, soft: 50 },
  links: { fewest: 2, fromInventory: 5 },
  keywordShare: 0.025,
} as const;

type Remark = Omit<GateFinding, 'rule'>;
const hard = (sentence: string, quote?: string): Remark => ({ severity: 'hard', sentence, ...(quote === undefined ? {} : { quote }) });
const soft = (sentence: string, quote?: string): Remark => ({ severity: 'soft', sentence, ...(quote === undefined ? {} : { quote }) });
type Check = (article: GateArticle, facts: GateFacts, measures: GateReport['measures']) => Remark[];
const texts = gateTexts;

const checkLength: Check = (_, { length = gateLimits.length }, { words }) => {
  const { hardMin, hardMax } = gateLimits.length;
  if (words < length.min * hardMin || words > length.max * hardMax) return [hard(texts.length(words, length))];
  return words < length.min || words > length.max ? [soft(texts.length(words, length))] : [];
};

/** The longest run of words without a heading. */
function longestStretch({ blocks }: ArticleText): number {
  let [longest, current] = [0, 0];
  for (const { kind, text } of blocks) {
    current = kind === 'heading' ? 0 : current + countWords(text);
    longest = Math.max(longest, current);
  }
  return longest;
}

const checkHeadings: Check = ({ text }) => {
  const headings = text.blocks.filter(({ kind }) => kind === 'heading');
  const sections = headings.filter(({ level }) => level === 2).length;
  const { fewest, most, wordsWithout } = gateLimits.headings;
  const top = headings.find(({ level }) => level === 1);
  // The title is level 1.
  const skipped = headings.find(({ level }, index) => (level ?? 0) > (headings[index - 1]?.level ?? 1) + 1);
  const stretch = longestStretch(text);
  return [
    ...(top ? [hard(texts.topHeading, top.text)] : []),
    ...(skipped ? [hard(texts.skippedLevel, skipped.text)] : []),
    ...(sections < fewest ? [hard(texts.fewSections(sections, fewest))] : []),
    ...(sections > most ? [soft(texts.manySections(sections, most))] : []),
    ...(stretch > wordsWithout ? [soft(texts.longStretch(stretch, wordsWithout))] : []),
  ];
};

const checkFacts: Check = ({ title, excerpt, metaTitle, metaDescription, text }, { given, now }) => {
  const held = new GivenFacts(given, now);
  const claims = [
    ...[title, metaTitle, metaDescription, excerpt].flatMap((field) => factualClaimsOf(field, now)),
    ...text.blocks
      .filter(({ kind }) => kind !== 'code')
      .flatMap((block) => factualClaimsOf(block.text, now, { isQuotation: block.kind === 'quote' })),
  ].filter((claim) => !held.holds(claim));
  const once = new Map<string, FactualClaim>(claims.map((claim) => [`${claim.kind} ${claim.value}`, claim]));
  return [...once.values()].map(({ kind, quote }) => hard(texts.claim(kind, quote), quote));
};

const checkAdvice: Check = ({ text }, { given }) => [
  ...text.blocks
    .filter(({ kind, hasSource }) => kind !== 'code' && !hasSource)
    .flatMap((block) => sensitiveClaimsOf(block.text))
    .filter(({ quote }) => !isGiven(quote, given))
    .map(({ area, quote }) => hard(texts.advice(area), quote)),
  ...areasWithoutDisclaimer(proseOf(text)).map((area) => soft(texts.disclaimer(area))),
];

const checkSlips: Check = ({ title, excerpt, metaTitle, metaDescription, text }) => {
  const fields = [title, metaTitle, metaDescription, excerpt].map((field) => ({ kind: 'paragraph' as const, text: field }));
  const cut = cutTextOf(text.blocks);
  const repeated = repeatedTextOf(text.blocks);
  return [
    ...[...fields, ...text.blocks].map(leftoverOf).flatMap((quote) => (quote === null ? [] : [hard(texts.leftover, quote)])),
    ...(cut === null ? [] : [hard(texts.cut, cut)]),
    ...(repeated === null ? [] : [hard(texts.repeated, repeated)]),
    ...[...new Set(clichesIn(plainText(text)))].map((cliche) => soft(texts.cliche(cliche), cliche)),
  ];
};

const checkRepetition: Check = ({ text }, { earlier }, measures) => {
  const shingles = shinglesOf(plainText(text));
  let like: string | undefined;
  for (const { title, shingles: others } of earlier) {
    const share = sharedShingles(shingles, others);
    if (share > measures.repetition) [measures.repetition, like] = [share, title];
  }
  if (like === undefined || measures.repetition < gateLimits.repetition.soft) return [];
  const sentence = texts.repetition(measures.repetition, like);
  return [measures.repetition >= gateLimits.repetition.hard ? hard(sentence) : soft(sentence)];
};

const checkEase: Check = (_, __, { ease }) => {
  if (ease === null || ease >= gateLimits.ease.soft) return [];
  return [ease < gateLimits.ease.hard ? hard(texts.ease(ease)) : soft(texts.ease(ease))];
};

const checkFields: Check = (article, { categories }) => {
  const lengths = (['metaTitle', 'metaDescription', 'excerpt'] as const).flatMap((field) => {
    const { length } = article[field].trim();
    const { min, max } = fieldLimits[field];
    if (length === 0) return [hard(texts.missing(field))];
    return length < min || length > max ? [soft(texts.fieldLength(field, length, min, max))] : [];
  });
  const tags = article.tags.filter((tag) => tag.trim() !== '').length;
  const { min, max } = fieldLimits.tags;
  return [
    ...(article.title.trim() === '' ? [hard(texts.missing('title'))] : []),
    ...lengths,
    ...(article.slug === '' ? [hard(texts.missing('slug'))] : []),
    ...(article.slug.length > fieldLimits.slug.max ? [soft(texts.fieldLength('slug', article.slug.length, 1, fieldLimits.slug.max))] : []),
    ...(tags === 0 ? [hard(texts.missing('tags'))] : []),
    ...(tags > 0 && (tags < min || tags > max) ? [soft(texts.tags(tags, min, max))] : []),
    ...(categories.includes(article.category) ? [] : [hard(texts.category(article.category), article.category)]),
  ];
};

const checkLinks: Check = ({ text }, { inventorySize }) => {
  const { fewest, fromInventory } = gateLimits.links;
  return [
    ...text.deadLinks.map((link) => hard(texts.deadLink, link)),
    ...(inventorySize >= fromInventory && text.internalLinks < fewest ? [soft(texts.fewLinks(text.internalLinks, fewest))] : []),
  ];
};

/** How often the stems of a keyword follow each other in a text. */
function usesOf(keyword: readonly string[], text: string): number {
  if (keyword.length === 0) return 0;
  const stems = stemsOf(text);
  let uses = 0;
  for (let at = 0; at + keyword.length <= stems.length; at += 1)
    if (keyword.every((stem, index) => stems[at + index] === stem)) {
      uses += 1;
      at += keyword.length - 1;
    }
  return uses;
}

const checkKeyword: Check = ({ title, focusKeyword, text }, _, measures) => {
  const keyword = stemsOf(focusKeyword);
  const missing = (where: string) => keyword.some((stem) => !stemsOf(where).includes(stem));
  measures.keywordShare = measures.words === 0 ? 0 : usesOf(keyword, plainText(text)) / measures.words;
  return [
    ...(missing(title) ? [soft(texts.keywordNotInTitle(focusKeyword))] : []),
    ...(missing(firstParagraphOf(text)) ? [soft(texts.keywordNotInFirstParagraph(focusKeyword))] : []),
    ...(measures.keywordShare > gateLimits.keywordShare ? [soft(texts.keywordTooOften(focusKeyword, measures.keywordShare))] : []),
  ];
};

const checkWords: Check = ({ title, slug, tags, text }, { audience }) => {
  const prominent = [
    title,
    slug.replaceAll('-', ' '),
    ...text.blocks.filter(({ kind }) => kind === 'heading').map((block) => block.text),
    ...tags,
  ];
  const refused = [...new Set(prominent.flatMap((part) => refusedTermsIn(part, audience)))];
  const inBody = new Set(text.blocks.filter(({ kind }) => kind !== 'heading').flatMap((block) => refusedTermsIn(block.text, audience)));
  return [
    ...refused.map((term) => hard(texts.wordInTitle(term), term)),
    ...[...inBody].filter((term) => !refused.includes(term)).map((term) => soft(texts.wordInBody(term), term)),
  ];
};

const checks: Readonly<Record<GateRule, Check>> = {
  length: checkLength,
  headings: checkHeadings,
  facts: checkFacts,
  advice: checkAdvice,
  slips: checkSlips,
  repetition: checkRepetition,
  ease: checkEase,
  fields: checkFields,
  links: checkLinks,
  keyword: checkKeyword,
  words: checkWords,
};

/**
 * Judges an article before anybody reads it, by rules that need no model: a model cannot check its own facts. Call `repairFields` before, so that a
 * length that code can mend is no finding.
 */
export function gateArticle(article: GateArticle, facts: GateFacts): GateReport {
  const prose = proseOf(article.text);
  const measures = { words: countWords(plainText(article.text)), ease: readingEase(prose), repetition: 0, keywordShare: 0 };
  const findings = gateRules.flatMap((rule) =>
    checks[rule](article, facts, measures).map((finding): GateFinding => ({ rule, ...finding })),
  );
  const of = (severity: GateFinding['severity']) => findings.filter((finding) => finding.severity === severity);
  return { passed: of('hard').length === 0, hard: of('hard'), soft: of('soft'), measures };
}
