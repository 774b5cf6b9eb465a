import type { BrowserRun, LedgerTarget, NetworkCookie } from '@decola/contracts';
import type { BrowserContext } from 'playwright-core';
import type { AccountRest } from '../accounts/account-lease.js';
import { StopError, StoppingError } from '../driver/errors.js';
import { type ActionResult, Friendship } from '../driver/friendship.js';
import { PeopleList, readPass } from '../driver/people-list.js';
import { ProfileScreen } from '../driver/profile-screen.js';
import { SiteTab } from '../driver/site-tab.js';
import { isClosedTo } from '../network/answers.js';
import type { Artifacts } from './artifacts.js';
import { type Candidates, candidatesOf } from './candidates.js';
import { ChannelSilentError } from './errors.js';
import type { ReserveReply, RunChannel } from './run-channel.js';
import type { RunControl } from './run-control.js';
import type { RunEnding, RunReport } from './run-report.js';

export interface DriverOptions {
  readonly baseUrl: URL;
  readonly answerTimeoutMs: number;
  /** As of a tab. */
  readonly hangTimeoutMs?: number;
  /** How long the header may take to change its word after an action. */
  readonly wordTimeoutMs: number;
  /** How long a list is read on the word of automations that it is wanted. Default: 5 s. */
  readonly wantedForMs?: number;
}

type Plan<Kind extends BrowserRun['plan']['kind']> = Extract<BrowserRun['plan'], { kind: Kind }>;

const done: RunEnding = { outcome: 'done', stop: null, targetProblem: null };
const partial: RunEnding = { outcome: 'partial', stop: null, targetProblem: null };
/** Actions without proof in a row that mean a silent block (row 14). */
const unconfirmedThatStop = 2;
/** An account can follow 7,500 people (instagram-web.md, 4.3); near it we stop. */
const mostFollowed = 7_400;
const wantedForMs = 5_000;
/** Refusals in a row after which a source is left for this run. */
const mostRefusals = 2_000;

/** Carries out one run in one browser context that holds the account's session. */
export class RunDriver {
  private readonly profiles: ProfileScreen;
  private readonly friendship: Friendship;
  private unconfirmedInRow = 0;
  private askedAt = performance.now();

  constructor(
    private readonly job: BrowserRun,
    private readonly tab: SiteTab,
    private readonly channel: RunChannel,
    private readonly control: RunControl,
    private readonly report: RunReport,
    private readonly artifacts: Artifacts,
    private readonly rest: AccountRest,
    private readonly options: DriverOptions,
  ) {
    this.profiles = new ProfileScreen(tab);
    this.friendship = new Friendship(tab, this.profiles, options.wordTimeoutMs);
  }

  /** @returns how the run ended when nothing stopped it. @throws StopError, StoppingError, BrowserGoneError, ChannelSilentError. */
  async drive(context: BrowserContext): Promise<RunEnding> {
    const { plan } = this.job;
    if (plan.kind === 'extract-list') {
      const { extractedDataId, cursor, pass, nextPage } = plan;
      this.report.list = { extractedDataId, cursor, pass, nextPage, profileTotal: null, state: 'more' };
    }
    await this.checkSession(context);
    await this.settleEarlier();
    switch (plan.kind) {
      case 'check-session':
        return done;
      case 'follow':
        return this.follow(plan);
      case 'unfollow':
        return this.unfollow(plan);
      case 'extract-list':
        return this.extract(plan);
    }
  }

  /** The page must be the account that the job names. @throws StopError `wrong_account`, `session_ended`. */
  private async checkSession(context: BrowserContext): Promise<void> {
    const viewer = await this.profiles.readViewer(await cookieUserId(context));
    this.report.username = viewer.username;
    if (viewer.userId === this.job.session.networkUserId) return;
    throw this.tab.object({
      class: 'wrong_account',
      row: null,
      evidence: { expected: this.job.session.networkUserId, found: viewer.userId },
    });
  }

  /** Reservations that an earlier run left without an outcome: the page says what became of them; none is done again. */
  private async settleEarlier(): Promise<void> {
    for (const [index, reservation] of this.job.unsettled.entries()) {
      if (index > 0) await this.control.pause(this.job.pace.pageGapMs);
      this.control.betweenSteps();
      const { action } = reservation;
      const seen =
        action === 'follow' || action === 'unfollow'
          ? await this.friendship.settle(action, reservation)
          : { outcome: 'not_confirmed' as const, skipReason: null, proof: { settled: 'cannot be seen on a profile' } };
      await this.report.action(action, reservation, seen, true);
    }
  }

