import { parseJson } from '@decola/service-kit';
import { z } from 'zod';
import { badJson, validationFailed } from './auth.errors.js';

const text = z.string().nullish();
/** A person's own data stand in every access token, and a request's headers hold no more. Bytes of JSON. */
export const mostMetadata = 8_192;
const metadata = z
  .record(z.string(), z.unknown())
  .refine((data) => Buffer.byteLength(JSON.stringify(data)) <= mostMetadata, 'User metadata is too large')
  .nullish();
const pkce = { code_challenge: text, code_challenge_method: text };

/** Members of the bodies we know; others are ignored, null equals absent, and nothing is coerced (auth-v1, 1.2). */
export const bodies = {
  signup: z.looseObject({ email: text, phone: text, password: text, data: metadata, ...pkce }),
  password: z.looseObject({ email: text, phone: text, password: text }),
  refresh: z.looseObject({ refresh_token: text }),
  pkce: z.looseObject({ auth_code: text, code_verifier: text }),
  updateUser: z.looseObject({
    email: text,
    password: text,
    current_password: text,
    phone: text,
    nonce: text,
    data: metadata,
    app_metadata: z.unknown().optional(),
    ...pkce,
  }),
  recover: z.looseObject({ email: text, ...pkce }),
  otp: z.looseObject({
    email: text,
    phone: text,
    create_user: z.boolean().nullish(),
    data: metadata,
    channel: text,
    ...pkce,
  }),
  verify: z.looseObject({ type: text, token: text, token_hash: text, email: text, phone: text, redirect_to: text }),
  resend: z.looseObject({ type: text, email: text, phone: text, ...pkce }),
  anything: z.looseObject({}),
};

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each));
}

/** @throws AuthError `bad_json` or `validation_failed`, never with the value that was given */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  // Whatever it calls itself, a body is JSON.
  if (Buffer.isBuffer(body)) body = parseJson(body);
  if (body === undefined) body = {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badJson();
  // PostgreSQL keeps neither NUL nor half of a surrogate pair.
  if (!isStorable(body)) throw validationFailed('The body holds characters that are not allowed');
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw validationFailed(issue?.code === 'custom' ? issue.message : `${issue?.path.join('.') ?? 'body'} has the wrong type`);
  }
  return parsed.data;
}

const emailSchema = z.email();

/** The address in lower case. @throws AuthError when it is none, with the status that its endpoint has for that */
export function readEmail(email: string | null | undefined, status = 400): string {
  const normal = email?.trim().toLowerCase() ?? '';
  if (normal.length > 255 || !emailSchema.safeParse(normal).success)
    throw validationFailed('Unable to validate email address: invalid format', status);
  return normal;
}

/** A body as its schema gives it. */
export type Body<Name extends keyof typeof bodies> = z.infer<(typeof bodies)[Name]>;
