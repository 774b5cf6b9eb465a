import { type AutomationType, defaultAutomationName, isAutomationType, slotCost, wizardTexts } from '@decola/contracts';
import { Clock, CONFIG } from '@decola/service-kit';
import { refusedFor } from '@decola/table-api';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { accountPauseOf } from '../accounts/account-pauses.js';
import { isProven } from '../accounts/account-proof.js';
import { refuseSessionsIn } from '../accounts/misplaced-sessions.js';
import { AutomationEvents } from '../automation-state/automation-events.service.js';
import { perform } from '../automation-state/perform.js';
import type { QuietTransition } from '../automation-state/state.js';
import type { AutomationsConfig } from '../config/config.js';
import { Slots } from '../entitlements/slots.service.js';
import { SessionVault } from '../sessions/session-vault.service.js';
import { pauseReason } from '../texts/texts.js';
import { sourcePlaceKey } from '../tools/registry.js';
import { type Configuration, configurationOf, textOf } from './configuration.js';
import { withoutSessionFields } from './configuration-secrets.js';
import { storeScheduleColumns } from './schedule-columns.js';
import { StoredConfigurations } from './stored-configuration.service.js';

/** The columns of an automation that the hooks read and write. */
export interface AutomationRow {
  id: string;
  user_id: string;
  name: string;
  type: AutomationType;
  configuration: Configuration;
  is_draft: boolean;
  is_active: boolean;
  /** When the extraction was finished; null before. */
  completed_at?: string | Date | null;
}

/**
 * What happens before and after a write of an automation, in the transaction of the request: validation, slots, the stored session, the
 * schedule, and events.
 */
@Injectable()
export class AutomationHooks {
  constructor(
    private readonly configurations: StoredConfigurations,
    private readonly vault: SessionVault,
    private readonly slots: Slots,
    private readonly events: AutomationEvents,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<AutomationsConfig, 'TOOLS_IN_OPERATION'>,
  ) {}

  /** @throws RestError P0001 with the sentence for the customer. */
  async beforeInsert(manager: EntityManager, row: Partial<AutomationRow>): Promise<Partial<AutomationRow>> {
    const { type, user_id: userId } = row;
    const sent = configurationOf(row.configuration);
    refuseSessionsIn(row.name, withoutSessionFields(sent));
    if (!isAutomationType(type) || userId === undefined) throw refusedFor(wizardTexts.unknownType);
    const isDraft = row.is_draft ?? false;
    const isActive = !isDraft && (row.is_active ?? true);
    const name = requireName(row.name ?? defaultAutomationName(type, sent));
    if (!isDraft) this.requireInOperation(type);
    // Before the session is stored, so that every write locks the entitlement before the account.
    if (!isDraft) await this.slots.requireFree(manager, userId, slotCost(type));
    const configuration = await this.configurations.prepare(manager, { userId, type, sent, before: {}, isDraft });
    return { ...row, name, type, configuration, is_draft: isDraft, is_active: isActive };
  }

  async afterInsert(manager: EntityManager, row: AutomationRow): Promise<void> {
    await this.schedule(manager, row, true);
    await this.events.created(manager, row.id);
    if (row.is_draft) return;
    await this.slots.requireNotExceeded(manager, row.user_id, slotCost(row.type));
    await this.slots.publishUsed(manager, row.user_id);
  }

