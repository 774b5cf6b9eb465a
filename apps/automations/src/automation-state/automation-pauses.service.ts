import type { RawConfiguration, RunKind } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PauseCause } from '../safety/stops.js';
import { pauseReason } from '../texts/texts.js';
import { needsNoRuns, runModules } from '../tools/registry.js';
import { AutomationTransitions } from './automation-transitions.service.js';
import { type AutomationSelection, conditionOf, mayMake } from './perform.js';

export interface Pause {
  cause: PauseCause;
  /** End of the pause; null when something else must end it. */
  until: Date | null;
  /** Whether the automation resumes by itself at `until`. */
  resumes: boolean;
}

/** A resume handles at most so many automations in one transaction; the scheduler's next tick takes the others. */
const resumeBatch = 500;

/** Pauses automations for a cause and resumes them. The customer's own switch is not handled here. */
@Injectable()
export class AutomationPauses {
  constructor(private readonly transitions: AutomationTransitions) {}

  /**
   * Pauses all selected automations that are on. Finished extractions have nothing left to do, and stay as they are. Each customer's reason
   * shows times in their own time zone.
   * @param selection `readsLists`: only those whose runs read lists of people
   */
  async pause(
    manager: EntityManager,
    selection: AutomationSelection & { readsLists?: true },
    { cause, until, resumes }: Pause,
    now: Date,
  ): Promise<void> {
    const parameters: unknown[] = [];
    const chosen = await rowsOf<{ id: string; run_kind: RunKind | null; configuration: RawConfiguration; time_zone: string | null }>(
      manager,
      `select t.id, t.run_kind, t.configuration, (select u.time_zone from customers u where u.user_id = t.user_id) as time_zone
       from automations t where not ${needsNoRuns} and ${conditionOf(selection, parameters)} and ${mayMake('pause')} order by t.id for update of t`,
      parameters,
    );
    const isMeant = ({ run_kind, configuration }: (typeof chosen)[number]) =>
      !selection.readsLists || (run_kind !== null && runModules[run_kind].readsLists(configuration));
    const pauses = chosen.filter(isMeant).map(({ id, time_zone }) => {
      const reason = pauseReason(cause, now, until, { timeZone: time_zone ?? undefined });
      return { id, cause, reason, now, until, resumes };
    });
    await this.transitions.performEach(manager, 'pause', pauses, now);
  }

  /** Pauses one automation until its customer does something, such as choosing another target. */
  async pauseUntilCustomerActs(manager: EntityManager, automationId: string, cause: PauseCause, now: Date): Promise<void> {
    await this.pause(manager, { ids: [automationId] }, { cause, until: null, resumes: false }, now);
  }

  /** Pauses what no longer fits the plan. An automation that is paused already changes its cause, so that it does not resume by itself. */
  async pauseForPlan(manager: EntityManager, ids: readonly string[], now: Date): Promise<void> {
    await this.transitions.perform(manager, 'pause_for_plan', { ids }, { reason: pauseReason('plan', now, null), now });
  }

  /** Gives automations that are paused for one of `causes` already a newer cause: what they wait for has not come, and this is why. */
  async replaceCause(
    manager: EntityManager,
    selection: AutomationSelection,
    causes: readonly PauseCause[],
    cause: PauseCause,
    now: Date,
  ): Promise<void> {
    const older = { ...selection, pauseCauses: causes, pausedBefore: now };
    await this.transitions.perform(manager, 'replace_cause', older, { cause, reason: pauseReason(cause, now, null), now });
  }

  /** Switches automations on again that the service had switched off; they are due at once. */
  async resume(manager: EntityManager, ids: readonly string[], now: Date): Promise<void> {
    await this.transitions.perform(manager, 'resume', { ids }, { now });
  }

  /** Resumes a customer's automations of an account that are paused for one of `causes`. */
  async resumePausedFor(
    manager: EntityManager,
    { userId, accountKey }: { userId: string; accountKey: string },
    causes: readonly PauseCause[],
    now: Date,
  ): Promise<void> {
    await this.transitions.perform(manager, 'resume', { userId, accountKey, pauseCauses: causes }, { now });
  }

  /** Resumes automations whose pause is over. */
  async resumeDue(manager: EntityManager, now: Date): Promise<void> {
    const due = await rowsOf<{ id: string }>(
      manager,
      `select id from automations t where pause_resumes and pause_until <= $1 and ${mayMake('resume')}
       order by pause_until limit ${resumeBatch} for update skip locked`,
      [now],
    );
    await this.resume(
      manager,
      due.map(({ id }) => id),
      now,
    );
  }
}
