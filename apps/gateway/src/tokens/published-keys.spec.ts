import { errors, exportJWK, generateKeyPair, type JWK } from 'jose';
import { PublishedKeys } from './published-keys.js';

describe('published keys', () => {
  const jwkOf = async (kid: string): Promise<JWK> => ({
    ...(await exportJWK((await generateKeyPair('ES256')).publicKey)),
    kid,
    alg: 'ES256',
  });
  const publishing = (keys: JWK[]) => {
    const made = { fetches: 0 };
    const fetch = () => {
      made.fetches += 1;
      return Promise.resolve(Response.json({ keys }));
    };
    const published = new PublishedKeys({ url: new URL('http://identity.test/jwks.json'), fetch });
    const keyOf = (kid: string) => published.keyOf({ alg: 'ES256', kid }, { payload: '', signature: '' });
    return { made, keyOf };
  };

  it('are fetched once for all tokens whose keys are known', async () => {
    const { made, keyOf } = publishing([await jwkOf('k1')]);
    await Promise.all(Array.from({ length: 50 }, () => keyOf('k1')));
    await keyOf('k1');
    expect(made.fetches).toBe(1);
  });

  it('are fetched again once for all tokens of the moment whose keys are unknown, which are refused then', async () => {
    const { made, keyOf } = publishing([await jwkOf('k1')]);
    await keyOf('k1');
    const refused = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => keyOf(`forged-${index}`)));
    expect(refused.every((each) => each.status === 'rejected' && each.reason instanceof errors.JWKSNoMatchingKey)).toBe(true);
    expect(made.fetches).toBe(2);
  });

  it('are found when identity has published them since the last fetch, however short ago that was', async () => {
    const keys = [await jwkOf('k1')];
    const { keyOf } = publishing(keys);
    await keyOf('k1');
    await expect(keyOf('k2')).rejects.toThrow(errors.JWKSNoMatchingKey);
    keys.push(await jwkOf('k2'));
    await expect(keyOf('k2')).resolves.toBeDefined();
  });
});
