import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stateDirectory } from './parts/state.mjs';

const file = path.join(stateDirectory, 'secrets.json');
const key = () => randomBytes(32).toString('base64');

/** New values of all secrets. */
export function newSecrets() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tokenKey = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' };
  return {
    internalSigningKey: key(),
    tokenKeys: JSON.stringify([tokenKey]),
    factorKeyRing: `k1:${key()}`,
    mailKeyRing: `k1:${key()}`,
    sessionKeyRing: `k1:${key()}`,
    seedKeyRing: `k1:${key()}`,
    webhookKeyRing: `k1:${key()}`,
    webhookTokenKeyRing: `k1:${key()}`,
    wheelHmacKey: key(),
    accountKeyPepper: key(),
    trialPepper: key(),
    downloadSigningKey: key(),
    publishableKey: `sb_publishable_${randomBytes(18).toString('base64url')}`,
    // Letters and digits, as in Stripe's own keys: its stand-in refuses others.
    stripeSecretKey: `sk_test_${randomBytes(18).toString('hex')}`,
    // The stand-in for the model takes keys of this form only.
    aiApiKey: `sandbox-${randomBytes(18).toString('base64url')}`,
    demoPassword: `Decola!${randomBytes(6).toString('base64url')}9a`,
    adminPassword: `Decola!${randomBytes(6).toString('base64url')}9a`,
  };
}

/** Secrets of this clone's system: generated once, readable only by their owner, never committed. */
export function localSecrets() {
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const made = newSecrets();
  if (Object.keys(made).every((name) => name in kept)) return kept;
  // A newer version may need more secrets than the one that wrote the file.
  const secrets = { ...made, ...kept };
  mkdirSync(stateDirectory, { recursive: true });
  // Written atomically: with a half-written file the clone could no longer read its own data.
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return secrets;
}
