import { eventually } from '@decola/testing';
import type { Browser, Locator, Page } from 'playwright';
import { buildNames } from '../src/build/traits.js';
import { inBuild, personsPauseMs } from './support/builds.js';
import { launchBrowser, type TestNetwork, type TestSession } from './support/network.js';

/** In which nothing may happen. */
const quietMs = 1_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

interface StoredMessage {
  from: string;
  to: string;
  text: string;
  folder: string;
  state: string;
  thread: string;
}

const box = (page: Page): Locator => page.locator('div[contenteditable=true][role=textbox]');
const bubbles = (page: Page): Locator => page.locator('[data-pagelet=IGDMessagesList] [role=article]');
/** Texts of the bubbles without their hidden headings, newest first. */
const shownTexts = async (page: Page): Promise<string[]> => bubbles(page).locator('[dir=auto]').allInnerTexts();

const messages = async (network: TestNetwork, from: string, to: string): Promise<StoredMessage[]> =>
  (await network.control<{ messages: StoredMessage[] }>('GET', `/messages?from=${from}&to=${to}`)).messages;
const sent = async (network: TestNetwork, { username }: TestSession): Promise<string[]> =>
  (await network.ledger(`account=${username}&action=message`)).map(({ target, result }) => `${target} ${result}`);

async function type(page: Page, text: string): Promise<void> {
  await box(page).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe.each(buildNames)('direct in the build `%s`', (build) => {
  const { network, person, visit, verdicts } = inBuild(build, () => browser);
  const isWindow = build === 'relay';

  it('writes to somebody from their profile; only the page shows that it was sent', async () => {
    const session = await network().visitor();
    const { username } = await person();
    await network().control('POST', '/ties', { follower: username, followed: session.username, state: 'following' });
    await network().control('POST', '/messages', { from: session.username, to: username, text: 'Oi, tudo bem?' });
    const { page, close } = await visit(`/${username}/`, { session });
    const frames: Buffer[] = [];
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => frames.push(Buffer.from(payload))));
    await page.locator('header').getByRole('button', { name: 'Message', exact: true }).click();
    await box(page).waitFor();
    expect(new URL(page.url()).pathname).toMatch(isWindow ? new RegExp(`^/${username}/$`) : /^\/direct\/t\/\d{17}\/$/);
    expect(await page.locator('[role=main] [data-pagelet=IGDMessagesList]').count()).toBe(isWindow ? 0 : 1);
    await eventually(async () => expect(await shownTexts(page)).toEqual(['Oi, tudo bem?']));
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    await type(page, 'Oi, tudo bem?');
    await eventually(async () => expect(await shownTexts(page)).toEqual(['Oi, tudo bem?', 'Oi, tudo bem?']));
    expect(await box(page).innerText()).toBe('');
    await eventually(async () => expect(await page.getByText('Sending').count()).toBe(0));
    expect(calls).toEqual([]);
    expect(frames).toHaveLength(1);
    expect(frames[0]!.toString('latin1')).not.toContain('tudo bem');
    expect(await messages(network(), session.username, username)).toMatchObject([
      {},
      { text: 'Oi, tudo bem?', folder: 'inbox', state: 'delivered' },
    ]);
    expect((await network().ledger(`account=${session.username}&action=message`))[0]).toMatchObject({
      target: username,
      result: 'done',
      detail: { text: 'Oi, tudo bem?', folder: 'inbox' },
    });
    expect(await verdicts(session)).toEqual([]);
    await close();
  });

  it('finds the recipient by the second line of a row, and moves on to the thread', async () => {
    const session = await network().visitor();
    const { username } = await person();
    await network().account({ username: `${username}.oficial`, fullName: username });
    const { page, close } = await visit('/direct/new/', { session });
    await page.locator('input[name=queryBox]').fill(username);
    const rows = page.getByRole('dialog').locator('[role=button]:has(input)');
    await eventually(async () => expect(await rows.count()).toBe(2));
    expect((await rows.first().innerText()).split('\n').map((line) => line.trim())).toEqual([username, `${username}.oficial`]);
    await rows
      .filter({ has: page.getByText(username, { exact: true }) })
      .last()
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: build === 'drift' ? 'Chat' : 'Next', exact: true })
      .click();
    await page.waitForURL('**/direct/t/*/');
    await page.locator(`[role=main] a[href="/${username}/"]`).first().waitFor();
    await page.getByText(`${username} doesn't follow you`).waitFor();
    await type(page, 'Oi!');
    await page.getByText('You can send more messages after your invite is accepted.').waitFor();
    expect(await box(page).count()).toBe(0);
    expect(await shownTexts(page)).toEqual(['Oi!']);
    expect(await messages(network(), session.username, username)).toMatchObject([{ folder: 'requests' }]);
    await close();
  });

  it('lists threads in the inbox and requests apart, with the number of unread ones in the title', async () => {
    const session = await network().visitor();
    const [known, stranger] = [await person(), await person()];
    await network().control('POST', '/ties', { follower: session.username, followed: known.username, state: 'following' });
    await network().control('POST', '/messages', { from: known.username, to: session.username, text: 'Sou eu' });
    await network().control('POST', '/messages', { from: stranger.username, to: session.username, text: 'Compre já' });
    const { page, calls, close } = await visit('/direct/inbox/', { session });
    await page.waitForFunction(() => document.title === '(1) Instagram • Messages');
    expect(calls.some((call) => call.startsWith('PolarisDirectInboxQuery'))).toBe(true);
    expect(await page.getByText('Compre já').count()).toBe(0);
    await page.locator('[role=main] [role=button]', { hasText: 'Sou eu' }).click();
    await page.waitForURL('**/direct/t/*/');
    await eventually(async () => expect(await shownTexts(page)).toEqual(['Sou eu']));
    expect(await page.title()).toBe('Instagram • Messages');
    await page.goto(`${network().url}/direct/requests/`);
    await page.getByText('Compre já').waitFor();
    await page.goto(`${network().url}/direct/inbox/`);
    await page.locator('[role=main] [role=button]', { hasText: 'Sou eu' }).waitFor();
    expect(await page.title()).toBe('Instagram • Messages');
    await close();
  });
});

