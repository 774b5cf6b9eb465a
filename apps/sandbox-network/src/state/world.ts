import { createHash } from 'node:crypto';
import { type Build, makeBuild } from '../build/build.js';
import { PageTokenIssuer } from '../build/page-tokens.js';
import { actionNames } from '../build/operations.js';
import { type BuildName, buildNames } from '../build/traits.js';
import { type Account, Accounts, type NamedAccount } from '../population/accounts.js';
import { FollowerGraph } from '../population/follower-graph.js';
import { NetworkClock } from './clock.js';
import { Comments } from './comments.js';
import { Feed } from './feed.js';
import { Direct } from './direct.js';
import { Friendships } from './friendships.js';
import { Ledger } from './ledger.js';
import { Likes } from './likes.js';
import { Lists } from './lists.js';
import { Objections } from './objections.js';
import { PublishedPosts } from './published-posts.js';
import { Sessions } from './sessions.js';
import { Stories } from './stories.js';
import { WithheldLists } from './withheld-lists.js';

export const interruptionKinds = [
  'cookie_banner',
  'notifications',
  'save_login',
  'app_bar',
  'home_screen',
  'unknown',
  'direct_pin',
  'direct_notifications',
] as const;
export type InterruptionKind = (typeof interruptionKinds)[number];

export const ceilingActions = [...actionNames, 'list_page', 'page_view'] as const;
export type CeilingAction = (typeof ceilingActions)[number];

/** Largest number of actions of one account without a verdict; kinds that are not named have no limit. */
export interface Ceilings {
  perHour: Partial<Record<CeilingAction, number>>;
  perDay: Partial<Record<CeilingAction, number>>;
  /** Two actions of one account closer than this count as simultaneous. */
  sameMomentMs: number;
}

export const usualCeilings: Ceilings = {
  perHour: {},
  perDay: { follow: 200, unfollow: 200, like: 400, comment: 60, reply: 60 },
  sameMomentMs: 250,
};

/** The whole state of the network: people, actions, sessions, scripted objections. */
export class World {
  accounts!: Accounts;
  graph!: FollowerGraph;
  posts!: PublishedPosts;
  likes!: Likes;
  comments!: Comments;
  feed!: Feed;
  friendships!: Friendships;
  lists!: Lists;
  stories!: Stories;
  direct!: Direct;
  tokens!: PageTokenIssuer;
  build!: Build;
  readonly clock = new NetworkClock();
  readonly sessions = new Sessions(this.clock);
  readonly objections = new Objections(this.clock);
  readonly withheldLists = new WithheldLists(this.clock);
  readonly ledger = new Ledger();
  /** Dialogs and banners of the visitor's next page, by username. */
  readonly interruptions = new Map<string, InterruptionKind[]>();
  ceilings: Ceilings = structuredClone(usualCeilings);
  rollout = 0;
  /** Called after each change; `StateFile` sets it. */
  changed: () => void = () => {};

  constructor(
    public seed: string,
    readonly size: number,
    public buildName: BuildName,
  ) {
    this.populate(seed);
  }

  /** Starts again with an empty state, and with another seed if one is given. Named accounts are removed too. */
  reset(seed = this.seed): void {
    this.sessions.clear();
    this.objections.clear();
    this.withheldLists.clear();
    this.ledger.clear();
    this.interruptions.clear();
    this.ceilings = structuredClone(usualCeilings);
    this.clock.offsetMs = 0;
    this.rollout = 0;
    this.populate(seed);
    this.changed();
  }

  ensureAccount(wanted: NamedAccount): number {
    const index = this.accounts.ensure(wanted);
    this.graph.namedAccountsChanged();
    this.changed();
    return index;
  }

  /** Renames an account; its sessions and list settings stay with it. */
  rename({ index, pk, username }: Account, to: string): void {
    this.accounts.rename(index, to);
    for (const session of this.sessions.all()) if (session.pk === pk) session.username = to;
    this.lists.renamed(username, to);
    this.changed();
  }

  /** Serves another build from now on; open pages keep the old one. */
  rollOut(name: BuildName): void {
    this.buildName = name;
    this.rollout++;
    this.build = makeBuild(this.seed, name, this.rollout);
    this.changed();
  }

  /** Serves the same build as before a restart. */
  resumeBuild(rollout: number): void {
    this.rollout = rollout;
    this.build = makeBuild(this.seed, this.buildName, rollout);
  }

  /** The present or a past build with this revision number. */
  buildOf(revision: string): Build | undefined {
    if (revision === this.build.revision) return this.build;
    for (let rollout = this.rollout; rollout >= 0; rollout--)
      for (const name of buildNames) {
        const build = makeBuild(this.seed, name, rollout);
        if (build.revision === revision) return build;
      }
    return undefined;
  }

  /** The present or a past build that has this operation number. */
  buildOfDocument(docId: string): Build | undefined {
    for (let rollout = this.rollout + 1; rollout >= 0; rollout--)
      for (const name of buildNames) {
        const build = makeBuild(this.seed, name, rollout);
        if (Object.values(build.docIds).includes(docId)) return build;
      }
    return undefined;
  }

  private populate(seed: string): void {
    this.seed = seed;
    this.accounts = new Accounts(seed, this.size);
    this.graph = new FollowerGraph(this.accounts);
    this.posts = new PublishedPosts(this.accounts);
    this.likes = new Likes(this.accounts, this.clock);
    this.comments = new Comments(this.accounts, this.clock);
    this.friendships = new Friendships(this.accounts, this.graph, this.clock);
    this.feed = new Feed(this.accounts, this.friendships, this.posts);
    this.lists = new Lists(this.accounts, this.graph, this.friendships);
    this.stories = new Stories(this.accounts, this.friendships, this.clock);
    this.direct = new Direct(this.accounts, this.friendships, this.clock);
    this.tokens = new PageTokenIssuer(createHash('sha256').update(`tokens:${seed}`).digest());
    this.build = makeBuild(seed, this.buildName, this.rollout);
  }
}
