import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { UnauthenticatedError } from './errors.js';

/** Header by which the gateway tells a service who calls. Clients can never set it: the gateway strips it. */
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
    /** Epoch seconds; the end of the access token. */
    expiresAt: z.number(),
  }),
]);

/** Who calls, as the gateway verified it. */
export type Caller = z.infer<typeof callerSchema>;
export type AuthenticatedCaller = Extract<Caller, { role: 'authenticated' }>;

export const anonymousCaller: Caller = { role: 'anon' };

export function isAdminMaster(caller: Caller): boolean {
  return caller.role === 'authenticated' && caller.roles.includes('admin_master');
}

function macOf(payload: string, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(payload).digest();
}

/** @param key base64 of at least 32 bytes, shared by the gateway and the services. */
export function signCaller(caller: Caller, key: string): string {
  const payload = Buffer.from(JSON.stringify(caller)).toString('base64url');
  return `${payload}.${macOf(payload, key).toString('base64url')}`;
}

/** Reads the gateway's header; without one the caller is anonymous. @throws UnauthenticatedError for a forged or broken header. */
export function readCaller(header: string | string[] | undefined, key: string): Caller {
  if (header === undefined) return anonymousCaller;
  const [payload, signature, ...rest] = (Array.isArray(header) ? header.join() : header).split('.');
  if (!payload || !signature || rest.length > 0) throw new UnauthenticatedError();
  const given = Buffer.from(signature, 'base64url');
  const expected = macOf(payload, key);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new UnauthenticatedError();
  const parsed = callerSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  if (!parsed.success) throw new UnauthenticatedError();
  return parsed.data;
}
