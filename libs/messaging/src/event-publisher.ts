import { randomUUID } from 'node:crypto';
import type { EventDefinition } from '@decola/contracts';
import type { z } from 'zod';
import type { Sender } from './sender.js';
import { currentTraceparent } from './trace.js';

/** Publishes events of a service that has no database, hence no outbox. Resolves when the broker has the event. */
export class EventPublisher {
  constructor(
    private readonly sender: Sender,
    private readonly source: string,
  ) {}

  /** @param options.id the same id for a repeated publish of the same fact, so that listeners drop the second one */
  async publish<Schema extends z.ZodType>(
    definition: EventDefinition<Schema>,
    payload: z.input<Schema>,
    { subject, id = randomUUID() }: { subject: string; id?: string },
  ): Promise<void> {
    const { type, version, schema } = definition;
    await this.sender.event(
      { id, source: this.source, type, version, subject, time: new Date().toISOString(), traceparent: currentTraceparent() },
      schema.parse(payload),
    );
  }
}