  /** @throws RestError P0001 with the sentence for the customer. */
  async beforeUpdate(manager: EntityManager, before: AutomationRow, sent: Partial<AutomationRow>): Promise<Partial<AutomationRow>> {
    refuseSessionsIn(sent.name, withoutSessionFields(configurationOf(sent.configuration)));
    const patch: Partial<AutomationRow> = { ...sent };
    if (patch.name !== undefined) patch.name = requireName(patch.name);
    if (patch.type !== undefined && patch.type !== before.type) throw refusedFor(wizardTexts.unknownType);
    if (patch.is_draft === true) patch.is_active = false;
    // Switching a draft on publishes it.
    if (patch.is_active === true && before.is_draft && patch.is_draft === undefined) patch.is_draft = false;
    const isDraft = patch.is_draft ?? before.is_draft;
    const isPublished = before.is_draft && !isDraft;
    if (isPublished && patch.is_active === undefined) patch.is_active = true;
    const isActive = patch.is_active ?? before.is_active;
    const isSwitchedOn = isActive && !before.is_active;
    const isSaved = patch.configuration !== undefined;

    // 'Extrair de novo': a finished extraction is switched on without being saved. It collects a new list beside the old one.
    const isAskedAgain = Boolean(before.completed_at) && !before.is_draft && sent.is_active === true && !isSaved;

    const { user_id: userId, type } = before;
    if (isPublished) {
      this.requireInOperation(type);
      await this.slots.requireFree(manager, userId, slotCost(type));
    } else if (isSwitchedOn) {
      await this.slots.requireRoomToSwitchOn(manager, userId, { id: before.id, cost: slotCost(type) });
    }
    if (isSaved || isPublished || isSwitchedOn || isAskedAgain) {
      patch.configuration = await this.configurations.prepare(manager, {
        userId,
        type,
        sent: isSaved ? configurationOf(patch.configuration) : before.configuration,
        before: before.configuration,
        isDraft,
        isNewList: isAskedAgain,
      });
    }
    // Only the switch alone is refused: an edit is stored, and waits for the end of the pause.
    if (isSwitchedOn && !isPublished && !isSaved) await this.requireAccountNotPaused(manager, userId, before.configuration);
    const transition = transitionFor(before, { isDraft, isActive: patch.is_active });
    if (transition) await perform(manager, transition, { ids: [before.id] }, {});
    return patch;
  }

  async afterUpdate(manager: EntityManager, before: AutomationRow, after: AutomationRow): Promise<void> {
    const isSaved = JSON.stringify(before.configuration) !== JSON.stringify(after.configuration);
    const isSwitched = before.is_active !== after.is_active || before.is_draft !== after.is_draft;
    if (!isSaved && !isSwitched && before.name === after.name) return;
    if (isSaved || isSwitched) await this.schedule(manager, after, isSaved);
    if (sourcePlaceKey(after.type, before.configuration) !== sourcePlaceKey(after.type, after.configuration))
      await perform(manager, 'restart_source', { ids: [after.id] }, {});
    await this.events.updated(manager, [after.id]);
    if (before.is_draft !== after.is_draft) await this.slots.publishUsed(manager, after.user_id);
  }

  async afterDelete(manager: EntityManager, row: AutomationRow): Promise<void> {
    await this.events.deleted(manager, row);
    if (!row.is_draft) await this.slots.publishUsed(manager, row.user_id);
  }

  /** @throws RestError P0001 for tools that do not run yet: they would take slots and do nothing */
  private requireInOperation(type: AutomationType): void {
    if (!this.config.TOOLS_IN_OPERATION.includes(type)) throw refusedFor(wizardTexts.notInOperation);
  }

  private async schedule(manager: EntityManager, row: AutomationRow, isSaved: boolean): Promise<void> {
    const automation = { ...row, accountKey: this.accountKeyOf(row.configuration) };
    await storeScheduleColumns(manager, automation, isSaved, this.clock.now());
  }

  /** The customer's switch does not end a pause that the network caused. */
  private async requireAccountNotPaused(manager: EntityManager, userId: string, configuration: Configuration): Promise<void> {
    const accountKey = this.accountKeyOf(configuration);
    if (accountKey === null) return;
    const pause = await accountPauseOf(manager, accountKey, this.clock.now());
    if (pause && (await isProven(manager, userId, accountKey))) throw refusedFor(pauseReason(pause.cause, pause.since, pause.until));
  }

  private accountKeyOf(configuration: Configuration): string | null {
    const account = textOf(configuration['sessionAccount']);
    return account === null ? null : this.vault.accountKeyOf(account);
  }
}

type Switch = Extract<QuietTransition, 'publish' | 'publish_off' | 'withdraw' | 'switch_on' | 'switch_off'>;

/** What a write of `is_draft` and `is_active` does to the automation; null when it leaves both as they are. @param isActive undefined when it is not written */
function transitionFor(before: AutomationRow, { isDraft, isActive }: { isDraft: boolean; isActive: boolean | undefined }): Switch | null {
  if (isDraft) return before.is_draft ? null : 'withdraw';
  if (before.is_draft) return isActive ? 'publish' : 'publish_off';
  if (isActive === undefined) return null;
  return isActive ? 'switch_on' : 'switch_off';
}

function requireName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name === '') throw refusedFor(wizardTexts.emptyName);
  return name;
}
