import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { gatewayBench, type GatewayBench, issuer } from './support.js';

describe('a token with a key that the gateway does not know', () => {
  let bench: GatewayBench;
  beforeAll(async () => {
    bench = await gatewayBench();
  });
  afterAll(() => bench?.dispose());

  const newKey = async (kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
  };
  const tokenOf = ({ kid, privateKey }: Awaited<ReturnType<typeof newKey>>) => {
    const session = randomUUID();
    bench.living.add(session);
    return new SignJWT({ iss: issuer, aud: 'authenticated', sub: randomUUID(), role: 'authenticated', session_id: session })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setExpirationTime('1h')
      .sign(privateKey);
  };
  const status = async (bearer: string) =>
    (await bench.call('/rest/v1/automations', { headers: { authorization: `Bearer ${bearer}` } })).status;

  it('is accepted when identity published the key after the last fetch, also just after another unknown key', async () => {
    expect(await status(await bench.token())).toBe(200);
    const { identity } = bench.services;
    const { answer } = identity;
    const published = [bench.jwk];
    identity.answer = (seen) => (seen.url.includes('jwks') ? { body: JSON.stringify({ keys: published }) } : answer(seen));
    for (const kid of ['k2', 'k3']) {
      const key = await newKey(kid);
      expect(await status(await tokenOf({ ...key, kid: `${kid}-forged` }))).toBe(401);
      published.push(key.jwk);
      expect(await status(await tokenOf(key))).toBe(200);
    }
    expect(await status(await bench.token())).toBe(200);
  });

  it('is answered with 503 when identity cannot say its keys', async () => {
    const { identity } = bench.services;
    const { answer } = identity;
    identity.answer = (seen) => (seen.url.includes('jwks') ? { status: 503, body: '' } : answer(seen));
    expect(await status(await tokenOf(await newKey('k4')))).toBe(503);
    identity.answer = answer;
  });
});
