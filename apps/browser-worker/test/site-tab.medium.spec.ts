import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { testChromiumPath } from '@decola/testing';
import { BrowserPool } from '../src/browser/browser-pool.js';
import { StopError } from '../src/driver/errors.js';
import { SiteTab } from '../src/driver/site-tab.js';

/** A page that shows its dialog as soon as the head of the answer is there, long before the rest. */
const page = `<!doctype html><title>x</title><script>
  fetch('/api/v1/friendships/create/1/', { method: 'POST' }).then(() => {
    document.body.innerHTML = '<div role="dialog"><h2>Aguarde alguns minutos antes de tentar novamente.</h2><button>OK</button></div>';
  });
</script>`;

describe('a tab that meets an objection', () => {
  const pool = new BrowserPool({ executablePath: testChromiumPath(), sandbox: process.getuid?.() !== 0, contextsPerBrowser: 50 });
  let answer: { status: number; body: string };
  const server = http.createServer((request, response) => {
    if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.flushHeaders();
    return setTimeout(() => response.end(answer.body), 600);
  });
  let baseUrl: URL;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await pool.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    [{ status: 429, body: '' }, 'rate_limited', 8],
    [{ status: 429, body: '{"error_type":"rate_limit_error","status":"fail"}' }, 'rate_limited', 11],
    [{ status: 400, body: '{"message":"feedback_required","feedback_title":"x","status":"fail"}' }, 'action_blocked', 1],
    [{ status: 200, body: '{"status":"ok"}' }, 'limited', 7], // nothing but the dialog says so
  ])('believes the network’s answer %j before the dialog that it causes: %s, row %s', async (given, stopClass, row) => {
    answer = given;
    const context = await pool.open({ viewport: { width: 1280, height: 860 } });
    const tab = await SiteTab.open(context, { baseUrl, guard: { assertMayGoOn: () => undefined }, answerTimeoutMs: 5_000 });
    const stop = await tab
      .visit('/')
      .then(() => tab.look(() => null))
      .catch((error: unknown) => error);
    expect(stop).toBeInstanceOf(StopError);
    expect((stop as StopError).signal).toMatchObject({ class: stopClass, row });
    // What was said once is not said otherwise later.
    await expect(tab.check()).rejects.toMatchObject({ signal: { class: stopClass, row } });
    await context.close();
  });
});
