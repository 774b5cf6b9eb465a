import { eventually } from '@decola/testing';
import type { BrowserContext, Page } from 'playwright';
import { type HttpSite, httpSite } from './support/http-site.js';
import { ManualLease } from './support/manual-lease.js';
import { testBrowsers } from './support/worker-kit.js';

const mutation = { method: 'POST', headers: { 'x-fb-friendly-name': 'usePolarisFollowMutation' }, body: 'x=1' };
const documents: Record<string, string> = {
  '/': '<!doctype html><link rel="stylesheet" href="/static/app.css"><script src="/static/app.js"></script><img src="/static/one.png">',
  '/with-frame': '<!doctype html><iframe src="/frame"></iframe>',
  '/frame': '<!doctype html><p>frame</p>',
  '/popup': '<!doctype html><script>fetch("/api/v1/from-popup").catch(() => 0)</script>',
};
const scripts: Record<string, string> = {
  '/static/app.js': 'window.loaded = true;',
  '/worker.js':
    'onmessage = () => fetch("/api/v1/from-worker").then(() => postMessage("sent"), () => postMessage("held back")); postMessage("up");',
  '/service-worker.js': `
    addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('message', ({ ports: [port] }) => fetch('/api/v1/from-service-worker').then(() => port.postMessage('sent'), () => port.postMessage('held back')));`,
};

/** A site that records every request; its home page and static files may be cached for an hour. */
const recordingSite = (seen: string[]) =>
  httpSite((request, response) => {
    const url = new URL(request.url!, 'http://site');
    seen.push(`${request.method} ${url.pathname}${url.search}`);
    const type = documents[url.pathname]
      ? 'text/html'
      : scripts[url.pathname]
        ? 'text/javascript'
        : url.pathname.endsWith('.css')
          ? 'text/css'
          : 'application/json';
    const mayBeCached = url.pathname === '/' || url.pathname.startsWith('/static/');
    response.writeHead(200, { 'content-type': type, 'cache-control': mayBeCached ? 'max-age=3600' : 'no-store' });
    response.end(documents[url.pathname] ?? scripts[url.pathname] ?? (type === 'text/css' ? '' : '{}'));
  });

