/** Obtains a part: tries the ways one after another. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, isListening } from '../ports.mjs';
import { identify, isAlive } from '../processes.mjs';
import { repositoryRoot, run } from '../shell.mjs';
import { engineRuns, startContainer } from './containers.mjs';
import { isRoot } from './state.mjs';

/** A part cannot be obtained. The message says what is missing and how to get it. */
export class MissingPartError extends Error {}

/** A part that another command of this clone keeps does not answer: that command is ending, or the part crashed. */
export class LostPartError extends MissingPartError {}

/** Ways to obtain a part, in the order in which they are tried. DECOLA_OBTAIN, for example `installed,embedded`, limits them. */
const ways = ['running', 'containers', 'installed', 'docker', 'apt', 'embedded'];

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

/** Starts a service of docker-compose.yml. @returns its port on this machine */
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
/** Installations run one after another: apt-get holds locks, and waits only for some of them. */
let aptQueue = Promise.resolve();

/** @returns whether the package was installed */
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

/** Settings of an apt-get that keeps its lists and archives in `work`, so that no other one has to be waited for, and root is not needed. */
function aptSettings(work) {
  const archives = path.join(work, 'cache/archives');
  for (const folder of [path.join(archives, 'partial'), path.join(work, 'lists/partial')]) mkdirSync(folder, { recursive: true });
  return {
    archives,
    settings: [
      'Debug::NoLocking=1',
      `Dir::Cache=${work}/cache`,
      `Dir::State::Lists=${work}/lists`,
      ...(isRoot ? ['APT::Sandbox::User=root'] : []),
    ],
  };
}

