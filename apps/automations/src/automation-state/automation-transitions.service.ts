import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AutomationEvents, type PausedAutomation } from './automation-events.service.js';
import { type AutomationSelection, type ChangedAutomation, performAny, performAnyEach } from './perform.js';
import { type PublishedTransition, transitionOf, type ValuesOf } from './state.js';

/** Performs the transitions that others must be told of, and publishes their events in the same transaction. */
@Injectable()
export class AutomationTransitions {
  constructor(private readonly events: AutomationEvents) {}

  /** @returns the automations that made the transition */
  async perform<Name extends PublishedTransition>(
    manager: EntityManager,
    name: Name,
    selection: AutomationSelection,
    values: ValuesOf<Name> & { now: Date },
  ): Promise<ChangedAutomation[]> {
    const changed = await performAny(manager, name, selection, values);
    await this.publish(manager, name, changed, values.now);
    return changed;
  }

  /** As `perform`, with values of its own for each automation. @param now when they are performed */
  async performEach<Name extends PublishedTransition>(
    manager: EntityManager,
    name: Name,
    automations: readonly ({ id: string } & ValuesOf<Name>)[],
    now: Date,
  ): Promise<ChangedAutomation[]> {
    const changed = await performAnyEach(manager, name, automations);
    await this.publish(manager, name, changed, now);
    return changed;
  }

  private async publish(
    manager: EntityManager,
    name: PublishedTransition,
    changed: readonly ChangedAutomation[],
    now: Date,
  ): Promise<void> {
    if (transitionOf(name).publishes === 'paused and updated') await this.events.paused(manager, changed.filter(isPaused), now);
    else
      await this.events.updated(
        manager,
        changed.map(({ id }) => id),
      );
  }
}

function isPaused(row: ChangedAutomation): row is PausedAutomation {
  return row.pause_cause !== null && row.pause_reason !== null;
}
