import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { StopError } from '../src/driver/driver.errors.js';
import { actWithProof } from '../src/driver/proven-action.js';
import { SiteTab } from '../src/driver/site-tab.js';
import { type HttpSite, httpSite } from './support/http-site.js';
import { ManualLease } from './support/manual-lease.js';
import { testBrowsers } from './support/worker-kit.js';

/** A page that shows its dialog as soon as it has the headers of the answer, and requests a picture with it. The body arrives only after that. */
const page = `<!doctype html><title>x</title><script>
  fetch('/api/v1/friendships/create/1/', { method: 'POST' }).then(() => {
    document.body.innerHTML = '<div role="dialog"><h2>Aguarde alguns minutos antes de tentar novamente.</h2><button>OK</button></div>';
    new Image().src = '/shown.png';
  });
</script>`;
/** Longer than any page of these tests takes on the slowest machine. */
const patientMs = 60_000;

const pool = testBrowsers();
afterAll(() => pool.close());

describe('a click', () => {
  /** @param answerTimeoutMs for how long a click that does not succeed is tried. */
  const clicked = async (html: string, answerTimeoutMs: number, afterwards: () => void = () => undefined) => {
    const context = await pool.open({ viewport: { width: 1280, height: 860 } }, new ManualLease());
    const guard = { assertMayGoOn: () => undefined };
    const tab = await SiteTab.open(context, { baseUrl: new URL('http://127.0.0.1:9'), guard, answerTimeoutMs });
    await tab.page.setContent(html);
    const button = (await tab.page.$('button'))!;
    const said = await tab.click(button);
    afterwards();
    const made = await tab.page.evaluate('window.made ?? 0');
    await context.close();
    return { said, made };
  };

  it('is made once, and reported so', async () => {
    expect(await clicked('<button onclick="window.made = (window.made ?? 0) + 1">Seguir</button>', patientMs)).toEqual({
      said: true,
      made: 1,
    });
  });

  it('is never reported as not made when the page hangs', async () => {
    // A call that is answered only after the click was reported stops all scripts of its page until then.
    let answer: (() => void) | undefined;
    const site = await httpSite((_, response) => {
      answer = () => response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
    });
    try {
      const hang = `window.made = (window.made ?? 0) + 1; const call = new XMLHttpRequest(); call.open('GET', '${site.url}', false); call.send()`;
      const result = await clicked(`<button onmousedown="${hang}">Seguir</button>`, 10_000, () => answer!());
      expect(result).toEqual({ said: true, made: 1 });
    } finally {
      await site.dispose();
    }
  });

  it('is not made on a covered element', async () => {
    const cover = '<div style="position: fixed; inset: 0; background: white"></div>';
    expect(await clicked(`<button onclick="window.made = 1">Seguir</button>${cover}`, 2_000)).toEqual({ said: false, made: 0 });
  });
});

describe('a tab that meets an objection', () => {
  let answer: { status: number; body: string };
  let call: ServerResponse | undefined;
  let site: HttpSite;
  beforeAll(async () => {
    site = await httpSite((request, response) => {
      if (request.url === '/shown.png') {
        response.writeHead(204).end();
        // Usually the tab reads the dialog in this time. The result must be the same when it does not.
        return void sleep(600).then(() => call!.end(answer.body));
      }
      if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      call = response.writeHead(answer.status, { 'content-type': 'application/json' });
      return call.flushHeaders();
    });
  });
  afterAll(() => site?.dispose());

  it.each([
    [{ status: 429, body: '' }, 'rate_limited', 8],
    [{ status: 429, body: '{"error_type":"rate_limit_error","status":"fail"}' }, 'rate_limited', 11],
    [{ status: 400, body: '{"message":"feedback_required","feedback_title":"x","status":"fail"}' }, 'action_blocked', 1],
    [{ status: 200, body: '{"status":"ok"}' }, 'limited', 7], // only the dialog objects
  ])('believes the network’s answer %j before the dialog that it causes: %s, row %s', async (given, stopClass, row) => {
    answer = given;
    const context = await pool.open({ viewport: { width: 1280, height: 860 } }, new ManualLease());
    const tab = await SiteTab.open(context, {
      baseUrl: new URL(site.url),
      guard: { assertMayGoOn: () => undefined },
      answerTimeoutMs: patientMs,
    });
    const stop = await tab
      .visit('/')
      .then(() => tab.look(() => null))
      .catch((error: unknown) => error);
    expect(stop).toBeInstanceOf(StopError);
    expect((stop as StopError).signal).toMatchObject({ class: stopClass, row });
    // The objection does not change later.
    await expect(tab.check()).rejects.toMatchObject({ signal: { class: stopClass, row } });
    await context.close();
  });
});

