import { createHash } from 'node:crypto';
import { type BuildName, type Build, makeBuild } from '../build/build.js';
import { TokenMint } from '../build/tokens.js';
import { Accounts, type NamedAccount } from '../population/accounts.js';
import { FollowerGraph } from '../population/graph.js';
import { Posts } from '../population/posts.js';
import { NetworkClock } from './clock.js';
import { Friendships } from './friendships.js';
import { Ledger } from './ledger.js';
import { Lists } from './lists.js';
import { Objections } from './objections.js';
import { Sessions } from './sessions.js';

export const interruptionKinds = ['cookie_banner', 'notifications', 'save_login', 'app_bar', 'home_screen', 'unknown'] as const;
export type InterruptionKind = (typeof interruptionKinds)[number];

/** Most actions of one account before the network records a verdict; null means no bound. */
export interface Ceilings {
  perHour: Partial<Record<'follow' | 'unfollow' | 'list_page', number>>;
  perDay: Partial<Record<'follow' | 'unfollow' | 'list_page', number>>;
  /** Two actions of one account closer than this happened "at the same moment". */
  sameMomentMs: number;
}

export const usualCeilings: Ceilings = { perHour: {}, perDay: { follow: 200, unfollow: 200 }, sameMomentMs: 250 };

/** The whole network: people, what they did, who is logged in, what it objects to. */
export class World {
  accounts!: Accounts;
  graph!: FollowerGraph;
  posts!: Posts;
  friendships!: Friendships;
  lists!: Lists;
  tokens!: TokenMint;
  build!: Build;
  readonly clock = new NetworkClock();
  readonly sessions = new Sessions(this.clock);
  readonly objections = new Objections(this.clock);
  readonly ledger = new Ledger();
  /** What the page shows over itself at the next loads, by username. */
  readonly interruptions = new Map<string, InterruptionKind[]>();
  ceilings: Ceilings = structuredClone(usualCeilings);
  rollout = 0;
  /** Set by whoever keeps the state; called after each change. */
  changed: () => void = () => {};

  constructor(
    public seed: string,
    readonly size: number,
    public buildName: BuildName,
  ) {
    this.populate(seed);
  }

  /** Everything begins anew, with another seed if one is given. Named accounts are forgotten too. */
  reset(seed = this.seed): void {
    this.sessions.clear();
    this.objections.clear();
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

  /** Serves another build from now on; pages that are open keep the old one. */
  rollOut(name: BuildName): void {
    this.buildName = name;
    this.rollout++;
    this.build = makeBuild(this.seed, name, this.rollout);
    this.changed();
  }

  /** Goes on with the build that was served before a restart. */
  resumeBuild(rollout: number): void {
    this.rollout = rollout;
    this.build = makeBuild(this.seed, this.buildName, rollout);
  }

  /** The build, past or present, with this revision number. */
  buildOf(revision: string): Build | undefined {
    if (revision === this.build.revision) return this.build;
    for (let rollout = this.rollout; rollout >= 0; rollout--)
      for (const name of ['main', 'drift'] as const) {
        const build = makeBuild(this.seed, name, rollout);
        if (build.revision === revision) return build;
      }
    return undefined;
  }

  /** The build, past or present, to which an operation's number belongs. */
  buildOfDocument(docId: string): Build | undefined {
    for (let rollout = this.rollout + 1; rollout >= 0; rollout--)
      for (const name of ['main', 'drift'] as const) {
        const build = makeBuild(this.seed, name, rollout);
        if (Object.values(build.docIds).includes(docId)) return build;
      }
    return undefined;
  }

  private populate(seed: string): void {
    this.seed = seed;
    this.accounts = new Accounts(seed, this.size);
    this.graph = new FollowerGraph(this.accounts);
    this.posts = new Posts(this.accounts);
    this.friendships = new Friendships(this.accounts, this.graph, this.clock);
    this.lists = new Lists(this.accounts, this.graph, this.friendships);
    this.tokens = new TokenMint(createHash('sha256').update(`tokens:${seed}`).digest());
    this.build = makeBuild(seed, this.buildName, this.rollout);
  }
}
