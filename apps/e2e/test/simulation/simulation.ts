import { runActions, userUpdated } from '@decola/contracts';
import { Clock, metrics } from '@decola/service-kit';
import { testRedis } from '@decola/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Counter } from 'prom-client';
import { Bench, cookieOf, subscription } from '../../../automations/test/support.js';
import { subscriptionChanged } from '@decola/contracts';
import { automationRow, type SimulatedCustomer, simulatedCustomers, usualQuietHours } from './simulated-customers.js';
import { SimulatedExtraction } from './simulated-extraction.js';
import { SimulatedNetwork } from './simulated-network.js';
import { simulatedModules } from './simulated-screens.js';
import { randomOf, SimulatedTime } from './simulated-time.js';
import { type CountingPublisher, countingPublisher, SimulatedWorkers } from './simulated-workers.js';

export interface SimulationOptions {
  automations: number;
  customers: number;
  /** When it begins; the clocks of New York go back on 1 November 2026 at 06:00 UTC. */
  start: Date;
  days: number;
  seed: number;
  /** Called with a line for people from time to time. */
  log: (line: string) => void;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** What happens within the same 15 seconds happens at once. */
const grainMs = 15_000;
/** The scheduler looks for due automations this often, and at least every `restMs`. A service looks every second; that only makes drift smaller. */
const tickMs = 45_000;
/**
 * Looks of one tick: an automation that an event concerns at the same moment is left due. A service decides about it a second later, so these
 * looks stand for five seconds of the minute that a run may be late. What is due after the last one waits for the next tick, and is late then.
 */
const mostLooks = 5;
const restMs = 10 * minuteMs;
/** Customers save their automations within this time. */
const savingMs = 18 * hourMs;
/** After this time of the machine without an event something is stuck. */
const stuckMs = 60_000;

interface DueRun {
  at: number;
  isHeld: boolean;
}

/** Everything of a simulation that the test asserts and prints. */
export interface Outcome {
  violations: string[];
  /** Milliseconds from the time of each run to its begin, ascending. */
  drifts: number[];
  /** Runs that began a minute or more after their time, in words. */
  late: string[];
  figures: Record<string, unknown>;
}

/** Customers, the automations service, two workers and the network, on a clock that jumps from event to event. */
export class Simulation {
  private readonly random: () => number;
  /** When automations were due that then ran, by automation and time of the tick. */
  private readonly due = new Map<string, DueRun>();
  private dispatched = 0;
  private ticks = 0;
  private looksAgain = 0;
  private isDueKnown = false;
  private nextTickAt: number;
  private readonly wall: Record<string, number> = {};

  private constructor(
    private readonly options: SimulationOptions,
    private readonly bench: Bench,
    private readonly time: SimulatedTime,
    private readonly network: SimulatedNetwork,
    private readonly workers: SimulatedWorkers,
    private readonly publisher: CountingPublisher,
    private readonly extraction: SimulatedExtraction,
    private readonly errors: string[],
    private readonly close: () => Promise<void>,
  ) {
    this.random = randomOf(options.seed);
    this.nextTickAt = options.start.getTime();
  }

  static async start(options: SimulationOptions): Promise<Simulation> {
    const keyRing = `test:${randomBytes(32).toString('base64')}`;
    const environment = { SESSION_KEY_RING: keyRing, QUIET_HOURS: JSON.stringify(usualQuietHours), UNFOLLOW_AFTER_DAYS: '1' };
    // Days of commits pass in minutes, and nothing that is simulated depends on whether they outlive a failure of the machine.
    const bench = await Bench.start(environment, { isDurable: false });
    const time = new SimulatedTime(options.start.getTime(), grainMs);
    Object.assign(bench.app.get(Clock), { now: () => time.now });
    const network = new SimulatedNetwork(() => time.now.getTime());
    const redis = testRedis();
    const errors: string[] = [];
    const onError = (error: unknown) => void errors.push(error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error));
    const { publisher, close } = countingPublisher(bench.broker.url);
    const extraction = new SimulatedExtraction(time, publisher, onError);
    const modules = simulatedModules({ network, time, random: randomOf(options.seed + 1) });
    const contexts = Math.ceil(options.customers / 2);
    const workers = await SimulatedWorkers.start(
      { brokerUrl: bench.broker.url, redis, keyRing, time, network, modules, contexts, onError },
      publisher,
      extraction,
    );
    return new Simulation(options, bench, time, network, workers, publisher, extraction, errors, async () => {
      await workers.stop();
      await close();
      await bench.stop();
      await redis.dispose();
    });
  }