  private async follow(plan: Plan<'follow'>): Promise<RunEnding> {
    const { job, tab, profiles, channel, control, report } = this;
    if (plan.budget === 0) return done;
    // At the network's bound every follow fails; the person has to make room first.
    const own = await profiles.openOwn();
    if ((own.following ?? 0) >= mostFollowed) return { ...done, targetProblem: 'limit_of_network' };
    await control.pause(job.pace.pageGapMs);
    const candidates = candidatesOf(plan.source, plan.sourceOffset ?? 0, { job, tab, profiles, channel, control, report });
    try {
      const ending = await this.actOn('follow', candidates, plan.budget, (target) =>
        this.friendship.follow(target, { requestPrivate: plan.requestPrivate }),
      );
      return { ...ending, targetProblem: candidates.problem ?? ending.targetProblem };
    } finally {
      report.sourceOffset = candidates.place;
      candidates.close();
    }
  }

  private unfollow(plan: Plan<'unfollow'>): Promise<RunEnding> {
    const waiting = [...plan.targets];
    const candidates: Candidates = {
      problem: null,
      place: null,
      next: () => Promise.resolve(waiting.shift() ?? null),
      close: () => undefined,
    };
    return this.actOn('unfollow', candidates, plan.budget, (target) => this.friendship.unfollow(target));
  }

  /**
   * Proposes one person after the other and acts on those that automations reserved. One reservation is open at a time, so
   * that whatever happens, at most one outcome is unknown.
   */
  private async actOn(
    action: 'follow' | 'unfollow',
    candidates: Candidates,
    budget: number,
    act: (target: LedgerTarget) => Promise<ActionResult>,
  ): Promise<RunEnding> {
    const proposed = new Set<string>([this.job.session.networkUserId]);
    let acted = 0;
    let refusedInRow = 0;
    let hasVisited = false;
    while (acted < budget && refusedInRow < mostRefusals) {
      this.control.betweenSteps();
      const candidate = await candidates.next();
      if (candidate === null) return candidates.place !== null && !hasVisited ? { ...done, targetProblem: 'already_in_ledger' } : done;
      if (proposed.has(candidate.targetId)) continue;
      proposed.add(candidate.targetId);
      // The pause comes before the reservation: nothing is reserved while nothing is done.
      if (refusedInRow === 0) {
        if (!hasVisited) await this.waitForRest();
        else await this.control.pause(acted > 0 ? this.job.pace.actionGapMs : this.job.pace.pageGapMs);
      }
      const reply = await this.reserve(action, candidate);
      if (reply.stop === 'lease_lost') {
        throw new StopError({ class: 'lease_lost', row: null, action, evidence: { saidBy: 'run.reserve' } });
      }
      const reservation = reply.reserved.find(({ targetId }) => targetId === candidate.targetId);
      if (reservation) {
        refusedInRow = 0;
        hasVisited = true;
        const tried = await this.carryOut(action, reservation, act);
        if (tried) acted += 1;
      } else {
        refusedInRow += 1;
        this.report.refused();
      }
      if (reply.stop === 'ceiling') return done;
      if (reply.stop !== null) return partial;
    }
    return done;
  }

  /** An earlier run may have ended right after its last action: the pause after that one holds here too. */
  private async waitForRest(): Promise<void> {
    const wholeMs = this.control.draw(this.job.pace.actionGapMs);
    const ms = await this.rest.leftMs().catch(() => wholeMs);
    await this.control.pause({ min: ms, max: ms });
  }

  private async beginRest(ms = this.control.draw(this.job.pace.actionGapMs)): Promise<void> {
    // Without Redis the lease is about to be lost, and with it the run; within a run the pauses do not depend on it.
    await this.rest.begin(ms).catch(() => undefined);
  }

  /** @returns true when the action was tried, whatever came of it. */
  private async carryOut(
    action: 'follow' | 'unfollow',
    reservation: LedgerTarget & { reservationId: string },
    act: (target: LedgerTarget) => Promise<ActionResult>,
  ): Promise<boolean> {
    let acted: ActionResult;
    this.control.action = action;
    // Also before the action: should this worker die under it, the account's next run waits all the same.
    await this.beginRest();
    try {
      acted = await act(reservation);
      await this.beginRest(acted.outcome === 'skipped' ? 0 : undefined);
    } catch (error) {
      // Stopped before the click: this person was not touched, and the reservation is given back.
      if (error instanceof StopError) {
        await this.report.action(action, reservation, {
          outcome: 'skipped',
          skipReason: 'limit_of_network',
          proof: { stop: error.signal.class },
        });
      }
      throw error;
    } finally {
      this.control.action = null;
    }
    const picture =
      acted.outcome === 'not_confirmed' ? await this.artifacts.keep(this.job.runId, 'not_confirmed', await this.tab.picture()) : null;
    await this.report.action(action, reservation, { ...acted, proof: { ...acted.proof, ...(picture ? { picture } : {}) } });
    if (acted.stop) throw acted.stop;
    if (acted.outcome === 'skipped') return false;
    this.unconfirmedInRow = acted.outcome === 'not_confirmed' ? this.unconfirmedInRow + 1 : 0;
    if (this.unconfirmedInRow >= unconfirmedThatStop) {
      this.tab.action = action;
      throw this.tab.object({ class: 'silent_block', row: 14, evidence: { unconfirmedInRow: this.unconfirmedInRow } });
    }
    return true;
  }