describe('direct', () => {
  const { network, person, visit, client, verdicts } = inBuild('main', () => browser);
  const follower = async (session: TestSession) => {
    const someone = await person();
    await network().control('POST', '/ties', { follower: someone.username, followed: session.username, state: 'following' });
    return someone;
  };
  /** Opens the thread with a follower, or with the given person. */
  const openThread = async (session: TestSession, username?: string) => {
    const name = username ?? (await follower(session)).username;
    const opened = await visit(`/${name}/`, { session });
    await opened.page.locator('header').getByRole('button', { name: 'Message', exact: true }).click();
    await opened.page.waitForURL('**/direct/t/*/');
    return { ...opened, username: name };
  };
  const object = (session: TestSession, kind: string, over: Record<string, unknown> = {}) =>
    network().control('POST', '/objections', { username: session.username, kind, call: 'message', ...over });

  it('has the site’s words in Portuguese and Spanish', async () => {
    for (const [language, button, label, failed, requests] of [
      ['pt', 'Enviar mensagem', 'Mensagem', 'Não foi possível enviar', 'não segue você'],
      ['es', 'Mensaje', 'Mensaje', 'No se pudo enviar', 'no te sigue'],
    ] as const) {
      const session = await network().visitor({ language });
      const { username } = await person();
      const { page, close } = await visit(`/${username}/`, { session });
      await page.locator('header').getByRole('button', { name: button, exact: true }).click();
      await page.getByText(requests).waitFor();
      expect(await box(page).getAttribute('aria-label')).toBe(label);
      await object(session, 'message_failed');
      await type(page, 'Oi');
      await page.locator(`svg[aria-label="${failed}"]`).waitFor();
      await close();
    }
  });

  it('fits 375 pixels: rows without a thread, then a thread without rows', async () => {
    const session = await network().visitor();
    const { username } = await follower(session);
    await network().control('POST', '/messages', { from: session.username, to: username, text: 'Oi' });
    const { page, close } = await visit('/direct/inbox/', { session, viewport: { width: 375, height: 720 } });
    const fits = async (): Promise<void> =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    await page.locator('[role=main] [role=button]', { hasText: 'Oi' }).waitFor();
    await fits();
    await page.locator('[role=main] [role=button]', { hasText: 'Oi' }).click();
    await box(page).waitFor();
    await fits();
    expect(await page.locator('[role=main] [role=button]', { hasText: 'Oi' }).count()).toBe(0);
    await type(page, 'Tudo bem?');
    await eventually(async () => expect(await shownTexts(page)).toEqual(['Tudo bem?', 'Oi']));
    await close();
  });

  it('shows a slow message with a clock until it has arrived', async () => {
    const session = await network().visitor();
    const { page, username, close } = await openThread(session);
    await object(session, 'latency', { delayMs: 8_000 });
    await type(page, 'Devagar');
    await page.locator('svg[aria-label=Sending]').waitFor();
    expect(await shownTexts(page)).toEqual(['Devagar']);
    expect(await messages(network(), session.username, username)).toMatchObject([{ state: 'sending' }]);
    await eventually(async () => expect(await page.locator('svg[aria-label=Sending]').count()).toBe(0));
    expect(await messages(network(), session.username, username)).toMatchObject([{ state: 'delivered' }]);
    await close();
  });

  it('keeps the clock for ever when the network never answers', async () => {
    const session = await network().visitor();
    const { page, username, close } = await openThread(session);
    await object(session, 'spinner_for_ever');
    await type(page, 'Nunca');
    await page.locator('svg[aria-label=Sending]').waitFor();
    await page.waitForTimeout(quietMs);
    expect(await page.locator('svg[aria-label=Sending]').count()).toBe(1);
    expect(await messages(network(), session.username, username)).toEqual([]);
    await close();
  });

  it('loses messages: the box is empty and no bubble appears, or it says that it was not sent', async () => {
    const session = await network().visitor();
    const { page, username, close } = await openThread(session);
    await object(session, 'message_lost');
    await type(page, 'Perdida');
    await eventually(async () => expect(await sent(network(), session)).toEqual([`${username} undone`]));
    await page.waitForTimeout(quietMs);
    expect(await box(page).innerText()).toBe('');
    expect(await bubbles(page).count()).toBe(0);
    await object(session, 'message_failed');
    await type(page, 'Falhou');
    await page.locator(`svg[aria-label="Couldn't send"]`).waitFor();
    expect(await shownTexts(page)).toEqual(['Falhou']);
    await page.waitForTimeout(personsPauseMs);
    await object(session, 'undone_after_reload');
    await type(page, 'Sumiu');
    await eventually(async () => expect(await shownTexts(page)).toEqual(['Sumiu', 'Falhou']));
    await page.reload();
    await box(page).waitFor();
    expect(await bubbles(page).count()).toBe(0);
    expect(await messages(network(), session.username, username)).toEqual([]);
    await close();
  });

  it('loses the connection: the box is empty and no bubble appears, and the next message is sent over a new one', async () => {
    const session = await network().visitor();
    const { page, username, close } = await openThread(session);
    await object(session, 'connection_lost');
    await type(page, 'Sem rede');
    await eventually(async () => expect(await sent(network(), session)).toEqual([`${username} objected`]));
    await page.waitForTimeout(personsPauseMs);
    expect(await bubbles(page).count()).toBe(0);
    await type(page, 'Com rede');
    await eventually(async () => expect(await shownTexts(page)).toEqual(['Com rede']));
    await close();
  });

  it('refuses by script: with a dialog, a challenge or the end of the session', async () => {
    for (const [kind, wanted] of [
      ['feedback_required', 'dialog'],
      ['checkpoint_redirect', '**/checkpoint/**'],
      ['login_required', '**/accounts/login/'],
    ] as const) {
      const session = await network().visitor();
      const { page, username, close } = await openThread(session);
      await object(session, kind);
      await type(page, 'Oi');
      if (wanted === 'dialog') await page.getByRole('dialog').getByText('Try Again Later').waitFor();
      else await page.waitForURL(wanted);
      expect(await messages(network(), session.username, username)).toEqual([]);
      expect(await sent(network(), session)).toEqual([`${username} objected`]);
      await close();
    }
  });

  it('says where somebody takes no messages from strangers: at once, or after the first message', async () => {
    const session = await network().visitor();
    const closed = await person();
    await network().control('PUT', `/accounts/${closed.username}/direct`, { newRequests: 'not_allowed' });
    const first = await openThread(session, closed.username);
    await first.page.getByText("doesn't allow new message requests").waitFor();
    expect(await box(first.page).count()).toBe(0);
    await first.close();
    const later = await person();
    await network().control('PUT', `/accounts/${later.username}/direct`, { newRequests: 'not_allowed_after_sending' });
    const second = await openThread(session, later.username);
    await type(second.page, 'Oi');
    await second.page.getByText("doesn't allow new message requests").waitFor();
    await second.page.locator(`svg[aria-label="Couldn't send"]`).waitFor();
    expect(await sent(network(), session)).toEqual([`${later.username} refused`]);
    await second.close();
  });

  it('opens the box again when the person has answered, and shows their message', async () => {
    const session = await network().visitor();
    const { username } = await person();
    const { page, close } = await openThread(session, username);
    await type(page, 'Oi!');
    await page.getByText('You can send more messages').waitFor();
    await network().control('POST', '/messages', { from: username, to: session.username, text: 'Olá' });
    await box(page).waitFor();
    expect(await shownTexts(page)).toEqual(['Olá', 'Oi!']);
    const rights = await bubbles(page).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
    expect(rights[1]).toBeGreaterThan(rights[0]!);
    await close();
  });

  it('loads older messages by twenty when it is scrolled up', async () => {
    const session = await network().visitor();
    const { username } = await follower(session);
    for (let number = 1; number <= 45; number++)
      await network().control('POST', '/messages', { from: username, to: session.username, text: `Nota ${number}` });
    const { page, calls, close } = await openThread(session, username);
    await eventually(async () => expect(await bubbles(page).count()).toBe(20));
    expect((await shownTexts(page))[0]).toBe('Nota 45');
    await bubbles(page).first().hover();
    await eventually(async () => {
      await page.mouse.wheel(0, -2_000);
      expect(await bubbles(page).count()).toBe(45);
    });
    expect(calls.filter((call) => call.startsWith('IGDMessageListOffMsysQuery'))).toHaveLength(2);
    await close();
  });

  it('is interrupted by a PIN and a notification dialog over its first screen', async () => {
    const session = await network().visitor();
    const { username } = await follower(session);
    await network().control('PUT', `/accounts/${session.username}/interruptions`, { kinds: ['direct_pin', 'direct_notifications'] });
    const { page, close } = await visit(`/${username}/`, { session });
    await page.locator('header').getByRole('button', { name: 'Message', exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.locator('header').getByRole('button', { name: 'Message', exact: true }).click();
    await page.getByRole('dialog').getByText('Create a PIN').first().waitFor();
    for (const title of ['Turn on Notifications', 'Create a PIN'])
      await page.getByRole('dialog', { name: title }).getByRole('button', { name: 'Not now' }).click();
    await box(page).waitFor();
    await close();
  });

  it('gets verdicts for a second message to a person, after an objection, at the same moment and above the ceiling', async () => {
    const session = await network().visitor();
    const { page, close, username } = await openThread(session);
    await type(page, 'Um');
    await eventually(async () => expect(await shownTexts(page)).toEqual(['Um']));
    await page.waitForTimeout(personsPauseMs);
    await type(page, 'Dois');
    await eventually(async () => expect(await shownTexts(page)).toEqual(['Dois', 'Um']));
    const verdictsOf = async () => (await network().ledger(`account=${session.username}&action=message`)).map(({ verdicts: all }) => all);
    expect(await verdictsOf()).toEqual([[], ['double_action']]);
    await network().control('PUT', '/ceilings', { perDay: { message: 2 } });
    await object(session, 'feedback_required');
    await page.waitForTimeout(personsPauseMs);
    await type(page, 'Três');
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await page.waitForTimeout(personsPauseMs);
    await type(page, 'Quatro');
    await eventually(async () => expect(await verdictsOf()).toHaveLength(4));
    expect((await verdictsOf()).slice(2)).toEqual([
      ['double_action', 'ceiling_exceeded'],
      ['double_action', 'after_objection', 'ceiling_exceeded'],
    ]);
    await network().control('PUT', '/ceilings', { perDay: {} });
    expect(await messages(network(), session.username, username)).toHaveLength(3);
    const other = await network().visitor();
    const fast = await openThread(other);
    const api = await client(other);
    const { pk } = await person();
    await fast.page.locator('div[contenteditable=true]').click();
    await fast.page.keyboard.type('Rápido');
    await network().control('PUT', '/ceilings', { sameMomentMs: 600_000 });
    await api.follow(pk);
    await fast.page.keyboard.press('Enter');
    await eventually(async () =>
      expect((await network().ledger(`account=${other.username}&action=message`))[0]?.verdicts).toEqual(['same_moment']),
    );
    await network().control('PUT', '/ceilings', { sameMomentMs: 250 });
    await fast.close();
    await close();
  });

  it('takes no frame that its own page has not made', async () => {
    const session = await network().visitor();
    const { page, close } = await openThread(session);
    const closed = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const socket = new WebSocket(`ws://${location.host}/ws/realtime`);
          socket.onopen = () => socket.send(new TextEncoder().encode('{"type":"send","text":"Oi"}'));
          socket.onclose = () => resolve('closed');
        }),
    );
    expect(closed).toBe('closed');
    expect(await sent(network(), session)).toEqual([]);
    expect((await verdicts(session)).map(({ detail }) => detail['faults'])).toEqual([['frame']]);
    await close();
  });

  it('notices a copied frame, which sends nothing', async () => {
    const session = await network().visitor();
    const { page, username, close } = await openThread(session);
    const frames: number[][] = [];
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => frames.push([...Buffer.from(payload)])));
    await page.reload();
    await type(page, 'Oi');
    await eventually(async () => expect(await messages(network(), session.username, username)).toHaveLength(1));
    await page.evaluate((bytes) => {
      const socket = new WebSocket(`ws://${location.host}/ws/realtime`);
      socket.onopen = () => socket.send(Uint8Array.from(bytes));
    }, frames[0]!);
    await eventually(async () => expect((await verdicts(session)).map(({ detail }) => detail['faults'])).toEqual([['replayed']]));
    expect(await messages(network(), session.username, username)).toHaveLength(1);
    await close();
  });

  it('answers nothing about a thread to somebody who is not in it', async () => {
    const session = await network().visitor();
    const { username } = await follower(session);
    await network().control('POST', '/messages', { from: username, to: session.username, text: 'Segredo' });
    const [{ thread }] = (await messages(network(), username, session.username)) as [StoredMessage];
    const stranger = await client();
    const { body, text } = await stranger.graphql('IGDThreadDetailQuery', { thread_fbid: thread });
    expect(body.data).toBeNull();
    expect(text).not.toContain('Segredo');
  });
});