  stop(): Promise<void> {
    return this.close();
  }

  async run(): Promise<Outcome> {
    const { customers, automations, start, days } = this.options;
    const began = performance.now();
    const cpu = process.cpuUsage();
    const people = simulatedCustomers(customers, this.random);
    await this.subscribe(people);
    for (const customer of people) {
      const own = Math.floor(((customer.number + 1) * automations) / customers) - Math.floor((customer.number * automations) / customers);
      this.time.start(
        () => this.live(customer, own),
        (error) => this.errors.push(String(error)),
      );
    }
    const end = start.getTime() + days * dayMs;
    await this.jumpUntil(end, true);
    // Nothing new begins; runs that are under way come to their end.
    await this.jumpUntil(end + 6 * hourMs, false);
    this.wall['all'] = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    this.wall['processor'] = (user + system) / 1_000;
    return this.outcome();
  }

  /** Plans with enough slots, and time zones. */
  private async subscribe(people: readonly SimulatedCustomer[]): Promise<void> {
    for (const { userId, timeZone } of people) {
      await this.publisher.publish(subscriptionChanged, subscription(userId, 1_000, 1), { subject: userId });
      const updated = {
        email: `${userId}@example.com`,
        fullName: null,
        timeZone,
        locale: 'pt-BR',
        updatedAt: this.options.start.toISOString(),
      };
      await this.publisher.publish(userUpdated, { userId, ...updated }, { subject: userId });
    }
    await this.settled();
  }

  /** A customer saves one automation after the other. */
  private async live(customer: SimulatedCustomer, automations: number): Promise<void> {
    const { userId, account, sharesAccount, quiet, timeZone, knownForDays, blockedAfterHours } = customer;
    const random = randomOf(this.options.seed * 1_000 + customer.number);
    const slot = randomUUID();
    if (sharesAccount) await this.time.sleep(minuteMs);
    for (let number = 0; number < automations; number += 1) {
      const { type, configuration } = automationRow(number + customer.number, customer, slot, random);
      const session = number === 0 ? { sessionCookie: cookieOf(account) } : { sessionCookie: '', sessionAccount: account };
      const { status, body } = await this.bench.create(userId, {
        type,
        name: `${type} ${number}`,
        configuration: { ...configuration, ...session },
      });
      if (status !== 201) throw new Error(`an automation was not saved: ${JSON.stringify(body)}`);
      this.isDueKnown = false;
      if (number === 0) {
        if (!sharesAccount) await this.introduce(account, { timeZone, quiet: quiet ?? usualQuietHours, knownForDays, blockedAfterHours });
        if (quiet) {
          const patch = { quiet_from: quiet.from, quiet_to: quiet.to };
          const answer = await this.bench.call('PATCH', `instagram_accounts?user_id=eq.${userId}`, userId, patch);
          if (answer.status >= 300) throw new Error(`quiet hours were not saved: ${JSON.stringify(answer.body)}`);
        }
      }
      await this.time.sleep((savingMs / automations) * 2 * random());
    }
  }

  /** The network and the judge know the account; the product knows it for some days already. */
  private async introduce(
    account: string,
    known: { timeZone: string; quiet: { from: string; to: string }; knownForDays: number; blockedAfterHours: number | null },
  ): Promise<void> {
    const firstSeenAt = this.time.now.getTime() - known.knownForDays * dayMs;
    const { blockedAfterHours, timeZone, quiet } = known;
    const blocksAt = blockedAfterHours === null ? null : this.options.start.getTime() + blockedAfterHours * hourMs;
    this.network.add({ id: account, firstSeenAt, timeZone, quiet, blocksAt });
    await this.bench.db.query(
      `update network_accounts set first_seen_at = $2 where account_key = (select account_key from instagram_sessions where network_user_id = $1 limit 1)`,
      [account, new Date(firstSeenAt)],
    );
  }

