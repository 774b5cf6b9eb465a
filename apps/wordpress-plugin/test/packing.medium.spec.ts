import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { unzip } from '@decola/testing/unzip';
import { packPlugin, pluginVersion, source } from '../packing/pack.mjs';

const textOf = (files: Map<string, Buffer>, name: string) => files.get(name)?.toString('utf8') ?? '';

describe('the packed plugin', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'plugin-'))));
  afterAll(() => rmSync(folder, { recursive: true }));
  const pack = async (name?: string, siteUrl?: string) => {
    const target = path.join(folder, `${randomUUID()}.zip`);
    await packPlugin(target, name, siteUrl);
    return readFileSync(target);
  };

  it('is one folder with every file of the plugin and nothing else', async () => {
    const files = await unzip(await pack());
    expect([...files.keys()].every((name) => /^decola\/[\w./-]+\.(php|txt)$/.test(name))).toBe(true);
    expect([...files.keys()]).toEqual(expect.arrayContaining(['decola/decola.php', 'decola/readme.txt', 'decola/uninstall.php']));
    expect(textOf(files, 'decola/decola.php')).toBe(readFileSync(path.join(source, 'decola.php'), 'utf8'));
  });

  it('has the same bytes for the same files', async () => {
    expect((await pack()).equals(await pack())).toBe(true);
  });

  it('carries the name of the product where customers see it, and our prefix where WordPress needs it', async () => {
    const files = await unzip(await pack('Semeia 2'));
    const main = textOf(files, 'decola/decola.php');
    expect(main).toContain(' * Plugin Name:       Semeia 2\n');
    expect(main).toContain(`define( 'DECOLA_NAME', 'Semeia 2' );`);
    expect(main).toContain(' * Text Domain:       decola\n');
    expect(textOf(files, 'decola/readme.txt')).toMatch(/^=== Semeia 2 ===\n/);
    await expect(pack(`x' ); evil( '`)).rejects.toThrow('cannot be the name');
  });

  it('knows the address of the service where it is given one', async () => {
    const main = async (siteUrl?: string) => textOf(await unzip(await pack(undefined, siteUrl)), 'decola/decola.php');
    expect(await main()).toContain(`define( 'DECOLA_ADDRESS', '' );`);
    expect(await main('https://app.decola.example/entrar?x=1')).toContain(`define( 'DECOLA_ADDRESS', 'https://app.decola.example' );`);
    await expect(pack(undefined, 'javascript:alert(1)')).rejects.toThrow('cannot be the address');
    await expect(pack(undefined, 'decola')).rejects.toThrow();
  });

  it('has one version, and the requirements, in header, readme, constant and package', () => {
    const main = readFileSync(path.join(source, 'decola.php'), 'utf8');
    const readme = readFileSync(path.join(source, 'readme.txt'), 'utf8');
    expect(pluginVersion()).toBe((JSON.parse(readFileSync(path.join(source, '../package.json'), 'utf8')) as { version: string }).version);
    for (const [inHeader, inReadme] of [
      ['Requires at least', 'Requires at least'],
      ['Requires PHP', 'Requires PHP'],
      ['License', 'License'],
      ['License URI', 'License URI'],
    ] as const) {
      const header = new RegExp(`^ \\* ${inHeader}:\\s+(\\S+)$`, 'm').exec(main)?.[1];
      expect([inHeader, header]).toEqual([inHeader, new RegExp(`^${inReadme}: (\\S+)$`, 'm').exec(readme)?.[1]]);
      expect(header).toBeDefined();
    }
    // WordPress's catalogue shows no more than 150 characters.
    const short = readme.split('\n\n')[1] ?? '';
    expect(short.length).toBeGreaterThan(20);
    expect(short.length).toBeLessThanOrEqual(150);
  });
});
