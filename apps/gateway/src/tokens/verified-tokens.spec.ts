import type { AuthenticatedCaller } from '@decola/service-kit';
import { VerifiedTokens } from './verified-tokens.js';

const tolerance = 30;
const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600;
const callerOf = (userId: string, expiresAt = inAnHour()): AuthenticatedCaller => ({
  role: 'authenticated',
  userId,
  sessionId: 'session',
  aal: 'aal1',
  email: '',
  roles: [],
  expiresAt,
});

describe('tokens whose signature was verified', () => {
  let now: number;
  let tokens: VerifiedTokens;

  beforeEach(() => {
    now = 0;
    tokens = new VerifiedTokens(tolerance, 3, () => now);
    tokens.renew();
  });

  it('are known by all their characters', () => {
    tokens.add('header.payload.signature', callerOf('ana'), tokens.generation);
    expect(tokens.get('header.payload.signature')?.userId).toBe('ana');
    for (const other of ['header.payload.signaturf', 'header.payload.', 'header.payload', 'header.payload.signature ', ''])
      expect(tokens.get(other)).toBeUndefined();
  });

  it('are limited in number: the one that was used longest ago is verified again', () => {
    for (const name of ['a', 'b', 'c']) tokens.add(name, callerOf(name), tokens.generation);
    tokens.get('a');
    tokens.add('d', callerOf('d'), tokens.generation);
    expect(['a', 'b', 'c', 'd'].map((name) => tokens.get(name)?.userId)).toEqual(['a', undefined, 'c', 'd']);
    for (let each = 0; each < 100; each += 1) tokens.add(`${each}`, callerOf('x'), tokens.generation);
    expect(tokens.size).toBe(3);
  });

  it('are forgotten when they expire, with the tolerance of the verification', () => {
    const seconds = Math.floor(Date.now() / 1000);
    tokens.add('just', callerOf('a', seconds - tolerance + 20), tokens.generation);
    tokens.add('expired', callerOf('b', seconds - tolerance), tokens.generation);
    expect(tokens.get('just')?.userId).toBe('a');
    expect(tokens.get('expired')).toBeUndefined();
  });

  it('are verified again with new keys, and when the keys may no longer be used', () => {
    const { generation } = tokens;
    tokens.add('a', callerOf('a'), generation);
    tokens.renew();
    expect(tokens.get('a')).toBeUndefined();
    // Verified with the keys before them, while the new ones arrived.
    tokens.add('a', callerOf('a'), generation);
    expect(tokens.get('a')).toBeUndefined();
    tokens.add('a', callerOf('a'), tokens.generation);
    now = 599_999;
    expect(tokens.get('a')?.userId).toBe('a');
    now = 600_000;
    expect(tokens.get('a')).toBeUndefined();
  });
});