  /** Jumps from event to event. @param withTicks false: the scheduler rests, and only what is under way goes on */
  private async jumpUntil(end: number, withTicks: boolean): Promise<void> {
    let toldAt = performance.now();
    for (;;) {
      await this.settled();
      if (withTicks && !this.isDueKnown) await this.planTick();
      const at = Math.min(this.time.nextWake, withTicks ? this.nextTickAt : Infinity);
      if (at >= end) return;
      this.time.moveTo(at);
      if (withTicks && at >= this.nextTickAt) await this.tick();
      if (performance.now() - toldAt > 20_000) {
        toldAt = performance.now();
        this.options.log(this.progress());
      }
    }
  }

  /** How far it is; the newest broken promise at once, so that nobody waits for the end to see it. */
  private progress(): string {
    const { clicks, violations } = this.network;
    const broken = [...violations, ...this.errors];
    const done = `${clicks.length} actions, ${this.workers.finished} runs, ${this.ticks} ticks`;
    return `${this.time.now.toISOString()} ${done}${broken.length === 0 ? '' : `, ${broken.length} broken promises: ${broken.at(-1)}`}`;
  }

  private async tick(): Promise<void> {
    const now = this.time.now;
    for (let look = 0; look < mostLooks; look += 1) {
      const began = performance.now();
      const rows: { id: string; next_run_at: Date; hold_code: string | null }[] = await this.bench.db.query(
        `select id, next_run_at, hold_code from automations where is_active and next_run_at <= $1`,
        [now],
      );
      if (look > 0 && rows.length === 0) break;
      if (look > 0) this.looksAgain += 1;
      for (const { id, next_run_at: at, hold_code } of rows) {
        const key = `${id} ${now.getTime()}`;
        // A later look finds what the first one left undecided, or a new due time; the run is judged by the first.
        if (!this.due.has(key)) this.due.set(key, { at: at.getTime(), isHeld: hold_code !== null });
      }
      const { dispatched } = await this.bench.tick();
      this.dispatched += dispatched;
      this.wall['ticks'] = (this.wall['ticks'] ?? 0) + performance.now() - began;
      await this.settled();
    }
    this.ticks += 1;
    this.isDueKnown = false;
    this.nextTickAt = now.getTime() + restMs;
  }

  /** The next tick comes when an automation is due. */
  private async planTick(): Promise<void> {
    const began = performance.now();
    const [{ at }] = await this.bench.db.query(`select min(next_run_at) as at from automations where is_active`);
    this.isDueKnown = true;
    const next = at === null ? Infinity : Math.ceil((at as Date).getTime() / tickMs) * tickMs;
    const now = this.time.now.getTime();
    this.nextTickAt = Math.max(Math.min(this.nextTickAt, next), (Math.floor(now / tickMs) + 1) * tickMs);
    this.wall['plans'] = (this.wall['plans'] ?? 0) + performance.now() - began;
  }

