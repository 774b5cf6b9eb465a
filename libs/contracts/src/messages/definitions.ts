import type { z } from 'zod';

/** A fact in the past, published for anyone who listens. The routing key on `decola.events` is `type`. */
export interface EventDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly kind: 'event';
  /** Dotted name, fixed for ever: `automation.created`. */
  readonly type: string;
  /** Version of the schema; travels as the `dataschema` attribute. Fields are only added; a new meaning is a new type. */
  readonly version: number;
  readonly schema: Schema;
}

/** An order for one worker. It travels over a queue of its own and is answered by events. */
export interface JobDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly kind: 'job';
  readonly type: string;
  readonly version: number;
  readonly schema: Schema;
}

/** A question with one answer, by request/reply over RabbitMQ. Only the browser worker asks. */
export interface RequestDefinition<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  readonly kind: 'request';
  readonly type: string;
  readonly version: number;
  readonly request: Request;
  readonly reply: Reply;
}

/** What an event or a job carries. */
export type PayloadOf<Definition extends { schema: z.ZodType }> = z.infer<Definition['schema']>;

export function defineEvent<Schema extends z.ZodType>(type: string, schema: Schema, version = 1): EventDefinition<Schema> {
  return { kind: 'event', type, version, schema };
}

export function defineJob<Schema extends z.ZodType>(type: string, schema: Schema, version = 1): JobDefinition<Schema> {
  return { kind: 'job', type, version, schema };
}

export function defineRequest<Request extends z.ZodType, Reply extends z.ZodType>(
  type: string,
  request: Request,
  reply: Reply,
  version = 1,
): RequestDefinition<Request, Reply> {
  return { kind: 'request', type, version, request, reply };
}
