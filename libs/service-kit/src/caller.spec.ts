import { randomBytes, randomUUID } from 'node:crypto';
import { type Caller, readCaller, signCaller } from './caller.js';

const key = randomBytes(32).toString('base64');
const caller: Caller = {
  role: 'authenticated',
  userId: randomUUID(),
  sessionId: randomUUID(),
  aal: 'aal1',
  email: 'ana@example.com',
  roles: [],
  expiresAt: 1,
};

describe('readCaller', () => {
  it('reads what the gateway signed', () => {
    expect(readCaller(signCaller(caller, key), key)).toEqual(caller);
  });

  it('takes a missing header for an anonymous visitor', () => {
    expect(readCaller(undefined, key)).toEqual({ role: 'anon' });
  });

  it('refuses a header signed with another key, a changed one and nonsense', () => {
    const signed = signCaller(caller, key);
    const [, signature] = signed.split('.');
    const forged = `${Buffer.from(JSON.stringify({ ...caller, roles: ['admin_master'] })).toString('base64url')}.${signature}`;
    for (const header of [signCaller(caller, randomBytes(32).toString('base64')), forged, 'x', '', 'a.b.c']) {
      expect(() => readCaller(header, key)).toThrow('Login necessário');
    }
  });
});
