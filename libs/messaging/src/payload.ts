import { PermanentError } from '@decola/service-kit';
import type { GetMessage } from 'amqplib';
import type { z } from 'zod';
import { isOfNewerRelease, NewerMessageError } from './newer-messages.js';

/** What a reader knows of a type of message. */
export interface Reader<Schema extends z.ZodType> {
  kind: string;
  type: string;
  version: number;
  schema: Schema;
}

/**
 * Reads the JSON body of a message. Both errors name the fields that do not fit, and never their values.
 * @throws NewerMessageError when a newer release sent it
 * @throws PermanentError when it is malformed
 */
export function parsePayload<Schema extends z.ZodType>(
  message: Pick<GetMessage, 'content' | 'properties'>,
  reader: Reader<Schema>,
): z.infer<Schema> {
  let body: unknown;
  try {
    body = JSON.parse(message.content.toString('utf8'));
  } catch {
    throw new PermanentError('the body is no JSON');
  }
  return parseBody(body, reader, versionOf(message));
}

/** @param version that the sender gave the body */
export function parseBody<Schema extends z.ZodType>(
  body: unknown,
  { kind, type, version, schema }: Reader<Schema>,
  sent: number,
): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const fields = issues.map(({ path }) => path.join('.')).join(', ');
  if (isOfNewerRelease(body, issues, { sent, known: version }))
    throw new NewerMessageError(`the ${kind} ${type} holds what only a newer release knows: ${fields}`);
  throw new PermanentError(`the ${kind} does not fit ${type}: ${fields}`);
}

/** Version of the message's schema, from `dataschema` (`<type>/v<version>`); 0 when it names none. */
function versionOf({ properties: { headers } }: Pick<GetMessage, 'properties'>): number {
  const dataschema: unknown = headers?.['cloudEvents:dataschema'];
  return typeof dataschema === 'string' ? Number(/\/v(\d+)$/.exec(dataschema)?.[1] ?? 0) : 0;
}
