import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Artifacts } from './artifacts.js';

describe('pictures of runs that went wrong', () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'artifacts-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('are kept for a week and no longer', async () => {
    const artifacts = new Artifacts(directory);
    expect(await artifacts.keep('run-1', 'site_changed', Buffer.from('picture'))).toBe('run-1/1-site-changed.png');
    const now = Date.now();
    expect(await artifacts.forgetOld(new Date(now + 6 * 86_400_000))).toBe(0);
    expect(readdirSync(directory)).toEqual(['run-1']);
    expect(await artifacts.forgetOld(new Date(now + 7.01 * 86_400_000))).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('need no folder to be forgotten', async () => {
    expect(await new Artifacts(path.join(directory, 'none')).forgetOld(new Date())).toBe(0);
  });
});
