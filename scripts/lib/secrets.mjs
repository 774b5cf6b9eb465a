import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stateDirectory } from './parts/state.mjs';

const file = path.join(stateDirectory, 'secrets.json');
const key = () => randomBytes(32).toString('base64');

function generate() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tokenKey = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' };
  return {
    internalSigningKey: key(),
    tokenKeys: JSON.stringify([tokenKey]),
    factorKeyRing: `k1:${key()}`,
    mailKeyRing: `k1:${key()}`,
    sessionKeyRing: `k1:${key()}`,
    accountKeyPepper: key(),
    trialPepper: key(),
    downloadSigningKey: key(),
    databasePassword: randomBytes(18).toString('base64url'),
    publishableKey: `sb_publishable_${randomBytes(18).toString('base64url')}`,
    stripeSecretKey: `sk_test_${randomBytes(18).toString('base64url')}`,
    demoPassword: `Decola!${randomBytes(6).toString('base64url')}9a`,
    adminPassword: `Decola!${randomBytes(6).toString('base64url')}9a`,
  };
}

/** Secrets of this machine's set-up: made once, readable by their owner alone, never committed. */
export function localSecrets() {
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const made = generate();
  if (Object.keys(made).every((name) => name in kept)) return kept;
  // A newer version may need more of them than the one that made the file.
  const secrets = { ...made, ...kept };
  mkdirSync(stateDirectory, { recursive: true });
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}
