import {
  type BrowserRun,
  browserRun,
  interactiveRunsQueue,
  type PayloadOf,
  previewEveryMinutes,
  previewTargets,
  type runFinished,
  type runMayGoOn,
  type runPreview,
  type runStarted,
  type ToolPlan,
} from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { NoAnswerError, Outbox, Requester } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { storeGrowth } from '../accounts/account-growth.js';
import { isPausedByCustomer } from '../accounts/account-pauses.js';
import { AccountStops } from '../accounts/account-stops.service.js';
import type { AutomationsConfig } from '../config/config.js';
import { runRules } from '../config/run-rules.js';
import { browserSettingsOf } from '../customers/customer-settings.js';
import { decide, type DispatchRules, type DueAutomation, type Hold } from '../dispatch/decide.js';
import { loadDispatchContext } from '../dispatch/dispatch-context.js';
import { loadAsIfDue } from '../dispatch/due-automations.js';
import type { TargetRules } from '../ledger/target-rules.js';
import { addPages, addPreviewViews } from '../safety/usage.js';
import { instantText, pauseReason, previewTexts, skipTexts } from '../texts/texts.js';
import { isUsableSession } from '../sessions/usable-session.js';
import { isStillPlanned, runModules } from '../tools/registry.js';
import { judgeItems, wantedAfter } from './judged-items.js';
import {
  endPreview,
  endSilentPreviews,
  insertPreview,
  type NewPreview,
  newestPreview,
  openPreviewOf,
  type StoredPreview,
} from './preview-row.js';
import { itemsWithoutPages, needsNoPages } from './targets-without-pages.js';

type PreviewRequest = z.infer<(typeof runPreview)['request']>;
type Finished = PayloadOf<typeof runFinished>;
type Ending = { state: 'done' | 'failed'; reason: string | null };

/** What a preview may open: a few pages of the site, and of lists. They count towards the account's ceilings. */
const most = { pageViews: 12, listPages: 6 };
/** A preview that no worker began within this time has failed: its customer waits for it. */
const longestWaitMs = 10 * 60_000;
/** Stops that are ours, so that the account is not paused and the preview may be asked for again. */
const ownStops: ReadonlySet<string> = new Set(['worker_stopped', 'lease_lost']);

/**
 * Dry runs: the next targets of an automation, and who would be passed over (docs/decisions/0036-previews.md). A preview is no row of `runs` and
 * reserves nothing; what its visit opens counts towards the account's ceilings, and what the network objects to stops the account as in any run.
 */
@Injectable()
export class Previews {
  private readonly rules: DispatchRules & TargetRules;

  constructor(
    private readonly outbox: Outbox,
    private readonly requester: Requester,
    private readonly stops: AccountStops,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {
    this.rules = runRules(config);
  }

  /** Starts a preview of an automation, or joins the one under way. @returns the preview, which may be over already */
  async ask(manager: EntityManager, automationId: string): Promise<StoredPreview> {
    const now = this.clock.now();
    // Two requests at once get the same preview.
    await manager.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`preview ${automationId}`]);
    await this.endSilent(manager, now);
    const before = await newestPreview(manager, automationId);
    if (before && before.finished_at === null) return before;
    const due = await loadAsIfDue(manager, automationId, this.config.QUIET_HOURS, now);
    if (!due) return this.refuse(manager, automationId, previewTexts.noRuns, now);
    const recent = await this.recentVisit(manager, due, now);
    if (recent && isStillPlanned(recent.plan!, due.type, due.configuration)) return recent;

