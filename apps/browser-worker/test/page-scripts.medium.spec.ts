import type { ElementHandle, Page } from 'playwright';
import { describeDialogs, findNamed, findPostHeart, findScrollBox, readLandmarks } from '../src/driver/page-scripts.js';
import { SiteTab } from '../src/driver/site-tab.js';
import { classifyDialog } from '../src/network/signals.js';
import { ManualLease } from './support/manual-lease.js';
import { testBrowsers } from './support/worker-kit.js';

describe('what the driver reads on a page', () => {
  const pool = testBrowsers();
  let page: Page;
  beforeAll(async () => {
    const context = await pool.open({ viewport: { width: 1280, height: 860 } }, new ManualLease());
    page = await context.newPage();
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title>' }));
    await page.goto('http://network.test/ana/');
  });
  afterAll(() => pool.close());
  const show = (html: string) => page.setContent(html);
  const meanings = async () => (await page.evaluate(describeDialogs)).map((dialog) => classifyDialog(dialog).kind);

  it('contains dialogs outside articles only, whatever a caption says', async () => {
    await show(`
      <article><div role="dialog"><h2>Try Again Later</h2></div><p>Action Blocked /challenge/</p></article>
      <div role="dialog"><article><h2>Try Again Later</h2></article></div>
      <div role="dialog" style="display:none"><h2>Action Blocked</h2></div>`);
    expect(await meanings()).toEqual([]);
    await show(`<div role="dialog"><h2>Tente novamente mais tarde</h2><button>OK</button></div>`);
    expect(await meanings()).toEqual(['stop']);
  });

  it('distinguishes interruptions, lists and the unfollow menu from unknown dialogs', async () => {
    await show(`
      <div role="dialog"><h2>Ativar notificações</h2><button><div>Agora não</div></button></div>
      <div role="dialog"><h1>Seguidores</h1><a href="/ana/">ana</a><span>Action Blocked</span><a href="/bia/">bia</a></div>
      <div role="menu"><div role="button"><span>Deixar de seguir</span></div></div>
      <div role="dialog"><h2>Novidades</h2><button>Ok</button></div>`);
    expect(await meanings()).toEqual(['interruption', 'list', 'unfollow', 'unknown']);
  });

  it("contains the post's own heart, in either structure, and never a smaller one or that of a comment", async () => {
    const words = { hearts: ['like', 'unlike', 'curtir', 'descurtir'], beside: ['comment', 'comentar'] };
    const heart = (word: string, size = 24) => `<svg aria-label="${word}" width="${size}" height="${size}"></svg>`;
    const bubble = '<div role="button"><svg aria-label="Comentar" width="24" height="24"></svg></div>';
    const found = async () => {
      const button = (await page.evaluateHandle(findPostHeart, { ...words, returns: 'button' as const })).asElement();
      const label = await page.evaluate(findPostHeart, { ...words, returns: 'label' as const });
      return button && `${await button.getAttribute('id')} ${label as string}`;
    };
    await show(`
      <a href="/notifications/">${heart('Like')}</a>
      <ul><li><div role="button" id="of-comment">${heart('Curtir', 24)}</div>${bubble}</li></ul>
      <section><div role="button" id="small">${heart('Curtir', 12)}</div><div role="button" id="post">${heart('Curtir')}</div>${bubble}</section>`);
    expect(await found()).toBe('post Curtir');
    await show(`<section><button id="drift"><div>${heart('Descurtir')}</div></button><button>${bubble}</button></section>`);
    expect(await found()).toBe('drift Descurtir');
    await show(`<section><div role="button" id="alone">${heart('Curtir')}</div></section>`);
    expect(await found()).toBeNull();
  });

  it('contains a fixed banner without a role, but not the navigation', async () => {
    await show(`
      <nav style="position:fixed;bottom:0"><a href="/direct/inbox/">x</a><button>Menu</button></nav>
      <div style="position:fixed;bottom:0;height:50px"><button>Usar o app</button><button aria-label="Fechar">x</button></div>`);
    const dialogs = await page.evaluate(describeDialogs);
    expect(dialogs.map(({ role }) => role)).toEqual(['banner']);
    expect(classifyDialog(dialogs[0]!)).toEqual({ kind: 'interruption', interruption: 'app-bar' });
  });

  describe('an element with a label', () => {
    /** Ids or labels of what is found for the labels "following", "follow" and "follow back", the preferred one first. */
    const found = async (root: ElementHandle<Element> | null = null) => {
      const search = { selector: 'button', texts: [['seguindo', 'following'], ['seguir'], ['seguir de volta']], root };
      const element = (await page.evaluateHandle(findNamed, { ...search, returns: 'element' as const })).asElement();
      const label = await page.evaluate(findNamed, { ...search, returns: 'label' as const });
      return element && `${label as number} ${await element.getAttribute('id')}`;
    };

    it('is known by its label, its text, and the texts and labels inside it, as they are compared', async () => {
      await show('<button id="a"><div><div> Seguindo… </div></div><svg aria-label="Ícone de seta"></svg></button>');
      expect(await found()).toBe('0 a');
      await show('<button id="b"><svg aria-label="SEGUIR."></svg></button>');
      expect(await found()).toBe('1 b');
      await show('<button id="c" aria-label="Seguir  de volta">x</button>');
      expect(await found()).toBe('2 c');
      await show('<button id="d">Seguir quem?</button>');
      expect(await found()).toBeNull();
    });

    it('is the first one with the preferred label, and visible', async () => {
      await show(`<button id="a">Seguir</button><button id="b">Seguir</button>`);
      expect(await found()).toBe('1 a');
      await show(`<button id="a">Seguir</button><button id="b">Seguindo</button>`);
      expect(await found()).toBe('0 b');
      await show(`
        <button id="a" style="display:none">Seguindo</button>
        <div style="visibility:hidden"><button id="b">Seguindo</button></div>
        <button id="c" style="width:0;height:0;padding:0;border:0;overflow:hidden">Seguindo</button>
        <div style="content-visibility:hidden"><button id="d">Seguindo</button></div>
        <button id="e" style="display:contents"><span style="display:none">Seguindo</span></button>
        <button id="f" style="display:contents">Seguir</button>`);
      expect(await found()).toBe('1 f');
    });

    it('is searched in one part of the page where that is asked', async () => {
      await show(`<button id="a">Seguindo</button><form><button id="b">Seguir</button></form>`);
      expect(await found((await page.$('form')) as ElementHandle<Element>)).toBe('1 b');
    });

    it('is looked for without the script of Playwright’s selectors, which every new document would have to receive and run', async () => {
      const context = await pool.open({ viewport: { width: 1280, height: 860 } }, new ManualLease());
      const tab = await SiteTab.open(context, {
        baseUrl: new URL('http://network.test'),
        guard: { assertMayGoOn: () => undefined },
        answerTimeoutMs: 60_000,
      });
      await tab.page.setContent('<header><button>Seguir</button></header>');
      const scripts = await context.newCDPSession(tab.page);
      const lengths: number[] = [];
      scripts.on('Debugger.scriptParsed', ({ length = 0 }) => lengths.push(length));
      await scripts.send('Debugger.enable');
      const longest = async (look: () => Promise<unknown>) => {
        lengths.length = 0;
        await look();
        await scripts.send('Runtime.evaluate', { expression: '1' }); // answered after the events of the scripts before it
        return Math.max(0, ...lengths);
      };
      expect(await longest(() => tab.labelOf('button', ['following', 'follow']))).toBeLessThan(50_000);
      expect(await longest(() => tab.findLabelled('button', ['message']))).toBeLessThan(50_000);
      // A handle for a click needs that script.
      expect(await longest(() => tab.findLabelled('button', ['following', 'follow']))).toBeGreaterThan(200_000);
      await context.close();
    });
  });

  it('contains our own username from the navigation bar, in whichever language', async () => {
    await show(`
      <main><a href="/somebody/">s</a><header><a href="/ana/followers/"><span title="5.321">5,3 mil</span></a><a href="/ana/following/">410 seguindo</a></header></main>
      <div><div><a href="/">Home</a><a href="/explore/">E</a><a href="/direct/inbox/">M</a></div><span><a href="/me.myself/"><img></a></span></div>`);
    expect(await page.evaluate(readLandmarks)).toMatchObject({
      hasInbox: true,
      barLinks: ['/me.myself/'],
      hasLoginForm: false,
      hasProfileHeader: true,
      counters: { followers: '5.321', following: '410 seguindo' },
    });
    await show(`<form><input name="pass"></form>`);
    expect(await page.evaluate(readLandmarks)).toMatchObject({
      hasInbox: false,
      barLinks: [],
      hasLoginForm: true,
      hasProfileHeader: false,
    });
  });

  it('finds the inner element that scrolls', async () => {
    await show(`
      <main style="overflow:auto;height:300px"><div style="height:4000px"></div></main>
      <div role="dialog"><div style="overflow-y:auto;height:200px" id="inner"><div style="height:900px"></div></div></div>`);
    const box = await page.evaluateHandle(findScrollBox);
    expect(await box.evaluate((element) => element.id)).toBe('inner');
  });
});
