import { eventually } from '@decola/testing';
import type { Browser, Locator, Page } from 'playwright';
import { personsPauseMs } from './support/builds.js';
import { launchBrowser, openWindow, testNetwork, type TestNetwork, type TestSession } from './support/network.js';

/** In which nothing may happen. */
const quietMs = 500;

let network: TestNetwork;
let browser: Browser;
beforeAll(async () => {
  [network, browser] = await Promise.all([testNetwork(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await network?.stop();
});

let names = 0;
const person = (over: Record<string, unknown> = {}) =>
  network.account({ username: `pessoa.${++names}`, followers: 30, following: 5, posts: 30, ...over });

const visit = (path: string, options: Parameters<typeof openWindow>[3] = {}) => openWindow(browser, network, path, options);

const headerButton = (page: Page): Locator => page.locator('header button').first();
const dialog = (page: Page): Locator => page.getByRole('dialog');
const verdicts = (session: TestSession) => network.ledger(`account=${session.username}&verdicts=true`);
const actions = async (session: TestSession): Promise<string[]> =>
  (await network.ledger(`account=${session.username}&action=follow,unfollow`)).map(
    ({ action, target, result }) => `${action} ${target} ${result}`,
  );

/** Scrolls the list's inner box until nothing more is loaded. */
async function scrollToEnd(page: Page): Promise<void> {
  const area = await dialog(page).boundingBox();
  if (!area) throw new Error('no dialog');
  await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
  while ((await dialog(page).getByRole('progressbar').count()) > 0) {
    await page.mouse.wheel(0, 3_000);
    await page.waitForTimeout(15);
  }
}

describe('a person who clicks', () => {
  it('follows somebody, sees it after a reload, and unfollows them by the menu', async () => {
    const { username } = await person();
    const { page, session, close } = await visit(`/${username}/`);
    await headerButton(page).click();
    await page.locator('header').getByRole('button', { name: 'Following', exact: true }).waitFor();
    await page.reload();
    expect(await headerButton(page).innerText()).toBe('Following');
    await page.waitForTimeout(personsPauseMs);
    await headerButton(page).click();
    await dialog(page).getByRole('button', { name: 'Unfollow' }).click();
    await page.locator('header').getByRole('button', { name: 'Follow', exact: true }).waitFor();
    expect(await actions(session)).toEqual([`follow ${username} done`, `unfollow ${username} done`]);
    expect(await verdicts(session)).toEqual([]);
    await close();
  });

  it('sends a request to a private account and withdraws it after a confirmation, in Portuguese', async () => {
    const { username } = await person({ isPrivate: true });
    const { page, session, close } = await visit(`/${username}/`, { locale: 'pt-BR' });
    expect(await page.locator('html').getAttribute('lang')).toBe('pt');
    await page.getByText('Esta conta é privada').waitFor();
    await headerButton(page).click();
    await page.locator('header').getByRole('button', { name: 'Solicitado' }).waitFor();
    await headerButton(page).click();
    await dialog(page).getByRole('button', { name: 'Deixar de seguir' }).click();
    await page.locator('header').getByRole('button', { name: 'Seguir', exact: true }).waitFor();
    expect(await actions(session)).toEqual([`follow ${username} requested`, `unfollow ${username} done`]);
    await close();
  });

  it('sees the words nested in the button, the exact numbers in titles, and others’ buttons only below the header', async () => {
    const { username } = await person({ followers: 12_345, posts: 30 });
    const { page, close } = await visit(`/${username}/`);
    const own = await headerButton(page).evaluate(
      (button) => [...button.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).length,
    );
    expect(own).toBe(0);
    const counter = page.locator(`header a[href="/${username}/followers/"]`);
    expect(await counter.locator('[title]').getAttribute('title')).toBe('12,345');
    expect(await counter.innerText()).toBe('12.3K followers');
    await page.getByText('Suggested for you').waitFor();
    expect(await page.locator('header').getByRole('button', { name: 'Follow', exact: true }).count()).toBe(1);
    await eventually(async () => expect(await page.getByRole('button', { name: 'Follow', exact: true }).count()).toBeGreaterThan(2));
    await close();
  });

  it('sees the button to follow back at people who follow them', async () => {
    const session = await network.visitor();
    const { username } = await person();
    await network.control('POST', '/ties', { follower: username, followed: session.username, state: 'following' });
    const { page, close } = await visit(`/${username}/`, { session });
    expect(await headerButton(page).innerText()).toBe('Follow Back');
    await close();
  });

  it('navigates without a page load to a hashtag, a post and its author', async () => {
    const { page, close } = await visit('/');
    let loads = 0;
    page.on('domcontentloaded', () => loads++);
    await page.goto(`${network.url}/explore/tags/doces/`);
    await page.waitForURL('**/explore/search/keyword/?q=%23doces');
    expect(await page.locator('h1').innerText()).toBe('#doces');
    await page.locator('a[href^="/p/"]').nth(20).waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.locator('a[href^="/p/"]').nth(40).waitFor();
    await page.locator('a[href^="/p/"]').nth(1).click();
    await dialog(page).locator('article').waitFor();
    expect(page.url()).toMatch(/\/p\/[\w-]{11}\/$/);
    await page.keyboard.press('Escape');
    await page.waitForURL('**/explore/search/keyword/?q=%23doces');
    await page.locator('a[href^="/p/"]').nth(2).click();
    await dialog(page).locator('article').waitFor();
    const author = dialog(page).locator('header a').first();
    const path = await author.getAttribute('href');
    await author.click();
    await page.waitForURL(`**${path}`);
    await page.locator('header h2, main h2').first().waitFor();
    await page.goBack();
    await page.waitForURL('**/p/**');
    expect(loads).toBe(1);
    await close();
  });
});

describe('a list', () => {
  it('of 5,000 followers scrolls to its end in its inner box, with few rows as elements', async () => {
    const { username } = await network.account({ username: 'cafe.da.lia', followers: 5_000, following: 12 });
    const { page, session, close } = await visit(`/${username}/`);
    const heard: string[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('/followers/?')) return;
      void response.json().then(
        (body: { users: { pk: string }[] }) => heard.push(...body.users.map(({ pk }) => pk)),
        () => undefined,
      );
    });
    await page.locator(`a[href="/${username}/followers/"]`).click();
    await dialog(page).waitFor();
    await scrollToEnd(page);
    await eventually(() => expect(heard.length).toBe(5_000));
    const truth = new Set((await network.people(username, 'followers')).map(({ pk }) => pk));
    const unique = new Set(heard);
    expect([...unique].every((pk) => truth.has(pk))).toBe(true);
    expect(unique.size / 5_000).toBeGreaterThan(0.84);
    expect(unique.size / 5_000).toBeLessThan(0.92);
    expect(await dialog(page).locator('img').count()).toBeLessThan(60);
    await eventually(async () => expect(await dialog(page).getByRole('button', { name: 'Follow' }).count()).toBeGreaterThan(3));
    expect(await verdicts(session)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForURL(`**/${username}/`);
    await close();
  });

  it('opens at its own path too, and shows nothing of a private account', async () => {
    const open = await person({ followers: 9 });
    const { page, session, close } = await visit(`/${open.username}/followers/`);
    await dialog(page).getByRole('link').nth(17).waitFor();
    await close();
    const hidden = await person({ isPrivate: true });
    const again = await visit(`/${hidden.username}/`, { session });
    await again.page.locator(`a[href="/${hidden.username}/followers/"]`).click();
    await dialog(again.page).waitFor();
    await eventually(async () => expect(await dialog(again.page).getByRole('progressbar').count()).toBe(0));
    expect(await dialog(again.page).getByRole('link').count()).toBe(0);
    await again.close();
  });

  it('continues at a saved cursor when the page’s own first request is changed to it', async () => {
    const { username, pk } = await person({ followers: 100 });
    await network.control('PUT', `/accounts/${username}/lists`, { lossRate: 0 });
    const first = await visit(`/${username}/`);
    const answered = first.page.waitForResponse((response) => response.url().includes('max_id='));
    await first.page.locator(`a[href="/${username}/followers/"]`).click();
    await dialog(first.page).waitFor();
    await first.page.mouse.move(640, 400);
    await first.page.mouse.wheel(0, 2_000);
    const cursor = new URL((await answered).url()).searchParams.get('max_id') ?? '';
    await first.close();
    const second = await visit(`/${username}/`, { session: first.session });
    await second.page.route(
      (url) => url.pathname.includes('/followers/') && !url.searchParams.has('max_id') && url.pathname.startsWith('/api'),
      (route) => route.continue({ url: `${route.request().url()}&max_id=${cursor}` }),
    );
    const resumed = second.page.waitForResponse((response) => response.url().includes(`/${pk}/followers/`));
    await second.page.locator(`a[href="/${username}/followers/"]`).click();
    expect(((await (await resumed).json()) as { users: unknown[] }).users.length).toBeGreaterThan(0);
    expect(
      (await network.ledger(`account=${first.session.username}&action=list_page`)).filter(
        ({ detail }) => detail['offset'] === Number(cursor),
      ).length,
    ).toBeGreaterThan(1);
    expect(await verdicts(first.session)).toEqual([]);
    await second.close();
  });

  it('is searched by the beginning of a name', async () => {
    const { username } = await person({ followers: 400 });
    const someone = (await network.people(username, 'followers'))[200]!;
    const { page, session, close } = await visit(`/${username}/`);
    await page.locator(`a[href="/${username}/followers/"]`).click();
    await dialog(page).getByRole('textbox').fill(someone.username);
    await eventually(async () => expect(await dialog(page).locator(`a[href="/${someone.username}/"]`).count()).toBe(2));
    expect(await dialog(page).getByRole('progressbar').count()).toBe(0);
    await dialog(page).getByRole('textbox').fill('');
    await eventually(async () => expect(await dialog(page).getByRole('link').count()).toBeGreaterThan(10));
    expect(await verdicts(session)).toEqual([]);
    await close();
  });

  it('that is withheld by a redirect opens no page: no page view is counted, and dialogs for the next page stay', async () => {
    const { username } = await person();
    const { page, session, close } = await visit(`/${username}/`);
    await network.control('PUT', `/accounts/${session.username}/withheld-lists`, { form: 'redirect' });
    await network.control('PUT', `/accounts/${session.username}/interruptions`, { kinds: ['unknown'] });
    await network.control('POST', '/objections', { username: session.username, kind: 'captcha', call: 'page' });
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/');
    await page.locator(`a[href="/${username}/followers/"]`).click();
    const answer = await answered;
    expect(new URL(answer.request().redirectedFrom()?.url() ?? '').pathname).toMatch(/\/followers\/$/);
    expect(await answer.text()).toContain('<html lang="en"');
    expect(new URL(page.url()).pathname).toBe(`/${username}/followers/`);
    expect(await network.ledger(`account=${session.username}&action=page_view`)).toHaveLength(1);
    await page.goto(`${network.url}/`);
    await dialog(page).getByText("Help us confirm it's you").waitFor();
    await close();
  });

  it('keeps its spinner for ever when the network never answers', async () => {
    const { username } = await person({ followers: 60 });
    const { page, session, close } = await visit(`/${username}/`);
    await network.control('POST', '/objections', {
      username: session.username,
      kind: 'spinner_for_ever',
      call: 'followers',
      afterCalls: 1,
    });
    await page.locator(`a[href="/${username}/followers/"]`).click();
    await dialog(page).getByRole('link').first().waitFor();
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 3_000);
    await eventually(async () => expect(await network.ledger(`account=${session.username}&action=list_page`)).toHaveLength(2));
    await page.waitForTimeout(quietMs);
    expect(await dialog(page).getByRole('progressbar').count()).toBe(1);
    await close();
  });
});

describe('objections in the page', () => {
  it.each([
    ['feedback_required', 'pt-BR', 'Tente novamente mais tarde'],
    ['action_blocked', 'en-US', 'Action Blocked'],
    ['please_wait', 'pt-BR', 'Aguarde alguns minutos antes de tentar novamente.'],
  ])('%s is a dialog, and the button is as before', async (kind, locale, words) => {
    const { username } = await person();
    const { page, session, close } = await visit(`/${username}/`, { locale });
    await network.control('POST', '/objections', { username: session.username, kind });
    const before = await headerButton(page).innerText();
    await headerButton(page).click();
    await dialog(page).getByText(words).waitFor();
    expect(await headerButton(page).innerText()).toBe(before);
    await dialog(page).getByRole('button', { name: 'OK' }).click();
    expect(await dialog(page).count()).toBe(0);
    await close();
  });

  it('a challenge and a log-out navigate the page away', async () => {
    const { username } = await person();
    for (const [kind, address] of [
      ['challenge_required', '**/challenge/**'],
      ['login_required', '**/accounts/login/'],
    ] as const) {
      const { page, session, close } = await visit(`/${username}/`);
      await network.control('POST', '/objections', { username: session.username, kind });
      await headerButton(page).click();
      await page.waitForURL(address);
      await close();
    }
  });

  it('undone after reload: shown as done, undone afterwards, and recorded as such in the ledger', async () => {
    const { username } = await person();
    const { page, session, close } = await visit(`/${username}/`);
    await network.control('POST', '/objections', { username: session.username, kind: 'undone_after_reload' });
    await headerButton(page).click();
    await page.locator('header').getByRole('button', { name: 'Following' }).waitFor();
    await page.reload();
    await headerButton(page).waitFor();
    expect(await headerButton(page).innerText()).toBe('Follow');
    expect(await actions(session)).toEqual([`follow ${username} undone`]);
    await close();
  });

  it('a missing landmark, a captcha and a warning', async () => {
    const { username } = await person();
    const { page, session, close } = await visit('/');
    const object = (kind: string) => network.control('POST', '/objections', { username: session.username, kind, call: 'page' });
    await object('landmark_missing');
    await page.goto(`${network.url}/${username}/`);
    await page.getByText('followers').first().waitFor();
    expect(await page.locator('header, main').count()).toBe(0);
    await object('captcha');
    await page.goto(`${network.url}/${username}/`);
    await dialog(page).getByText("Help us confirm it's you").waitFor();
    await object('automation_warning');
    await page.goto(`${network.url}/${username}/`);
    await dialog(page).getByText('automated behavior').waitFor();
    await close();
  });
});

describe('the frame', () => {
  it('shows who is logged in, and the log-in to visitors who are not', async () => {
    const { page, session, close } = await visit('/');
    await page.locator(`div:has(> a[href="/direct/inbox/"]) > a[href="/${session.username}/"]`).waitFor();
    expect(await page.locator('a[href="/direct/inbox/"]').count()).toBe(1);
    expect(await page.locator('svg[aria-label="Home"]').count()).toBe(1);
    await network.control('DELETE', `/sessions/${session.id}`);
    await page.goto(`${network.url}/alguem/`);
    await page.waitForURL('**/accounts/login/**');
    expect(await page.locator('input[name=password]').count()).toBe(1);
    await close();
  });

  it('chooses its language by the URL, then the cookie, then the account, then the browser', async () => {
    const languageOf = async (path: string, options: Parameters<typeof visit>[1]): Promise<string | null> => {
      const { page, close } = await visit(path, options);
      const language = await page.locator('html').getAttribute('lang');
      await close();
      return language;
    };
    expect(await languageOf('/', { locale: 'pt-BR' })).toBe('pt');
    expect(await languageOf('/', { locale: 'pt-BR', session: await network.visitor({ language: 'en' }) })).toBe('en');
    expect(await languageOf('/?hl=pt-br', { session: await network.visitor({ language: 'en' }) })).toBe('pt');
    const session = await network.visitor({ language: 'en' });
    const withCookie = { ...session, cookies: [...session.cookies, { ...session.cookies[0]!, name: 'ig_lang', value: 'pt-br' }] };
    expect(await languageOf('/', { session: withCookie })).toBe('pt');
  });

  it('has a third language in its buttons, titles and answers', async () => {
    const { username } = await person({ followers: 12_345 });
    const hidden = await person({ isPrivate: true });
    const session = await network.visitor({ language: 'es' });
    const { page, close } = await visit(`/${username}/`, { session, locale: 'pt-BR' });
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await page.locator('header').getByRole('button', { name: 'Seguir', exact: true }).click();
    await page.locator('header').getByRole('button', { name: 'Siguiendo', exact: true }).waitFor();
    expect(await page.locator(`header a[href="/${username}/followers/"]`).innerText()).toBe('12,3 mil seguidores');
    await page.goto(`${network.url}/${hidden.username}/`);
    await page.getByText('Esta cuenta es privada').waitFor();
    await page.waitForTimeout(personsPauseMs);
    await page.locator('header').getByRole('button', { name: 'Seguir', exact: true }).click();
    await page.locator('header').getByRole('button', { name: 'Pendiente', exact: true }).waitFor();
    await network.control('POST', '/objections', { username: session.username, kind: 'feedback_required' });
    await page.waitForTimeout(personsPauseMs);
    await page.goto(`${network.url}/${(await person()).username}/`);
    await page.locator('header').getByRole('button', { name: 'Seguir', exact: true }).click();
    await dialog(page).getByText('Inténtalo de nuevo más tarde').waitFor();
    await close();
    const cookie = { ...(await network.visitor()) };
    const withCookie = { ...cookie, cookies: [...cookie.cookies, { ...cookie.cookies[0]!, name: 'ig_lang', value: 'es-la' }] };
    const other = await visit('/', { session: withCookie });
    expect(await other.page.locator('html').getAttribute('lang')).toBe('es');
    await other.close();
  });

  it('is interrupted by dialogs that close by their harmless button', async () => {
    const session = await network.visitor({ language: 'pt' });
    for (const [kind, button] of [
      ['notifications', 'Agora não'],
      ['save_login', 'Agora não'],
      ['cookie_banner', 'Recusar cookies opcionais'],
      ['home_screen', 'Cancelar'],
      ['unknown', 'Continuar'],
    ] as const) {
      await network.control('PUT', `/accounts/${session.username}/interruptions`, { kinds: [kind] });
      const { page, close } = await visit('/', { session });
      await dialog(page).getByRole('button', { name: button }).click();
      expect(await dialog(page).count()).toBe(0);
      await page.reload();
      await page.locator('a[href="/direct/inbox/"]').waitFor();
      expect(await dialog(page).count()).toBe(0);
      await close();
    }
  });

  it('fits 375 pixels: the bar at the bottom, lists as pages, the app banner', async () => {
    const { username } = await person();
    const session = await network.visitor();
    await network.control('PUT', `/accounts/${session.username}/interruptions`, { kinds: ['app_bar'] });
    const { page, close } = await visit(`/${username}/`, { session, viewport: { width: 375, height: 720 } });
    await page.getByRole('button', { name: 'Use the app' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    const bar = await page.locator('a[href="/direct/inbox/"]').boundingBox();
    expect(bar?.y).toBeGreaterThan(600);
    await page.locator(`header a[href="/${username}/followers/"]`).click();
    await page.locator('main h1', { hasText: 'Followers' }).waitFor();
    expect(await dialog(page).count()).toBe(0);
    await page.locator('main a[href]').nth(10).waitFor();
    await close();
  });

  it('has other names for everything in the next build', async () => {
    const { username } = await person();
    const { page, close } = await visit(`/${username}/`);
    const classesNow = async (): Promise<string | null> => {
      await headerButton(page).waitFor();
      return headerButton(page).getAttribute('class');
    };
    const before = await classesNow();
    await page.reload();
    expect(await classesNow()).toBe(before);
    await network.control('POST', '/build', { name: 'main' });
    await page.reload();
    expect(await classesNow()).not.toBe(before);
    await close();
  });

  it('shows the same with another structure in the build `drift`', async () => {
    const { username } = await person();
    await network.control('POST', '/build', { name: 'drift' });
    try {
      const { page, session, close } = await visit(`/${username}/`);
      const button = page.locator('header').getByRole('button', { name: 'Follow', exact: true });
      await button.waitFor();
      expect(await button.innerText()).toBe('');
      await button.click();
      await page.locator('header svg[aria-label="Following"]').waitFor();
      await page.locator(`header a[href="/${username}/followers/"]`).click();
      await page.locator('main h1', { hasText: 'Followers' }).waitFor();
      expect(await dialog(page).count()).toBe(0);
      expect(await verdicts(session)).toEqual([]);
      await close();
      const stranger = await browser.newPage();
      await stranger.goto(`${network.url}/`);
      expect(await stranger.locator('input[name=email], input[name=pass]').count()).toBe(2);
      await stranger.close();
    } finally {
      await network.control('POST', '/build', { name: 'main' });
    }
  });
});

it('leads from a post to the sample of its likes, whose people can be followed', async () => {
  const { page, session, close } = await visit('/explore/tags/doces/');
  await page.locator('a[href^="/p/"]').nth(5).waitFor();
  // One post in a hundred is gone when it is opened.
  for (let place = 0; ; place++) {
    await page.locator('a[href^="/p/"]').nth(place).click();
    await dialog(page).waitFor();
    if ((await dialog(page).locator('a[href$="/liked_by/"]').count()) > 0) break;
    await page.keyboard.press('Escape');
  }
  await dialog(page).locator('a[href$="/liked_by/"]').click();
  await page.waitForURL('**/p/*/liked_by/');
  await dialog(page).locator('h1', { hasText: 'Likes' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Follow', exact: true }).first().waitFor();
  expect((await network.ledger(`account=${session.username}&action=likers`)).length).toBe(1);
  expect(await verdicts(session)).toEqual([]);
  await page.goBack();
  await page.waitForURL(/\/p\/[\w-]+\/$/);
  await close();
});

it('shows a separate button for a person whom the visitor blocked', async () => {
  const session = await network.visitor();
  const { username } = await person();
  await network.control('POST', '/ties', { follower: session.username, followed: username, state: 'blocking' });
  const { page, close } = await visit(`/${username}/`, { session });
  await headerButton(page).waitFor();
  expect(await headerButton(page).innerText()).toBe('Unblock');
  await headerButton(page).click();
  await dialog(page).getByText(`Unblock @${username}?`).waitFor();
  await close();
});

it('omits the buttons of one profile when a test orders it', async () => {
  const { username } = await person();
  const { page, session, close } = await visit('/');
  await network.control('POST', '/objections', { username: session.username, kind: 'button_missing', call: 'page', target: username });
  await page.goto(`${network.url}/${username}/`);
  await page.locator('header').getByText('followers').waitFor();
  expect(await page.locator('header button').count()).toBe(0);
  expect(await page.locator('header').getByText('Message', { exact: true }).count()).toBe(0);
  await close();
});

it('shows the ledger on a page', async () => {
  const { username } = await person();
  const watcher = await browser.newPage({ viewport: { width: 375, height: 700 } });
  await watcher.goto(`${network.url}/_sandbox/`);
  await watcher.getByText('contas').waitFor();
  const { page, session, close } = await visit(`/${username}/`);
  await headerButton(page).click();
  await watcher.locator('li', { hasText: `seguiu ${username}` }).waitFor();
  await watcher.getByLabel('Conta').fill('outra.conta');
  await eventually(async () => expect(await watcher.locator('li', { hasText: session.username }).count()).toBe(0));
  expect(await watcher.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await watcher.close();
  await close();
});