const aptGet = (settings, words, options = {}) =>
  run('apt-get', [...settings.flatMap((setting) => ['-o', setting]), '-y', '-qq', ...words], {
    ...options,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

/** Unpacks what `download` brings into the archives of an apt-get of its own. @returns whether it was unpacked */
async function aptUnpackWith(log, { name, isNeeded = () => true }, directory, download) {
  if (!isAllowed('apt') || !existsSync('/usr/bin/apt-get')) return false;
  log(`unpacking ${name} from packages of apt-get`);
  const work = path.join(directory, 'apt');
  try {
    const { archives, settings } = aptSettings(work);
    await download({ archives, settings, work });
    for (const file of readdirSync(archives).filter((each) => each.endsWith('.deb') && isNeeded(each)))
      await run('dpkg-deb', ['-x', path.join(archives, file), directory]);
    return true;
  } catch (error) {
    log(error.message.split('\n').slice(0, 3).join(' '));
    return false;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Unpacks packages, with everything they need that this machine lacks, into a folder: nothing is installed, and no server is started by a
 * package.
 * @returns whether they were unpacked
 */
export function aptUnpack(log, { name, packages, isNeeded }, directory) {
  return aptUnpackWith(log, { name, isNeeded }, directory, async ({ settings }) => {
    await aptGet(settings, ['update']);
    await aptGet(settings, ['install', '--download-only', '--no-install-recommends', ...packages]);
  });
}

/**
 * Unpacks exactly these packages of another release of Debian into a folder, whatever release this machine has.
 * @param {string} release its code name
 * @returns whether they were unpacked
 */
export function aptUnpackOf(log, release, { name, packages }, directory) {
  return aptUnpackWith(log, { name }, directory, async ({ archives, settings, work }) => {
    const sources = path.join(work, 'sources.list');
    const status = path.join(work, 'status');
    const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
    writeFileSync(sources, `deb [signed-by=${keys}] ${await debianMirror()} ${release} main\n`);
    writeFileSync(status, '');
    const all = [...settings, `Dir::Etc::SourceList=${sources}`, 'Dir::Etc::SourceParts=/dev/null', `Dir::State::status=${status}`];
    await aptGet(all, ['update']);
    await aptGet(all, ['download', ...packages], { cwd: archives });
  });
}

/** The mirror that this machine's own packages come from. */
async function debianMirror() {
  const places = (await run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'])).split('\n');
  return places.find((each) => /\/debian\/?$/.test(each)) ?? 'http://deb.debian.org/debian';
}

/**
 * @typedef {object} Part
 * @property {string} name its name for people
 * @property {string} variable environment variable with its address
 * @property {() => Promise<object | undefined>} given the part at the address in the environment; undefined when it cannot be used
 * @property {() => string} refusal end of the message in that case, after "VARIABLE is set, but"
 * @property {() => Promise<object | undefined>} [running] the part when it runs already: started by this clone before, or on its usual port
 * @property {() => string | undefined} installed the installed program
 * @property {(program: string) => Promise<object> | object} start starts the program
 * @property {() => Promise<object>} [compose] the part by Docker Compose
 * @property {Parameters<typeof startContainer>[0]} [container] how to start it in a container, for tests
 * @property {string} aptPackage
 * @property {() => Promise<string | undefined>} [embedded] the program in an npm package
 */

/**
 * Obtains a part in the first way that works.
 * @param {Part} part
 * @param {boolean} isForTests tests prefer servers in containers, because their versions are those of docker-compose.yml
 * @throws MissingPartError when no way works
 */
export async function obtain(part, log, isForTests = false) {
  const { name, variable, aptPackage } = part;
  if (process.env[variable]) {
    const given = await part.given();
    if (given) return given;
    throw new MissingPartError(`${variable} is set, but ${part.refusal()}.`);
  }
  const running = await part.running?.();
  if (running) return running;
  if (isForTests && part.container && isAllowed('containers') && (await engineRuns())) {
    log(`starting ${name} in a container`);
    return startContainer(part.container);
  }
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

/**
 * How long a server may take to answer that should be there: one that the environment names, or that runs already. On a busy machine seconds are
 * not enough. A server that is not there, or that refuses the credentials, says so at once.
 */
const patienceMs = 30_000;

const portOf = (url) => Number(new URL(url).port);

/**
 * Whether the server that the last start knew may still be there. Every clone prefers the same ports and uses the same credentials: what answers
 * at the port of a server that has ended may belong to another clone.
 */
const mayRun = (previous) => previous.start === undefined || isAlive(previous);

/**
 * Obtains a server: a part with an address, which may run already.
 * @param {object} server as `Part`, with
 *   `answers(place, timeoutMs)`: whether the server at a place answers with these credentials;
 *   `given`: the place that the environment names; `usual`: the place where others leave it;
 *   `ownPort`: where this project prefers it, below the ports that systems give to outgoing connections; `start({ program, port })`: starts it there.
 * @param {{ log: (line: string) => void; previous?: object; keeper?: string; isForTests?: boolean }} context
 *   `previous`: what the last start knew of it, with `pid` and `start` of its process when this project started it;
 *   `keeper`: the command that keeps the parts of this clone, when it is another one
 */
export function obtainServer(
  { answers, given, usual, ownPort, container, start, refusal, ...part },
  { log, previous, keeper, isForTests },
) {
  return obtain(
    {
      ...part,
      container: { ...container, answers },
      given: async () => ((await answers(given, patienceMs)) ? given : undefined),
      refusal: () => refusal ?? `no ${part.name} answers there with these credentials`,
      running: async () => {
        if (previous && mayRun(previous) && (await answers(previous, patienceMs))) return previous;
        if (isAllowed('running') && (await isListening(portOf(usual.url))) && (await answers(usual))) return usual;
        // Do not start a second server on the same data.
        if (keeper) throw new LostPartError(`${part.name} of ${keeper} does not answer any more. End that command and start it again.`);
        return undefined;
      },
      start: async (program) => {
        log(`starting ${part.name}`);
        const server = await start({ program, port: await freePort(previous ? portOf(previous.url) : ownPort) });
        return { ...server, ...(server.pid && identify(server.pid)) };
      },
    },
    log,
    isForTests,
  );
}
