import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserRun, networkCookie, type NetworkCookie, type StopSignal } from '@decola/contracts';
import { type Clock, RetryLaterError, type Sealer, UnopenedEnvelopeError } from '@decola/service-kit';
import type { BrowserContext } from 'playwright';
import { z } from 'zod';
import type { AccountLease } from '../accounts/account-lease.js';
import type { LeaseStore } from '../accounts/lease-store.js';
import type { BrowserPool } from '../browser/browser-pool.js';
import { BrowserGoneError, isBrowserGone, isOwnStop, ReloadNeededError, StopError, StoppingError } from '../driver/driver.errors.js';
import { SiteTab } from '../driver/site-tab.js';
import { FailurePictures } from './failure-pictures.js';
import type { Screenshots } from './screenshots.js';
import { localeOf } from './browser-locale.js';
import { ChannelSilentError } from './run.errors.js';
import type { RunChannel } from './run-channel.js';
import { RunControl, type Sleep } from './run-control.js';
import { type PlanOptions, PlanRunner } from './plan-runner.js';
import type { RunModules } from './run-module.js';
import { cookiesFor } from './session-cookies.js';
import { type RunEnding, RunReport } from './run-report.js';

export interface RunDelivery {
  /** True when the broker delivered this message to a worker before. */
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
  /** How each kind of run is carried out. */
  readonly modules: RunModules;
  readonly clock: Clock;
  readonly screenshots: Screenshots;
  readonly log: RunLog;
  readonly options: PlanOptions;
  /** How the pauses of a run pass, when `clock` is a simulated one. Default: by a timer. */
  readonly sleep?: Sleep;
  /** Called once for each run that was carried out, for metrics. */
  readonly onEnd?: (facts: { plan: string; outcome: RunEnding['outcome']; stop: string | null; seconds: number }) => void;
}

/** The state of a run's page on which the gate decides: after an objection or the end of the run, no request may act. */
interface Screen {
  tab: SiteTab | null;
  isOver: boolean;
}

/** A desktop size, for which the network serves its desktop layout. */
export const viewport = { width: 1280, height: 860 };
const redisAwayMs = 5_000;
const browserAwayMs = 10_000;
const automationsAwayMs = 10_000;
const closeTimeoutMs = 15_000;
/** Delay before the job of a busy account is delivered again: `later` when the account's current run already takes longer than `longRunMs`. */
const busyAccountMs = { soon: 1_000, later: 30_000 };
const longRunMs = 60_000;

/** Handles run jobs, one per account at a time, and makes sure that each run ends with exactly one `run.finished`. */
export class RunWorker {
  private readonly stopping = new AbortController();

  constructor(private readonly parts: RunWorkerParts) {}

  /** From now on every run ends as partial after its current action. */
  stop(): void {
    this.stopping.abort();
  }

  /**
   * Handles one delivery of a job. Resolves when the job may be acknowledged. @throws RetryLaterError when another run holds the account, when Redis,
   * Chromium or automations cannot be reached, and when the key ring of this worker does not open the session.
   */
  async handle(job: BrowserRun, delivery: RunDelivery): Promise<void> {
    const { leases } = this.parts;
    const wasBegun = delivery.redelivered || (await this.orRetry(leases.markOf(job.runId))) !== null;
    // The worker that began it may be dead: wait for its lease to expire, so that the account is free again as soon as possible.
    const lease = wasBegun ? await this.waitForLease(job) : await this.orRetry(this.acquire(job));
    if (!lease) {
      const heldForMs = (await this.orRetry(leases.heldForMs(job.accountKey))) ?? 0;
      throw new RetryLaterError(heldForMs > longRunMs ? busyAccountMs.later : busyAccountMs.soon, 'another run holds the account');
    }
    try {
      const mark = await this.orRetry(leases.markOf(job.runId));
      if (mark === 'finished') return;
      const report = new RunReport(this.parts.channel, job, lease.fencingToken, this.parts.clock);
      if (delivery.redelivered || mark === 'begun') await this.closeDeadRun(job, report);
      else if (isOver(job, this.parts.clock.now())) await this.closeUnbegun(job, report);
      else await this.carryOut(job, lease, report);
    } finally {
      await lease.release();
    }
  }

  /** Closes a run whose worker died; nothing of it is done again. */
  private async closeDeadRun(job: BrowserRun, report: RunReport): Promise<void> {
    await report.started(this.parts.workerId);
    await this.finish(job, report, {
      outcome: 'stopped',
      stop: { class: 'worker_stopped', row: null, action: null, evidence: { redelivered: true } },
      targetProblem: null,
    });
  }

  /** Closes a run that is not begun, because its time passed while it waited or it is not wanted any more. */
  private async closeUnbegun(job: BrowserRun, report: RunReport): Promise<void> {
    await report.started(this.parts.workerId);
    await this.finish(job, report, { outcome: 'partial', stop: null, targetProblem: null });
  }

