import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventually, testChromiumPath } from '@decola/testing';
import { BrowserPool } from '../src/browser/browser-pool.js';
import { ManualLease } from './support/manual-lease.js';
import { testBrowsers } from './support/worker-kit.js';

describe('the shared browser', () => {
  let pool: BrowserPool;
  const open = () => pool.open({}, new ManualLease());
  const use = (contextsPerBrowser: number) => (pool = testBrowsers({ contextsPerBrowser }));
  afterEach(() => pool?.close());

  it('is one for all contexts, and contexts share no cookies', async () => {
    use(10);
    const [one, other] = await Promise.all([open(), open()]);
    expect(pool.browsers).toBe(1);
    await one.addCookies([{ name: 'sessionid', value: 'x', url: 'http://127.0.0.1:9' }]);
    expect(await other.cookies()).toEqual([]);
  });

  it('makes no new frame for each document, and keeps everything switched off that Playwright switches off', async () => {
    use(10);
    const context = await open();
    const session = await context.browser()!.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const browser = processInfo.find(({ type }) => type === 'browser')!;
    const lists = readFileSync(`/proc/${browser.id}/cmdline`, 'utf8')
      .split('\0')
      .filter((argument) => argument.startsWith('--disable-features='))
      .map((argument) => argument.slice(argument.indexOf('=') + 1).split(','));
    expect(lists).toHaveLength(2);
    const [ofPlaywright, ours] = lists as [string[], string[]];
    expect(ours).toEqual([...ofPlaywright, 'RenderDocument']);
  });

  it('is replaced after it crashed', async () => {
    use(10);
    const context = await open();
    const closed = new Promise((resolve) => context.once('close', resolve));
    await context.browser()!.close();
    await closed;
    const again = await eventually(open);
    const page = await again.newPage();
    expect(await page.evaluate(() => 1 + 1)).toBe(2);
    expect(pool.browsers).toBe(1);
  });

  it('is replaced after its number of contexts, and the old one is closed after its last', async () => {
    use(2);
    const [one, two] = [await open(), await open()];
    const three = await open();
    expect(three.browser()).not.toBe(one.browser());
    expect(pool.browsers).toBe(2);
    await one.close();
    expect(pool.browsers).toBe(2);
    await two.close();
    await eventually(() => expect(pool.browsers).toBe(1));
    expect(await (await three.newPage()).evaluate(() => 'alive')).toBe('alive');
  });

  it('tries again after Chromium did not start', async () => {
    pool = new BrowserPool({ executablePath: '/nonexistent/chromium', sandbox: false, contextsPerBrowser: 5 });
    await expect(open()).rejects.toThrow();
    await expect(open()).rejects.toThrow();
    expect(pool.browsers).toBe(0);
  });

  it('tells of every start, also of one that was asked for in advance', async () => {
    const starts: (Error | null)[] = [];
    pool = testBrowsers({ onStart: (error) => void starts.push(error) });
    await pool.start();
    await pool.start();
    const context = await open();
    expect(await (await context.newPage()).evaluate(() => 'alive')).toBe('alive');
    expect([starts, pool.browsers]).toEqual([[null], 1]);
  });

  it('tells when it cannot be replaced any more', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
    const program = path.join(folder, 'chromium');
    symlinkSync(testChromiumPath(), program);
    const starts: boolean[] = [];
    pool = testBrowsers({ executablePath: program, contextsPerBrowser: 1, onStart: (error) => void starts.push(error === null) });
    await open();
    rmSync(program);
    await expect(open()).rejects.toThrow();
    symlinkSync(testChromiumPath(), program);
    await pool.start();
    expect(starts).toEqual([true, false, true]);
  });
});
