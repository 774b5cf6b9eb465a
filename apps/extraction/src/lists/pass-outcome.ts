import type { DataType, ListEnd, ListEndReason } from '@decola/contracts';

/** Upper bound of passes over one list. The network repeats or hides about one row in eight, so each pass brings fewer new people. */
export const maxPasses = 8;
/** Comments are ranked, so that a second pass finds those that moved while the first was read. Likes are one page, and always the same sample. */
const maxPassesOfPosts = { comments: 3, likes: 1 } as const;

export function maxPassesOf(dataType: DataType): number {
  return dataType === 'comments' || dataType === 'likes' ? maxPassesOfPosts[dataType] : maxPasses;
}

/** How a run over a list ended. `refused`: the network does not show the list to this account. */
export type RunEndState = ListEnd['state'] | 'refused';

/** Why a list has fewer rows than the network says it has. */
export type ShortReason = Exclude<ListEndReason, 'deleted'>;

export interface PassFacts {
  state: RunEndState;
  pass: number;
  /** People in the list so far. */
  collected: number;
  /** New people that this pass brought. */
  fresh: number;
  /** The total that the profile shows; null when unknown. */
  profileTotal: number | null;
}

/** What happens to a list when a run over it ends. `isPassEnd` is false when the list could not be read to its end. */
export type PassOutcome =
  | { kind: 'goes_on' }
  | { kind: 'next_pass' }
  | { kind: 'complete'; isPassEnd: boolean }
  | { kind: 'ended_short'; isPassEnd: boolean; reason: ShortReason };

export function passOutcome({ state, pass, collected, fresh, profileTotal }: PassFacts, mostPasses = maxPasses): PassOutcome {
  if (state === 'more') return { kind: 'goes_on' };
  if (state !== 'pass_ended') return { kind: 'ended_short', isPassEnd: false, reason: state };
  if (profileTotal !== null && collected >= profileTotal) return { kind: 'complete', isPassEnd: true };
  if (fresh > 0 && pass < mostPasses) return { kind: 'next_pass' };
  return profileTotal === null ? { kind: 'complete', isPassEnd: true } : { kind: 'ended_short', isPassEnd: true, reason: 'nothing_new' };
}