  /** Waits until nobody has anything to do before the clock moves: every job is taken, and every event is handled. */
  private async settled(): Promise<void> {
    const began = performance.now();
    let waitingSince = began;
    let last = '';
    for (;;) {
      const outstanding = this.dispatched - this.workers.finished;
      const handled = await handledEvents();
      const awake = this.time.awake(outstanding);
      this.workers.look(this.workers.inHand < outstanding);
      if (awake === 0 && handled.done === this.publisher.published) break;
      const state = `${outstanding} jobs outstanding, ${this.workers.inHand} in hand, ${awake} awake, ${handled.done} of ${this.publisher.published} events handled`;
      if (state !== last) waitingSince = performance.now();
      last = state;
      if (performance.now() - waitingSince > stuckMs)
        throw new Error(`the simulation is stuck: ${state}\n${this.errors.slice(0, 5).join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const finished = this.workers.finished;
    if (finished !== this.finishedBefore) this.isDueKnown = false;
    this.finishedBefore = finished;
    if (this.publisher.published !== this.publishedBefore) this.isDueKnown = false;
    this.publishedBefore = this.publisher.published;
    this.wall['settling'] = (this.wall['settling'] ?? 0) + performance.now() - began;
  }
  private finishedBefore = 0;
  private publishedBefore = 0;

  private async outcome(): Promise<Outcome> {
    const violations = [...this.network.violations, ...this.errors];
    const runs: {
      automation_id: string;
      kind: string;
      state: string;
      outcome: string | null;
      queued_at: Date;
      started_at: Date | null;
      account_key: string;
      finished_at: Date;
    }[] = await this.bench.db.query(
      `select automation_id, kind, state, outcome, queued_at, started_at, finished_at, account_key from runs`,
    );
    const drifts: number[] = [];
    const late: string[] = [];
    for (const run of runs) {
      if (run.state !== 'finished') violations.push(`a run of ${run.automation_id} ended as ${run.state}`);
      const due = this.due.get(`${run.automation_id} ${run.queued_at.getTime()}`);
      // What became due during the tick, because its customer saved it or another run ended, was due at that moment.
      if (!run.started_at || due?.isHeld) continue;
      const drift = run.started_at.getTime() - (due?.at ?? run.queued_at.getTime());
      drifts.push(drift);
      const [queued, started] = [run.queued_at, run.started_at].map((at) => at.toISOString());
      if (drift >= minuteMs)
        late.push(`${run.kind} of ${run.automation_id}: ${drift / 1_000} s after its time, queued at ${queued}, begun at ${started}`);
    }
    violations.push(...(await this.ledgerDifferences()));
    const { dead, retried } = await handledEvents();
    if (dead > 0) violations.push(`${dead} events became dead letters`);
    drifts.sort((a, b) => a - b);
    const percentile = (share: number) => drifts[Math.min(drifts.length - 1, Math.floor(drifts.length * share))] ?? 0;
    const kinds = [...new Set(runs.map(({ kind }) => kind))].sort();
    const seconds = Object.fromEntries(Object.entries(this.wall).map(([what, ms]) => [what, Math.round(ms / 100) / 10]));
    return {
      violations,
      drifts,
      late,
      figures: {
        automations: this.options.automations,
        customers: this.options.customers,
        days: this.options.days,
        actions: Object.fromEntries(
          runActions.map((action) => [action, this.network.clicks.filter((click) => click.action === action).length]),
        ),
        pages: Object.fromEntries([...this.network.counts].filter(([kind]) => kind.endsWith('page') || kind.endsWith('view'))),
        runs: Object.fromEntries(kinds.map((kind) => [kind, runs.filter((run) => run.kind === kind).length])),
        outcomes: Object.fromEntries(
          ['done', 'partial', 'stopped'].map((outcome) => [outcome, runs.filter((run) => run.outcome === outcome).length]),
        ),
        holds: await counted('automations_runs_held_total', 'code'),
        lists: this.extraction.figures,
        driftSeconds: {
          runs: drifts.length,
          p50: percentile(0.5) / 1_000,
          p99: percentile(0.99) / 1_000,
          max: (drifts.at(-1) ?? 0) / 1_000,
        },
        ticks: this.ticks,
        looksAgain: this.looksAgain,
        events: this.publisher.published,
        retriedEvents: retried,
        seconds,
      },
    };
  }

  /** What the service's ledger says otherwise than the network. */
  private async ledgerDifferences(): Promise<string[]> {
    const rows: { run_id: string; action: string; target_id: string; state: string }[] = await this.bench.db.query(
      `select run_id, action, target_id, state from account_actions where state in ('confirmed', 'requested', 'not_confirmed')`,
    );
    const key = (runId: string, action: string, target: string) => `${action} ${target.replace(/@\d+$/, '')} in run ${runId}`;
    const ledger = new Set(rows.map((row) => key(row.run_id, row.action, row.target_id)));
    const clicks = new Set(this.network.clicks.map(({ runId, action, target }) => key(runId, action, target.targetId)));
    return [
      ...[...clicks].filter((click) => !ledger.has(click)).map((click) => `the ledger lacks ${click}`),
      ...[...ledger].filter((entry) => !clicks.has(entry)).map((entry) => `the network lacks ${entry}`),
    ];
  }
}

/** The service's own counts of events that it handled. */
async function handledEvents(): Promise<{ done: number; retried: number; dead: number }> {
  const { values } = await (metrics.getSingleMetric('messages_consumed_total') as Counter).get();
  const sum = (outcome: string) =>
    values.reduce((total, { labels, value }) => total + (labels['outcome'] === outcome && isEvent(String(labels['type'])) ? value : 0), 0);
  return { done: sum('done'), retried: sum('retried'), dead: sum('dead') };
}

const requests = new Set(['run.reserve', 'run.may_go_on']);
const isEvent = (type: string) => !requests.has(type);

async function counted(metric: string, label: string): Promise<Record<string, number>> {
  const { values } = await (metrics.getSingleMetric(metric) as Counter).get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels[label]), value]));
}
