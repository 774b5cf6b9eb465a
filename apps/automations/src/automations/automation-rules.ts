import {
  type AutomationType,
  defaultAutomationName,
  frequencyMs,
  isAutomationType,
  normaliseUsername,
  slotCost,
  slotsRefusal,
  splitTargets,
  validateAutomation,
  wizardTexts,
} from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { RestError } from '@decola/table-api';
import { Injectable } from '@nestjs/common';
import { randomBytes, randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AccountPauses } from '../accounts/account-pauses.js';
import { hasUsableSession, SessionVault, type StoredSession } from '../accounts/session-vault.js';
import { lockEntitlement, slotHolders, slotsOn, usedSlots } from '../entitlements/entitlements.js';
import { rowOf } from '../rows.js';
import { frequencyOf, placeKeyOf, runKindOf } from '../runs/plan.js';
import { Announcer } from './announcer.js';
import { takeSecrets } from './configuration-secrets.js';

type Configuration = Record<string, unknown>;

/** The columns that clients see and write. */
export interface AutomationRow {
  id: string;
  user_id: string;
  name: string;
  type: AutomationType;
  configuration: Configuration;
  is_draft: boolean;
  is_active: boolean;
  /** When an extraction was over; null before. */
  completed_at?: string | Date | null;
}

/** A refusal that the page shows as it is. */
export function refusal(message: string): RestError {
  return new RestError(400, 'P0001', message);
}

const wheelTokenBytes = 32;

/**
 * What happens around a write of an automation, all in the transaction of the request: the shared rules, the slots, the seal of
 * the session, the schedule, and the events.
 */
@Injectable()
export class AutomationRules {
  constructor(
    private readonly vault: SessionVault,
    private readonly pauses: AccountPauses,
    private readonly announcer: Announcer,
    private readonly clock: Clock,
  ) {}

  /** @throws RestError P0001 with the sentence for the person. */
  async beforeInsert(manager: EntityManager, row: Partial<AutomationRow>): Promise<Partial<AutomationRow>> {
    const { type } = row;
    const userId = row.user_id;
    if (!isAutomationType(type) || userId === undefined) throw refusal(wizardTexts.unknownType);
    const isDraft = row.is_draft ?? false;
    const isActive = !isDraft && (row.is_active ?? true);
    const sent = objectOf(row.configuration);
    const name = nameOf(row.name ?? defaultAutomationName(type, sent));
    // Taken first: creations of one owner go one after the other.
    if (!isDraft) await this.requireSlots(manager, userId, slotCost(type));
    const configuration = await this.settle(manager, userId, type, sent, {}, isDraft);
    return { ...row, name, type, configuration, is_draft: isDraft, is_active: isActive };
  }

  async afterInsert(manager: EntityManager, row: AutomationRow): Promise<void> {
    await this.prepare(manager, row, true);
    await this.announcer.created(manager, row.id);
    if (row.is_draft) return;
    // Several rows of one request were each checked against what was there before.
    const { maxSlots } = await lockEntitlement(manager, row.user_id);
    const used = await usedSlots(manager, row.user_id);
    if (used > maxSlots) throw refusal(slotsRefusal(slotCost(row.type), Math.max(0, maxSlots - used + slotCost(row.type))));
    await this.announceSlots(manager, row.user_id);
  }

  /** @throws RestError P0001 with the sentence for the person. */
  async beforeUpdate(manager: EntityManager, before: AutomationRow, sent: Partial<AutomationRow>): Promise<Partial<AutomationRow>> {
    const patch: Partial<AutomationRow> = { ...sent };
    if (patch.name !== undefined) patch.name = nameOf(patch.name);
    if (patch.type !== undefined && patch.type !== before.type) throw refusal(wizardTexts.unknownType);
    if (patch.is_draft === true) patch.is_active = false;
    // The switch on a draft publishes it.
    if (patch.is_active === true && before.is_draft && patch.is_draft === undefined) patch.is_draft = false;
    const isDraft = patch.is_draft ?? before.is_draft;
    const isPublished = before.is_draft && !isDraft;
    if (isPublished && patch.is_active === undefined) patch.is_active = true;
    const isActive = patch.is_active ?? before.is_active;
    const isSwitchedOn = isActive && !before.is_active;

    if (isPublished || isSwitchedOn) await lockEntitlement(manager, before.user_id);
    if (isPublished) await this.requireSlots(manager, before.user_id, slotCost(before.type));
    else if (isSwitchedOn) await this.requireRoom(manager, before);

    const isSaved = patch.configuration !== undefined;
    if (isSaved || isPublished || isSwitchedOn) {
      const given = isSaved ? objectOf(patch.configuration) : before.configuration;
      // Saving an extraction that is over asks for it again: a new list, beside the old one.
      const isAgain = isSaved && Boolean(before.completed_at);
      patch.configuration = await this.settle(manager, before.user_id, before.type, given, before.configuration, isDraft, isAgain);
    }
    // An edit is saved and waits; the bare switch says why nothing will happen.
    if (isSwitchedOn && !isPublished && !isSaved) await this.requireRestedAccount(manager, before.configuration);
    if (sent.is_active === false && !before.is_active) await this.keepOff(manager, before.id);
    return patch;
  }

