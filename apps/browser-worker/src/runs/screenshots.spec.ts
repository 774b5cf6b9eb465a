import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Screenshots } from './screenshots.js';

describe('screenshots of runs', () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'screenshots-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('are kept for a week and no longer', async () => {
    const screenshots = new Screenshots(directory);
    expect(await screenshots.save('run-1', 'site_changed', Buffer.from('screenshot'))).toBe('run-1/1-site-changed.png');
    const now = Date.now();
    expect(await screenshots.deleteOld(new Date(now + 6 * 86_400_000))).toBe(0);
    expect(readdirSync(directory)).toEqual(['run-1']);
    expect(await screenshots.deleteOld(new Date(now + 7.01 * 86_400_000))).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('can be deleted when the folder does not exist', async () => {
    expect(await new Screenshots(path.join(directory, 'none')).deleteOld(new Date())).toBe(0);
  });
});
