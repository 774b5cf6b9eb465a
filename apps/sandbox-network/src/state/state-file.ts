import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BuildName } from '../build/traits.js';
import type { NamedAccount } from '../population/accounts.js';
import type { StoredComments } from './comments.js';
import type { StoredDirect } from './direct.js';
import type { StoredTie } from './friendships.js';
import type { LedgerEntry } from './ledger.js';
import type { StoredLike } from './likes.js';
import type { Lists } from './lists.js';
import type { Objections } from './objections.js';
import type { StoredPost } from './published-posts.js';
import type { Session } from './sessions.js';
import type { StoredStories } from './stories.js';
import type { WithheldLists } from './withheld-lists.js';
import type { Ceilings, InterruptionKind, World } from './world.js';

interface Snapshot {
  version: 1;
  seed: string;
  buildName: BuildName;
  rollout: number;
  clockOffsetMs: number;
  named: NamedAccount[];
  renamed?: [pk: string, name: string][];
  ties: StoredTie[];
  posts?: StoredPost[];
  likes?: StoredLike[];
  comments?: StoredComments;
  sessions: Session[];
  objections: ReturnType<Objections['store']>;
  lists: ReturnType<Lists['store']>;
  stories?: StoredStories;
  direct?: StoredDirect;
  withheldLists?: ReturnType<WithheldLists['store']>;
  interruptions: [string, InterruptionKind[]][];
  ceilings: Ceilings;
  ledger: LedgerEntry[];
}

/** Delay in which changes are collected before a write. After a slow write the delay grows, so that writes take little of the time. */
const writeDelayMs = 500;
const restPerWrite = 30;

/** Stores the network's state in one file, so that it survives a restart. Without a folder it stores nothing. */
export class StateFile {
  private readonly file: string | null;
  private timer: NodeJS.Timeout | null = null;
  private lastWriteMs = 0;

  constructor(
    private readonly world: World,
    directory: string | undefined,
  ) {
    this.file = directory ? path.join(directory, 'network.json') : null;
    if (!this.file || !directory) return;
    mkdirSync(directory, { recursive: true });
    this.load(this.file);
    world.changed = () => this.writeSoon();
  }

  /** Writes pending changes now. */
  flush(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.write();
  }

  private writeSoon(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = null;
        this.write();
      },
      Math.max(writeDelayMs, this.lastWriteMs * restPerWrite),
    ).unref();
  }

  private write(): void {
    if (!this.file) return;
    const { world } = this;
    const begun = performance.now();
    const snapshot: Snapshot = {
      version: 1,
      seed: world.seed,
      buildName: world.buildName,
      rollout: world.rollout,
      clockOffsetMs: world.clock.offsetMs,
      named: [...world.accounts.namedAccounts],
      renamed: world.accounts.renamed,
      ties: world.friendships.store(),
      posts: world.posts.store(),
      likes: world.likes.store(),
      comments: world.comments.store(),
      sessions: world.sessions.all(),
      objections: world.objections.store(),
      lists: world.lists.store(),
      stories: world.stories.store(),
      direct: world.direct.store(),
      withheldLists: world.withheldLists.store(),
      interruptions: [...world.interruptions],
      ceilings: world.ceilings,
      ledger: world.ledger.store(),
    };
    const unfinished = `${this.file}.new`;
    // The file holds live sessions, so only its owner may read it.
    writeFileSync(unfinished, JSON.stringify(snapshot), { mode: 0o600 });
    renameSync(unfinished, this.file);
    this.lastWriteMs = performance.now() - begun;
  }

  private rename(names: ReadonlyMap<string, string>, index: number | undefined): void {
    const name = index === undefined ? undefined : names.get(this.world.accounts.at(index).pk);
    if (index !== undefined && name !== undefined) this.world.accounts.rename(index, name);
  }

  private load(file: string): void {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    const snapshot = JSON.parse(text) as Snapshot;
    const { world } = this;
    // With another seed this is another network, to which the stored state does not apply.
    if (snapshot.version !== 1 || snapshot.seed !== world.seed) return;
    world.clock.offsetMs = snapshot.clockOffsetMs;
    const renamed = new Map(snapshot.renamed);
    // Renames in the order of creation: a later account may have taken a name that an earlier one gave up.
    for (const named of snapshot.named) this.rename(renamed, world.ensureAccount(named));
    for (const pk of renamed.keys()) this.rename(renamed, world.accounts.byId(pk)?.index);
    world.friendships.restore(snapshot.ties);
    world.posts.restore(snapshot.posts ?? []);
    world.likes.restore(snapshot.likes ?? []);
    if (snapshot.comments) world.comments.restore(snapshot.comments);
    world.sessions.restore(snapshot.sessions);
    world.objections.restore(snapshot.objections);
    world.lists.restore(snapshot.lists);
    if (snapshot.stories) world.stories.restore(snapshot.stories);
    if (snapshot.direct) world.direct.restore(snapshot.direct);
    world.withheldLists.restore(snapshot.withheldLists ?? []);
    for (const [username, kinds] of snapshot.interruptions) world.interruptions.set(username, kinds);
    world.ceilings = snapshot.ceilings;
    world.ledger.restore(snapshot.ledger);
    if (snapshot.buildName === world.buildName) world.resumeBuild(snapshot.rollout);
  }
}
