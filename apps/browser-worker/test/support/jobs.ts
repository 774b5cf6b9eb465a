import { randomUUID } from 'node:crypto';
import { type AutomationType, tools, toolTypes } from '@decola/contracts';
import type { BrowserRun, LedgerTarget, NetworkCookie, PlanOf, RunPlan, UnsettledReservation } from '@decola/contracts';
import { Sealer, parseKeyRing } from '@decola/service-kit';

export const testKeyRing = `test:${Buffer.alloc(32, 5).toString('base64')}`;
export const testSealer = new Sealer(parseKeyRing(testKeyRing));

export interface TestSession {
  networkUserId: string;
  username: string;
  cookies: NetworkCookie[];
}

/** A person as the sandbox network describes them. */
export interface Person {
  readonly pk: string;
  readonly username: string;
}

export const checkSession: RunPlan = { kind: 'check-session' };

/** Follows one person of a source, and no private one; `over` changes that. */
export function followPlan(source: PlanOf<'follow'>['source'], over: Partial<PlanOf<'follow'>> = {}): PlanOf<'follow'> {
  return { kind: 'follow', source, budget: 1, requestPrivate: false, ...over };
}

/** Likes one post of a source; `over` changes that. */
export function likePlan(source: PlanOf<'like'>['source'], over: Partial<PlanOf<'like'>> = {}): PlanOf<'like'> {
  return { kind: 'like', source, budget: 1, ...over };
}

/** Watches one story of a source; `over` changes that. */
export function viewStoryPlan(source: PlanOf<'view-story'>['source'], over: Partial<PlanOf<'view-story'>> = {}): PlanOf<'view-story'> {
  return { kind: 'view-story', source, budget: 1, ...over };
}

/** Sends a message to one person who commented `quero` within the last week; `over` changes that. */
export function sendDmPlan(postCode: string, over: Partial<PlanOf<'send-dm'>> = {}): PlanOf<'send-dm'> {
  const commentedAfter = new Date(Date.now() - 7 * 86_400_000).toISOString();
  return { kind: 'send-dm', postCode, keyword: 'quero', message: 'Oi!', reply: null, commentedAfter, maxPages: 6, budget: 1, ...over };
}

/** Comments on one post of a source; `over` changes that. */
export function commentPlan(source: PlanOf<'comment'>['source'], over: Partial<PlanOf<'comment'>> = {}): PlanOf<'comment'> {
  const texts = ['Que capricho! 😍', 'Ficou lindo', 'Amei, parabéns'];
  return { kind: 'comment', source, budget: 1, texts, textsUsed: 0, ...over };
}

export function unfollowPlan(people: readonly Person[], budget = 5): PlanOf<'unfollow'> {
  return { kind: 'unfollow', targets: people.map(targetOf), budget };
}

/** Extracts all followers of a person; `over` changes that. */
export function listPlan(username: string, over: Partial<PlanOf<'extract-list'>> = {}): PlanOf<'extract-list'> {
  return {
    kind: 'extract-list',
    list: 'followers',
    username,
    extractedDataId: randomUUID(),
    maxPages: 200,
    ...over,
  };
}

/** Extracts who liked a post; `over` changes that. */
export function interactionsPlan(postCode: string, over: Partial<PlanOf<'extract-interactions'>> = {}): PlanOf<'extract-interactions'> {
  return { kind: 'extract-interactions', list: 'likes', postCode, author: null, extractedDataId: randomUUID(), maxPages: 80, ...over };
}

/** A post as the sandbox network describes it. */
export interface PostOfNetwork {
  readonly pk: string;
  readonly code: string;
  readonly username: string;
  readonly authorId: string;
}

export function postTargetOf({ pk, code, username, authorId }: PostOfNetwork): LedgerTarget {
  return { targetId: pk, username, authorId, postCode: code };
}

export function authorOf({ authorId, username }: PostOfNetwork): Person {
  return { pk: authorId, username };
}

export function targetOf({ pk, username }: Person): LedgerTarget {
  return { targetId: pk, username };
}

/** A reservation of an earlier run that has no outcome. */
export function openReservation(action: UnsettledReservation['action'], person: Person): UnsettledReservation {
  return { reservationId: randomUUID(), action, ...targetOf(person) };
}

/** The same for an action on a post. */
export function openPostReservation(action: UnsettledReservation['action'], post: PostOfNetwork, text?: string): UnsettledReservation {
  return { reservationId: randomUUID(), action, ...postTargetOf(post), ...(text === undefined ? {} : { text }) };
}

/** The same pause, in ms, between actions and between pages. */
export const paceOf = (actionMs: number, pageMs = 0): BrowserRun['pace'] => ({
  actionGapMs: { min: actionMs, max: actionMs },
  pageGapMs: { min: pageMs, max: pageMs },
});

/** A job as automations would send it, almost without pauses. */
export function jobFor(session: TestSession, plan: RunPlan, over: Partial<BrowserRun> = {}): BrowserRun {
  const sessionId = randomUUID();
  return {
    runId: randomUUID(),
    automationId: randomUUID(),
    automationType: (toolTypes.find((type) => plan.kind in tools[type].runs) as AutomationType) ?? null,
    userId: randomUUID(),
    accountKey: accountKeyOf(session),
    session: {
      envelope: testSealer.seal(JSON.stringify(session.cookies), sessionId),
      sessionId,
      networkUserId: session.networkUserId,
    },
    plan,
    unsettled: [],
    pace: paceOf(300),
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    ...over,
  };
}

export function accountKeyOf({ networkUserId }: Pick<TestSession, 'networkUserId'>): string {
  return `account-key-of-${networkUserId.padStart(20, '0')}`;
}
