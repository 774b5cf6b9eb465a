import { randomUUID } from 'node:crypto';
import type { EventDefinition } from '@decola/contracts';
import type { z } from 'zod';
import type { ConfirmedPublisher } from './confirmed-publisher.js';
import { currentTraceparent } from './trace.js';

/** Publishes events of a service that has no database and therefore no outbox. */
export class EventPublisher {
  constructor(
    private readonly publisher: ConfirmedPublisher,
    private readonly source: string,
  ) {}

  /**
   * Resolves when the broker has stored the event.
   * @param options.id when an event may be published twice, the same id both times, so that listeners drop the duplicate
   */
  async publish<Schema extends z.ZodType>(
    definition: EventDefinition<Schema>,
    payload: z.input<Schema>,
    { subject, id = randomUUID() }: { subject: string; id?: string },
  ): Promise<void> {
    const { type, version, schema } = definition;
    await this.publisher.publishEvent(
      { id, source: this.source, type, version, subject, time: new Date().toISOString(), traceparent: currentTraceparent() },
      schema.parse(payload),
    );
  }
}
