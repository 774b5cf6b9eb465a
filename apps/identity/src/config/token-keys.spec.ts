import { generateKeyPairSync } from 'node:crypto';
import { tokenKeys } from './token-keys.js';

describe('TOKEN_KEYS', () => {
  const key = (kid: string) => ({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid });
  const [old, fresh] = [key('old'), key('new')];
  const parsed = (value: unknown) => tokenKeys.parse(typeof value === 'string' ? value : JSON.stringify(value));

  it.each([
    ['a list, of which the first key signs', [old, fresh], 'old'],
    ['a key that is accepted and does not sign yet', { active: 'old', keys: [fresh, old] }, 'old'],
    ['the same keys, of which the other one signs', { active: 'new', keys: [old, fresh] }, 'new'],
  ])('reads %s', (_, value, kid) => {
    const { signing, keys } = parsed(value);
    expect(signing.kid).toBe(kid);
    expect(keys.map((each) => each.kid).sort()).toEqual(['new', 'old']);
  });

  it.each([
    ['x', 'is not JSON'],
    [[], 'is neither a list'],
    [{ keys: [old] }, 'is neither a list'],
    [{ active: 'old', keys: [old], aktive: 'x' }, 'is neither a list'],
    [[{ ...old, d: undefined }], 'is neither a list'],
    [[old, key('old')], 'has two keys with the same kid'],
    [{ active: 'k3', keys: [old, fresh] }, 'has no key with the kid'],
  ])('refuses what it cannot use, case %#, and says why without a key', (value, reason) => {
    expect(() => parsed(value)).toThrow(reason);
    expect(() => parsed(value)).not.toThrow(old.d);
  });
});
