import { mkdtempSync, chownSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from './shell.mjs';

/**
 * Whether Chromium's sandbox works for this user. It needs user namespaces, which many containers forbid; only starting Chromium shows it.
 */
export async function chromiumSandboxStarts(executable, user = {}) {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'decola-chromium-'));
  try {
    if (user.uid !== undefined) chownSync(profile, user.uid, user.gid);
    await run(
      executable,
      [
        '--headless',
        '--disable-gpu',
        '--disable-background-networking',
        '--no-first-run',
        `--user-data-dir=${profile}`,
        '--dump-dom',
        'about:blank',
      ],
      { ...user, cwd: profile, env: { PATH: process.env.PATH, HOME: profile }, timeout: 30_000 },
    );
    return true;
  } catch {
    return false;
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}
