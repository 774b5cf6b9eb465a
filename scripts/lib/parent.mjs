/**
 * Detects that the parent process is gone: npm and its shell exit on a signal without ending the command that they run. Imports no npm
 * packages.
 */
import { commandOf, identify, isAlive, parentOf, sessionOf } from './processes.mjs';

/** Environment variable that `bootstrap` sets for its child process: the id of the parent. */
export const startedByVariable = 'DECOLA_STARTED_BY';

const isPackageManager = (pid) => /^(\S*node\S* )?\S*\b(npm|pnpm|yarn|bun)(-cli\.js|\.c?js)?( |$)/.test(commandOf(pid));

/**
 * The processes from the parent up to the npm that runs this command. All of them are watched: npm may die while its shell lives, and the
 * shell while npm lives.
 */
function ancestors() {
  const chain = [];
  for (let pid = process.ppid; pid > 1 && chain.length < 5; pid = parentOf(pid) ?? 0) {
    const identity = identify(pid);
    if (!identity) break;
    chain.push(identity);
    if (isPackageManager(pid)) return chain;
  }
  return chain.slice(0, 1);
}

/**
 * Whether the parent was gone before the watch began: the system has then given this process another parent, which is not in its session.
 */
function isOrphan() {
  const session = sessionOf(process.pid);
  return session !== undefined && session !== process.pid && sessionOf(process.ppid) !== session;
}

/**
 * Calls back once, as soon as a process that runs this command is gone: npm, its shell, or `bootstrap`. Does nothing for a command that was
 * started directly (`node scripts/infra.mjs &`): it continues to run without its parent.
 */
export function whenParentIsGone(callback) {
  if (!process.env.npm_lifecycle_event && process.env[startedByVariable] !== String(process.ppid)) return;
  const watched = ancestors();
  const parent = process.ppid;
  const isGone = () => process.ppid !== parent || !watched.every(isAlive);
  if (isOrphan()) return void setImmediate(callback);
  const timer = setInterval(() => {
    if (!isGone()) return;
    clearInterval(timer);
    callback();
  }, 250);
  timer.unref();
}
