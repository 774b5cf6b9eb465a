/**
 * Obtains the parts that every system needs: PostgreSQL, RabbitMQ, Redis and Chromium. Each part comes from the first of these that is
 * available: a URL in the environment; a server on the part's usual port that accepts our credentials; for tests, a new container where a
 * container engine runs; an installed program, started with ports and folders of this project; Docker Compose; apt-get as root on Debian or
 * Ubuntu; the embedded PostgreSQL and the packaged Chromium.
 */
import path from 'node:path';
import { describeHolder, LockedError, takeLock } from './lock.mjs';
import { obtainChromium } from './parts/chromium.mjs';
import { obtainPostgres } from './parts/postgres.mjs';
import { obtainRabbitmq } from './parts/rabbitmq.mjs';
import { obtainRedis } from './parts/redis.mjs';
import { dataDirectory, readState, stateDirectory, writeState } from './parts/state.mjs';
import { LostPartError, MissingPartError } from './parts/ways.mjs';
import { passableDirectory, privateDirectory } from './private-files.mjs';
import { endLeftovers } from './record.mjs';
import { EndingError, Supervision } from './supervision.mjs';

/** Lock of the command that keeps the parts running (the keeper). Other commands of the clone use its parts. */
const lockName = 'parts';

/** How long to wait for a keeper whose parts no longer answer: it is probably about to end. */
const patienceMs = 30_000;

const keyOf = ({ pid, start, since }) => `${pid} ${start} ${since}`;

/**
 * Waits until this command holds the lock, so that it may start parts on the data of this clone, or until the parts of another command (the
 * keeper) are ready. Only tests use the parts of a keeper whose data are temporary: another command would not find there what the clone has
 * on disk, and would lose what it writes, so it waits for the keeper's end.
 * @returns {Promise<{ lock?: { release(): void }; keeper?: string }>}
 */
async function lockOrKeeper({ supervision, log, isForTests }, isLost) {
  let said;
  const until = Date.now() + patienceMs;
  for (; ; await new Promise((resolve) => setTimeout(resolve, 250))) {
    if (supervision.isEnding) throw new EndingError();
    try {
      return { lock: takeLock(lockName, supervision.command) };
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      const keeper = describeHolder(error.holder);
      const state = readState();
      const isReady = state.keeper === keyOf(error.holder);
      const isRefused = isReady && state.isDataTemporary && !isForTests;
      if (isReady && !isRefused && !(isLost && Date.now() < until)) return { keeper };
      const doing = isRefused
        ? 'has parts without the data of this clone: this goes on when it has ended'
        : `${isLost ? 'ends' : 'starts'} the parts`;
      if (doing !== said) log(`waiting for ${keeper}, which ${doing}`);
      said = doing;
    }
  }
}

/**
 * Makes every part available and returns where each runs. Parts that this call started are listed in `started`, and end with `stop()` or
 * with the process; parts that ran before are left alone. Only one command of a clone keeps parts at a time. Processes that a killed
 * command left running are ended first.
 * @param {{ log?: (line: string) => void; supervision?: Supervision; isForTests?: boolean; data?: string }} options `supervision` starts and
 * ends the parts, and `stop()` ends everything that it started; `isForTests`: servers may run in new containers, which are removed when this
 * process ends; `data`: a temporary folder for the data of what starts here. Default: the clone's
 * @throws MissingPartError when a part cannot be obtained
 * @throws EndingError when the command is asked to end meanwhile
 */
export async function ensureInfrastructure({ log = () => {}, supervision = new Supervision('a command'), isForTests = false, data } = {}) {
  const how = { supervision, log, isForTests, data };
  try {
    return await obtainParts(how, await lockOrKeeper(how));
  } catch (error) {
    if (!(error instanceof LostPartError)) throw error;
    return obtainParts(how, await lockOrKeeper(how, true));
  }
}

async function obtainParts({ supervision, log, isForTests, data: temporaryData }, { lock, keeper }) {
  // Programs stay: they are made once, and a folder in memory may not allow to run them.
  const programs = dataDirectory();
  const data = temporaryData ?? programs;
  const stop = async () => {
    await supervision.end();
    lock?.release();
  };
  if (lock) await endLeftovers(log);
  passableDirectory(stateDirectory);
  privateDirectory(path.join(stateDirectory, 'logs'));
  const previous = readState();
  const started = [];
  const obtain = async (name, how) => {
    // The container of a command that has ended still answers for some seconds, until it is removed: do not use it.
    const isOfEnded = !keeper && previous[name]?.container !== undefined;
    const context = { log, data, programs, previous: isOfEnded ? undefined : previous[name], supervision, keeper, isForTests };
    const part = await how(context);
    if ((part.pid || part.container) && part !== previous[name]) started.push({ name, pid: part.pid });
    return part;
  };
  // All parts are obtained in parallel; installations by apt-get queue up (`ways.mjs`).
  const results = await Promise.allSettled([
    obtain('postgres', obtainPostgres),
    obtain('rabbitmq', obtainRabbitmq),
    obtain('redis', obtainRedis),
    obtain('chromium', obtainChromium),
  ]);
  const failures = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0) {
    if (supervision.isEnding) throw new EndingError();
    const lost = failures.find((failure) => failure instanceof LostPartError);
    if (lost) throw lost;
    await stop();
    const [unforeseen] = failures.filter((failure) => !(failure instanceof MissingPartError));
    throw unforeseen ?? new MissingPartError(failures.map(({ message }) => message).join('\n'));
  }
  const [postgres, rabbitmq, redis, chromium] = results.map(({ value }) => value);
  const infrastructure = { postgres, rabbitmq, redis, chromium };
  if (lock) writeState({ ...infrastructure, keeper: keyOf(lock.holder), isDataTemporary: temporaryData !== undefined });
  if (lock && started.length === 0) lock.release();
  if (keeper) log(`the parts are those of ${keeper}, and end with it`);
  return { ...infrastructure, started, stop };
}

/** Like `ensureInfrastructure`, but prints what to do about a missing part and exits. */
export async function infrastructureOrExit(options) {
  try {
    return await ensureInfrastructure(options);
  } catch (error) {
    if (error instanceof EndingError) return new Promise(() => {}); // the code that ends the supervision also exits the process
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

/** Where the parts run: from the environment, else from the record of the last start. Starts nothing. */
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
