import { type ArticleText, firstParagraphOf, proseOf } from './article-text.js';
import { foldText } from './portuguese-words.js';
import { sentencesOf } from './reading-ease.js';

/** What an article has beside its text. */
export interface ArticleFields {
  title: string;
  slug: string;
  metaTitle: string;
  metaDescription: string;
  excerpt: string;
  category: string;
  tags: string[];
  focusKeyword: string;
}

/** Lengths in characters, and how many tags. */
export const fieldLimits = {
  metaTitle: { min: 30, max: 60 },
  metaDescription: { min: 110, max: 155 },
  excerpt: { min: 110, max: 200 },
  slug: { max: 75 },
  tags: { min: 3, max: 6 },
} as const;

/** Cuts a text after a whole word; without a comma or a dash at its end. The mark `…` counts. */
export function cutAfterWord(text: string, most: number): string {
  const whole = text.replace(/\s+/g, ' ').trim();
  if (whole.length <= most) return whole;
  const room = whole.slice(0, most);
  const end = room.lastIndexOf(' ');
  return `${(end > most / 2 ? room.slice(0, end) : room.slice(0, -1)).slice(0, most - 1).replace(/[\s,;:.–—-]+$/u, '')}…`;
}

/** As many whole sentences as fit; when not even `min` characters do, the text is cut after a word. */
function sentencesWithin(sentences: readonly string[], { min, max }: { min: number; max: number }): string {
  let text = '';
  for (const sentence of sentences) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if (longer.length > max) return text.length >= min ? text : cutAfterWord(longer, max);
    text = longer;
    if (text.length >= min) return text;
  }
  return text;
}

/** A slug that fits: cut at a hyphen, in lower-case letters, digits and hyphens. */
export function repairSlug(slug: string): string {
  const clean = foldText(slug)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (clean.length <= fieldLimits.slug.max) return clean;
  const room = clean.slice(0, fieldLimits.slug.max + 1);
  const end = room.lastIndexOf('-');
  return end > 0 ? room.slice(0, end) : room.slice(0, fieldLimits.slug.max);
}

/** Tags once each, without regard to accents and case, at most six. */
function repairTags(tags: readonly string[], more: readonly string[]): string[] {
  const kept = new Map<string, string>();
  const add = (tag: string) => {
    const text = tag.replace(/\s+/g, ' ').replace(/^#/, '').trim();
    if (text !== '' && !kept.has(foldText(text))) kept.set(foldText(text), text);
  };
  tags.forEach(add);
  for (const tag of more) if (kept.size > 0 && kept.size < fieldLimits.tags.min) add(tag);
  return [...kept.values()].slice(0, fieldLimits.tags.max);
}

/**
 * Brings the fields to their lengths: too long ones are cut after a word, short descriptions and excerpts are continued with the article's own
 * sentences, and a category is written as the list writes it. A field that is missing stays missing: the gate tells. Idempotent.
 */
export function repairFields<Fields extends ArticleFields>(
  fields: Fields,
  text: ArticleText,
  { categories }: { categories: readonly string[] },
): Fields {
  const continued = (field: string, limits: { min: number; max: number }): string => {
    const whole = field.replace(/\s+/g, ' ').trim();
    if (whole === '') return '';
    if (whole.length >= limits.min) return cutAfterWord(whole, limits.max);
    const own = new Set(sentencesOf(whole));
    const further = proseOf(text)
      .flatMap(sentencesOf)
      .filter((sentence) => !own.has(sentence));
    return sentencesWithin([/[.!?…]$/.test(whole) ? whole : `${whole}.`, ...further], limits);
  };
  const metaTitle = fields.metaTitle.replace(/\s+/g, ' ').trim();
  const isShort = metaTitle !== '' && metaTitle.length < fieldLimits.metaTitle.min;
  const title = fields.title.replace(/\s+/g, ' ').trim();
  const category = categories.find((listed) => foldText(listed) === foldText(fields.category.trim()));
  return {
    ...fields,
    title,
    slug: repairSlug(fields.slug),
    metaTitle: cutAfterWord(isShort && title.length > metaTitle.length ? title : metaTitle, fieldLimits.metaTitle.max),
    metaDescription: continued(fields.metaDescription, fieldLimits.metaDescription),
    excerpt: continued(fields.excerpt, fieldLimits.excerpt),
    category: category ?? fields.category.trim(),
    tags: repairTags(fields.tags, [fields.focusKeyword, category ?? fields.category]),
  };
}

/** An excerpt from the article's own first sentences; empty for an article without text. */
export function excerptOf(text: ArticleText): string {
  const paragraph = firstParagraphOf(text);
  const sentences = (paragraph === '' ? [] : proseOf(text)).flatMap(sentencesOf);
  return sentencesWithin(sentences, fieldLimits.excerpt);
}
