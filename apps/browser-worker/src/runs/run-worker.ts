import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserRun, networkCookie, type NetworkCookie, type StopSignal } from '@decola/contracts';
import { type Clock, RetryLaterError, type Sealer } from '@decola/service-kit';
import type { BrowserContext } from 'playwright-core';
import { z } from 'zod';
import type { AccountLease, LeaseStore } from '../accounts/account-lease.js';
import type { BrowserPool } from '../browser/browser-pool.js';
import { BrowserGoneError, isBrowserGone, RepairNeededError, StopError, StoppingError } from '../driver/errors.js';
import { SiteTab } from '../driver/site-tab.js';
import type { Artifacts } from './artifacts.js';
import { ChannelSilentError } from './errors.js';
import type { RunChannel } from './run-channel.js';
import { RunControl } from './run-control.js';
import { cookiesFor, type DriverOptions, RunDriver } from './run-driver.js';
import { type RunEnding, RunReport } from './run-report.js';

export interface RunDelivery {
  /** The broker gave this message to a worker before. */
  readonly redelivered: boolean;
}

export interface RunLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface RunWorkerParts {
  readonly workerId: string;
  readonly leases: LeaseStore;
  readonly browsers: BrowserPool;
  readonly sealer: Sealer;
  readonly channel: RunChannel;
  readonly clock: Clock;
  readonly artifacts: Artifacts;
  readonly log: RunLog;
  readonly options: DriverOptions;
  /** Told once per run that was carried out, for metrics. */
  readonly onEnd?: (facts: { plan: string; outcome: RunEnding['outcome']; stop: string | null; seconds: number }) => void;
}

/** What a desktop shows; the network serves its desktop layout. */
const viewport = { width: 1280, height: 860 };
const redisAwayMs = 5_000;
const browserAwayMs = 10_000;
const automationsAwayMs = 10_000;
const closeTimeoutMs = 15_000;
/** A busy account's job comes back soon while the run before it is young, later when that is a long one; others go on meanwhile. */
const busyAccountMs = { soon: 1_000, later: 30_000 };
const longRunMs = 60_000;

/** Takes run jobs, one account at a time, and sees to it that each ends with exactly one `run.finished`. */
export class RunWorker {
  private readonly stopping = new AbortController();

  constructor(private readonly parts: RunWorkerParts) {}

  /** From now on runs end as partial after the action that is under way. */
  stop(): void {
    this.stopping.abort();
  }

  /**
   * Handles one delivery of a job. Resolves when the job may be acknowledged. @throws RetryLaterError when the account is
   * taken, or Redis or Chromium are away; any other error leaves the message with the broker.
   */
  async handle(job: BrowserRun, delivery: RunDelivery): Promise<void> {
    const { leases } = this.parts;
    const wasBegun = delivery.redelivered || (await this.orRetry(leases.markOf(job.runId))) !== null;
    // Whoever began it may be dead: its lease is waited for, so that the account goes on as soon as it expires.
    const lease = wasBegun ? await this.waitForLease(job) : await this.orRetry(this.acquire(job));
    if (!lease) {
      const heldForMs = (await this.orRetry(leases.heldForMs(job.accountKey))) ?? 0;
      throw new RetryLaterError(heldForMs > longRunMs ? busyAccountMs.later : busyAccountMs.soon, 'another run holds the account');
    }
    try {
      const mark = await this.orRetry(leases.markOf(job.runId));
      if (mark === 'finished') return;
      const report = new RunReport(this.parts.channel, job, lease.fencingToken, this.parts.clock);
      if (delivery.redelivered || mark === 'begun') await this.settleDeadRun(job, report);
      else if (this.parts.clock.now() >= new Date(job.expiresAt)) await this.endUnbegun(job, report);
      else await this.carryOut(job, lease, report);
    } finally {
      await lease.release();
    }
  }

  /** The worker that began this run is gone; nothing of it is done again. */
  private async settleDeadRun(job: BrowserRun, report: RunReport): Promise<void> {
    await report.started(this.parts.workerId);
    await this.finish(job, report, {
      outcome: 'stopped',
      stop: { class: 'worker_stopped', row: null, action: null, evidence: { redelivered: true } },
      targetProblem: null,
    });
  }

