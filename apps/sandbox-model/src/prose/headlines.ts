import type { Random } from '../random/random.js';
import { capitalized, sentences, speech, textOfLength } from './sentences.js';
import { aspects, type Field, fields, kinds, manners, niches } from './vocabulary.js';

export interface Topic {
  focusKeyword: string;
  title: string;
}

const titleMin = 30;
const titleMax = 60;

/** A title of 30 to 60 characters that begins with the keyword. */
export function titleOf(random: Random, focusKeyword: string): string {
  const start = capitalized(focusKeyword);
  if (start.length > titleMax) return start.slice(0, titleMax + 1).replace(/\s+\S*$/, '');
  const field = random.pick(fields);
  const endings = [
    () => `: como ${random.pick(field.verbs).infinitive} ${random.pick(field.objects)}`,
    () => `: ${random.pick(field.verbs).infinitive} ${random.pick(field.objects)}`,
    () => ` ${random.pick(manners)}`,
  ];
  const withEnding = textOfLength(titleMin, titleMax, () => start + random.pick(endings)());
  return withEnding.length <= titleMax ? withEnding : start;
}

/** The first word that means something: titles that all share several words would be too alike. */
function headOf(keyword: string): string {
  return keyword.split(/\s+/).find((word) => word.length > 3) ?? keyword;
}

/** The beginnings of the longer words: the same for all forms of a word. */
const stemsIn = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => word !== 'para').map((word) => word.slice(0, 5)));

/** Share of the stems that two titles have in common, 0 to 1 (Dice). */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return (2 * [...one].filter((stem) => other.has(stem)).length) / Math.max(1, one.size + other.size);
}

const unlike = 0.4;
/** Longer texts are no titles. */
const longestTitle = 150;

/**
 * A topic about the keyword that is unlike those that are known.
 *
 * @param known titles and keywords of the request.
 */
export function topicOf(random: Random, keyword: string, known: readonly string[]): Topic {
  const [aspect, niche, kind] = [random.deck(aspects), random.deck(niches), random.deck(kinds)];
  const head = headOf(keyword);
  const others = known.filter((text) => text.length <= longestTitle).map(stemsIn);
  let best: Topic = { focusKeyword: head, title: titleOf(random, head) };
  let leastAlike = Infinity;
  for (let attempt = 0; attempt < 150 && leastAlike > unlike; attempt++) {
    const [what, whom, which] = [aspect(), niche(), kind()];
    const forms = [`${what} de ${head} para ${whom} ${which}`, `${what} de ${head} para ${whom}`, `${head} para ${whom}`];
    const focusKeyword = forms.find((form) => form.length <= titleMax) ?? head;
    const title = titleOf(random, focusKeyword);
    const alike = Math.max(0, ...others.map((other) => likeness(stemsIn(title), other)));
    if (alike < leastAlike) [best, leastAlike] = [{ focusKeyword, title }, alike];
  }
  return best;
}

/** Headings of an article, each about another field. */
export function headingsOf(random: Random, count: number): string[] {
  const field = random.deck(fields);
  const manner = random.deck(manners);
  const forms = random.deck<(of: Field) => string>([
    (of) => `Como ${random.pick(of.verbs).infinitive} ${random.pick(of.objects)}`,
    (of) => `${capitalized(random.pick(of.verbs).infinitive)} ${random.pick(of.objects)} ${manner()}`,
    (of) => `Hora de ${random.pick(of.verbs).infinitive} ${random.pick(of.objects)}`,
    (of) => `${capitalized(random.pick(of.objects))} ${manner()}`,
  ]);
  return Array.from({ length: count }, () => forms()(field()));
}

/** The field that a heading is about; one by chance for headings of others. */
export function fieldOf(random: Random, heading: string): Field {
  const lower = heading.toLowerCase();
  return fields.find(({ objects }) => objects.some((object) => lower.includes(object))) ?? random.pick(fields);
}

/** One or two sentences of `min` to `max` characters that begin with the subject. */
export function summaryOf(random: Random, subject: string, min: number, max: number): string {
  return textOfLength(min, max, () => {
    const next = sentences(random, speech(random, random.pick(fields)));
    const first = next.about(subject);
    return first.length >= min ? first : `${first} ${next.plain()}`;
  });
}

/** A short instruction, such as a point of an outline. */
export function pointOf(random: Random, field: Field): string {
  return `${capitalized(random.pick(field.verbs).infinitive)} ${random.pick(field.objects)} ${random.pick(manners)}`;
}
