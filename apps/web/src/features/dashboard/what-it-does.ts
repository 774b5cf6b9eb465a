import type { Frequency } from '@decola/contracts';
import { scheduleInShort } from '../../lib/weekdays';
import type { ListedAutomation } from './automations';
import { outcomeTexts, whatTexts as texts } from './texts';

const textOf = (configuration: Record<string, unknown>, field: string): string => {
  const value = configuration[field];
  return typeof value === 'string' ? value.trim() : '';
};

const split = (targets: string) => targets.split(/[\s,;]+/u).filter(Boolean);

/** `@nome` of what the customer typed: a name, `@nome` or the address of a profile. */
const handle = (typed: string) => `@${typed.replace(/^(?:https?:\/\/)?(?:www\.)?instagram\.com\//i, '').replace(/^@|[/?#].*$/g, '')}`;

const tags = (targets: string) => split(targets).map((tag) => `#${tag.replace(/^#+/, '')}`);

/** Up to three names; of more, the first two and the number of the others. */
const shortened = (names: readonly string[]) =>
  (names.length > 3 ? [...names.slice(0, 2), texts.more(names.length - 2)] : names).join(', ');

/** Where people or posts come from; null until the customer has chosen. @param nameOfList name of the automation that made a list */
function sourceOf({ configuration }: ListedAutomation, nameOfList: (id: string) => string | undefined): string | null {
  const targets = textOf(configuration, 'targets');
  switch (textOf(configuration, 'method')) {
    case 'hashtag':
      return shortened(tags(targets)) || null;
    case 'list':
      return targets ? texts.followersOf(shortened(split(targets).map(handle))) : null;
    case 'feed':
      return texts.feed;
    case 'slot': {
      const list = textOf(configuration, 'extractedDataId') || textOf(configuration, 'extractedSlotId');
      return list ? texts.list(nameOfList(list) ?? null) : null;
    }
    default:
      return null;
  }
}

/** For example `3 por hora`; null while the number or the frequency is missing. */
function paceOf({ configuration }: ListedAutomation): string | null {
  const words = texts.pace[configuration['frequency'] as Frequency] as string | undefined;
  const actions = Number(configuration['rowsPerLaunch'] || 3);
  return words && Number.isInteger(actions) && actions > 0 ? `${actions} ${words}` : null;
}

/** What the parts of an automation's description are made of. */
interface Described {
  configuration: Record<string, unknown>;
  targets: string;
  /** Null until the customer has chosen. */
  source: string | null;
  pace: string | null;
}

const partsOf: Record<ListedAutomation['type'], (described: Described) => (string | null)[]> = {
  'auto-follow-unfollow': ({ configuration, source, pace }) =>
    configuration['action'] === 'unfollow'
      ? [texts.unfollow, texts.followedHere, configuration['method'] === 'slot' ? source : null, pace]
      : [texts.follow, source, pace],
  'auto-like': ({ source, pace }) => [texts.like, source, pace],
  'auto-comment': ({ configuration, source, pace }) => [texts.comment, source, commentCountOf(configuration), pace],
  'mass-story-viewer': ({ source, pace }) => [texts.stories, source, pace],
  'followers-following-extractor': ({ configuration, targets }) => [
    texts.extract,
    targets ? extracted(configuration, handle(targets)) : null,
  ],
  'post-interactions-extractor': ({ configuration, targets }) => [texts.extract, targets ? interactions(configuration, targets) : null],
  'auto-dm-sender': ({ configuration, targets }) => [
    isAnswered(configuration) ? texts.directAndReply : texts.direct,
    textOf(configuration, 'targetKeyword') ? texts.whoComments(textOf(configuration, 'targetKeyword')) : null,
    targets ? texts.post(shortcodeOf(targets)) : null,
  ],
  'prize-extractor': ({ configuration }) => [texts.wheel, prizeCountOf(configuration)],
  'blog-automation': ({ configuration }) => [texts.articles, scheduleOf(configuration), hostOf(textOf(configuration, 'webhookUrl'))],
};

/**
 * What an automation does, in parts: action, target, pace. The parts tell apart automations of one tool that have the same name.
 * @param nameOfList name of the automation that made a list, by the id of the list or of that automation
 */
export function whatItDoes(automation: ListedAutomation, nameOfList: (id: string) => string | undefined): string[] {
  const { type, configuration } = automation;
  const described = {
    configuration,
    targets: textOf(configuration, 'targets'),
    source: sourceOf(automation, nameOfList),
    pace: paceOf(automation),
  };
  return partsOf[type](described).filter((part) => part !== null);
}

/** Whether people who get a message get a public answer too. */
const isAnswered = (configuration: Record<string, unknown>) => configuration['replyToComment'] === true;

type Outcome = (typeof outcomeTexts)[keyof typeof outcomeTexts];

const outcomeOf: Record<ListedAutomation['type'], ((configuration: Record<string, unknown>) => Outcome) | null> = {
  'auto-follow-unfollow': () => outcomeTexts.people,
  'auto-like': () => outcomeTexts.likes,
  'auto-comment': () => outcomeTexts.comments,
  'mass-story-viewer': () => outcomeTexts.stories,
  'auto-dm-sender': (configuration) => (isAnswered(configuration) ? outcomeTexts.directsAndReplies : outcomeTexts.directs),
  'followers-following-extractor': null,
  'post-interactions-extractor': null,
  'prize-extractor': null,
  'blog-automation': null,
};

/** How many actions of the last run were confirmed; null without a run, and for a tool that does none. */
export function lastOutcome({ type, configuration, lastRun }: ListedAutomation): { tried: number; confirmed: number; text: string } | null {
  const describe = outcomeOf[type]?.(configuration);
  if (!describe || !lastRun) return null;
  const { tried, confirmed } = lastRun;
  return { tried, confirmed, text: describe(confirmed, tried) };
}

const extracted = (configuration: Record<string, unknown>, user: string) =>
  configuration['extractionType'] === 'following' ? texts.followedBy(user) : texts.followersOf(user);

function interactions(configuration: Record<string, unknown>, address: string): string {
  const post = texts.post(shortcodeOf(address));
  return configuration['interactionType'] === 'comments' ? texts.commentsOn(post) : texts.likesOn(post);
}

/** The identifier of a post in its URL; null when the URL has none. */
function shortcodeOf(address: string): string | null {
  return /\/(?:p|reel|reels|tv)\/([\w-]+)/.exec(address)?.[1] ?? null;
}

/** "seg a sex, 09:00"; null without a day. */
function scheduleOf({ days, time }: Record<string, unknown>): string | null {
  const chosen = Array.isArray(days) ? days.filter((day) => typeof day === 'number') : [];
  return chosen.length === 0 ? null : scheduleInShort(chosen, typeof time === 'string' ? time : '');
}

/** The site of an address, without `www.`; null for what is none. */
function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') || null : null;
}

function commentCountOf(configuration: Record<string, unknown>): string | null {
  const list = configuration['commentsList'];
  const count = Array.isArray(list) ? list.filter((each) => typeof each === 'string' && each.trim() !== '').length : 0;
  return count > 0 ? texts.comments(count) : null;
}

function prizeCountOf(configuration: Record<string, unknown>): string | null {
  const { prizes } = configuration;
  const count = Array.isArray(prizes)
    ? prizes.filter((prize: { name?: unknown }) => typeof prize.name === 'string' && prize.name.trim() !== '').length
    : 0;
  return count > 0 ? texts.prizes(count) : null;
}
