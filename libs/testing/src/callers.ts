import { randomUUID } from 'node:crypto';
import { type AuthenticatedCaller, callerHeader, signCaller } from '@decola/service-kit';

/** Signing key of tests; every service under test gets it as INTERNAL_SIGNING_KEY. */
export const testSigningKey = Buffer.alloc(32, 7).toString('base64');

export function testCaller(userId: string, overrides: Partial<AuthenticatedCaller> = {}): AuthenticatedCaller {
  return {
    role: 'authenticated',
    userId,
    sessionId: randomUUID(),
    aal: 'aal1',
    email: `${userId}@example.com`,
    roles: [],
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
    ...overrides,
  };
}

/** Headers that the gateway would send for this person. */
export function authenticated(userId: string, overrides: Partial<AuthenticatedCaller> = {}): Record<string, string> {
  return { [callerHeader]: signCaller(testCaller(userId, overrides), testSigningKey) };
}
