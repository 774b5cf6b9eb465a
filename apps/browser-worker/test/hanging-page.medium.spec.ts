import { BrowserGoneError } from '../src/driver/driver.errors.js';
import { SiteTab } from '../src/driver/site-tab.js';
import { ManualLease } from './support/manual-lease.js';
import { type HttpSite, httpSite } from './support/http-site.js';
import { checkSession, jobFor } from './support/jobs.js';
import { WorkerKit } from './support/worker-kit.js';

/** It is complete, and hangs a moment after the browser has reported that. */
const hangingPage = `<!doctype html><title>x</title><script>
  addEventListener('DOMContentLoaded', () => setTimeout(() => { for (;;); }, 300));
</script>`;

describe('a page that hangs', () => {
  const kit = new WorkerKit({ hangTimeoutMs: 1_500 });
  let site: HttpSite;
  beforeAll(async () => {
    site = await httpSite((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(hangingPage));
    await kit.start(site.url);
  });
  afterAll(async () => {
    await kit.dispose();
    await site?.dispose();
  });

  const cookie = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  const me = { networkUserId: '101', username: 'ana', cookies: [{ ...cookie, name: 'sessionid', value: '101%3Ax%3A1%3Ay' }] };

  it('ends its run as a crash of the browser does, and releases account and context', async () => {
    const job = jobFor(me, checkSession);
    const end = await kit.run(job);
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped', evidence: { reason: 'the browser went away' } } });
    expect(await kit.leases.heldForMs(job.accountKey)).toBeNull();
    const browser = await kit.browsers.open({}, new ManualLease());
    expect(browser.browser()!.contexts()).toEqual([browser]);
    await browser.close();
  });

  it('does not delay a screenshot for ever', async () => {
    const context = await kit.browsers.open({}, new ManualLease());
    const options = { answerTimeoutMs: 1_000, hangTimeoutMs: 1_500, guard: { assertMayGoOn: () => undefined } };
    const tab = await SiteTab.open(context, { ...options, baseUrl: new URL(site.url) });
    await tab.visit('/');
    await expect(tab.look(() => null, 60_000)).rejects.toThrow(BrowserGoneError);
    expect(await tab.screenshot()).toBeNull();
    await context.close();
  });
});
