/**
 * Obtains PostgreSQL, RabbitMQ, Redis and Chromium. Each part, in this order: a URL given in the environment; something on
 * its usual port that takes our credentials; installed binaries, started on ports and folders of the project's own;
 * Docker Compose; apt-get as root on Debian or Ubuntu; the embedded PostgreSQL and the packaged Chromium.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { obtainChromium } from './parts/chromium.mjs';
import { obtainPostgres } from './parts/postgres.mjs';
import { obtainRabbitmq } from './parts/rabbitmq.mjs';
import { obtainRedis } from './parts/redis.mjs';
import { dataDirectory, readState, stateDirectory, writeState } from './parts/state.mjs';
import { MissingPartError } from './parts/ways.mjs';
import { endProcess } from './shell.mjs';

/**
 * Makes every part available and says where. Parts that this call started are listed in `started` and end with `stop()`;
 * parts that ran already (of this clone or of the machine) are left alone.
 */
export async function ensureInfrastructure({ log = () => {} } = {}) {
  const data = dataDirectory();
  mkdirSync(data, { recursive: true });
  mkdirSync(path.join(stateDirectory, 'logs'), { recursive: true });
  const previous = readState();
  const started = [];
  const obtain = async (name, how) => {
    const part = await how({ log, data, previous: previous[name] });
    if (part.pid && part !== previous[name]) started.push({ name, pid: part.pid });
    return part;
  };
  // One after another while apt-get may be needed (it locks); the servers themselves start side by side.
  const results = await Promise.allSettled([
    obtain('postgres', obtainPostgres),
    obtain('rabbitmq', obtainRabbitmq),
    obtain('redis', obtainRedis),
    obtain('chromium', obtainChromium),
  ]);
  const stop = async () => {
    await Promise.all(started.map(({ pid, name }) => endProcess(pid, { group: name === 'rabbitmq', graceMs: 20_000 })));
  };
  const failures = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0) {
    await stop();
    const [unforeseen] = failures.filter((failure) => !(failure instanceof MissingPartError));
    throw unforeseen ?? new MissingPartError(failures.map(({ message }) => message).join('\n'));
  }
  const [postgres, rabbitmq, redis, chromium] = results.map(({ value }) => value);
  const infrastructure = { postgres, rabbitmq, redis, chromium };
  writeState(infrastructure);
  return { ...infrastructure, started, stop };
}

/** As `ensureInfrastructure`; a missing part ends the process with the sentence that says what to do. */
export async function infrastructureOrExit(options) {
  try {
    return await ensureInfrastructure(options);
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}

/** Environment variables by which tests and services find the parts. */
export function infrastructureEnvironment({ postgres, rabbitmq, redis, chromium }) {
  return {
    DECOLA_POSTGRES_URL: postgres.url,
    DECOLA_RABBITMQ_URL: rabbitmq.url,
    ...(rabbitmq.managementUrl ? { DECOLA_RABBITMQ_MANAGEMENT_URL: rabbitmq.managementUrl } : {}),
    DECOLA_REDIS_URL: redis.url,
    CHROMIUM_PATH: chromium.path,
  };
}

/** Where the parts run already: from the environment, else as recorded by the last start. Starts nothing. */
export function knownInfrastructure() {
  const recorded = readState();
  const pick = (name, fallback) => {
    const value = process.env[name] ?? fallback;
    if (!value) throw new MissingPartError(`${name} is unknown: run npm test, or npm run infra first.`);
    return value;
  };
  return {
    postgres: { url: pick('DECOLA_POSTGRES_URL', recorded.postgres?.url) },
    rabbitmq: {
      url: pick('DECOLA_RABBITMQ_URL', recorded.rabbitmq?.url),
      managementUrl: process.env.DECOLA_RABBITMQ_MANAGEMENT_URL ?? recorded.rabbitmq?.managementUrl,
    },
    redis: { url: pick('DECOLA_REDIS_URL', recorded.redis?.url) },
    chromium: { path: pick('CHROMIUM_PATH', recorded.chromium?.path) },
  };
}
