/** The ways to a part, and the order in which they are tried. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { freePort, isListening } from '../ports.mjs';
import { repositoryRoot, run } from '../shell.mjs';
import { isRoot } from './state.mjs';

/** Its message says what is missing and how to get it. */
export class MissingPartError extends Error {}

/** Ways to a part, in the order in which they are tried. DECOLA_OBTAIN, such as `installed,embedded`, leaves the others out. */
const ways = ['running', 'installed', 'docker', 'apt', 'embedded'];

function isAllowed(way) {
  const named = process.env.DECOLA_OBTAIN?.split(',').map((word) => word.trim());
  const unknown = named?.find((word) => !ways.includes(word));
  if (unknown !== undefined)
    throw new MissingPartError(`DECOLA_OBTAIN names "${unknown}", which is no way to obtain a part: it takes ${ways.join(', ')}.`);
  return !named || named.includes(way);
}

let dockerAnswer;
function dockerRuns() {
  if (!isAllowed('docker')) return Promise.resolve(false);
  dockerAnswer ??= run('docker', ['info'], { timeout: 5000 })
    .then(() => run('docker', ['compose', 'version'], { timeout: 5000 }))
    .then(
      () => true,
      () => false,
    );
  return dockerAnswer;
}

/** Starts a service of docker-compose.yml. @returns the port of this machine that leads to it */
export async function composeUp(service, containerPort) {
  await run('docker', ['compose', '-f', path.join(repositoryRoot, 'docker-compose.yml'), 'up', '-d', '--wait', service], {
    cwd: repositoryRoot,
  });
  const address = await run(
    'docker',
    ['compose', '-f', path.join(repositoryRoot, 'docker-compose.yml'), 'port', service, String(containerPort)],
    { cwd: repositoryRoot },
  );
  return Number(address.trim().split(':').pop());
}

function canApt() {
  return isAllowed('apt') && isRoot && existsSync('/usr/bin/apt-get');
}

let aptUpdated;
/** One installation after another: apt-get holds a lock, and not every part of it waits for that. */
let aptQueue = Promise.resolve();

/** @returns whether the package is there now */
function aptInstall(log, name) {
  const installation = aptQueue.then(async () => {
    log(`installing ${name} with apt-get`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    aptUpdated ??= run('apt-get', ['update', '-qq'], { env });
    await aptUpdated;
    await run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', '--no-install-recommends', name], { env });
  });
  const isThere = installation.then(
    () => true,
    (error) => {
      log(error.message.split('\n')[0]);
      return false;
    },
  );
  aptQueue = isThere;
  return isThere;
}

/**
 * @typedef {object} Part
 * @property {string} name as people call it
 * @property {string} variable environment variable that names it
 * @property {() => Promise<object | undefined>} given the part at the address in the environment; undefined when it cannot be used
 * @property {() => string} refusal what to say then, after "VARIABLE is set, but"
 * @property {() => Promise<object | undefined>} [running] what runs already: started earlier by this clone, or on its usual port
 * @property {() => string | undefined} installed the installed program
 * @property {(program: string) => Promise<object> | object} start starts the program
 * @property {() => Promise<object>} [compose] the part by Docker Compose
 * @property {string} aptPackage
 * @property {() => Promise<string | undefined>} [embedded] the program in an npm package
 */

/**
 * Obtains a part in the first way that leads to it.
 * @param {Part} part
 * @throws MissingPartError when none does
 */
export async function obtain(part, log) {
  const { name, variable, aptPackage } = part;
  if (process.env[variable]) {
    const given = await part.given();
    if (given) return given;
    throw new MissingPartError(`${variable} is set, but ${part.refusal()}.`);
  }
  const running = await part.running?.();
  if (running) return running;
  const installed = isAllowed('installed') && part.installed();
  if (installed) return part.start(installed);
  if (part.compose && (await dockerRuns())) return part.compose();
  if (canApt() && (await aptInstall(log, aptPackage))) {
    const program = part.installed();
    if (program) return part.start(program);
  }
  const embedded = isAllowed('embedded') && (await part.embedded?.());
  if (embedded) return part.start(embedded);
  const docker = part.compose && !part.embedded ? ', start Docker,' : '';
  throw new MissingPartError(`${name} is missing: install it (on Debian: apt-get install ${aptPackage})${docker} or set ${variable}.`);
}

const portOf = (url) => Number(new URL(url).port);

/**
 * Obtains a server: a part with an address, which may run already.
 * @param {object} server as `Part`, with
 *   `answers(place)`: whether the server at a place answers with these credentials;
 *   `given`: the place that the environment names; `usual`: the place where others leave it;
 *   `ownPort`: where this project prefers it; `start({ program, port })`: starts it there.
 * @param {{ log: (line: string) => void; previous?: object }} context `previous`: what the last start knew of it
 */
export function obtainServer({ answers, given, usual, ownPort, start, refusal, ...part }, { log, previous }) {
  return obtain(
    {
      ...part,
      given: async () => ((await answers(given)) ? given : undefined),
      refusal: () => refusal ?? `no ${part.name} answers there with these credentials`,
      running: async () => {
        if (previous && (await answers(previous))) return previous;
        return isAllowed('running') && (await isListening(portOf(usual.url))) && (await answers(usual)) ? usual : undefined;
      },
      start: async (program) => {
        log(`starting ${part.name}`);
        return start({ program, port: await freePort(previous ? portOf(previous.url) : ownPort) });
      },
    },
    log,
  );
}