    const planned = await this.plan(manager, due, now);
    if ('ending' in planned) return insertPreview(manager, { ...this.overAt(due, now), ...planned.ending });
    const { job } = planned;
    const plan = job.plan as ToolPlan;
    if (needsNoPages(plan)) return this.withoutPages(manager, due, job, plan, now);
    if (recent) {
      const from = new Date(recent.created_at.getTime() + previewEveryMinutes * 60_000);
      return this.refuse(manager, due.id, previewTexts.again(instantText(from, due.timeZone)), now);
    }
    return this.beginVisit(manager, due, job, plan, now);
  }

  /** A worker begins the visit of a preview. @returns false when the run is no preview that is wanted */
  async started(manager: EntityManager, { runId }: PayloadOf<typeof runStarted>): Promise<boolean> {
    const preview = await openPreviewOf(manager, runId);
    if (!preview) return false;
    await manager.query(`update previews set state = 'reading', seen_at = $2 where id = $1`, [preview.id, this.clock.now()]);
    return true;
  }

  /** Adds what the visit found. @returns how many targets more the preview wants */
  async found(manager: EntityManager, request: PreviewRequest): Promise<{ wanted: number }> {
    const now = this.clock.now();
    const account = await rowOf<{ username: string | null }>(
      manager,
      `select username from network_accounts where account_key = $1 and fencing_token <= $2 for update`,
      [request.accountKey, request.fencingToken],
    );
    await addPreviewViews(manager, request, now);
    const preview = await openPreviewOf(manager, request.runId);
    if (!account || !preview || preview.account_key !== request.accountKey || preview.user_id !== request.userId) return { wanted: 0 };
    const { plan, items: before } = preview;
    const module = runModules[plan.kind];
    const own = { id: await this.ownIdOf(manager, preview.session_id), username: account.username };
    const found = request.targets.map((target) => ({ ...target, said: target.said ?? null }));
    const items =
      'item' in module.preview
        ? request.list && before.length === 0
          ? [module.preview.item(plan, request.list)]
          : []
        : await judgeItems(manager, plan, { accountKey: request.accountKey, own }, found, before, this.rules, now);
    await manager.query(`update previews set state = 'reading', items = items || $2::jsonb, seen_at = $3 where id = $1`, [
      preview.id,
      JSON.stringify(items),
      now,
    ]);
    if (!(await isPreviewWanted(manager, request, now))) return { wanted: 0 };
    return { wanted: 'item' in module.preview ? 0 : wantedAfter([...before, ...items]) };
  }

  /** Whether the visit of a preview may go on, with the pages that it opened so far. */
  async mayGoOn(manager: EntityManager, visit: z.infer<(typeof runMayGoOn)['request']>): Promise<boolean> {
    const now = this.clock.now();
    await addPreviewViews(manager, visit, now);
    return isPreviewWanted(manager, visit, now);
  }

  /** The visit of a preview is over. @returns false when the run is no preview, or was closed before */
  async finished(manager: EntityManager, event: Finished, now: Date): Promise<boolean> {
    await addPreviewViews(manager, event, now);
    const preview = await openPreviewOf(manager, event.runId);
    if (!preview) return this.protectAfterEnd(manager, event, now);
    const { accountKey, userId, stop } = event;
    await addPages(manager, accountKey, { pages: event.pages }, now);
    if (event.ownProfile) await storeGrowth(manager, { userId, accountKey }, event.ownProfile);
    await endPreview(manager, preview.id, await this.endingOf(manager, preview, event, now), now);
    if (stop) await this.applyStop(manager, preview, event, now);
    return true;
  }

  /** Ends previews whose visit no worker began in time, or went silent. They may be asked for again at once. */
  async endSilent(db: Database, now: Date): Promise<void> {
    await endSilentPreviews(db, this.config.RUN_SILENCE_MS, previewTexts.interrupted, now);
  }

  /** A preview that was given up meanwhile stays failed, but what the network objected to protects the account all the same. */
  private async protectAfterEnd(manager: EntityManager, event: Finished, now: Date): Promise<boolean> {
    const ended = await rowOf<StoredPreview>(manager, `select * from previews where run_id = $1 and account_key = $2 and user_id = $3`, [
      event.runId,
      event.accountKey,
      event.userId,
    ]);
    if (ended && event.stop) await this.applyStop(manager, ended, event, now);
    return ended !== undefined;
  }

  private async applyStop(manager: EntityManager, preview: StoredPreview, event: Finished, now: Date): Promise<void> {
    const { automation_id: automationId, session_id: sessionId, plan } = preview;
    const run = {
      id: event.runId,
      automationId,
      userId: event.userId,
      accountKey: event.accountKey,
      sessionId: sessionId!,
      kind: plan!.kind,
    };
    await this.stops.apply(manager, run, event.stop!, now);
  }

  private async endingOf(manager: EntityManager, { items }: StoredPreview, event: Finished, now: Date): Promise<Ending> {
    const { stop, outcome, targetProblem } = event;
    if (stop) {
      if (ownStops.has(stop.class)) return { state: 'failed', reason: previewTexts.interrupted };
      const { timeZone } = await browserSettingsOf(manager, event.userId);
      return { state: 'failed', reason: pauseReason(stop.class, now, null, { timeZone }) };
    }
    const problem = targetProblem && skipTexts[targetProblem];
    if (outcome === 'partial') {
      if (items.length === 0) return { state: 'failed', reason: problem ?? previewTexts.interrupted };
      return { state: 'done', reason: previewTexts.cutShort };
    }
    return { state: 'done', reason: problem ?? reasonFor(items) };
  }

  /** The newest visit of the last minutes that showed something. */
  private recentVisit(db: Database, { id }: DueAutomation, now: Date): Promise<StoredPreview | undefined> {
    return rowOf<StoredPreview>(
      db,
      `select * from previews where automation_id = $1 and run_id is not null and state = 'done' and created_at > $2
       order by created_at desc limit 1`,
      [id, new Date(now.getTime() - previewEveryMinutes * 60_000)],
    );
  }

  /** The run that the scheduler would send now, or how the preview ends without one. */
  private async plan(manager: EntityManager, due: DueAutomation, now: Date): Promise<{ job: BrowserRun } | { ending: Ending }> {
    const failed = (reason: string): { ending: Ending } => ({ ending: { state: 'failed', reason } });
    // The session that is asked for is named first, whatever else keeps the account from running.
    if (due.session === null)
      return failed(due.sessionCause ? pauseReason(due.sessionCause, now, null, { timeZone: due.timeZone }) : previewTexts.noSession);
    if (due.isUnproven) return failed(previewTexts.sessionNotProven);
    const loaded = await loadDispatchContext(manager, [due], this.rules, now, previewTargets);
    // Ceilings of actions say how many targets a run takes, and not which come next; those of pages hold the preview's own visit too.
    const pagesOnly = ({ 'page-view': views = 0, 'list-page': pages = 0 }: Partial<Record<string, number>>) => ({
      'page-view': views,
      'list-page': pages,
    });
    const usage = new Map([...loaded.usage].map(([key, { hour, day }]) => [key, { hour: pagesOnly(hour), day: pagesOnly(day) }]));
    // Nothing is looked up, and no interrupted run is continued.
    const context = { ...loaded, usage, unsettled: new Map() };
    const decision = decide({ ...due, isInteractive: false, remainingBudget: null }, context, this.rules, now);
    switch (decision.kind) {
      case 'run':
        return { job: decision.job };
      case 'hold':
        return { ending: this.endingOfHold(decision, due) };
      case 'pause':
        return failed(decision.cause === 'source_gone' ? previewTexts.sourceMissing : previewTexts.incomplete);
    }
  }

  private endingOfHold({ code, reason }: Hold, { kind }: DueAutomation): Ending {
    if (code === runModules[kind].candidates?.whenNone?.code) return { state: 'done', reason };
    return { state: 'failed', reason: code === 'account_busy' ? previewTexts.busy : previewTexts.held(reason) };
  }

  private async withoutPages(
    manager: EntityManager,
    due: DueAutomation,
    job: BrowserRun,
    plan: ToolPlan,
    now: Date,
  ): Promise<StoredPreview> {
    const { accountKey, userId, session } = job;
    const account = await rowOf<{ username: string | null }>(manager, `select username from network_accounts where account_key = $1`, [
      accountKey,
    ]);
    const own = { id: session.networkUserId, username: account?.username ?? null };
    const over = { ...this.overAt(due, now), plan };
    try {
      const items = await itemsWithoutPages(manager, this.requester, plan, { accountKey, userId, own }, this.rules, now);
      return await insertPreview(manager, { ...over, state: 'done', reason: reasonFor(items), items });
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      return insertPreview(manager, { ...over, state: 'failed', reason: previewTexts.slotUnreadable });
    }
  }

  private async beginVisit(manager: EntityManager, due: DueAutomation, job: BrowserRun, plan: ToolPlan, now: Date): Promise<StoredPreview> {
    const of = 'maxPages' in plan && plan.maxPages !== undefined ? { ...plan, maxPages: Math.min(plan.maxPages, most.listPages) } : plan;
    const visit: BrowserRun = {
      ...job,
      plan: { kind: 'preview', of },
      unsettled: [],
      mostPageViews: Math.min(job.mostPageViews ?? most.pageViews, most.pageViews),
      expiresAt: new Date(Math.min(Date.parse(job.expiresAt), now.getTime() + longestWaitMs)).toISOString(),
    };
    const stored = await insertPreview(manager, {
      ...this.overAt(due, now),
      session_id: job.session.sessionId,
      run_id: job.runId,
      plan: of,
      state: 'waiting',
      ends_at: job.endsAt ? new Date(job.endsAt) : null,
      expires_at: new Date(visit.expiresAt),
      finished_at: null,
    });
    await this.outbox.enqueue(manager, browserRun, visit, { id: job.runId, queue: interactiveRunsQueue, subject: job.accountKey });
    return stored;
  }

  private async refuse(manager: EntityManager, automationId: string, reason: string, now: Date): Promise<StoredPreview> {
    const owner = await rowOf<{ user_id: string; account_key: string | null }>(
      manager,
      `select user_id, account_key from automations where id = $1`,
      [automationId],
    );
    const of = { id: automationId, userId: owner!.user_id, accountKey: owner!.account_key };
    return insertPreview(manager, { ...this.overAt(of, now), reason });
  }

  /** A preview that failed at once; its other fields say what else became of it. */
  private overAt({ id, userId, accountKey }: Pick<DueAutomation, 'id' | 'userId' | 'accountKey'>, now: Date): NewPreview {
    return {
      id: randomUUID(),
      automation_id: id,
      user_id: userId,
      account_key: accountKey,
      session_id: null,
      run_id: null,
      plan: null,
      state: 'failed',
      reason: null,
      items: [],
      ends_at: null,
      expires_at: null,
      created_at: now,
      finished_at: now,
    };
  }

  /** The account's own number on the network. */
  private async ownIdOf(db: Database, sessionId: string): Promise<string> {
    const row = await rowOf<{ network_user_id: string | null }>(db, `select network_user_id from instagram_sessions where id = $1`, [
      sessionId,
    ]);
    return row?.network_user_id ?? '';
  }
}

/** Whether the visit of a preview is still wanted: for the same reasons as a run, and while the account is not paused. */
async function isPreviewWanted(
  db: Database,
  { runId, userId, accountKey }: { runId: string; userId: string; accountKey: string },
  now: Date,
): Promise<boolean> {
  const wanted = await rowOf(
    db,
    `select 1 from previews p join automations t on t.id = p.automation_id
     join instagram_sessions s on s.id = p.session_id
     join network_accounts a on a.account_key = p.account_key
     where p.run_id = $1 and p.user_id = $2 and p.account_key = $3 and p.state in ('waiting', 'reading')
       and ${isUsableSession} and coalesce(p.ends_at > $4, true) and coalesce(a.paused_until <= $4, true)
       and not ${isPausedByCustomer('$2', '$3', '$4')}`,
    [runId, userId, accountKey, now],
  );
  return wanted !== undefined;
}

function reasonFor(items: readonly { would: boolean }[]): string | null {
  if (!items.some(({ would }) => would)) return previewTexts.nobody;
  return null;
}
