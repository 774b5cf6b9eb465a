import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { knownInfrastructure } from '../../../scripts/lib/infrastructure.mjs';
import { System } from '../../../scripts/lib/system.mjs';
import { dropBroker, dropDatabase, dropKeys } from '../../../scripts/lib/provision.mjs';
import { localSecrets } from '../../../scripts/lib/secrets.mjs';

const unreachable = 1_000_000;
const openAmounts = {
  follow: unreachable,
  unfollow: unreachable,
  like: unreachable,
  comment: unreachable,
  'view-story': unreachable,
  message: unreachable,
  'list-page': unreachable,
  'page-view': unreachable,
};

/** Ceilings so high that no journey reaches them. */
const openCeilings = { byAge: [{ untilDay: null, perDay: openAmounts }], perHour: openAmounts, halvedDays: 14 };

/** No pauses between actions, no quiet hours and no dear hashes, so that the journeys need not wait for them. */
export const fastPace: Record<string, Record<string, string>> = {
  automations: {
    ACTION_GAP_MS: '0-0',
    PAGE_GAP_MS: '0-0',
    // Each look of the scheduler costs about 30 statements, and the system stands through all journeys.
    SCHEDULER_INTERVAL_MS: '1000',
    QUIET_HOURS: 'null',
    CEILINGS: JSON.stringify(openCeilings),
  },
  'browser-worker': { LEASE_TTL_MS: '3000' },
  // The cheapest hash: no journey is about its cost.
  identity: { PASSWORD_MEMORY_KIB: '64', PASSWORD_PASSES: '1' },
};

export interface Harness {
  system: System;
  gateway: string;
  publishableKey: string;
  network: string;
  mailbox: string;
  stripe: string;
  model: string;
  stop(): Promise<void>;
}

/** A whole system with its own database, virtual host, key prefix and folders. */
export async function startHarness({
  workers = 1,
  overrides = {},
  log = () => undefined,
}: { workers?: number; overrides?: Record<string, Record<string, string>>; log?: (line: string) => void } = {}): Promise<Harness> {
  const id = randomBytes(5).toString('hex');
  const directory = mkdtempSync(path.join(os.tmpdir(), 'decola-journey-'));
  // The worker runs as another user and writes its screenshots below this folder.
  chmodSync(directory, 0o755);
  const parts = knownInfrastructure();
  const names = { database: `journey_${id}`, vhost: `journey-${id}`, redisPrefix: `journey:${id}:` };
  const merged = Object.fromEntries(
    [...new Set([...Object.keys(fastPace), ...Object.keys(overrides)])].map((name) => [name, { ...fastPace[name], ...overrides[name] }]),
  );
  const system = await System.create({
    infrastructure: parts,
    secrets: localSecrets(),
    ...names,
    dataDirectory: path.join(directory, 'files'),
    logDirectory: path.join(directory, 'logs'),
    usePreferredPorts: false,
    overrides: merged,
    log,
  });
  await system.migrate();
  const stop = async () => {
    await system.stop();
    await dropDatabase({ adminUrl: parts.postgres.url, database: names.database });
    await dropBroker({ managementUrl: parts.rabbitmq.managementUrl, vhost: names.vhost });
    await dropKeys({ url: parts.redis.url, prefix: names.redisPrefix });
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await system.start({ workers });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    system,
    gateway: system.url('gateway'),
    publishableKey: system.secrets['publishableKey']!,
    network: system.url('network'),
    mailbox: system.url('mailbox'),
    stripe: system.url('stripe'),
    model: system.url('model'),
    stop,
  };
}