  private async carryOut(job: BrowserRun, lease: AccountLease, report: RunReport): Promise<void> {
    if (!(await this.isWanted(job, lease))) return this.closeUnbegun(job, report);
    const began = performance.now();
    const cookies = this.openSession(job);
    const screen: Screen = { tab: null, isOver: false };
    const context = cookies && (await this.openContext(job, cookies, lease, screen));
    try {
      await this.orRetry(this.parts.leases.markBegun(job.runId));
      await report.started(this.parts.workerId);
      const ending: RunEnding = context
        ? await this.drive(job, lease, report, context, screen)
        : {
            outcome: 'stopped',
            stop: { class: 'session_ended', row: null, action: null, evidence: { reason: 'the stored session has no cookies' } },
            targetProblem: null,
          };
      screen.isOver = true;
      await this.finish(job, report, ending);
      const seconds = (performance.now() - began) / 1000;
      this.parts.onEnd?.({ plan: job.plan.kind, outcome: ending.outcome, stop: ending.stop?.class ?? null, seconds });
    } finally {
      if (context) await this.closeContext(job, context);
      this.parts.screenshots.endRun(job.runId);
    }
  }

  /** Asks automations before the session is opened: the customer may have removed the session while the job waited. */
  private async isWanted({ runId, automationId, userId, accountKey }: BrowserRun, { fencingToken }: AccountLease): Promise<boolean> {
    try {
      return await this.parts.channel.mayGoOn({ runId, automationId, userId, accountKey, fencingToken, pageViews: 0 });
    } catch (error) {
      if (error instanceof ChannelSilentError) throw new RetryLaterError(automationsAwayMs, 'automations does not answer');
      throw error;
    }
  }

  private async drive(
    job: BrowserRun,
    lease: AccountLease,
    report: RunReport,
    context: BrowserContext,
    screen: Screen,
  ): Promise<RunEnding> {
    const { parts } = this;
    const end = job.endsAt ? { at: new Date(job.endsAt), now: () => parts.clock.now() } : null;
    const control = new RunControl(lease, this.stopping.signal, end, Math.random, parts.sleep);
    let tab: SiteTab | null = null;
    let pictures: FailurePictures | null = null;
    try {
      tab = await SiteTab.open(context, { ...parts.options, guard: control, views: report.views });
      screen.tab = tab;
      const leftOut = (reason: string) => parts.log.info({ runId: job.runId, reason }, 'a picture of a failure was left out');
      pictures = new FailurePictures(job, tab, report, parts.channel, parts.clock, leftOut, parts.options.pictureTimeoutMs);
      const cooldown = parts.leases.cooldownOf(job.accountKey);
      return await new PlanRunner(
        job,
        parts.modules,
        tab,
        parts.channel,
        control,
        report,
        parts.screenshots,
        pictures,
        cooldown,
        parts.options,
      ).run(context);
    } catch (error) {
      if (error instanceof ChannelSilentError)
        parts.log.warn({ runId: job.runId, reason: error.message }, 'a question of the run was not answered');
      if (error instanceof StoppingError || error instanceof ChannelSilentError) {
        report.withdrawUnreadList();
        return { outcome: 'partial', stop: null, targetProblem: null };
      }
      const stop = await this.signalFor(error, job, lease, tab, pictures);
      return { outcome: 'stopped', stop, targetProblem: null };
    }
  }

  /** The stop signal for an error, with a screenshot when the page was not as expected. */
  private async signalFor(
    error: unknown,
    job: BrowserRun,
    lease: AccountLease,
    tab: SiteTab | null,
    pictures: FailurePictures | null,
  ): Promise<StopSignal> {
    // When a lease is lost, its context is closed and its requests are refused: other errors are consequences of that.
    if (!lease.held && !(error instanceof StopError)) {
      return { class: 'lease_lost', row: null, action: tab?.action ?? null, evidence: { fencingToken: lease.fencingToken } };
    }
    if (error instanceof BrowserGoneError || isBrowserGone(error)) {
      this.parts.log.warn({ runId: job.runId, reason: goneReason(error) }, 'the browser went away during a run');
      return { class: 'worker_stopped', row: null, action: null, evidence: { reason: 'the browser went away' } };
    }
    // Before another page is opened.
    if (!(error instanceof StopError) || !isOwnStop(error.signal.class)) await pictures?.ofStop();
    let signal: StopSignal;
    if (error instanceof ReloadNeededError) {
      signal = { class: 'site_changed', row: 10, action: tab?.action ?? null, evidence: { path: tab?.path ?? null } };
    } else if (error instanceof StopError) {
      signal = tab ? await confirmLogin(error.signal, tab) : error.signal;
    } else {
      // Anything else is an unknown page or a bug of ours: both are for our team, and the run is not retried.
      const name = error instanceof Error ? error.name : 'unknown';
      this.parts.log.error({ runId: job.runId, err: error }, 'a run failed in a way that no rule foresees');
      signal = { class: 'site_changed', row: 16, action: tab?.action ?? null, evidence: { error: name, path: tab?.path ?? null } };
    }
    if (signal.class !== 'site_changed') return signal;
    const picture = await this.parts.screenshots.save(job.runId, signal.class, (await tab?.screenshot()) ?? null);
    return picture ? { ...signal, evidence: { ...signal.evidence, picture } } : signal;
  }

