import { testChromiumPath } from '@decola/testing';
import type { Page } from 'playwright-core';
import { BrowserPool } from '../src/browser/browser-pool.js';
import { findScrollBox, namesOf, readLandmarks, sightDialogs } from '../src/driver/page-scripts.js';
import { meaningOfDialog } from '../src/network/signals.js';

describe('what the driver sees of a page', () => {
  const pool = new BrowserPool({ executablePath: testChromiumPath(), sandbox: process.getuid?.() !== 0, contextsPerBrowser: 50 });
  let page: Page;
  beforeAll(async () => {
    const context = await pool.open({ viewport: { width: 1280, height: 860 } });
    page = await context.newPage();
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title>' }));
    await page.goto('http://network.test/ana/');
  });
  afterAll(() => pool.close());
  const show = (html: string) => page.setContent(html);
  const meanings = async () => (await page.evaluate(sightDialogs)).map((sight) => meaningOfDialog(sight).kind);

  it('reads dialogs outside articles only, whatever a caption says', async () => {
    await show(`
      <article><div role="dialog"><h2>Try Again Later</h2></div><p>Action Blocked /challenge/</p></article>
      <div role="dialog"><article><h2>Try Again Later</h2></article></div>
      <div role="dialog" style="display:none"><h2>Action Blocked</h2></div>`);
    expect(await meanings()).toEqual([]);
    await show(`<div role="dialog"><h2>Tente novamente mais tarde</h2><button>OK</button></div>`);
    expect(await meanings()).toEqual(['stop']);
  });

  it('tells interruptions, lists and the unfollow menu from what it does not know', async () => {
    await show(`
      <div role="dialog"><h2>Ativar notificações</h2><button><div>Agora não</div></button></div>
      <div role="dialog"><h1>Seguidores</h1><a href="/ana/">ana</a><span>Action Blocked</span><a href="/bia/">bia</a></div>
      <div role="menu"><div role="button"><span>Deixar de seguir</span></div></div>
      <div role="dialog"><h2>Novidades</h2><button>Ok</button></div>`);
    expect(await meanings()).toEqual(['interruption', 'list', 'unfollow', 'unknown']);
  });

  it('sees a fixed banner without a role, but not the navigation', async () => {
    await show(`
      <nav style="position:fixed;bottom:0"><a href="/direct/inbox/">x</a><button>Menu</button></nav>
      <div style="position:fixed;bottom:0;height:50px"><button>Usar o app</button><button aria-label="Fechar">x</button></div>`);
    const sights = await page.evaluate(sightDialogs);
    expect(sights.map(({ role }) => role)).toEqual(['banner']);
    expect(meaningOfDialog(sights[0]!)).toEqual({ kind: 'interruption', interruption: 'app-bar' });
  });

  it('knows an element by its label, its text and the pictures inside', async () => {
    await show(
      `<button><div><div>Seguindo</div></div><svg aria-label="Ícone de seta"></svg></button><button id="b"><svg aria-label="Seguir"></svg></button>`,
    );
    expect(await page.locator('button').first().evaluate(namesOf)).toEqual(['Seguindo', 'Ícone de seta']);
    expect(await page.locator('#b').evaluate(namesOf)).toEqual(['Seguir']);
  });

  it('finds our own name in the bar, in no language', async () => {
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

  it('finds the inner box that scrolls', async () => {
    await show(`
      <main style="overflow:auto;height:300px"><div style="height:4000px"></div></main>
      <div role="dialog"><div style="overflow-y:auto;height:200px" id="inner"><div style="height:900px"></div></div></div>`);
    const box = await page.evaluateHandle(findScrollBox);
    expect(await box.evaluate((element) => element.id)).toBe('inner');
  });
});
