import {
  actionFacts,
  type BrowserRun,
  type EventDefinition,
  extractionCompleted,
  type LedgerTarget,
  type RunAction,
  runActionDone,
  runFinished,
  type RunKind,
  runKinds,
  runReserve,
  runStarted,
  runTrying,
  type StopClass,
} from '@decola/contracts';
import { connectBroker, Requester } from '@decola/messaging';
import { eventually, publishTestEvent } from '@decola/testing';
import { randomUUID } from 'node:crypto';
import { rowsOfKind } from './rows-of-kinds.js';
import { Bench, cookieOf, extractorRow, followConfiguration, networkId } from './support.js';

export const hourMs = 3_600_000;

export type Reserved = LedgerTarget & { reservationId: string };

export function person(id: number | string = networkId()): LedgerTarget {
  return { targetId: String(id), username: `pessoa_${id}` };
}

/** A person, a post, a story or a comment that nobody has met, whatever the action is about. */
export function targetFor(action: RunAction): LedgerTarget {
  const somebody = person();
  const { target } = actionFacts[action];
  return target === 'person' || target === 'story' ? somebody : { ...somebody, authorId: networkId(), postCode: `C${somebody.targetId}` };
}

/** The service with a clock that the test controls, and the messages that a worker sends to it. */
export class RunKit {
  bench!: Bench;
  requester!: Requester;
  private connection!: ReturnType<typeof connectBroker>;
  private token = 1;
  now = new Date('2026-11-21T15:00:00Z');

  async start(environment: Record<string, string> = {}): Promise<Bench> {
    this.bench = await Bench.start(environment);
    this.connection = connectBroker(this.bench.broker.url, 'test');
    this.requester = new Requester(this.connection, '/test');
    this.bench.setTime(this.now);
    return this.bench;
  }

  async stop(): Promise<void> {
    await this.requester.close();
    await this.connection.close();
    await this.bench.stop();
  }

  readonly later = (ms: number): void => {
    this.now = new Date(this.now.getTime() + ms);
    this.bench.setTime(this.now);
  };

  readonly identity = (job: BrowserRun, fencingToken: number, pageViews = 0) => ({
    runId: job.runId,
    automationId: job.automationId,
    userId: job.userId,
    accountKey: job.accountKey,
    fencingToken,
    pageViews,
  });

  /** Publishes an event and waits until the service has handled it. @returns the message's id */
  readonly tell = async (definition: EventDefinition, payload: Record<string, unknown>, id?: string): Promise<string> => {
    const messageId = await publishTestEvent(this.bench.broker.url, definition, payload, {
      subject: String(payload['runId'] ?? payload['automationId']),
      ...(id ? { id } : {}),
    });
    await eventually(async () =>
      expect(await this.bench.db.query('select 1 from inbox where message_id = $1', [messageId])).toHaveLength(1),
    );
    return messageId;
  };

  readonly reserve = (
    job: BrowserRun,
    candidates: LedgerTarget[],
    fencingToken: number,
    action: RunAction = 'follow',
    givenBack: string[] = [],
    pageViews = 0,
  ) =>
    this.requester.ask(
      runReserve,
      { ...this.identity(job, fencingToken, pageViews), action, candidates, givenBack },
      { timeoutMs: 10_000 },
    );

  /** Reserves one target that must be granted. */
  readonly reserveOne = async (job: BrowserRun, target: LedgerTarget, fence: number, action: RunAction = 'follow'): Promise<Reserved> => {
    const [reserved] = (await this.reserve(job, [target], fence, action)).reserved;
    if (!reserved) throw new Error(`${target.username} was not reserved`);
    return reserved;
  };

  /** @returns the fencing token of the run */
  readonly begin = async (job: BrowserRun): Promise<number> => {
    const token = this.nextToken();
    await this.tell(runStarted, { ...this.identity(job, token), workerId: 'w1', startedAt: this.now.toISOString() });
    return token;
  };

  /** Fencing token of a later lease. */
  readonly nextToken = (): number => (this.token += 1);

  get lastToken(): number {
    return this.token;
  }

  /** The decisive click is announced. */
  readonly announce = (
    job: BrowserRun,
    fence: number,
    { reservationId, ...target }: Reserved,
    action: RunAction = 'follow',
    text?: string,
  ): Promise<string> =>
    this.tell(runTrying, { ...this.identity(job, fence), reservationId, action, target, text, at: this.now.toISOString() });

  readonly act = (
    job: BrowserRun,
    fence: number,
    { reservationId, ...target }: Reserved,
    outcome = 'confirmed',
    more: Record<string, unknown> = {},
  ): Promise<string> =>
    this.tell(runActionDone, {
      ...this.identity(job, fence),
      reservationId,
      action: 'follow',
      target,
      outcome,
      skipReason: null,
      proof: {},
      settled: false,
      at: this.now.toISOString(),
      ...more,
    });

  /** Reports what a person's page showed of an earlier try. */
  readonly look = (job: BrowserRun, fence: number, target: Reserved, seen: string, action = 'follow'): Promise<string> =>
    this.act(job, fence, target, seen, { settled: true, action });

