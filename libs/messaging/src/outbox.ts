import { randomUUID } from 'node:crypto';
import type { EventDefinition, JobDefinition } from '@decola/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { currentTraceparent } from './trace.js';

export interface OutboxOptions {
  /** Id of what the message is about. Messages of one subject are published in the order in which they were added. */
  subject: string;
  /** Id of the message; the table refuses a second message with the same id. Default: a random one. */
  id?: string;
}

/** A payload that its sender has checked against the schema of the definition already, so that the outbox does not do it again. */
export class CheckedPayload<Payload> {
  private constructor(readonly value: Payload) {}

  /** @returns the payload as the schema reads it; undefined when it does not fit */
  static of<Schema extends z.ZodType>(
    { schema }: { schema: Schema },
    payload: z.input<Schema>,
  ): CheckedPayload<z.output<Schema>> | undefined {
    const checked = schema.safeParse(payload);
    return checked.success ? new CheckedPayload(checked.data) : undefined;
  }
}

/** Writes messages into the outbox table, in the transaction of the change that they announce: both are committed or neither. */
@Injectable()
export class Outbox {
  /** Adds an event. @throws ZodError when the payload does not fit its schema; that is a bug of the caller. */
  async add<Schema extends z.ZodType>(
    manager: EntityManager,
    definition: EventDefinition<Schema>,
    payload: z.input<Schema>,
    options: OutboxOptions,
  ): Promise<void> {
    await this.insert(manager, 'event', definition, [{ ...options, payload, queue: null }]);
  }

  /** Adds many events of one type in one statement, in this order. */
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

  /** Adds a job for the consumers of `queue`. */
  async enqueue<Schema extends z.ZodType>(
    manager: EntityManager,
    definition: JobDefinition<Schema>,
    payload: z.input<Schema>,
    options: OutboxOptions & { queue: string },
  ): Promise<void> {
    await this.insert(manager, 'job', definition, [{ ...options, payload }]);
  }

  /** Adds many jobs of one type in one statement, in this order. */
  async enqueueMany<Schema extends z.ZodType>(
    manager: EntityManager,
    definition: JobDefinition<Schema>,
    jobs: readonly (OutboxOptions & { payload: z.input<Schema> | CheckedPayload<z.output<Schema>>; queue: string })[],
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
    const rows = messages.map(({ id = randomUUID(), queue, subject, payload }) => ({
      id,
      queue,
      subject,
      payload: payload instanceof CheckedPayload ? (payload.value as unknown) : schema.parse(payload),
    }));
    await manager.query(
      `insert into outbox (id, kind, queue, type, version, subject, payload, traceparent)
       select (m ->> 'id')::uuid, $2, m ->> 'queue', $3, $4, m ->> 'subject', m -> 'payload', $5
       from jsonb_array_elements($1::jsonb) with ordinality as e (m, n) order by n`,
      [JSON.stringify(rows), kind, type, version, currentTraceparent() ?? null],
    );
  }
}
