import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrowserGoneError } from '../src/driver/errors.js';
import { SiteTab } from '../src/driver/site-tab.js';
import { jobFor } from './support/jobs.js';
import { workerKit, type WorkerKit } from './support/worker-kit.js';

/** It comes whole, and hangs a moment later. */
const hangingPage = '<!doctype html><title>x</title><script>setTimeout(() => { for (;;); }, 300);</script>';

describe('a page that hangs', () => {
  const server = http.createServer((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(hangingPage));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let kit: WorkerKit;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    kit = await workerKit(url(), { hangTimeoutMs: 1_500 });
  });
  afterAll(async () => {
    await kit.dispose();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const cookie = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  const me = { networkUserId: '101', username: 'ana', cookies: [{ ...cookie, name: 'sessionid', value: '101%3Ax%3A1%3Ay' }] };

  it('ends its run as if the browser had crashed, and gives account and context back', async () => {
    const job = jobFor(me, { kind: 'check-session' });
    const end = await kit.run(job);
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped', evidence: { reason: 'the browser went away' } } });
    expect(await kit.leases.heldForMs(job.accountKey)).toBeNull();
    const browser = await kit.browsers.open({});
    expect(browser.browser()!.contexts()).toEqual([browser]);
    await browser.close();
  });

  it('is not waited for by a picture of it', async () => {
    const context = await kit.browsers.open({});
    const options = { answerTimeoutMs: 1_000, hangTimeoutMs: 1_500, guard: { assertMayGoOn: () => undefined } };
    const tab = await SiteTab.open(context, { ...options, baseUrl: new URL(url()) });
    await tab.visit('/');
    await expect(tab.look(() => null, 5_000)).rejects.toThrow(BrowserGoneError);
    expect(await tab.picture()).toBeNull();
    await context.close();
  });
});
