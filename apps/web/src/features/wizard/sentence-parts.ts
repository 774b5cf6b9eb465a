import { actionsPerRunOf, frequencies, frequencyLabel, normaliseUsername, splitTargets } from '@decola/contracts';
import { sentenceTexts as texts } from './texts';
import type { Configuration } from './use-draft';

/** Number of a step that asks for something the sentence says. */
type StepNumber = 1 | 2 | 3;

/** A piece of the sentence that says what an automation will do. */
export interface SentencePart {
  text: string;
  /** `said`: the customer's answer. `gap`: a missing answer. `word`: the text between them. */
  kind: 'word' | 'said' | 'gap';
  /** The step that asks for this answer; null for `word`. */
  step: StepNumber | null;
}

/** What a run counts: `curtida`, `curtidas`. */
export interface Unit {
  one: string;
  many: string;
}

export const word = (text: string): SentencePart => ({ text, kind: 'word', step: null });
export const said = (text: string, step: StepNumber = 2): SentencePart => ({ text, kind: 'said', step });
export const gap = (text: string, step: StepNumber = 2): SentencePart => ({ text, kind: 'gap', step });
/** The customer's answer, or a gap with the text `missing` until there is one. */
export const answer = (text: string, missing: string, step: StepNumber = 2) => (text ? said(text, step) : gap(missing, step));

/** The trimmed text of a field; empty when it holds none. */
export function textOf(configuration: Configuration, field: string): string {
  const value = configuration[field];
  return typeof value === 'string' ? value.trim() : '';
}

/** Up to this many targets are all named; of more, the first two are named and the others counted. */
const mostNamed = 3;

const listed = (names: readonly string[]) =>
  (names.length > mostNamed ? [...names.slice(0, mostNamed - 1), texts.more(names.length - mostNamed + 1)] : names).join(', ');

const tagged = (targets: string) => listed(splitTargets(targets).map((tag) => `#${tag.replace(/^#+/, '')}`));
/** The profiles of a field as `@name`. */
export const named = (targets: string) =>
  listed(splitTargets(targets).map((user) => `@${normaliseUsername(user) ?? user.replace(/^@/, '')}`));

/** The number of actions of a run with its unit. */
export function counted(configuration: Configuration, { one, many }: Unit): SentencePart {
  const count = actionsPerRunOf(configuration['rowsPerLaunch']);
  return said(`${count} ${count === 1 ? one : many}`, 3);
}

/** Words before a source, by the method; `slot` has the words before the list and the list's own. */
export interface SourceWords {
  hashtag: string;
  list?: string;
  feed?: string;
  slot: readonly [before: string, list: string];
}

/** The parts of the sentence that say where people or posts come from. */
export function sourceParts(configuration: Configuration, words: SourceWords): SentencePart[] {
  const targets = textOf(configuration, 'targets');
  switch (textOf(configuration, 'method')) {
    case 'hashtag':
      return [word(` ${words.hashtag} `), answer(tagged(targets), texts.gaps.hashtag)];
    case 'list':
      return [word(` ${words.list ?? ''} `), answer(named(targets), texts.gaps.profile)];
    case 'feed':
      return [word(' '), said(words.feed ?? '')];
    case 'slot': {
      const [before, list] = words.slot;
      return [word(before ? ` ${before} ` : ' '), textOf(configuration, 'extractedSlotId') ? said(list) : gap(list)];
    }
    default:
      return [word(' '), gap(texts.gaps.source)];
  }
}

/** How often the automation runs. */
export function paceParts(configuration: Configuration): SentencePart[] {
  const chosen = frequencies.find((each) => each === configuration['frequency']);
  return chosen
    ? [word(', '), said(frequencyLabel(chosen).toLowerCase().replace(' (recomendado)', ''), 3), word('.')]
    : [word(', '), gap(texts.gaps.pace, 3), word(` ${texts.toBeChosen}.`)];
}
