import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const git = (root, ...words) => execFileSync('git', ['-C', root, ...words], { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 30 });

/** The clone has no such commit. */
export class MissingHistoryError extends Error {
  constructor(commit) {
    super(
      `This clone does not have the commit ${commit} of the last release (a shallow clone, or an archive). Fetch its history first: git fetch --unshallow`,
    );
    this.name = 'MissingHistoryError';
  }
}

/** Whole id of a commit. @throws MissingHistoryError */
export function commitOf(root, commit) {
  try {
    return git(root, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`).toString().trim();
  } catch {
    throw new MissingHistoryError(commit);
  }
}

/**
 * The files of a commit in a folder of their own (`.decola/releases/<commit>`), with dependencies: hard links to those of this clone when the lock file
 * is the same, otherwise installed from the commit's own. A second call uses what is there.
 * @returns {string} the folder
 * @throws MissingHistoryError
 */
export function treeOf(root, commit, { log = () => {} } = {}) {
  const id = commitOf(root, commit);
  const folder = path.join(root, '.decola/releases', id.slice(0, 12));
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  const draft = mkdtempSync(path.join(root, '.decola/releases/draft-'));
  try {
    log(`files of ${id.slice(0, 7)}`);
    execFileSync('tar', ['-x', '-C', draft], { input: git(root, 'archive', '--format=tar', id), maxBuffer: 1 << 30 });
    const lock = (tree) => readFileSync(path.join(tree, 'package-lock.json'), 'utf8');
    if (lock(draft) === lock(root) && linksDependencies(root, draft)) log('its dependencies, which are those of this clone');
    else {
      log('its dependencies, from its own lock file');
      rmSync(path.join(draft, 'node_modules'), { recursive: true, force: true });
      execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: draft, stdio: 'inherit' });
    }
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

/** Hard links to the packages of this clone. Links to workspaces are relative, so in the copy they lead to the commit's own. @returns whether it worked */
function linksDependencies(root, folder) {
  try {
    execFileSync('cp', ['-a', '--link', path.join(root, 'node_modules'), path.join(folder, 'node_modules')], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // another kind of cp, or another disk
  }
}
