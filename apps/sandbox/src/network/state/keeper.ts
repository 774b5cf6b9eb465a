import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { NamedAccount } from '../population/accounts.js';
import type { BuildName } from '../build/build.js';
import type { StoredTie } from './friendships.js';
import type { LedgerEntry } from './ledger.js';
import type { Lists } from './lists.js';
import type { Objections } from './objections.js';
import type { Session } from './sessions.js';
import type { Ceilings, InterruptionKind, World } from './world.js';

interface Snapshot {
  version: 1;
  seed: string;
  buildName: BuildName;
  rollout: number;
  clockOffsetMs: number;
  named: NamedAccount[];
  ties: StoredTie[];
  sessions: Session[];
  objections: ReturnType<Objections['store']>;
  lists: ReturnType<Lists['store']>;
  interruptions: [string, InterruptionKind[]][];
  ceilings: Ceilings;
  ledger: LedgerEntry[];
}

/** Changes are written together, at most this often; a big state more seldom, so that writing takes little of the time. */
const writeDelayMs = 500;
const restPerWrite = 30;

/** Keeps the network's state in one file, so that it outlives a restart. Without a folder it keeps nothing. */
export class StateKeeper {
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

  /** Writes what is still unwritten. */
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
      ties: world.friendships.store(),
      sessions: world.sessions.all(),
      objections: world.objections.store(),
      lists: world.lists.store(),
      interruptions: [...world.interruptions],
      ceilings: world.ceilings,
      ledger: world.ledger.store(),
    };
    const unfinished = `${this.file}.new`;
    // It holds live sessions, so only the owner may read it.
    writeFileSync(unfinished, JSON.stringify(snapshot), { mode: 0o600 });
    renameSync(unfinished, this.file);
    this.lastWriteMs = performance.now() - begun;
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
    // Another seed means another network: what was kept belongs to the old one.
    if (snapshot.version !== 1 || snapshot.seed !== world.seed) return;
    world.clock.offsetMs = snapshot.clockOffsetMs;
    for (const named of snapshot.named) world.ensureAccount(named);
    world.friendships.restore(snapshot.ties);
    world.sessions.restore(snapshot.sessions);
    world.objections.restore(snapshot.objections);
    world.lists.restore(snapshot.lists);
    for (const [username, kinds] of snapshot.interruptions) world.interruptions.set(username, kinds);
    world.ceilings = snapshot.ceilings;
    world.ledger.restore(snapshot.ledger);
    if (snapshot.buildName === world.buildName) world.resumeBuild(snapshot.rollout);
  }
}
