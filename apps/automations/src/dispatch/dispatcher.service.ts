import { type BrowserRun, browserRun } from '@decola/contracts';
import { CheckedPayload, Outbox } from '@decola/messaging';
import { Clock, CONFIG, Logger, metrics } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { claimProbe, probeIntervalMs } from '../accounts/kind-pauses.js';
import { AutomationPauses } from '../automation-state/automation-pauses.service.js';
import type { AutomationsConfig } from '../config/config.js';
import { runRules } from '../config/run-rules.js';
import { decide, type Decision, type DispatchContext, type DispatchRules, type DueAutomation, type KindPause } from './decide.js';
import { loadDispatchContext } from './dispatch-context.js';
import { claimDue, loadClaimed } from './due-automations.js';
import { lockCauses, mayEndByEvent } from './hold-causes.js';
import { type DecidedRun, insertRuns, scheduleNextRuns, storeHolds } from './store-decisions.js';

const dispatchedTotal = new Counter({
  name: 'automations_runs_dispatched_total',
  help: 'Runs sent to browser workers',
  labelNames: ['queue'],
  registers: [metrics],
});
const heldTotal = new Counter({
  name: 'automations_runs_held_total',
  help: 'Due automations that were put off, by reason',
  labelNames: ['code'],
  registers: [metrics],
});

export interface BatchResult {
  /** Number of due automations that were claimed. */
  claimed: number;
  dispatched: number;
  /** How many of them stay due, because an event is ending, or has just ended, what they would have waited for. */
  undecided: number;
}

/** A due automation that does not run now. */
interface PutOff {
  due: DueAutomation;
  decision: Exclude<Decision, { kind: 'run' }>;
}

/** Sends runs of due automations to browser workers. Every replica does so: each batch is claimed by row locks that others skip. */
@Injectable()
export class Dispatcher {
  private readonly rules: DispatchRules;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pauses: AutomationPauses,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {
    this.rules = runRules(config);
  }

  /** Claims, decides and stores one batch in one transaction. A batch smaller than `SCHEDULER_BATCH` was the last. */
  dispatchBatch(): Promise<BatchResult> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const batch = await claimDue(manager, this.config.SCHEDULER_BATCH, this.config.QUIET_HOURS, now);
      if (batch.length === 0) return { claimed: 0, dispatched: 0, undecided: 0 };
      const loaded = await loadDispatchContext(manager, batch, this.rules, now);
      // Decisions of this batch change what the next ones depend on.
      const busy = new Set(loaded.busy);
      const kindPauses = new Map(loaded.kindPauses);
      const context = { ...loaded, busy, kindPauses };

      const runs: DecidedRun[] = [];
      const putOff: PutOff[] = [];
      const toDecideAgain: DueAutomation[] = [];
      for (const due of batch) {
        const decision = await this.decideWithProbes(manager, due, context, now);
        const job = decision.kind === 'run' ? this.checkedJob(due, decision) : undefined;
        if (decision.kind === 'run' && job) {
          runs.push({ due, decision, job });
          busy.add(decision.job.accountKey);
        } else if (decision.kind === 'run') {
          putOff.push({ due, decision: { kind: 'pause', cause: 'target_gone' } });
        } else if (mayEndByEvent(decision)) {
          toDecideAgain.push(due);
        } else {
          putOff.push({ due, decision });
        }
      }

      const dispatched = await insertRuns(manager, runs, now);
      const dispatchedIds = new Set(dispatched.map(({ due }) => due.id));
      // For these another replica has just started a run of the account, which makes it busy.
      toDecideAgain.push(...runs.filter((run) => !dispatchedIds.has(run.due.id)).map(({ due }) => due));
      await this.outbox.enqueueMany(
        manager,
        browserRun,
        dispatched.map(({ decision: { queue }, job }) => ({ id: job.value.runId, queue, subject: job.value.accountKey, payload: job })),
      );
      await scheduleNextRuns(manager, dispatched);
      // Last, because the locks of causes delay events until this transaction ends, and nothing after this waits for others.
      putOff.push(...(await this.decideAgain(manager, toDecideAgain, now)));
      await this.storePutOff(manager, putOff, now);
      for (const { decision } of dispatched) dispatchedTotal.inc({ queue: decision.queue });
      return { claimed: batch.length, dispatched: dispatched.length, undecided: batch.length - dispatched.length - putOff.length };
    });
  }

  /**
   * Decides again about claimed automations, by what stands while the causes are locked: an event that ends one comes before this look, or finds the
   * hold that is stored after it.
   * @returns decisions not to run. What is left out stays due: another transaction has locked its cause, or nothing keeps it from running any more.
   */
  private async decideAgain(manager: EntityManager, automations: readonly DueAutomation[], now: Date): Promise<PutOff[]> {
    if (automations.length === 0) return [];
    const isChanging = await lockCauses(manager, automations, now);
    const ids = automations.filter((due) => !isChanging(due)).map(({ id }) => id);
    if (ids.length === 0) return [];
    const claimed = await loadClaimed(manager, ids, this.config.QUIET_HOURS, now);
    const context = await loadDispatchContext(manager, claimed, this.rules, now);
    return claimed.flatMap((due) => {
      const decision = decide(due, context, this.rules, now);
      return decision.kind === 'run' ? [] : [{ due, decision }];
    });
  }

  private async storePutOff(manager: EntityManager, putOff: readonly PutOff[], now: Date): Promise<void> {
    const holds = putOff.flatMap(({ due, decision }) => (decision.kind === 'hold' ? [{ id: due.id, ...decision }] : []));
    await storeHolds(manager, holds);
    for (const { code } of holds) heldTotal.inc({ code });
    for (const { due, decision } of putOff)
      if (decision.kind === 'pause') await this.pauses.pauseUntilCustomerActs(manager, due.id, decision.cause, now);
  }

  /** As `decide`. Of the runs of a paused kind only one is let through, as the probe; the others are held until its result is known. */
  private async decideWithProbes(
    manager: EntityManager,
    due: DueAutomation,
    context: DispatchContext & { kindPauses: Map<string, KindPause> },
    now: Date,
  ): Promise<Decision> {
    const decision = decide(due, context, this.rules, now);
    const kindPause = context.kindPauses.get(due.kind);
    if (decision.kind !== 'run' || !kindPause) return decision;
    context.kindPauses.set(due.kind, { ...kindPause, probeAt: new Date(now.getTime() + probeIntervalMs) });
    return (await claimProbe(manager, due.kind, now)) ? decision : decide(due, context, this.rules, now);
  }

  /** A configuration that gives no valid job must not delay the rest of the batch. */
  private checkedJob(due: DueAutomation, decision: Extract<Decision, { kind: 'run' }>): CheckedPayload<BrowserRun> | undefined {
    const job = CheckedPayload.of(browserRun, decision.job);
    if (!job) this.logger.error(`automation ${due.id}: its job does not fit the schema`);
    return job;
  }
}
