import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@decola/testing';
import type { BrowserPool } from '../src/browser/browser-pool.js';
import { processGroupOf } from '../src/browser/watchdog.js';
import { watchdogScript } from '../src/browser/watchdog-script.js';
import { ManualLease } from './support/manual-lease.js';
import { testBrowsers } from './support/worker-kit.js';
import { commandOf, processesBelow, running, zombiesOf } from './support/process-tree.js';

const isWatchdog = (pid: number) => commandOf(pid).includes('browser-watchdog');

describe('the watchdog of a browser', () => {
  let pool: BrowserPool;
  let earlier: number[];
  beforeEach(() => {
    earlier = processesBelow(process.pid);
    pool = testBrowsers();
  });
  afterEach(() => pool?.close());

  /** The processes that the pool started: those of the browser, and the watchdog. */
  const started = () => {
    const pids = processesBelow(process.pid).filter((pid) => !earlier.includes(pid));
    const watchdog = pids.find(isWatchdog);
    return { pids, watchdog, browser: pids.filter((pid) => pid !== watchdog) };
  };
  const expectNothingLeft = (pids: readonly number[]) =>
    eventually(() => {
      expect(running(pids)).toEqual([]);
      expect(zombiesOf(process.pid)).toEqual([]);
    });

  it('kills all processes of the browser when a lease expires without renewal', async () => {
    const lease = new ManualLease();
    const context = await pool.open({}, lease);
    const page = await context.newPage();
    const { pids, browser } = started();
    expect(browser.length).toBeGreaterThan(3);
    const closed = new Promise((resolve) => page.once('close', resolve));
    const renewedAt = performance.now();
    lease.renew(1_000); // and never again
    await closed;
    expect(performance.now() - renewedAt).toBeGreaterThanOrEqual(950);
    await expectNothingLeft(pids);
    expect(pool.browsers).toBe(0);
    // The next run gets a new browser.
    const next = await pool.open({}, new ManualLease());
    expect(await (await next.newPage()).evaluate(() => 'alive')).toBe('alive');
  });

  it('uses the lease that expires first, ignores the lease of a closed context, and lets a browser without contexts run', async () => {
    const [long, short] = [new ManualLease(), new ManualLease()];
    const stays = await (await pool.open({}, long)).newPage();
    const leaves = await pool.open({}, short);
    const closed = new Promise((resolve) => stays.once('close', resolve));
    // Much longer than a context takes to close on a busy machine.
    const [shortMs, longMs] = [5_000, 7_000];
    short.renew(shortMs);
    await leaves.close();
    const renewedAt = performance.now();
    long.renew(longMs);
    await closed;
    expect(performance.now() - renewedAt).toBeGreaterThanOrEqual(longMs * 0.95);

    const lone = new ManualLease();
    const again = await pool.open({}, lone);
    lone.renew(shortMs);
    await again.close();
    await sleep(shortMs + 500); // longer than the lease of the closed one
    expect(pool.browsers).toBe(1);
    expect(await (await (await pool.open({}, new ManualLease())).newPage()).evaluate(() => 'alive')).toBe('alive');
  });

  it('takes the browser with it when it is killed, and the next browser has a watchdog again', async () => {
    const context = await pool.open({}, new ManualLease());
    const { pids, watchdog } = started();
    const closed = new Promise((resolve) => context.once('close', resolve));
    process.kill(watchdog!, 'SIGKILL');
    await closed;
    await expectNothingLeft(pids);
    await pool.open({}, new ManualLease());
    expect(running([started().watchdog!])).toHaveLength(1);
  });

  it('ends with its browser on a close, and so does every process', async () => {
    await (await pool.open({}, new ManualLease())).newPage();
    const { pids } = started();
    await pool.close();
    // All of them were killed; on a busy machine a killed process ends a moment later.
    await expectNothingLeft(pids);
  });

  it('is not needed for a context that does not close: the pool kills its browser', async () => {
    const context = await pool.open({}, new ManualLease());
    await context.newPage();
    const { pids, browser } = started();
    for (const pid of browser) process.kill(pid, 'SIGSTOP');
    expect(await pool.closeContext(context, 500)).toBe(false);
    await expectNothingLeft(pids);
  });

  it('parses a line that arrives in pieces', async () => {
    const sleeper = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const ended = new Promise((resolve) => sleeper.once('exit', (_, signal) => resolve(signal)));
    const group = processGroupOf(sleeper.pid!);
    const watchdog = spawn('bash', ['-c', watchdogScript, 'browser-watchdog', String(group.id), group.startedAt], { stdio: 'pipe' });
    await new Promise((resolve) => watchdog.stdout.once('data', resolve));
    const line = `${Date.now() + 3_600_000}\n`;
    for (const piece of [line.slice(0, 3), line.slice(3, 9), line.slice(9)]) {
      watchdog.stdin.write(piece);
      await sleep(600); // longer than the timeout of its read
    }
    expect(running([sleeper.pid!, watchdog.pid!])).toHaveLength(2);
    watchdog.stdin.end();
    expect(await ended).toBe('SIGKILL');
    await eventually(() => expect(running([watchdog.pid!])).toEqual([]));
  });

  it('cannot start without bash, and then no browser is used', async () => {
    const searched = process.env['PATH'];
    process.env['PATH'] = '/nonexistent';
    try {
      await expect(pool.open({}, new ManualLease())).rejects.toThrow('no watchdog');
    } finally {
      process.env['PATH'] = searched;
    }
    await expectNothingLeft(started().pids);
    expect(pool.browsers).toBe(0);
  });
});