  async afterUpdate(manager: EntityManager, before: AutomationRow, after: AutomationRow): Promise<void> {
    const isSaved = JSON.stringify(before.configuration) !== JSON.stringify(after.configuration);
    const isSwitched = before.is_active !== after.is_active || before.is_draft !== after.is_draft;
    if (isSaved || isSwitched) await this.prepare(manager, after, isSaved);
    if (placeKeyOf(before.configuration) !== placeKeyOf(after.configuration))
      await manager.query('update automations set source_offset = 0 where id = $1', [after.id]);
    await this.announcer.updated(manager, [after.id]);
    if (before.is_draft !== after.is_draft) {
      await lockEntitlement(manager, after.user_id);
      await this.announceSlots(manager, after.user_id);
    }
  }

  async afterDelete(manager: EntityManager, row: AutomationRow): Promise<void> {
    await this.announcer.deleted(manager, row);
    if (!row.is_draft) {
      await lockEntitlement(manager, row.user_id);
      await this.announceSlots(manager, row.user_id);
    }
  }

  /**
   * The configuration as it is stored: checked when it is to run, its session sealed, the server's own keys put back.
   * @param before what is stored now
   */
  private async settle(
    manager: EntityManager,
    userId: string,
    type: AutomationType,
    sent: Configuration,
    before: Configuration,
    isDraft: boolean,
    isAgain = false,
  ): Promise<Configuration> {
    const now = this.clock.now();
    const { configuration, pastedSession } = takeSecrets(sent);
    const isWheel = type === 'prize-extractor';
    // An account that the customer gave us before may be named instead of pasting its session again.
    const account = textOf(before['sessionAccount']) ?? textOf(sent['sessionAccount']);
    const hasStoredSession =
      pastedSession === undefined && account !== null && (await hasUsableSession(manager, userId, this.vault.accountKeyOf(account)));

    if (!isDraft) {
      const asked = pastedSession === undefined ? configuration : { ...configuration, sessionCookie: pastedTextOf(pastedSession) };
      const [problem] = validateAutomation(type, asked, { hasStoredSession });
      if (problem) throw refusal(problem.message);
    }
    let session: StoredSession | null = null;
    if (!isWheel && pastedSession !== undefined) {
      const parsed = this.vault.read(pastedSession, now);
      if (!parsed.ok) throw refusal(parsed.message);
      session = await this.vault.store(manager, userId, parsed, now);
      await this.pauses.resumeAfterSession(manager, userId, session.accountKey, now);
    }
    const sessionAccount = session?.networkUserId ?? (await this.knownAccount(manager, userId, account));
    return {
      ...configuration,
      ...(isWheel
        ? wheelKeys(before, isDraft)
        : { sessionStored: sessionAccount !== null, ...(sessionAccount === null ? {} : { sessionAccount }) }),
      ...(isExtractor(type) ? { extractedDataId: isAgain ? randomUUID() : extractionIdOf(type, configuration, before) } : {}),
    };
  }

  /** An account is kept only when this very customer once gave a session of it: naming a stranger's account gives nothing. */
  private async knownAccount(manager: EntityManager, userId: string, account: string | null): Promise<string | null> {
    if (account === null) return null;
    const accountKey = this.vault.accountKeyOf(account);
    const known = await rowOf(manager, `select 1 from instagram_sessions where user_id = $1 and account_key = $2 limit 1`, [
      userId,
      accountKey,
    ]);
    return known ? account : null;
  }