  private async extract(plan: Plan<'extract-list'>): Promise<RunEnding> {
    const { report, control, tab, job } = this;
    if (plan.maxPages === 0) return partial;
    const opened = await this.profiles.open(plan.username);
    if (opened.kind === 'gone') {
      report.list = { ...report.list!, cursor: null, state: 'pass_ended' };
      return { ...done, targetProblem: 'target_gone' };
    }
    const { profile } = opened;
    const profileTotal = plan.list === 'followers' ? profile.followers : profile.following;
    report.list = { ...report.list!, profileTotal };
    if (isClosedTo(job.session.networkUserId, profile)) {
      report.list = { ...report.list, state: 'private' };
      return { ...done, targetProblem: 'target_private' };
    }
    if (profileTotal === 0) {
      report.list = { ...report.list, cursor: null, state: 'pass_ended' };
      return done;
    }
    const list = new PeopleList(tab, this.profiles, profile, plan.list);
    try {
      await tab.repairing(async () => {
        if (tab.path !== `/${plan.username}/`) await this.profiles.open(plan.username);
        await list.open(plan.cursor);
      });
      const pass = await readPass(
        list,
        { cursor: plan.cursor, profileTotal, maxPages: plan.maxPages },
        async (page, next) => {
          await report.page(page.rows, next);
          await this.requireWanted();
          return 'more';
        },
        () => control.pause(job.pace.pageGapMs),
        tab,
      );
      if (pass.end === 'silent')
        throw tab.object({ class: 'limited', row: 7, evidence: { reason: 'the list stays silent', path: tab.path } });
      report.list = { ...report.list, state: pass.end };
      return pass.end === 'more' ? partial : { ...done, targetProblem: pass.end === 'private' ? 'target_private' : null };
    } finally {
      list.close();
    }
  }

  /** Now and then while a list is read, which asks for no reservations. @throws StoppingError when nobody wants the run any more. */
  private async requireWanted(): Promise<void> {
    if (performance.now() - this.askedAt < (this.options.wantedForMs ?? wantedForMs)) return;
    this.askedAt = performance.now();
    const { runId, automationId, userId, accountKey } = this.job;
    const question = { runId, automationId, userId, accountKey, fencingToken: this.control.fencingToken };
    const isWanted = await this.channel.mayGoOn(question).catch((error: unknown) => {
      // Silence is no "no": it was wanted a moment ago, and pages that nobody wants are dropped where they arrive.
      if (error instanceof ChannelSilentError) return true;
      throw error;
    });
    if (!isWanted) throw new StoppingError();
  }

  /** Without the word of automations nothing is done. */
  private reserve(action: 'follow' | 'unfollow', candidate: LedgerTarget): Promise<ReserveReply> {
    const { runId, automationId, userId, accountKey } = this.job;
    return this.channel.reserve({
      runId,
      automationId,
      userId,
      accountKey,
      fencingToken: this.control.fencingToken,
      action,
      candidates: [{ targetId: candidate.targetId, username: candidate.username }],
      givenBack: this.report.givenBack,
    });
  }
}

/** Numeric id that the session's own cookies name now; null when they name none or contradict each other. */
async function cookieUserId(context: BrowserContext): Promise<string | null> {
  const cookies = await context.cookies();
  const value = (name: string) => cookies.find((cookie) => cookie.name === name)?.value;
  const session = decodeURIComponent(value('sessionid') ?? '').split(':', 1)[0] ?? '';
  const user = value('ds_user_id') ?? session;
  return /^\d+$/.test(user) && user === session ? user : null;
}

/**
 * The session's cookies on the configured network: a cookie of a domain that is not the network's own host belongs to the
 * same site under another address, and is set for that host alone.
 */
export function cookiesFor(baseUrl: URL, cookies: readonly NetworkCookie[]) {
  const secureOnly = baseUrl.protocol === 'https:';
  return cookies.map(({ domain, secure, sameSite, ...cookie }) => {
    const bare = domain.replace(/^\./, '');
    const belongs = baseUrl.hostname === bare || baseUrl.hostname.endsWith(`.${bare}`);
    return {
      ...cookie,
      domain: belongs ? domain : baseUrl.hostname,
      secure: secure && secureOnly,
      sameSite: sameSite === 'None' && !secureOnly ? ('Lax' as const) : sameSite,
    };
  });
}
