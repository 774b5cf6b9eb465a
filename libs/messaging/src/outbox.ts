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
    await this.insert(manager, 'event', definition, payload, null, options);
  }

  /** Orders work from whoever listens to `queue`. */
  async enqueue<Schema extends z.ZodType>(
    manager: EntityManager,
    definition: JobDefinition<Schema>,
    payload: z.input<Schema>,
    options: OutboxOptions & { queue: string },
  ): Promise<void> {
    await this.insert(manager, 'job', definition, payload, options.queue, options);
  }

  private async insert(
    manager: EntityManager,
    kind: 'event' | 'job',
    { type, version, schema }: { type: string; version: number; schema: z.ZodType },
    payload: unknown,
    queue: string | null,
    { subject, id = randomUUID() }: OutboxOptions,
  ): Promise<void> {
    await manager.query(
      'insert into outbox (id, kind, queue, type, version, subject, payload, traceparent) values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [id, kind, queue, type, version, subject, JSON.stringify(schema.parse(payload)), currentTraceparent() ?? null],
    );
  }
}
