import { parseJson } from '@decola/service-kit';
import { z } from 'zod';
import { badJson, validationFailed } from './auth.errors.js';

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each));
}

/** Parses a request body. @throws AuthError `bad_json` or `validation_failed`, whose message never repeats the given value */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  // A body with another content type arrives as bytes; auth/v1 reads every body as JSON.
  if (Buffer.isBuffer(body)) body = parseJson(body);
  if (body === undefined) body = {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badJson();
  if (!isStorable(body)) throw validationFailed('The body holds characters that are not allowed');
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw validationFailed(issue?.code === 'custom' ? issue.message : `${issue?.path.join('.') ?? 'body'} has the wrong type`);
  }
  return parsed.data;
}

const emailSchema = z.email();

/** Reads an e-mail address in lower case. @param status of the error, which differs by endpoint. @throws AuthError when it is malformed */
export function readEmail(email: string | null | undefined, status = 400): string {
  const normal = email?.trim().toLowerCase() ?? '';
  if (normal.length > 255 || !emailSchema.safeParse(normal).success)
    throw validationFailed('Unable to validate email address: invalid format', status);
  return normal;
}