  readonly finish = (job: BrowserRun, fence: number, more: Record<string, unknown> = {}): Promise<string> =>
    this.tell(runFinished, {
      ...this.identity(job, fence),
      outcome: 'done',
      stop: null,
      tried: 0,
      confirmed: 0,
      skipped: 0,
      pages: 0,
      list: null,
      targetProblem: null,
      username: null,
      finishedAt: this.now.toISOString(),
      ...more,
    });

  readonly stopped = (job: BrowserRun, fence: number, stopClass: StopClass, more: Record<string, unknown> = {}): Promise<string> =>
    this.finish(job, fence, { outcome: 'stopped', stop: { class: stopClass, row: null, action: 'follow', evidence: {} }, ...more });

  /** A dispatched follow run. */
  readonly followRun = async (account = networkId(), configuration: Record<string, unknown> = {}) => {
    const userId = await this.bench.customer(6);
    const id = await this.bench.made(userId, { configuration: followConfiguration(account, configuration) });
    await this.bench.tick();
    const job = await this.bench.lastJobOf(id);
    return { userId, id, account, job, fence: await this.begin(job) };
  };

  /**
   * A dispatched run of a kind.
   * @returns with three targets of the kind's first action; none for a kind that only reads
   */
  readonly runOfKind = async (kind: RunKind) => (await this.runsOfKinds([{ kind }]))[0]!;

  /**
   * The same for several kinds, of different customers.
   * @param row which configuration of the kind each has (`rowsOfKind`); the first one when absent
   */
  readonly runsOfKinds = async (wanted: readonly { kind: RunKind; row?: number }[]) => {
    const made = await Promise.all(wanted.map(({ kind, row = 0 }) => this.automationOfKind(kind, row)));
    await this.bench.tick();
    return Promise.all(
      made.map(async (automation) => {
        const job = await this.bench.lastJobOf(automation.id);
        return { ...automation, job, fence: await this.begin(job) };
      }),
    );
  };

  /** An automation of a new customer that leads to runs of a kind, and what they may act on. */
  readonly automationOfKind = async (kind: RunKind, row = 0) => {
    const account = networkId();
    const userId = await this.bench.customer(6);
    const { type, configuration: saved } = rowsOfKind(kind, randomUUID())[row]!;
    const configuration: Record<string, unknown> = { sessionCookie: cookieOf(account), frequency: '1hour', rowsPerLaunch: 5, ...saved };
    const id = await this.bench.made(userId, { type, configuration });
    const [action = null] = runKinds[kind].actions;
    const targets = action ? [targetFor(action), targetFor(action), targetFor(action)] : [];
    if (action === 'unfollow') await this.followedBefore(account, targets);
    return { userId, id, account, kind, configuration, action, targets };
  };

  /** Makes the account have followed these people ten days ago. */
  private followedBefore(account: string, people: readonly LedgerTarget[]): Promise<unknown> {
    return this.bench.db.query(
      `insert into account_actions (id, account_key, action, target_id, target_username, state, run_id, reserved_at, settled_at)
       select gen_random_uuid(), s.account_key, 'follow', p.id, p.name, 'confirmed', gen_random_uuid(), $4, $4
       from unnest($2::text[], $3::text[]) as p (id, name), (select account_key from instagram_sessions where network_user_id = $1) s`,
      [
        account,
        people.map(({ targetId }) => targetId),
        people.map(({ username }) => username),
        new Date(this.now.getTime() - 10 * 24 * hourMs),
      ],
    );
  }

  /** Creates an extraction whose first run was sent and has not begun. */
  readonly extractorRun = async () => {
    const account = networkId();
    const userId = await this.bench.customer(1);
    const id = await this.bench.made(userId, extractorRow(account));
    await this.bench.tick();
    const job = await this.bench.lastJobOf(id);
    if (job.plan.kind !== 'extract-list') throw new Error('no extraction');
    return { userId, id, account, job, extractedDataId: job.plan.extractedDataId };
  };

  /** An extraction that is finished, with its list. */
  readonly finishedExtraction = async () => {
    const run = await this.extractorRun();
    const { job, extractedDataId, userId, id } = run;
    const list = { extractedDataId, profileTotal: 3, cursor: null, pass: 1, nextPage: 1, state: 'pass_ended' };
    await this.finish(job, await this.begin(job), { pages: 1, list });
    await this.tell(extractionCompleted, {
      extractedDataId,
      automationId: id,
      userId,
      dataType: 'followers',
      totalRecords: 3,
      profileTotal: 3,
      completedAt: this.now.toISOString(),
    });
    return run;
  };

  /** Advances the clock. @returns the next run of the automation */
  readonly nextRun = async (id: string, afterMs = hourMs) => {
    const before = (await this.bench.jobs()).length;
    this.later(afterMs);
    await this.bench.tick();
    expect((await this.bench.jobs()).length).toBeGreaterThan(before);
    const job = await this.bench.lastJobOf(id);
    return { job, fence: await this.begin(job) };
  };
}
