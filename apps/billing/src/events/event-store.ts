import { createHash } from 'node:crypto';
import { Outbox } from '@decola/messaging';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource, type EntityManager } from 'typeorm';
import { processStripeEvent, stripeEventsQueue } from './stripe-event-job.js';

/** Events of Stripe, each stored once and worked through once. */
@Injectable()
export class EventStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /** Stores an event and orders its work, in one transaction. @returns false when it was known. */
  receive(event: Stripe.Event): Promise<boolean> {
    return this.dataSource.transaction((manager) => this.receiveIn(manager, event));
  }

  async receiveIn(manager: EntityManager, event: Stripe.Event): Promise<boolean> {
    const inserted = await manager.query<unknown[]>(
      `insert into stripe_events (event_id, type, created, livemode, api_version, body) values ($1, $2, to_timestamp($3), $4, $5, $6)
       on conflict do nothing returning event_id`,
      [event.id, event.type, event.created, event.livemode, event.api_version, JSON.stringify(event)],
    );
    if (inserted.length === 0) return false;
    await this.outbox.enqueue(
      manager,
      processStripeEvent,
      { event_id: event.id },
      { queue: stripeEventsQueue, subject: subjectOf(event), id: jobIdOf(event.id) },
    );
    return true;
  }
}

/** Events of one customer are looked at in the order in which they came. */
function subjectOf(event: Stripe.Event): string {
  const object = event.data.object as { id?: unknown; object?: unknown; customer?: unknown };
  const customer = object.object === 'customer' ? object.id : object.customer;
  return typeof customer === 'string' ? customer : event.id;
}

/** One job per event, however often it is received. */
function jobIdOf(eventId: string): string {
  const hex = createHash('sha256').update(eventId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
