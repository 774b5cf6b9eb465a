import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { UnauthenticatedError } from './errors.js';
import { RecentMap } from './recent-map.js';

/** Header in which the gateway tells a service who the caller is. The gateway removes it from clients' requests. */
export const callerHeader = 'x-decola-caller';

const callerSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('anon') }),
  z.object({
    role: z.literal('authenticated'),
    userId: z.uuid(),
    sessionId: z.uuid(),
    aal: z.enum(['aal1', 'aal2']),
    email: z.string(),
    /** From user_roles: `admin_master`, `admin`. */
    roles: z.array(z.string()),
    /** Expiry of the access token, epoch seconds. */
    expiresAt: z.number(),
  }),
]);

/** The caller of a request, as the gateway verified it. */
export type Caller = z.infer<typeof callerSchema>;
export type AuthenticatedCaller = Extract<Caller, { role: 'authenticated' }>;

export const anonymousCaller: Caller = Object.freeze({ role: 'anon' });

export function isAdminMaster(caller: Caller): boolean {
  return caller.role === 'authenticated' && caller.roles.includes('admin_master');
}

function macOf(payload: string, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(payload).digest();
}

/** Headers of callers that cannot change: a person's requests share one, and so do all anonymous ones. */
const signed = new WeakMap<Caller, { key: string; header: string }>();

/** Callers by header, of headers whose signature was right. A header has the same bytes for every request with the same token. */
const read = new RecentMap<string, Caller>(2_000);

/** Value of the caller header: the caller with a signature. @param key base64 of at least 32 bytes, shared by the gateway and the services */
export function signCaller(caller: Caller, key: string): string {
  const known = signed.get(caller);
  if (known?.key === key) return known.header;
  const header = headerOf(caller, key);
  if (Object.isFrozen(caller)) signed.set(caller, { key, header });
  return header;
}

function headerOf(caller: Caller, key: string): string {
  const payload = Buffer.from(JSON.stringify(caller)).toString('base64url');
  return `${payload}.${macOf(payload, key).toString('base64url')}`;
}

/** Reads the caller header; without one the caller is anonymous. @throws UnauthenticatedError when the header is malformed or its signature is wrong */
export function readCaller(header: string | string[] | undefined, key: string): Caller {
  if (header === undefined) return anonymousCaller;
  const text = Array.isArray(header) ? header.join() : header;
  const known = read.get(`${key} ${text}`);
  if (known) return known;
  const caller = verifiedCaller(text, key);
  read.set(`${key} ${text}`, caller);
  return caller;
}

function verifiedCaller(header: string, key: string): Caller {
  const [payload, signature, ...rest] = header.split('.');
  if (!payload || !signature || rest.length > 0) throw new UnauthenticatedError();
  const given = Buffer.from(signature, 'base64url');
  const expected = macOf(payload, key);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new UnauthenticatedError();
  const parsed = callerSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  if (!parsed.success) throw new UnauthenticatedError();
  // Frozen, since requests share it.
  if (parsed.data.role === 'authenticated') Object.freeze(parsed.data.roles);
  return Object.freeze(parsed.data);
}
