import type { FunctionRefusal, LeadWebhookAnswer, LeadWebhookBody, WebhookDelivery } from '@decola/contracts';
import { changedRows, type Database, rowOf, rowsOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { webhookTexts as texts } from '../texts/texts.js';
import { leaseSeconds, WebhookDeliveries } from './deliveries.service.js';
import { newDeliveryId } from './queue-delivery.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Deliveries that are shown and kept. */
export const shownDeliveries = 100;

/** Tests and repeats of one wheel within a minute. */
const callsPerMinute = 10;

const refused = (error: string, code: string): FunctionRefusal => ({ success: false, error, code });

interface DeliveryRow {
  id: string;
  event: WebhookDelivery['event'];
  number: number | null;
  at: Date;
  status: WebhookDelivery['status'];
  attempts: number;
  http_status: number | null;
  failure: string | null;
  next_attempt_at: Date | null;
}

/** What owners do with the webhook of their wheel. */
@Injectable()
export class LeadWebhooks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: WebhookSecrets,
    private readonly deliveries: WebhookDeliveries,
    private readonly clock: Clock,
  ) {}

  async act(ownerId: string, body: LeadWebhookBody): Promise<LeadWebhookAnswer | FunctionRefusal> {
    const { automationId, action } = body;
    const wheel = await rowOf(
      this.dataSource.manager,
      `select 1 from automations where automation_id = $1 and user_id = $2 and type = 'prize-extractor'`,
      [automationId, ownerId],
    );
    if (!wheel) return refused(texts.unknownWheel, 'not_found');
    switch (action) {
      case 'get':
        return this.answer(automationId);
      case 'set':
        return this.set(ownerId, automationId, body.url?.trim() ?? '');
      case 'remove':
        await this.dataSource.query('delete from lead_webhooks where automation_id = $1', [automationId]);
        return this.answer(automationId);
      case 'test':
        return this.test(automationId);
      case 'resend':
        return this.resend(automationId, body.deliveryId ?? '');
    }
  }

  private async set(ownerId: string, automationId: string, url: string): Promise<LeadWebhookAnswer | FunctionRefusal> {
    if (url === '') return refused(texts.urlMissing, 'url_missing');
    if (!this.deliveries.isCallable(url)) return refused(texts.urlNotCallable, 'url_not_callable');
    const { secret, sealed } = this.secrets.create(automationId);
    await this.dataSource.query(
      `insert into lead_webhooks (automation_id, user_id, url, secret_sealed, created_at) values ($1, $2, $3, $4, $5)
       on conflict (automation_id) do update set url = excluded.url, secret_sealed = excluded.secret_sealed, state = 'active'`,
      [automationId, ownerId, url, sealed, this.clock.now()],
    );
    return this.answer(automationId, secret);
  }

  private async test(automationId: string): Promise<LeadWebhookAnswer | FunctionRefusal> {
    const id = newDeliveryId();
    const refusal = await this.withWebhook(automationId, async (manager, now) => {
      await manager.query(
        `insert into webhook_deliveries (id, automation_id, event, at, next_attempt_at, created_at) values ($1, $2, 'webhook.test', $3, $4, $3)`,
        // Not due before this attempt is over.
        [id, automationId, now, new Date(now.getTime() + leaseSeconds * 1000)],
      );
      return null;
    });
    if (refusal) return refusal;
    await this.deliveries.attemptNow(id);
    return this.answer(automationId);
  }

  private async resend(automationId: string, deliveryId: string): Promise<LeadWebhookAnswer | FunctionRefusal> {
    const refusal = await this.withWebhook(automationId, async (manager, now) => {
      // The same id again: a receiver that has it recognises the repeat. What waits is only tried sooner.
      const found = await changedRows(
        manager,
        `update webhook_deliveries d set status = 'waiting', attempts = case when d.status = 'waiting' then d.attempts else 0 end, next_attempt_at = $3
         where d.id = $2 and d.automation_id = $1 and d.event <> 'webhook.test'
           and (d.event = 'lead.erased' or exists (select 1 from leads l where l.participation_id = d.participation_id))
           and not (d.status = 'waiting' and d.next_attempt_at <= $3)`,
        [automationId, deliveryId, now],
      );
      return found === 0 ? refused(texts.unknownDelivery, 'not_found') : null;
    });
    return refusal ?? this.answer(automationId);
  }

  /** Runs a change of an active webhook's deliveries, within its limit. */
  private withWebhook(
    automationId: string,
    change: (manager: Database, now: Date) => Promise<FunctionRefusal | null>,
  ): Promise<FunctionRefusal | null> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const webhook = await rowOf<{ state: string; calls: number; calls_since: Date }>(
        manager,
        'select state, calls, calls_since from lead_webhooks where automation_id = $1 for update',
        [automationId],
      );
      if (!webhook) return refused(texts.none, 'no_webhook');
      if (webhook.state === 'ended') return refused(texts.ended, 'ended');
      const passedSeconds = (now.getTime() - webhook.calls_since.getTime()) / 1000;
      const isNewMinute = passedSeconds >= 60;
      if (!isNewMinute && webhook.calls >= callsPerMinute) return refused(texts.tooMany(Math.ceil(60 - passedSeconds)), 'too_many_calls');
      await manager.query('update lead_webhooks set calls = $2, calls_since = $3 where automation_id = $1', [
        automationId,
        isNewMinute ? 1 : webhook.calls + 1,
        isNewMinute ? now : webhook.calls_since,
      ]);
      return change(manager, now);
    });
  }

  private async answer(automationId: string, secret: string | null = null): Promise<LeadWebhookAnswer> {
    const db = this.dataSource.manager;
    const webhook = await rowOf<{ url: string; state: 'active' | 'ended' }>(
      db,
      'select url, state from lead_webhooks where automation_id = $1',
      [automationId],
    );
    const rows = await rowsOf<DeliveryRow>(
      db,
      `select id, event, number, at, status, attempts, http_status, failure, next_attempt_at from webhook_deliveries
       where automation_id = $1 order by created_at desc, id limit $2`,
      [automationId, shownDeliveries],
    );
    return { success: true, webhook: webhook ? { ...webhook, secret } : null, deliveries: rows.map(shown) };
  }
}

const shown = ({ at, http_status, failure, next_attempt_at, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  at: at.toISOString(),
  httpStatus: http_status,
  lastError: row.status === 'delivered' ? null : errorText(http_status, failure),
  nextAttemptAt: next_attempt_at?.toISOString() ?? null,
});

function errorText(httpStatus: number | null, failure: string | null): string | null {
  if (failure !== null) return (texts.failures as Partial<Record<string, string>>)[failure] ?? texts.failures.connection;
  if (httpStatus === null) return null;
  if (httpStatus === 410) return texts.gone;
  return httpStatus >= 300 && httpStatus < 400 ? texts.redirect : texts.status(httpStatus);
}