describe('a tab whose page is left while a call is being answered', () => {
  /** The call of the page that is left, once the site has it, and what answers the page after it. */
  let call: PromiseWithResolvers<ServerResponse>;
  let next: PromiseWithResolvers<() => void>;
  let site: HttpSite;
  beforeAll(async () => {
    site = await httpSite((request, response) => {
      const document = (body: string) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>x</title>${body}`);
      if (request.url === '/left') return document("<script>fetch('/api/v1/feed/timeline/')</script>");
      if (request.url === '/next') return next.resolve(() => document(''));
      return call.resolve(response);
    });
  });
  beforeEach(() => {
    call = Promise.withResolvers();
    next = Promise.withResolvers();
  });
  afterAll(() => site?.dispose());

  /** @param status of the call, whose body never ends. */
  const left = async (status: number) => {
    const context = await pool.open({ viewport: { width: 1280, height: 860 } }, new ManualLease());
    const tab = await SiteTab.open(context, {
      baseUrl: new URL(site.url),
      guard: { assertMayGoOn: () => undefined },
      answerTimeoutMs: patientMs,
    });
    const headers = tab.page.waitForEvent('response', { predicate: (response) => response.url().includes('/api/'), timeout: patientMs });
    await tab.visit('/left');
    const answer = await call.promise;
    const visited = tab.visit('/next').then(
      () => tab.check(),
      (error: unknown) => error,
    );
    // The page is being left when the headers of the call arrive, and the next document arrives after them.
    const showNext = await next.promise;
    answer.writeHead(status, { 'content-type': 'application/json' }).write('{"data":');
    await headers;
    showNext();
    const end = await visited;
    await context.close();
    return end;
  };

  it('does not take a status of 500 for trouble of the site, since the discarded body may have had the data', async () => {
    expect(await left(500)).toBeUndefined();
  });

  it('stops at a status of 429, which needs no body', async () => {
    expect(await left(429)).toMatchObject({ signal: { class: 'rate_limited', row: 8 } });
  });
});

describe('an action whose button cannot be clicked', () => {
  /** How many loads of the page cover its button. */
  let covered: number;
  let loads = 0;
  let site: HttpSite;
  beforeAll(async () => {
    site = await httpSite((request, response) => {
      if (request.url !== '/post') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
      loads += 1;
      const cover = loads <= covered ? '<div style="position: fixed; inset: 0; background: white"></div>' : '';
      const send = "fetch('/api/v1/web/likes/1/like/', { method: 'POST' })";
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>x</title><button onclick="${send}">Curtir</button>${cover}`);
    });
  });
  afterAll(() => site?.dispose());

  const acted = async (given: number) => {
    covered = given;
    loads = 0;
    const context = await pool.open({ viewport: { width: 1280, height: 860 } }, new ManualLease());
    const tab = await SiteTab.open(context, {
      baseUrl: new URL(site.url),
      guard: { assertMayGoOn: () => undefined },
      answerTimeoutMs: 10_000,
    });
    let announced = 0;
    const isLike = ({ path }: { path: string }) => path.endsWith('/like/');
    const end = await tab
      .withReload(async () => {
        await tab.visit('/post');
        return actWithProof<'liked'>(tab, {
          action: 'like',
          proof: {},
          proofNames: { atOnce: 'heart', afterReload: 'heartAfterReload' },
          isCall: isLike,
          isAboutTarget: () => true,
          click: async (attempt) => {
            attempt.tried = await tab.click((await tab.page.$('button'))!, () => Promise.resolve(void (announced += 1)));
          },
          said: () => ({ root: 'x', state: 'liked' }),
          refusalOf: () => null,
          shownAtOnce: () => Promise.resolve('liked'),
          shownAfterReload: () => Promise.resolve('liked'),
          outcomeOf: () => 'confirmed',
        });
      })
      .catch((error: unknown) => error);
    await context.close();
    return { end, announced, loads };
  };

  it('is tried once more on the reloaded page, and announced once', async () => {
    expect(await acted(1)).toMatchObject({ end: { outcome: 'confirmed' }, announced: 1, loads: 2 });
  });

  it('stops the run when the button is covered there too, and is not announced', async () => {
    expect(await acted(2)).toMatchObject({ end: { signal: { class: 'site_changed', row: 16 } }, announced: 0, loads: 2 });
  });
});
