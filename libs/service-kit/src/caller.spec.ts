import { randomBytes, randomUUID } from 'node:crypto';
import { type AuthenticatedCaller, readCaller, signCaller } from './caller.js';

const key = randomBytes(32).toString('base64');
const caller: AuthenticatedCaller = {
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

  it('returns the anonymous caller when the header is missing', () => {
    expect(readCaller(undefined, key)).toEqual({ role: 'anon' });
  });

  it('refuses a header that was signed with another key, was changed or is malformed', () => {
    const signed = signCaller(caller, key);
    const [, signature] = signed.split('.');
    const forged = `${Buffer.from(JSON.stringify({ ...caller, roles: ['admin_master'] })).toString('base64url')}.${signature}`;
    for (const header of [signCaller(caller, randomBytes(32).toString('base64')), forged, 'x', '', 'a.b.c']) {
      expect(() => readCaller(header, key)).toThrow('Login necessário');
    }
  });

  it('refuses a forged header also when the same caller was read before, and with another key', () => {
    const header = signCaller(caller, key);
    const [payload, signature] = header.split('.') as [string, string];
    for (let time = 0; time < 2; time += 1) {
      expect(readCaller(header, key)).toEqual(caller);
      const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
      for (const forged of [`${payload}.${other}`, `${payload}.`, payload])
        expect(() => readCaller(forged, key)).toThrow('Login necessário');
      expect(() => readCaller(header, randomBytes(32).toString('base64'))).toThrow('Login necessário');
    }
  });

  it('gives requests a caller that none of them can change', () => {
    const found = readCaller(signCaller(caller, key), key) as typeof caller;
    expect(() => found.roles.push('admin_master')).toThrow(TypeError);
    expect(() => Object.assign(found, { userId: randomUUID() })).toThrow(TypeError);
    expect(readCaller(signCaller(caller, key), key)).toEqual(caller);
  });
});

describe('signCaller', () => {
  it('signs what a caller is now, and with the key that it is given', () => {
    const changing = { ...caller };
    signCaller(changing, key);
    changing.roles = ['admin'];
    expect(readCaller(signCaller(changing, key), key)).toEqual(changing);
    const frozen = Object.freeze({ ...caller });
    const otherKey = randomBytes(32).toString('base64');
    expect(signCaller(frozen, key)).toBe(signCaller({ ...caller }, key));
    expect(signCaller(frozen, otherKey)).toBe(signCaller({ ...caller }, otherKey));
  });
});
