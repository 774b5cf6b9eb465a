import { generateKeyPairSync } from 'node:crypto';
import { loadConfig } from '@decola/service-kit';
import { configSchema } from './config.js';

const key = Buffer.alloc(32).toString('base64');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const environment = {
  PORT: '0',
  DATABASE_URL: 'postgres://identity@localhost/decola',
  RABBITMQ_URL: 'amqp://localhost',
  INTERNAL_SIGNING_KEY: key,
  SITE_URL: 'https://decola.com.br',
  TOKEN_ISSUER: 'https://decola.com.br/auth/v1',
  TOKEN_KEYS: JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), kid: 'k1' }]),
  FACTOR_KEY_RING: `k1:${key}`,
  MAIL_KEY_RING: `k1:${key}`,
  REDIS_URL: 'redis://localhost',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'Decola <nao-responda@decola.example>',
};
const load = (change: Record<string, string> = {}) => loadConfig('identity', configSchema, { ...environment, ...change });

describe('cost of a hash of a password', () => {
  it('is the first choice of OWASP unless the configuration says otherwise', () => {
    expect(load()).toMatchObject({ PASSWORD_MEMORY_KIB: 19_456, PASSWORD_PASSES: 2 });
  });

  it.each([
    ['PASSWORD_MEMORY_KIB', '19455'],
    ['PASSWORD_PASSES', '1'],
  ])('is never less for a public site: %s=%s', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(new RegExp(`${name} must be at least`));
    expect(() => load({ [name]: value, SITE_URL: 'https://localhost.decola.com.br' })).toThrow(name);
  });

  it('may be more, and less where the site is not public', () => {
    expect(load({ PASSWORD_PASSES: '3' })).toMatchObject({ PASSWORD_PASSES: 3 });
    for (const SITE_URL of [
      'http://127.0.0.1:4173',
      'http://[::1]:4173',
      'http://localhost:4173',
      'http://decola.test',
      'https://decola.example',
    ])
      expect(load({ SITE_URL, PASSWORD_MEMORY_KIB: '64', PASSWORD_PASSES: '1' })).toMatchObject({ PASSWORD_MEMORY_KIB: 64 });
  });
});
