import { createHash } from 'node:crypto';
import { rowOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import { apiVersion, StripeClient } from '../stripe/stripe-client.js';
import { objectOfEvent } from './event-targets.js';
import { processStripeEvent, stripeEventsQueue } from './stripe-event.job.js';

/** Stores events of Stripe, each once, and orders a job that processes it. */
@Injectable()
export class EventStore {
  /** Foreign API versions that were reported already. */
  private readonly reportedVersions = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly client: StripeClient,
  ) {}

  /** Stores an event and orders its job, in one transaction. @returns false when it was stored before. */
  store(event: Stripe.Event): Promise<boolean> {
    return this.dataSource.transaction((manager) => this.storeIn(manager, event));
  }

  /** `store` in the caller's transaction. */
  async storeIn(manager: EntityManager, event: Stripe.Event): Promise<boolean> {
    const inserted = await rowOf(
      manager,
      `insert into stripe_events (event_id, type, created, livemode, api_version, body) values ($1, $2, to_timestamp($3), $4, $5, $6)
       on conflict do nothing returning event_id`,
      [
        event.id,
        typeof event.type === 'string' ? event.type : 'unknown',
        Number.isFinite(event.created) ? event.created : 0,
        event.livemode === true,
        event.api_version ?? null,
        JSON.stringify(event),
      ],
    );
    if (!inserted) return false;
    this.reportForeignVersion(event);
    await this.outbox.enqueue(
      manager,
      processStripeEvent,
      { event_id: event.id },
      { queue: stripeEventsQueue, subject: subjectOf(event), id: jobIdOf(event.id) },
    );
    return true;
  }

  /** A webhook endpoint of another API version sends other shapes. Reports each version once, since every event carries it. */
  private reportForeignVersion({ id, api_version: version }: Stripe.Event): void {
    if (typeof version !== 'string' || version === apiVersion || this.reportedVersions.has(version)) return;
    this.reportedVersions.add(version);
    this.client.alert('Stripe sends events of another API version than ours', { version, ours: apiVersion, event: id });
  }
}

/** Jobs with the same subject are processed in order: events of one customer share one. */
function subjectOf(event: Stripe.Event): string {
  const object = objectOfEvent(event);
  const customer = object['object'] === 'customer' ? object['id'] : object['customer'];
  return typeof customer === 'string' ? customer : event.id;
}

/** A message id derived from the event's id, so that an event has one job however often it is delivered. */
function jobIdOf(eventId: string): string {
  const hex = createHash('sha256').update(eventId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
