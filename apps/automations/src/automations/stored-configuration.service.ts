import {
  type AutomationType,
  normaliseConfiguration,
  normaliseUsername,
  postShortcode,
  splitTargets,
  tools,
  validateAutomation,
} from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { denied, refusedFor } from '@decola/table-api';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AccountStops } from '../accounts/account-stops.service.js';
import { hasUsableSession, SessionVault, type StoredSession } from '../sessions/session-vault.service.js';
import { ownKeys } from '../tools/registry.js';
import { type Configuration, textOf } from './configuration.js';
import { separateSession } from './configuration-secrets.js';

/** A configuration that is about to be stored. */
export interface SentConfiguration {
  userId: string;
  type: AutomationType;
  /** As the client sent it. */
  sent: Configuration;
  /** What is stored now; empty for a new automation. */
  before: Configuration;
  /** Drafts are stored unchecked. */
  isDraft: boolean;
  /** Whether a finished extraction is started again: it gets a new list and keeps the old one. */
  isNewList?: boolean;
}

/** Turns a configuration that a client sent into the one that is stored. */
@Injectable()
export class StoredConfigurations {
  constructor(
    private readonly vault: SessionVault,
    private readonly stops: AccountStops,
    private readonly clock: Clock,
  ) {}

  /**
   * Validates the configuration, unless it is a draft's, stores its session in the vault, and adds the keys that only the server writes.
   * @throws RestError P0001 with the sentence for the customer, 42501 when the named session is not the customer's
   */
  async prepare(
    manager: EntityManager,
    { userId, type, sent, before, isDraft, isNewList = false }: SentConfiguration,
  ): Promise<Configuration> {
    const { instagram_session_id: storedSessionId, ...rest } = sent;
    const { configuration, pastedSession } = separateSession(normaliseConfiguration(type, rest));
    // Instead of pasting a session, a customer may name one that they gave before; a new automation also its account.
    const account =
      (await this.accountOfStoredSession(manager, userId, textOf(storedSessionId))) ??
      textOf(before['sessionAccount']) ??
      textOf(sent['sessionAccount']);
    if (!isDraft) await this.validate(manager, userId, type, configuration, { pastedSession, account });
    const { needsSession, isExtractor } = tools[type];
    const session = !needsSession || pastedSession === undefined ? null : await this.storeSession(manager, userId, pastedSession);
    const sessionAccount = session?.networkUserId ?? (await this.accountOfCustomer(manager, userId, account));
    return {
      ...configuration,
      ...(needsSession ? { sessionStored: sessionAccount !== null, ...(sessionAccount === null ? {} : { sessionAccount }) } : {}),
      ...ownKeys[type]?.(before, isDraft),
      ...(isExtractor ? { extractedDataId: isNewList ? randomUUID() : extractionIdOf(configuration, before) } : {}),
    };
  }

  private async validate(
    manager: EntityManager,
    userId: string,
    type: AutomationType,
    configuration: Configuration,
    { pastedSession, account }: { pastedSession: unknown; account: string | null },
  ): Promise<void> {
    const hasStoredSession =
      pastedSession === undefined && account !== null && (await hasUsableSession(manager, userId, this.vault.accountKeyOf(account)));
    const checked = pastedSession === undefined ? configuration : { ...configuration, sessionCookie: sessionText(pastedSession) };
    const [problem] = validateAutomation(type, checked, { hasStoredSession });
    if (problem) throw refusedFor(problem.message);
  }

  private async storeSession(manager: EntityManager, userId: string, pastedSession: unknown): Promise<StoredSession> {
    const now = this.clock.now();
    const parsed = this.vault.parse(pastedSession, now);
    if (!parsed.ok) throw refusedFor(parsed.message);
    const session = await this.vault.store(manager, userId, parsed, now);
    if (!session.isHeld) await this.stops.resumeAfterSession(manager, userId, session.accountKey, now);
    return session;
  }

  /** @returns the account of a stored session, by its id; null without an id @throws RestError 42501 when the customer has no such session */
  private async accountOfStoredSession(manager: EntityManager, userId: string, id: string | null): Promise<string | null> {
    if (id === null) return null;
    const session = await rowOf<{ network_user_id: string | null }>(
      manager,
      `select network_user_id from instagram_sessions where user_id = $1 and id::text = $2`,
      [userId, id.toLowerCase()],
    );
    if (!session) throw denied(false, 'new row violates row-level security policy for table "automations"');
    return session.network_user_id;
  }

  /** The account when this customer once gave a session of it, else null: naming a stranger's account gives no access to it. */
  private async accountOfCustomer(manager: EntityManager, userId: string, account: string | null): Promise<string | null> {
    if (account === null) return null;
    const known = await rowOf(manager, `select 1 from instagram_sessions where user_id = $1 and account_key = $2 limit 1`, [
      userId,
      this.vault.accountKeyOf(account),
    ]);
    return known ? account : null;
  }
}

function sessionText(pasted: unknown): string {
  return typeof pasted === 'string' ? pasted : JSON.stringify(pasted);
}

/** An extraction of the same list keeps its id; for another list it gets a new one. */
function extractionIdOf(configuration: Configuration, before: Configuration): string {
  const known = textOf(before['extractedDataId']);
  return known !== null && listKey(before) === listKey(configuration) ? known : randomUUID();
}

/** Equal for configurations that name the same list, however its profile or post is written. */
function listKey(configuration: Configuration): string {
  const target = textOf(configuration['targets'])?.trim() ?? '';
  const name = postShortcode(target) ?? normaliseUsername(splitTargets(target)[0] ?? '') ?? target;
  return JSON.stringify([configuration['extractionType'], configuration['interactionType'], name]);
}
