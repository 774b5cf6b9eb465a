import type { z } from 'zod';

/** A fact in the past, published for any service that listens. The routing key on the exchange `decola.events` is `type`. */
export interface EventDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly kind: 'event';
  /** Dotted name, never renamed: `automation.created`. */
  readonly type: string;
  /** Version of the schema, sent as the `dataschema` attribute. Fields are only added; a changed meaning gets a new type. */
  readonly version: number;
  readonly schema: Schema;
}

/** Work for one worker. Each kind of job has its own queue; the worker reports with events. */
export interface JobDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly kind: 'job';
  readonly type: string;
  readonly version: number;
  readonly schema: Schema;
}

/** A request with one reply, over RabbitMQ. */
export interface RequestDefinition<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  readonly kind: 'request';
  readonly type: string;
  readonly version: number;
  readonly request: Request;
  readonly reply: Reply;
}

/** Payload of an event or a job. */
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
