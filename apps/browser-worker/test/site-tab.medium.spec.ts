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

const pool = new BrowserPool({ executablePath: testChromiumPath(), sandbox: process.getuid?.() !== 0, contextsPerBrowser: 50 });
afterAll(() => pool.close());

describe('a click', () => {
  const options = { baseUrl: new URL('http://127.0.0.1:9'), guard: { assertMayGoOn: () => undefined }, answerTimeoutMs: 1_500 };
  const clicked = async (html: string) => {
    const context = await pool.open({ viewport: { width: 1280, height: 860 } });
    const tab = await SiteTab.open(context, options);
    await tab.page.setContent(html);
    const button = (await tab.page.$('button'))!;
    const said = await tab.click(button);
    const made = await tab.page.evaluate('window.made ?? 0');
    await context.close();
    return { said, made };
  };

  it('is said to be made once', async () => {
    expect(await clicked('<button onclick="window.made = (window.made ?? 0) + 1">Seguir</button>')).toEqual({ said: true, made: 1 });
  });

  it('is never said not to be made when the page hangs under it', async () => {
    const hang = 'window.made = (window.made ?? 0) + 1; for (const end = Date.now() + 4000; Date.now() < end; );';
    expect(await clicked(`<button onmousedown="${hang}">Seguir</button>`)).toEqual({ said: true, made: 1 });
  });

  it('is not made on what is covered', async () => {
    const cover = '<div style="position: fixed; inset: 0; background: white"></div>';
    expect(await clicked(`<button onclick="window.made = 1">Seguir</button>${cover}`)).toEqual({ said: false, made: 0 });
  });
});

describe('a tab that meets an objection', () => {
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