describe('the gate for requests of pages', () => {
  const seen: string[] = [];
  /** The browser requests the icon of a site by itself, at some time after the page. */
  const withoutIcon = (lines: readonly string[]) => lines.filter((line) => !line.includes('favicon'));
  const count = (line: string) => seen.filter((one) => one === line).length;
  const refused: string[] = [];
  const pool = testBrowsers({ onRefusedRequest: ({ url }) => refused.push(new URL(url).pathname) });
  let site: HttpSite;
  let base: string;
  let lease: ManualLease;
  let mayAct: boolean;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    site = await recordingSite(seen);
    base = site.url;
  });
  beforeEach(async () => {
    seen.length = refused.length = 0;
    lease = new ManualLease();
    mayAct = true;
    context = await pool.open({}, lease, () => mayAct);
    page = await context.newPage();
  });
  afterEach(() => context?.close());
  afterAll(async () => {
    await pool.close();
    await site?.dispose();
  });

  /** How a call ends for a script of the page. */
  const call = (path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    page.evaluate(
      ([to, how]) =>
        fetch(to, how).then(
          () => 'sent',
          () => 'held back',
        ),
      [path, init] as const,
    );

  it('lets calls pass while the lease is held, and none afterwards, although the browser is still running', async () => {
    await page.goto(base);
    expect(await call('/graphql/query', mutation)).toBe('sent');
    expect(await call('/api/v1/friendships/1/followers/?count=12')).toBe('sent');
    lease.held = false;
    expect(await call('/graphql/query', mutation)).toBe('held back');
    expect(await call('/api/v1/friendships/1/followers/?count=12&max_id=3')).toBe('held back');
    expect(await call('/somewhere/we/do/not/know', { method: 'POST' })).toBe('held back');
    await expect(page.goto(`${base}/frame`)).rejects.toThrow('ERR_BLOCKED_BY_CLIENT');
    expect(withoutIcon(seen).filter((line) => !line.includes('/static/'))).toEqual([
      'GET /',
      'POST /graphql/query',
      'GET /api/v1/friendships/1/followers/?count=12',
    ]);
    expect(refused).toEqual(['/graphql/query', '/api/v1/friendships/1/followers/', '/somewhere/we/do/not/know', '/frame']);
  });

  it('holds back the calls of frames, workers, service workers, beacons and new windows like those of the page', async () => {
    await page.goto(`${base}/with-frame`);
    const frame = await eventually(() =>
      page
        .frames()
        .find((one) => one.url().endsWith('/frame'))!
        .waitForSelector('p')
        .then(() => page.frames()[1]!),
    );
    const fromFrame = () =>
      frame.evaluate(() =>
        fetch('/api/v1/from-frame').then(
          () => 'sent',
          () => 'held back',
        ),
      );
    await page.evaluate(async () => {
      const worker = new Worker('/worker.js');
      await new Promise((resolve) => (worker.onmessage = resolve));
      await navigator.serviceWorker.register('/service-worker.js');
      await navigator.serviceWorker.ready;
      Object.assign(window, { worker });
    });
    const fromWorker = () =>
      page.evaluate(() => {
        const { worker } = window as unknown as { worker: Worker };
        const answered = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
        worker.postMessage('go');
        return answered;
      });
    const fromServiceWorker = () =>
      page.evaluate(async () => {
        const { port1, port2 } = new MessageChannel();
        const answered = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
        (await navigator.serviceWorker.ready).active!.postMessage('go', [port2]);
        return answered;
      });
    expect(await Promise.all([fromFrame(), fromWorker(), fromServiceWorker()])).toEqual(['sent', 'sent', 'sent']);

    lease.held = false;
    seen.length = 0;
    expect(await Promise.all([fromFrame(), fromWorker(), fromServiceWorker()])).toEqual(['held back', 'held back', 'held back']);
    await page.evaluate(() => {
      navigator.sendBeacon('/api/v1/beacon', 'x');
      void fetch('/api/v1/kept-alive', { method: 'POST', keepalive: true }).catch(() => undefined);
      window.open('/popup');
    });
    await eventually(() => expect(refused).toEqual(expect.arrayContaining(['/api/v1/beacon', '/api/v1/kept-alive', '/popup'])));
    expect(withoutIcon(seen)).toEqual([]);
  });

  it('lets a page read, but not act, when its run may not act any more', async () => {
    await page.goto(base);
    mayAct = false;
    expect(await call('/graphql/query', mutation)).toBe('held back');
    expect(await call('/api/v1/friendships/create/1/', { method: 'POST' })).toBe('held back');
    expect(await call('/api/v1/users/1/info/')).toBe('sent');
    expect(seen.filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('decides for each context separately', async () => {
    const other = await pool.open({}, new ManualLease());
    const otherPage = await other.newPage();
    await Promise.all([page.goto(base), otherPage.goto(base)]);
    lease.held = false;
    expect(await call('/api/v1/mine')).toBe('held back');
    expect(await otherPage.evaluate(() => fetch('/api/v1/theirs').then(() => 'sent'))).toBe('sent');
    expect(seen.filter((line) => line.includes('/api/'))).toEqual(['GET /api/v1/theirs']);
    await other.close();
  });

  it('leaves documents and static files in the cache', async () => {
    for (let visit = 0; visit < 3; visit += 1) {
      await page.goto(base);
      await page.goto(`${base}/frame`);
    }
    expect(['/', '/static/app.js', '/static/app.css', '/static/one.png', '/frame'].map((path) => count(`GET ${path}`))).toEqual([
      1, 1, 1, 1, 3,
    ]);
  });

  it('works together with a request that is changed to continue at a cursor', async () => {
    await page.goto(base);
    await page.route(
      (url) => url.pathname.endsWith('/followers/'),
      (route) => route.continue({ url: `${route.request().url()}&max_id=7` }),
    );
    expect(await call('/api/v1/friendships/1/followers/?count=12')).toBe('sent');
    lease.held = false;
    expect(await call('/api/v1/friendships/1/followers/?count=12')).toBe('held back');
    expect(seen.filter((line) => line.includes('/followers/'))).toEqual(['GET /api/v1/friendships/1/followers/?count=12&max_id=7']);
  });

  it('closes the context of a lost lease, and no other', async () => {
    const other = await pool.open({}, new ManualLease());
    const otherPage = await other.newPage();
    lease.lose();
    await eventually(() => expect(page.isClosed()).toBe(true));
    expect(await otherPage.evaluate(() => 'alive')).toBe('alive');
    await other.close();
  });
});
