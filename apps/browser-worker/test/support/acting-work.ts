import type { RunAction, RunKind, RunPlan } from '@decola/contracts';
import type { FakeAutomations } from './fake-automations.js';
import {
  authorOf,
  commentPlan,
  followPlan,
  likePlan,
  type Person,
  sendDmPlan,
  type TestSession,
  unfollowPlan,
  viewStoryPlan,
} from './jobs.js';
import type { Network, NetworkPerson, NetworkPost } from './network.js';

export type ActingKind = Exclude<RunKind, 'extract-list' | 'extract-interactions'>;

/** Something that a run can act on. */
export interface WorkTarget {
  /** Ids of the target in the ledger, by action: of the person, post, or comment. */
  readonly ids: Readonly<Partial<Record<RunAction, string>>>;
  readonly username: string;
  /** The post that is acted on, or below which the person commented. */
  readonly post: NetworkPost | null;
}

/** Targets of one kind of run for one account, and the plan that acts on them. */
export interface Work {
  readonly targets: readonly WorkTarget[];
  /** A plan for some of the targets, in their order. */
  plan(targets: readonly WorkTarget[], budget: number): RunPlan;
}

type Maker = (network: Network, automations: FakeAutomations, me: TestSession, count: number) => Promise<Work>;

/** What the network's control interface and ledger call an action. */
export const callOf: Readonly<Record<RunAction, string>> = {
  follow: 'follow',
  unfollow: 'unfollow',
  like: 'like',
  comment: 'comment',
  'view-story': 'view_story',
  message: 'message',
  reply: 'reply',
};

export const directMessage = { message: 'Oi! Aqui está o link', reply: 'te mandei no direct!' };

/** Publishes stories of an account, oldest first. */
export async function storiesOf(network: Network, username: string, items: Record<string, unknown>[]): Promise<{ pk: string }[]> {
  return (await network.call<{ items: { pk: string }[] }>('PUT', `/accounts/${username}/stories`, { items })).items;
}

/** An account that shows two photos. */
export async function teller(network: Network, over: Record<string, unknown> = {}): Promise<NetworkPerson & { items: { pk: string }[] }> {
  const person = await network.account({ ...over });
  return { ...person, items: await storiesOf(network, person.username, [{ ageMs: 60_000 }, { ageMs: 30_000 }]) };
}

/** Publishes a post of the account that runs. */
export async function ownPost(network: Network, me: TestSession): Promise<NetworkPost> {
  return {
    ...(await network.call<Omit<NetworkPost, 'authorId'>>('POST', '/posts', { username: me.username })),
    authorId: me.networkUserId,
  };
}

/** Somebody who comments on a post. */
export async function commenter(
  network: Network,
  post: NetworkPost,
  text: string,
  { at, ...over }: Record<string, unknown> = {},
): Promise<NetworkPerson & { comment: string }> {
  const person = await network.account(over);
  const { pk } = await network.call<{ pk: string }>('POST', '/comments', {
    post: post.code,
    username: person.username,
    text,
    ...(at === undefined ? {} : { at }),
  });
  return { ...person, comment: pk };
}

const personOf = ({ ids, username }: WorkTarget): Person => ({ pk: Object.values(ids)[0]!, username });
const authorsOf = (targets: readonly WorkTarget[]): Person[] => targets.map(({ post }) => authorOf(post!));

const postsFor =
  (action: 'like' | 'comment'): Maker =>
  async (network, automations, _me, count) => {
    const posts: NetworkPost[] = await network.posts(count);
    return {
      targets: posts.map((post) => ({ ids: { [action]: post.pk }, username: post.username, post })),
      plan: (targets, budget) => (action === 'like' ? likePlan : commentPlan)(automations.slotOf(authorsOf(targets)), { budget }),
    };
  };

const peopleFor =
  (
    action: 'follow' | 'view-story',
    person: (network: Network) => Promise<NetworkPerson>,
    plan: (source: ReturnType<FakeAutomations['slotOf']>, over: { budget: number }) => RunPlan,
  ): Maker =>
  async (network, automations, _me, count) => {
    const targets: WorkTarget[] = [];
    while (targets.length < count) {
      const { pk, username } = await person(network);
      targets.push({ ids: { [action]: pk }, username, post: null });
    }
    return { targets, plan: (some, budget) => plan(automations.slotOf(some.map(personOf)), { budget }) };
  };

/** For each kind of run that acts: targets and a plan. A new kind needs an entry. */
export const workOf: Readonly<Record<ActingKind, Maker>> = {
  follow: peopleFor('follow', (network) => network.account(), followPlan),
  unfollow: async (network, _automations, me, count) => {
    const targets: WorkTarget[] = [];
    while (targets.length < count) {
      const { pk, username } = await network.account();
      await network.tie(me.username, username, 'following');
      targets.push({ ids: { unfollow: pk }, username, post: null });
    }
    return { targets, plan: (some, budget) => unfollowPlan(some.map(personOf), budget) };
  },
  like: postsFor('like'),
  comment: postsFor('comment'),
  'view-story': peopleFor('view-story', teller, viewStoryPlan),
  // Sends the message and the answer to everybody who commented, whichever targets are named.
  'send-dm': async (network, _automations, me, count) => {
    const post = await ownPost(network, me);
    const targets: WorkTarget[] = [];
    while (targets.length < count) {
      const at = new Date(Date.now() - 3_600_000 + targets.length * 1_000).toISOString();
      const { pk, username, comment } = await commenter(network, post, 'quero', { at });
      targets.push({ ids: { message: pk, reply: comment }, username, post });
    }
    return { targets, plan: (_some, budget) => sendDmPlan(post.code, { ...directMessage, budget }) };
  },
};

export const actingKinds = Object.keys(workOf) as ActingKind[];
