import type { ListedAutomation } from './automations';

/** What a customer can narrow the list down to. */
export const listStates = ['active', 'stopped', 'draft', 'done'] as const;
export type ListState = (typeof listStates)[number];

/** Where an automation belongs, by what its card shows. */
export function listStateOf({ isDraft, isActive, status }: Pick<ListedAutomation, 'isDraft' | 'isActive' | 'status'>): ListState {
  if (isDraft) return 'draft';
  if (status === 'done') return 'done';
  return isActive && status !== 'paused' && status !== 'blocked' ? 'active' : 'stopped';
}

/** Up to this many automations are seen at a glance; of more, the list can be searched and narrowed down. */
export const fewAutomations = 10;
/** Cards on one page: all of a thousand at once would freeze a phone. */
export const pageSize = 25;

/** Without case and accents. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export interface ListView {
  /** Automations in each state that match the search. */
  counts: Record<ListState | 'all', number>;
  /** Everything that matches the search and the state. */
  found: readonly ListedAutomation[];
  /** The page that is shown, from 1; the last one when fewer pages are left than were asked for. */
  page: number;
  pages: number;
  rows: readonly ListedAutomation[];
}

/** Whether an automation has all words of a search. */
export type Matcher = (automation: ListedAutomation, words: readonly string[]) => boolean;

/** Folds the text of each automation once, however often it is searched. @param textOf everything that the search looks at in an automation */
export function matcherOf(textOf: (automation: ListedAutomation) => string): Matcher {
  const known = new WeakMap<ListedAutomation, string>();
  return (automation, words) => {
    const text = known.get(automation) ?? folded(textOf(automation));
    known.set(automation, text);
    return words.every((word) => text.includes(word));
  };
}

/** The part of the list that is shown. @param state null for all states */
export function viewOf(
  list: readonly ListedAutomation[],
  matches: Matcher,
  { search, state, page }: { search: string; state: ListState | null; page: number },
): ListView {
  const words = folded(search).split(/\s+/u).filter(Boolean);
  const matching = words.length === 0 ? list : list.filter((automation) => matches(automation, words));
  const counts = { all: matching.length, active: 0, stopped: 0, draft: 0, done: 0 };
  for (const automation of matching) counts[listStateOf(automation)] += 1;
  const found = state === null ? matching : matching.filter((automation) => listStateOf(automation) === state);
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const shown = Math.min(Math.max(1, page), pages);
  return { counts, found, page: shown, pages, rows: found.slice((shown - 1) * pageSize, shown * pageSize) };
}