  /** Sets what the scheduler reads. @param isSaved the configuration is new: what went before counts no more */
  private async prepare(manager: EntityManager, row: AutomationRow, isSaved: boolean): Promise<void> {
    const now = this.clock.now();
    const account = textOf(row.configuration['sessionAccount']);
    const kind = runKindOf(row.type, row.configuration);
    const frequency = frequencyOf(row.configuration);
    const extractedDataId = kind === 'extract-list' ? textOf(row.configuration['extractedDataId']) : null;
    const isOn = row.is_active && !row.is_draft;

    let isNewExtraction = false;
    if (extractedDataId !== null) {
      const known = await rowOf(manager, `select 1 from extraction_progress where automation_id = $1 and extracted_data_id = $2`, [
        row.id,
        extractedDataId,
      ]);
      isNewExtraction = known === undefined;
      await manager.query(
        `insert into extraction_progress (automation_id, extracted_data_id) values ($1, $2)
         on conflict (automation_id) do update set extracted_data_id = excluded.extracted_data_id, cursor = null, pass = 1, next_page = 0,
           profile_total = null, collected = 0, awaits_verdict = false
         where extraction_progress.extracted_data_id <> excluded.extracted_data_id`,
        [row.id, extractedDataId],
      );
    }
    await manager.query(
      `update automations t set account_key = $2, run_kind = $3, frequency_ms = $4, pause_cause = null, pause_reason = null, pause_since = null,
         pause_until = null, pause_resumes = false, hold_code = null, hold_reason = null, interruptions = 0,
         remaining_budget = case when $6 then null else remaining_budget end,
         next_is_interactive = next_is_interactive or $6,
         completed_at = case when $7 then null else completed_at end,
         completed_reason = case when $7 then null else completed_reason end,
         next_run_at = case when not $8 or $3::text is null or (completed_at is not null and not $7) then null
           when exists (select 1 from extraction_progress p where p.automation_id = t.id and p.awaits_verdict) then null
           else $5::timestamptz end
       where id = $1`,
      [
        row.id,
        account === null ? null : this.vault.accountKeyOf(account),
        kind,
        frequency === null ? null : frequencyMs(frequency),
        now,
        isSaved,
        isNewExtraction,
        isOn,
      ],
    );
  }

  private async requireSlots(manager: EntityManager, userId: string, needed: number): Promise<void> {
    const { maxSlots } = await lockEntitlement(manager, userId);
    const available = maxSlots - (await usedSlots(manager, userId));
    if (available < needed) throw refusal(slotsRefusal(needed, Math.max(0, available)));
  }

  /** Switching on needs room among what is on: after a plan shrank, more may exist than may run. */
  private async requireRoom(manager: EntityManager, row: AutomationRow): Promise<void> {
    const { maxSlots } = await lockEntitlement(manager, row.user_id);
    const others = (await slotHolders(manager, row.user_id)).filter(({ id }) => id !== row.id);
    const available = maxSlots - slotsOn(others);
    const needed = slotCost(row.type);
    if (available < needed) throw refusal(slotsRefusal(needed, Math.max(0, available)));
  }

  /** While the network blocks the account, the switch does not override it. */
  private async requireRestedAccount(manager: EntityManager, configuration: Configuration): Promise<void> {
    const account = textOf(configuration['sessionAccount']);
    const hold = account === null ? null : await this.pauses.holdOf(manager, this.vault.accountKeyOf(account), this.clock.now());
    if (hold) throw refusal(hold.reason);
  }

  /** The customer switched off what the platform had paused: it does not come back by itself. */
  private async keepOff(manager: EntityManager, id: string): Promise<void> {
    await manager.query(
      `update automations set pause_cause = null, pause_reason = null, pause_since = null, pause_until = null, pause_resumes = false where id = $1`,
      [id],
    );
  }

  private async announceSlots(manager: EntityManager, userId: string): Promise<void> {
    await this.announcer.slots(manager, userId);
  }
}

function nameOf(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name === '') throw refusal(wizardTexts.emptyName);
  return name;
}

function objectOf(value: unknown): Configuration {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Configuration) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function pastedTextOf(pasted: unknown): string {
  return typeof pasted === 'string' ? pasted : JSON.stringify(pasted);
}

/** The wheel's token: made once, when it is first published, and kept over edits. What was stored before wins. */
function wheelKeys(before: Configuration, isDraft: boolean): Configuration {
  const token = textOf(before['publicToken']) ?? (isDraft ? null : randomBytes(wheelTokenBytes).toString('base64url'));
  return token === null ? {} : { publicToken: token };
}

function isExtractor(type: AutomationType): boolean {
  return type === 'followers-following-extractor' || type === 'post-interactions-extractor';
}

/** An extraction of the same list keeps its id; another list is another extraction. */
function extractionIdOf(type: AutomationType, configuration: Configuration, before: Configuration): string {
  const known = textOf(before['extractedDataId']);
  return known !== null && listKey(type, before) === listKey(type, configuration) ? known : randomUUID();
}

function listKey(type: AutomationType, configuration: Configuration): string {
  const target = textOf(configuration['targets'])?.trim() ?? '';
  if (type === 'post-interactions-extractor') return JSON.stringify([configuration['interactionType'], target]);
  return JSON.stringify([configuration['extractionType'], normaliseUsername(splitTargets(target)[0] ?? '')]);
}
