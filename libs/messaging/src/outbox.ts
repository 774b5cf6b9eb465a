import { randomUUID } from 'node:crypto';
import type { EventDefinition, JobDefinition } from '@decola/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { currentTraceparent } from './trace.js';

export interface OutboxOptions {
  /** What the message is about. Messages of one subject are published in the order in which they were added. */
  subject: string;
  /** Id of the message; a second one with the same id is refused by the table. Default: a random one. */
  id?: string;
}

/** Writes messages beside the change they tell of, in its transaction: both happen or neither. */
@Injectable()
export class Outbox {
  /** @throws ZodError when the payload does not fit its schema; that is a bug of the caller. */
  async add<Schema extends z.ZodType>(
    manager: EntityManager,
    definition: EventDefinition<Schema>,
    payload: z.input<Schema>,
    options: OutboxOptions,
  ): Promise<void> {
    await this.insert(manager, 'event', definition, [{ ...options, payload, queue: null }]);
  }

  /** As `add`, for many messages of one kind in one statement; their order is kept. */
  async addMany<Schema extends z.ZodType>(
    manager: EntityManager,
    definition: EventDefinition<Schema>,
    messages: readonly (OutboxOptions & { payload: z.input<Schema> })[],
  ): Promise<void> {
    await this.insert(
      manager,
      'event',
      definition,
      messages.map((message) => ({ ...message, queue: null })),
    );
  }

  /** Orders work from whoever listens to `queue`. */
  async enqueue<Schema extends z.ZodType>(
    manager: EntityManager,
    definition: JobDefinition<Schema>,
    payload: z.input<Schema>,
    options: OutboxOptions & { queue: string },
  ): Promise<void> {
    await this.insert(manager, 'job', definition, [{ ...options, payload }]);
  }

  /** As `enqueue`, for many jobs in one statement; their order is kept. */
  async enqueueMany<Schema extends z.ZodType>(
    manager: EntityManager,
    definition: JobDefinition<Schema>,
    jobs: readonly (OutboxOptions & { payload: z.input<Schema>; queue: string })[],
  ): Promise<void> {
    await this.insert(manager, 'job', definition, jobs);
  }

  private async insert(
    manager: EntityManager,
    kind: 'event' | 'job',
    { type, version, schema }: { type: string; version: number; schema: z.ZodType },
    messages: readonly (OutboxOptions & { payload: unknown; queue: string | null })[],
  ): Promise<void> {
    if (messages.length === 0) return;
    const rows = messages.map(({ id = randomUUID(), queue, subject, payload }) => ({ id, queue, subject, payload: schema.parse(payload) }));
    await manager.query(
      `insert into outbox (id, kind, queue, type, version, subject, payload, traceparent)
       select (m ->> 'id')::uuid, $2, m ->> 'queue', $3, $4, m ->> 'subject', m -> 'payload', $5
       from jsonb_array_elements($1::jsonb) with ordinality as e (m, n) order by n`,
      [JSON.stringify(rows), kind, type, version, currentTraceparent() ?? null],
    );
  }
}
