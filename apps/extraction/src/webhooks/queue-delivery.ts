import { randomUUID } from 'node:crypto';
import type { WebhookEvent } from '@decola/contracts';
import type { Database } from '@decola/database';

/** What a webhook is told about a participation. */
export interface LeadNews {
  automationId: string;
  participationId: string;
  number: number;
  event: Exclude<WebhookEvent, 'webhook.test'>;
  /** When it happened. */
  at: Date;
}

/** `webhook-id` of a delivery: the same for every attempt, so that the receiver recognises a repeat. */
export const newDeliveryId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;

/** Adds a delivery in the transaction of what it tells, when the wheel has a webhook that is called. The same event is added once. */
export async function queueDelivery(db: Database, news: LeadNews, now: Date): Promise<void> {
  await db.query(
    `insert into webhook_deliveries (id, automation_id, event, participation_id, number, at, next_attempt_at, created_at)
     select $1, automation_id, $3, $4, $5, $6, $7, $7 from lead_webhooks where automation_id = $2 and state = 'active'
     on conflict do nothing`,
    [newDeliveryId(), news.automationId, news.event, news.participationId, news.number, news.at, now],
  );
}

/** Cancels what a webhook was still to be told about a lead. */
export async function cancelDeliveries(db: Database, participationId: string): Promise<void> {
  await db.query(
    `update webhook_deliveries set status = 'canceled', next_attempt_at = null where participation_id = $1 and status = 'waiting' and event <> 'lead.erased'`,
    [participationId],
  );
}