  /** Its time has passed while it waited, or nobody wants it any more: it is closed without being begun. */
  private async endUnbegun(job: BrowserRun, report: RunReport): Promise<void> {
    await report.started(this.parts.workerId);
    await this.finish(job, report, { outcome: 'partial', stop: null, targetProblem: null });
  }

  private async carryOut(job: BrowserRun, lease: AccountLease, report: RunReport): Promise<void> {
    if (!(await this.isWanted(job, lease))) return this.endUnbegun(job, report);
    const began = performance.now();
    const cookies = this.openSession(job);
    const context = cookies && (await this.openContext(cookies));
    try {
      await this.orRetry(this.parts.leases.markBegun(job.runId));
      await report.started(this.parts.workerId);
      const ending: RunEnding = context
        ? await this.drive(job, lease, report, context)
        : {
            outcome: 'stopped',
            stop: { class: 'session_ended', row: null, action: null, evidence: { reason: 'the stored session cannot be opened' } },
            targetProblem: null,
          };
      await this.finish(job, report, ending);
      const seconds = (performance.now() - began) / 1000;
      this.parts.onEnd?.({ plan: job.plan.kind, outcome: ending.outcome, stop: ending.stop?.class ?? null, seconds });
    } finally {
      if (context) await this.closeContext(job, context);
      this.parts.artifacts.forget(job.runId);
    }
  }

  /** Asked before the session is opened: its owner may have taken it away while the job waited. */
  private async isWanted({ runId, automationId, userId, accountKey }: BrowserRun, { fencingToken }: AccountLease): Promise<boolean> {
    try {
      return await this.parts.channel.mayGoOn({ runId, automationId, userId, accountKey, fencingToken });
    } catch (error) {
      if (error instanceof ChannelSilentError) throw new RetryLaterError(automationsAwayMs, 'automations does not answer');
      throw error;
    }
  }

  private async drive(job: BrowserRun, lease: AccountLease, report: RunReport, context: BrowserContext): Promise<RunEnding> {
    const { parts } = this;
    const control = new RunControl(lease, this.stopping.signal);
    let tab: SiteTab | null = null;
    try {
      tab = await SiteTab.open(context, { ...parts.options, guard: control });
      const rest = parts.leases.restOf(job.accountKey);
      return await new RunDriver(job, tab, parts.channel, control, report, parts.artifacts, rest, parts.options).drive(context);
    } catch (error) {
      if (error instanceof StoppingError) return { outcome: 'partial', stop: null, targetProblem: null };
      if (error instanceof ChannelSilentError) {
        parts.log.warn({ runId: job.runId, reason: error.message }, 'a question of the run was not answered');
        return { outcome: 'partial', stop: null, targetProblem: null };
      }
      const stop = await this.signalFor(error, job, tab);
      return { outcome: 'stopped', stop, targetProblem: null };
    }
  }

  /** What an error means to the account, with a picture when the page was not what we know. */
  private async signalFor(error: unknown, job: BrowserRun, tab: SiteTab | null): Promise<StopSignal> {
    if (error instanceof BrowserGoneError || isBrowserGone(error)) {
      this.parts.log.warn({ runId: job.runId }, 'the browser went away during a run');
      return { class: 'worker_stopped', row: null, action: null, evidence: { reason: 'the browser went away' } };
    }
    let signal: StopSignal;
    if (error instanceof RepairNeededError) {
      signal = { class: 'site_changed', row: 10, action: tab?.action ?? null, evidence: { path: tab?.path ?? null } };
    } else if (error instanceof StopError) {
      signal = tab ? await confirmLogin(error.signal, tab) : error.signal;
    } else {
      // Anything else is a page that we do not understand, or a mistake of ours: both are for our team, and nothing is tried again.
      const name = error instanceof Error ? error.name : 'unknown';
      this.parts.log.error({ runId: job.runId, err: error }, 'a run failed in a way that no rule foresees');
      signal = { class: 'site_changed', row: 16, action: tab?.action ?? null, evidence: { error: name, path: tab?.path ?? null } };
    }
    if (signal.class !== 'site_changed') return signal;
    const picture = await this.parts.artifacts.keep(job.runId, signal.class, (await tab?.picture()) ?? null);
    return picture ? { ...signal, evidence: { ...signal.evidence, picture } } : signal;
  }

