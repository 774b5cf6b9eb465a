import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { folderInMemory, makeTemporaryFolder } from '../../../scripts/lib/temporary-folder.mjs';

describe('the temporary folder of a run', () => {
  let parent: string;
  beforeEach(() => (parent = mkdtempSync(path.join(tmpdir(), 'folders-'))));
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('is for all users, as the system’s own is, and goes with everything in it', () => {
    const folder = makeTemporaryFolder(parent);
    expect(statSync(folder.path).mode & 0o7777).toBe(0o1777);
    mkdirSync(path.join(folder.path, 'profile', 'cache'), { recursive: true });
    writeFileSync(path.join(folder.path, 'profile', 'cache', 'entry'), 'x');
    folder.remove();
    expect(readdirSync(parent)).toEqual([]);
    expect(() => folder.remove()).not.toThrow();
  });

  it('removes those of runs that were killed, and nothing else', () => {
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const killed = path.join(parent, `decola-tests-${ended}-abc`);
    const running = path.join(parent, `decola-tests-${process.pid}-abc`);
    const others = ['decola-tests-abc', 'something'].map((name) => path.join(parent, name));
    for (const folder of [killed, running, ...others]) mkdirSync(folder);
    const folder = makeTemporaryFolder(parent);
    expect(existsSync(killed)).toBe(false);
    for (const kept of [running, folder.path, ...others]) expect(existsSync(kept)).toBe(true);
  });

  it('is in memory only where the system has such a folder', () => {
    expect(folderInMemory(path.join(parent, 'missing'))).toBeUndefined();
    const gibibyte = 1024 ** 3;
    const tmpfs = 0x01021994;
    const ext4 = 0xef53;
    const place = (type: number, free: number, memory: number) =>
      folderInMemory(parent, () => ({ type, bavail: free / 4_096, bsize: 4_096 }), memory);
    expect(place(tmpfs, 4 * gibibyte, 8 * gibibyte)).toBe(parent);
    expect(place(ext4, 4 * gibibyte, 8 * gibibyte)).toBeUndefined();
    expect(place(tmpfs, 3.9 * gibibyte, 8 * gibibyte)).toBeUndefined();
    expect(place(tmpfs, 4 * gibibyte, 7.9 * gibibyte)).toBeUndefined();
  });

  it('makes room first: what a killed run left in memory is removed', () => {
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    mkdirSync(path.join(parent, `decola-tests-${ended}-abc`));
    folderInMemory(parent);
    expect(readdirSync(parent)).toEqual([]);
  });
});