  private async finish(job: BrowserRun, report: RunReport, ending: RunEnding): Promise<void> {
    await report.finished(ending);
    // Without the mark a second delivery would publish another end; automations ignores all but the first.
    await this.parts.leases.markFinished(job.runId).catch(() => undefined);
    this.parts.log.info(
      { runId: job.runId, plan: job.plan.kind, outcome: ending.outcome, stop: ending.stop?.class ?? null },
      'run finished',
    );
  }

  /**
   * @returns null when the job has no sealed session or one without cookies; then the customer has to provide a new one.
   * @throws UnopenedEnvelopeError, which puts the job back, when the key ring of this worker may be the reason
   */
  private openSession(job: BrowserRun): NetworkCookie[] | null {
    try {
      const opened: unknown = JSON.parse(this.parts.sealer.open(job.session.envelope, job.session.sessionId));
      return z.array(networkCookie).min(1).parse(opened);
    } catch (error) {
      const facts = { runId: job.runId, sessionId: job.session.sessionId };
      if (error instanceof UnopenedEnvelopeError) {
        this.parts.log.error({ ...facts, reason: error.message }, 'the key ring does not open a session: its run is put back');
        throw error;
      }
      // Do not log the error: its text could contain the session.
      this.parts.log.warn(facts, 'a sealed session has no cookies');
      return null;
    }
  }

  private async openContext(
    job: BrowserRun,
    cookies: readonly NetworkCookie[],
    lease: AccountLease,
    screen: Screen,
  ): Promise<BrowserContext> {
    const { browsers, options, log } = this.parts;
    let context: BrowserContext | null = null;
    try {
      // A preview finds targets and does nothing: no request of its pages may act, whatever they click.
      const mayAct = job.plan.kind !== 'preview';
      context = await browsers.open({ viewport, ...localeOf(job) }, lease, () => mayAct && !screen.isOver && screen.tab?.stopped !== true);
      await context.addCookies(cookiesFor(options.baseUrl, cookies));
      return context;
    } catch (error) {
      await context?.close().catch(() => undefined);
      log.error({ reason: launchFailure(error) }, 'no browser context could be opened');
      throw new RetryLaterError(browserAwayMs, 'Chromium does not start');
    }
  }

  private async closeContext(job: BrowserRun, context: BrowserContext): Promise<void> {
    if (await this.parts.browsers.closeContext(context, closeTimeoutMs)) return;
    this.parts.log.error({ runId: job.runId }, 'a browser context did not close; its browser was ended');
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

/** True when a job expired before it was begun, or the account's quiet hours have begun. */
function isOver({ expiresAt, endsAt }: BrowserRun, now: Date): boolean {
  return now >= new Date(expiresAt) || (endsAt != null && now >= new Date(endsAt));
}

/** Rows 6 and 7 do not tell whether the session ended, so `/` is opened once; nothing else is ever done after a stop. */
async function confirmLogin(signal: StopSignal, tab: SiteTab): Promise<StopSignal> {
  const isFromHome = signal.evidence['path'] === '/' || signal.evidence['askedPath'] === '/';
  if ((signal.row !== 6 && signal.row !== 7) || isFromHome) return signal;
  const state = await tab.readLoginState();
  const evidence = { ...signal.evidence, home: state };
  if (state === 'out') return { ...signal, class: 'session_ended', evidence };
  if (state === 'in' && signal.row === 6) return { ...signal, class: 'limited', evidence };
  return { ...signal, evidence };
}

/** How we know that the browser is gone: only the first line of the error, because the rest may contain addresses of the page. */
function goneReason(error: unknown): string {
  const said: unknown = error instanceof BrowserGoneError ? error.cause : error;
  return (said instanceof Error ? said.message : String(said)).split('\n', 1)[0]!.slice(0, 120);
}

/** Why Chromium did not start, as it reports itself; for any other error only its name, because its text may contain a cookie. */
export function launchFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const said = /No usable sandbox|Failed to launch[^\n]*|Executable doesn't exist[^\n]*/.exec(error.message);
  return error.message.startsWith('browserType.launch') && said ? said[0].slice(0, 200) : error.name;
}