  private async finish(job: BrowserRun, report: RunReport, ending: RunEnding): Promise<void> {
    await report.finished(ending);
    // Should this fail, a second delivery says the same again; automations keeps the first end of a run.
    await this.parts.leases.markFinished(job.runId).catch(() => undefined);
    this.parts.log.info(
      { runId: job.runId, plan: job.plan.kind, outcome: ending.outcome, stop: ending.stop?.class ?? null },
      'run finished',
    );
  }

  /** @returns null when the sealed session cannot be opened or holds no cookies; the customer has to give a new one. */
  private openSession(job: BrowserRun): NetworkCookie[] | null {
    try {
      const opened: unknown = JSON.parse(this.parts.sealer.open(job.session.envelope, job.session.sessionId));
      return z.array(networkCookie).min(1).parse(opened);
    } catch {
      // The reason could quote the session; that it failed is all that may be said.
      this.parts.log.warn({ runId: job.runId, sessionId: job.session.sessionId }, 'a sealed session cannot be opened');
      return null;
    }
  }

  private async openContext(cookies: readonly NetworkCookie[]): Promise<BrowserContext> {
    const { browsers, options, log } = this.parts;
    let context: BrowserContext | null = null;
    try {
      context = await browsers.open({ viewport });
      await context.addCookies(cookiesFor(options.baseUrl, cookies));
      return context;
    } catch (error) {
      await context?.close().catch(() => undefined);
      log.error({ reason: launchFailure(error) }, 'no browser context could be opened');
      throw new RetryLaterError(browserAwayMs, 'Chromium does not start');
    }
  }

  /** A context that does not close is left behind: the account must not wait for it. */
  private async closeContext(job: BrowserRun, context: BrowserContext): Promise<void> {
    const closed = context.close().then(
      () => true,
      () => true, // it was gone already
    );
    if (await Promise.race([closed, sleep(closeTimeoutMs, false, { ref: false })])) return;
    this.parts.log.error({ runId: job.runId }, 'a browser context does not close');
  }

  private acquire(job: BrowserRun): Promise<AccountLease | null> {
    return this.parts.leases.acquire(job.accountKey, job.runId, this.parts.workerId);
  }

  private async waitForLease(job: BrowserRun): Promise<AccountLease | null> {
    const deadline = performance.now() + this.parts.leases.ttlMs * 1.5;
    for (;;) {
      const lease = await this.orRetry(this.acquire(job));
      if (lease || performance.now() >= deadline || this.stopping.signal.aborted) return lease;
      await sleep(100);
    }
  }

  private async orRetry<Result>(asked: Promise<Result>): Promise<Result> {
    try {
      return await asked;
    } catch {
      throw new RetryLaterError(redisAwayMs, 'Redis does not answer');
    }
  }
}

/** Rows 6 and 7: `/` decides whether the session ended. It is read once, and it is the only thing done after a stop. */
async function confirmLogin(signal: StopSignal, tab: SiteTab): Promise<StopSignal> {
  const saidByHome = signal.evidence['path'] === '/' || signal.evidence['askedPath'] === '/';
  if ((signal.row !== 6 && signal.row !== 7) || saidByHome) return signal;
  const state = await tab.readLoginState();
  const evidence = { ...signal.evidence, home: state };
  if (state === 'out') return { ...signal, class: 'session_ended', evidence };
  if (state === 'in' && signal.row === 6) return { ...signal, class: 'limited', evidence };
  return { ...signal, evidence };
}

/** Why Chromium did not start, in its own words; of any other failure the name alone, for its text may repeat a cookie. */
function launchFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const said = /No usable sandbox|Failed to launch[^\n]*|Executable doesn't exist[^\n]*/.exec(error.message);
  return error.message.startsWith('browserType.launch') && said ? said[0].slice(0, 200) : error.name;
}
