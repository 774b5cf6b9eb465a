import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AuthError } from '../src/auth-protocol/auth.errors.js';
import type { IdentityConfig } from '../src/config/config.js';
import { AttemptLimits } from '../src/limits/attempt-limits.service.js';

const crowd = 200;
/** What the check of a password takes, in which others are refused and come again. */
const hashMs = 50;

describe('attempts at the same moment', () => {
  let limits: AttemptLimits;

  beforeAll(async () => {
    const config = { REDIS_URL: process.env['DECOLA_REDIS_URL'], REDIS_PREFIX: `${randomUUID()}:`, MAILS_PER_HOUR: 10 } as IdentityConfig;
    limits = new AttemptLimits(config, { warn: () => undefined } as never);
    await limits.onModuleInit();
  });
  afterAll(() => limits.onApplicationShutdown());

  /** Attempts by `crowd` clients, each of which repeats its attempt at once when it is refused; the waits it was told, in seconds. */
  async function attack(account: string, ipOf: (client: number) => string) {
    let checked = 0;
    const waits: number[] = [];
    const attempt = async (client: number) => {
      try {
        await limits.check({ kind: 'password', account, ip: ipOf(client), isKnownNetwork: () => Promise.resolve(false) }, async () => {
          checked += 1;
          await setTimeout(hashMs);
          return false;
        });
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        waits.push(Number(error.headers?.['retry-after']));
      }
    };
    const client = async (index: number) => {
      // Not in step: some begin while the attempts of others are counted.
      for (let turns = 0; turns < index % 20; turns += 1) await new Promise(setImmediate);
      for (let attempts = 0; attempts < 5; attempts += 1) await attempt(index);
    };
    await Promise.all(Array.from({ length: crowd }, (_, index) => client(index)));
    return { checked, waits };
  }

  it('are refused beyond the free ones, and lengthen no wait when they are', async () => {
    const { checked, waits } = await attack('pessoa@exemplo.com.br', () => '203.0.113.1');
    expect(checked).toBeGreaterThanOrEqual(5);
    expect(checked).toBeLessThanOrEqual(9);
    expect(waits).toHaveLength(5 * crowd - checked);
    // One second after the fifth attempt, and twice as long after each that was checked later.
    expect(Math.max(...waits)).toBeLessThanOrEqual(2 ** (checked - 5));
  });

  it('are checked once before and once after the attack is seen when they come from many networks', async () => {
    const { checked } = await attack('outra@exemplo.com.br', (client) => `192.0.2.${client}`);
    expect(checked).toBeGreaterThanOrEqual(crowd);
    // Every network was under way with one when the fiftieth was counted.
    expect(checked).toBeLessThanOrEqual(2 * crowd + 50);
  });
});
