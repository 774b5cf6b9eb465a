import { type ActionOutcome, type PlanOf, type RawConfiguration, sourceExtractionId, type TargetSource } from '@decola/contracts';
import { isDeepStrictEqual } from 'node:util';
import { holdTexts, previewTexts, runTexts } from '../texts/texts.js';
import type { ActionRules, LedgerEntry } from './action-rules.js';
import { budgetOf, type RunModule } from './run-module.js';
import { sourceOfTurn, sourcesOf, whyFrom } from './sources.js';
import { refusedUnfollows, unfollowTargetsOf } from './unfollow-targets.js';

type FollowSource = PlanOf<'follow'>['source'];

const isFollowSource = (source: TargetSource): source is FollowSource => source.kind !== 'feed';

/** Whether people with private profiles get a request. Otherwise they are skipped. */
const requestsPrivate = (configuration: RawConfiguration) => configuration['requestPrivate'] === true;

export const follow: RunModule<'follow'> = {
  // Start page, own profile, source, a person, the proof.
  leastViews: 5,
  plan(input) {
    const { configuration, pageRoom, sourceOffset } = input;
    const source = sourceOfTurn(sourcesOf(configuration).filter(isFollowSource), input.runNumber);
    if (!source) return null;
    const plan = { kind: 'follow' as const, source, budget: budgetOf(input), requestPrivate: requestsPrivate(configuration) };
    if (source.kind === 'slot') return { ...plan, sourceOffset };
    if (source.kind !== 'list') return plan;
    return { ...plan, maxPages: pageRoom, budget: pageRoom === 0 ? 0 : plan.budget };
  },
  isStillPlanned: (plan, configuration) =>
    plan.requestPrivate === requestsPrivate(configuration) &&
    sourcesOf(configuration).some((source) => isDeepStrictEqual(source, plan.source)),
  preview: { why: ({ source }) => whyFrom(source, 'person') },
  readsLists: (configuration) => sourcesOf(configuration).some(({ kind }) => kind === 'list'),
  skipsDependOn: requestsPrivate,
};

/** Whether people are unfollowed only when they are also in a list of the customer. */
const isLimitedToList = (configuration: RawConfiguration) => configuration['method'] === 'slot';

function slotOf(configuration: RawConfiguration): NonNullable<PlanOf<'unfollow'>['source']> | null {
  const extractedDataId = sourceExtractionId(configuration);
  return extractedDataId === null ? null : { kind: 'slot', extractedDataId };
}

export const unfollow: RunModule<'unfollow'> = {
  // Start page, a person, the proof.
  leastViews: 3,
  plan(input) {
    const { configuration, candidates, sourceOffset } = input;
    const plan = { kind: 'unfollow' as const, targets: [...candidates], budget: budgetOf(input) };
    if (!isLimitedToList(configuration)) return plan;
    const source = slotOf(configuration);
    return source && { ...plan, targets: [], source, sourceOffset };
  },
  isStillPlanned: (plan, configuration) =>
    isDeepStrictEqual(plan.source, isLimitedToList(configuration) ? (slotOf(configuration) ?? undefined) : undefined),
  preview: {
    why: ({ source }, _said, { unfollowAfterDays }) =>
      source ? whyFrom(source, 'person') : previewTexts.followedLongAgo(unfollowAfterDays),
  },
  readsLists: () => false,
  rereadsLists: { reason: runTexts.nobodyOfListToUnfollow },
  candidates: {
    isNeeded: () => true,
    load: (db, accountKeys, { unfollowAfterDays }, now, most) => unfollowTargetsOf(db, accountKeys, unfollowAfterDays, now, most),
    whenNone: { code: 'nobody_to_unfollow', reason: ({ unfollowAfterDays }) => holdTexts.nobodyToUnfollow(unfollowAfterDays) },
  },
};

/**
 * Whether a look shows a follow that the customer made by hand, so that it must not be undone (docs/decisions/0029-followed-again-by-hand.md): our
 * click was never announced, or our request was seen gone before.
 */
export function isFollowByHand({ state, triedAt, firstNegativeAt }: LedgerEntry, seen: ActionOutcome): boolean {
  if (seen !== 'confirmed') return false;
  return (state === 'reserved' && triedAt === null) || (state === 'requested' && firstNegativeAt !== null);
}

export const followRules: ActionRules = { canBeLookedUp: true, isOwnChoice: isFollowByHand };

export const unfollowRules: ActionRules = {
  canBeLookedUp: true,
  refusals: (db, accountKey, candidates, { unfollowAfterDays }, now) =>
    refusedUnfollows(db, accountKey, candidates, unfollowAfterDays, now),
  // The customer had unfollowed this person by hand: should they follow again, it is their own choice.
  ownChoiceSkips: ['already_so'],
};
