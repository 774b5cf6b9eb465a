import { eventually } from '@decola/testing';
import type { Browser, Page } from 'playwright';
import { buildNames } from '../src/build/traits.js';
import { inBuild, personsPauseMs } from './support/builds.js';
import { launchBrowser, type TestNetwork, type TestSession } from './support/network.js';

/** In which nothing may be counted or shown. */
const quietMs = 2_500;
/** A picture moves on to the next story after less than that. */
const longerThanAStoryMs = 6_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

interface PublishedItem {
  pk: string;
  takenAt: string;
}
const day = 86_400_000;

/** Publishes stories of an account. */
const publish = async (network: TestNetwork, username: string, ...items: Record<string, unknown>[]): Promise<PublishedItem[]> =>
  (await network.control<{ items: PublishedItem[] }>('PUT', `/accounts/${username}/stories`, { items })).items;

const views = async (network: TestNetwork, { username }: TestSession): Promise<string[]> =>
  (await network.ledger(`account=${username}&action=view_story`)).map(({ targetId, result }) => `${targetId} ${result}`);

const story = (page: Page, name: string) => page.getByRole('button', { name: `Story by ${name}` });
/** How long an item is shown before it counts as seen. */
const seenAfterMs = 1_300;

/** Stops the time of a page, so that its stories neither count nor go on by themselves before the test says so with `page.clock`. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

const button = (page: Page, name: string) => page.locator('section').getByRole('button', { name, exact: true });

describe.each(buildNames)('stories in the build `%s`', (build) => {
  const { network, person, visit, verdicts } = inBuild(build, () => browser);

  const followed = async (session: TestSession, over: Record<string, unknown> = {}) => {
    const someone = await person(over);
    await network().control('POST', '/ties', { follower: session.username, followed: someone.username, state: 'following' });
    return someone;
  };
  const emptyVisitor = async (language?: string): Promise<TestSession> => {
    const { username } = await person({ followers: 5, following: 0 });
    return network().control<TestSession>('POST', '/sessions', { username, language });
  };

  it('are in the tray, one’s own first, and the viewer goes from one person to the next and back to the home page', async () => {
    const session = await emptyVisitor();
    const [one, other] = [await followed(session), await followed(session)];
    const items = {
      [one.username]: await publish(network(), one.username, { ageMs: 2 * 3_600_000 }, { ageMs: 3_600_000 }),
      [other.username]: await publish(network(), other.username, { type: 'video' }),
    };
    await publish(network(), session.username, {});
    const { page, calls, close } = await visit('/', { session });
    await story(page, one.username).waitFor();
    const names = await page
      .getByRole('button', { name: /^Story by/ })
      .evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('aria-label')));
    expect(names[0]).toBe(`Story by ${session.username}, not seen`);
    const order = names.slice(1).map((name) => /by (.*), not seen/.exec(name ?? '')?.[1] ?? '');
    expect(new Set(order)).toEqual(new Set([one.username, other.username]));
    await story(page, order[0]!).click();
    await eventually(async () => expect(await views(network(), session)).toHaveLength(3), { timeoutMs: 120_000 });
    await page.waitForURL(`${network().url}/`);
    await page.locator('a[href="/direct/inbox/"]').waitFor();
    expect(await views(network(), session)).toEqual(order.flatMap((name) => items[name]!.map(({ pk }) => `${pk} done`)));
    await page.getByRole('button', { name: `Story by ${one.username}, seen` }).waitFor();
    const path = build === 'drift' || build === 'relay' ? '/graphql/query' : '/api/graphql';
    expect(calls).toContain(`PolarisStoriesV3ReelPageGalleryQuery ${path}`);
    expect(calls.includes(`PolarisStoriesV3SeenMutation ${path}`)).toBe(build !== 'drift');
    expect(await verdicts(session)).toEqual([]);
    await close();
  });

  it('begin with a question when their address is opened, move on by arrow and button, and end on Escape', async () => {
    const session = await emptyVisitor();
    const { username } = await person();
    const items = await publish(network(), username, { ageMs: 3_000_000 }, { ageMs: 2_000_000 }, { ageMs: 1_000_000 });
    const { page, calls, close } = await visit(`/stories/${username}/`, { session });
    await page.getByText(`View as ${session.username}?`).waitFor();
    expect(calls.includes(`PolarisStoriesV3ReelPageStandaloneQuery ${build === 'main' ? '/api/graphql' : '/graphql/query'}`)).toBe(
      build !== 'preloading',
    );
    await page.waitForTimeout(quietMs);
    expect(await views(network(), session)).toEqual([]);
    expect(await page.locator('a[href="/direct/inbox/"]').count()).toBe(0);
    await stopTime(page);
    await button(page, 'View story').click();
    await page.waitForURL(`**/stories/${username}/${items[0]!.pk}/`);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/stories/${username}/${items[1]!.pk}/`);
    await page.clock.runFor(seenAfterMs);
    await eventually(async () => expect(await views(network(), session)).toEqual([`${items[1]!.pk} done`]));
    await page.waitForTimeout(personsPauseMs);
    await button(page, 'Next').click();
    await page.waitForURL(`**/stories/${username}/${items[2]!.pk}/`);
    await page.clock.runFor(seenAfterMs);
    await eventually(async () => expect(await views(network(), session)).toHaveLength(2));
    await page.keyboard.press('Escape');
    await page.waitForURL(`${network().url}/`);
    expect(await verdicts(session)).toEqual([]);
    await close();
  });

  it('lead to the profile where there are none, also a day after they were published', async () => {
    const session = await emptyVisitor();
    const { username } = await person();
    await publish(network(), username, {});
    const { page, close } = await visit(`/stories/${username}/`, { session });
    await button(page, 'View story').waitFor();
    await network().control('POST', '/clock', { advanceMs: day });
    await page.goto(`${network().url}/stories/${username}/`);
    await page.waitForURL(`${network().url}/${username}/`);
    await page.locator('header').getByRole('button', { name: 'Follow', exact: true }).waitFor();
    await network().control('POST', '/clock', { advanceMs: -day });
    await close();
  });

  it('open from the ring of a profile picture, or not', async () => {
    const session = await emptyVisitor();
    const { username } = await person();
    await publish(network(), username, {});
    const { page, close } = await visit(`/${username}/`, { session });
    await stopTime(page);
    await page.locator('header [role=button]:has(canvas)').click();
    if (build === 'relay') {
      await page.getByRole('dialog').locator('img').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/${username}/`);
    } else {
      await button(page, 'Close').waitFor();
      await page.clock.runFor(seenAfterMs);
      await eventually(async () => expect(await views(network(), session)).toHaveLength(1));
      await button(page, 'Close').click();
      await page.waitForURL(`${network().url}/${username}/`);
    }
    await close();
  });
});

describe('stories', () => {
  const { network, person, visit, client, verdicts } = inBuild('main', () => browser);
  const visitor = () => network().visitor();
  const see = (owner: { pk: string }, item: PublishedItem) => ({
    reelId: owner.pk,
    reelMediaId: item.pk,
    reelMediaOwnerId: owner.pk,
    reelMediaTakenAt: Date.parse(item.takenAt) / 1_000,
    viewSeenAt: Math.floor(Date.now() / 1_000),
  });

  it('have the site’s words in Portuguese and Spanish', async () => {
    const { username } = await person();
    await publish(network(), username, {});
    for (const [language, question, gate, next, tile] of [
      ['pt', 'Ver como', 'Ver story', 'Avançar', `Story de ${username}, não visto`],
      ['es', '¿Ver como', 'Ver historia', 'Siguiente', `Historia de ${username}, sin ver`],
    ] as const) {
      const session = await network().visitor({ language });
      await network().control('POST', '/ties', { follower: session.username, followed: username, state: 'following' });
      const { page, close } = await visit(`/stories/${username}/`, { session });
      await page.getByText(question).waitFor();
      await stopTime(page);
      await button(page, gate).click();
      await button(page, next).waitFor();
      await page.goto(`${network().url}/`);
      await page.getByRole('button', { name: tile }).waitFor();
      await close();
    }
  });

  it('fit 375 pixels, without the bar', async () => {
    const session = await visitor();
    const { username } = await person();
    await network().control('POST', '/ties', { follower: session.username, followed: username, state: 'following' });
    await publish(network(), username, {});
    const { page, close } = await visit('/', { session, viewport: { width: 375, height: 720 } });
    const fits = async (): Promise<void> =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    await story(page, username).waitFor();
    await fits();
    await stopTime(page);
    await story(page, username).click();
    await button(page, 'Next').waitFor();
    await fits();
    await page.clock.runFor(seenAfterMs);
    await eventually(async () => expect(await views(network(), session)).toHaveLength(1));
    await button(page, 'Close').click();
    await page.waitForURL(`${network().url}/`);
    await close();
  });

  it('that do not play are never counted, and the arrow leads past them', async () => {
    const { username } = await person();
    const session = await visitor();
    const items = await publish(network(), username, { type: 'video', plays: false, ageMs: 60_000 }, { ageMs: 30_000 });
    const { page, close } = await visit(`/stories/${username}/`, { session });
    await button(page, 'View story').click();
    await page.getByText('having trouble playing this video').waitFor();
    await page.waitForTimeout(quietMs);
    expect(await views(network(), session)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await eventually(async () => expect(await views(network(), session)).toEqual([`${items[1]!.pk} done`]));
    await close();
  });

  it('count an item once per opening, and a second time as a repeated action', async () => {
    const { username } = await person();
    const session = await visitor();
    const [item] = await publish(network(), username, {});
    for (const expected of [[], [['double_action']]]) {
      const { page, close } = await visit(`/stories/${username}/`, { session });
      const before = (await views(network(), session)).length;
      await button(page, 'View story').click();
      await eventually(async () => expect(await views(network(), session)).toHaveLength(before + 1));
      expect((await verdicts(session)).map(({ verdicts: all }) => all)).toEqual(expected);
      await close();
    }
    expect(await views(network(), session)).toEqual([`${item!.pk} done`, `${item!.pk} done`]);
  });

  it('of oneself, of close friends and live are viewed by no careful client', async () => {
    const session = await visitor();
    const friend = await person();
    await network().control('POST', '/ties', { follower: session.username, followed: friend.username, state: 'following' });
    const own = await publish(network(), session.username, {});
    const hidden = await publish(network(), friend.username, { ageMs: 60_000 }, { closeFriends: true });
    await network().control('PUT', `/accounts/${friend.username}/stories`, { live: true });
    const page = await client(session);
    const { body } = await page.graphql('PolarisStoriesV3TrayContainerQuery', {});
    const { tray, broadcasts } = body.data.xdt_api__v1__feed__reels_tray;
    expect(tray[0].user.username).toBe(session.username);
    expect(tray.find(({ id }: { id: string }) => id === friend.pk)).toMatchObject({ has_besties_media: true, muted: false, seen: 0 });
    expect(broadcasts.map((each: { broadcast_owner: { username: string } }) => each.broadcast_owner.username)).toContain(friend.username);
    const reels = await page.graphql('PolarisStoriesV3ReelPageStandaloneQuery', { reel_ids: [friend.pk] });
    expect(
      reels.body.data.xdt_api__v1__feed__reels_media.reels_media[0].items.map((each: { audience: string | null }) => each.audience),
    ).toEqual([null, 'besties']);
    await page.graphql('PolarisStoriesV3SeenMutation', see({ pk: session.accountId }, own[0]!));
    await new Promise((resolve) => setTimeout(resolve, personsPauseMs));
    await page.graphql('PolarisStoriesV3SeenMutation', see(friend, hidden[1]!));
    const window = await visit('/', { session });
    await window.page.getByRole('button', { name: `Live video by ${friend.username}` }).click();
    await window.page.getByText('LIVE').waitFor();
    await window.close();
    expect((await verdicts(session)).map(({ action, verdicts: all, detail }) => [action, all, detail['why']])).toEqual([
      ['view_story', ['story_not_to_view'], 'own'],
      ['view_story', ['story_not_to_view'], 'close_friends'],
      ['view_live', ['story_not_to_view'], 'live'],
    ]);
  });

  it('for close friends are hidden from others, and those of a private person from everybody who does not follow', async () => {
    const page = await client();
    const open = await person();
    await publish(network(), open.username, { closeFriends: true });
    const hidden = await person({ isPrivate: true });
    await publish(network(), hidden.username, {});
    for (const { pk, username } of [open, hidden]) {
      const { body } = await page.graphql('PolarisStoriesV3ReelPageStandaloneQuery', { reel_ids: [pk] });
      expect(body.data.xdt_api__v1__feed__reels_media).toMatchObject({
        reels_media: [],
        unviewable_authors_infos: [{ user: { username } }],
      });
    }
  });

  it('that are liked or answered in the viewer get a verdict', async () => {
    const { username } = await person();
    const session = await visitor();
    await publish(network(), username, { type: 'video', plays: false });
    const { page, close } = await visit(`/stories/${username}/`, { session });
    await button(page, 'View story').click();
    await button(page, 'Like').click();
    await button(page, 'Unlike').waitFor();
    await page.waitForTimeout(personsPauseMs);
    await page.getByPlaceholder(`Reply to ${username}...`).fill('que lindo');
    await page.keyboard.press('Enter');
    await eventually(async () =>
      expect((await verdicts(session)).map(({ action, verdicts: all, detail }) => [action, all, detail['text']])).toEqual([
        ['story_like', ['story_touched'], undefined],
        ['story_reply', ['story_touched'], 'que lindo'],
      ]),
    );
    await close();
  });

  it('of muted people come last in the tray, and the computed ones are shown a day long', async () => {
    const session = await visitor();
    const muted = await person();
    await network().control('POST', '/ties', { follower: session.username, followed: muted.username, state: 'following' });
    await publish(network(), muted.username, {});
    await network().control('PUT', `/accounts/${session.username}/muted-stories`, { usernames: [muted.username] });
    const page = await client(session);
    const { accounts } = await network().control<{
      accounts: { username: string; hasStory: boolean; isPrivate: boolean; presence: string }[];
    }>('GET', '/accounts?limit=1000');
    for (const { username } of accounts.filter((each) => each.hasStory && !each.isPrivate && each.presence === 'present').slice(0, 12))
      await network().control('POST', '/ties', { follower: session.username, followed: username, state: 'following' });
    for (const advanceMs of [0, day / 2, day]) {
      await network().control('POST', '/clock', { advanceMs });
      // The page's tokens are valid for a day.
      await page.load('/');
      const now = Date.parse((await network().control<{ now: string }>('GET', '/clock')).now) / 1_000;
      await publish(network(), muted.username, {});
      const { body } = await page.graphql('PolarisStoriesV3TrayContainerQuery', {});
      const { tray } = body.data.xdt_api__v1__feed__reels_tray;
      expect(tray.length).toBeGreaterThan(8);
      expect(tray.at(-1)).toMatchObject({ muted: true, user: { username: muted.username } });
      for (const { latest_reel_media: latest, expiring_at: ends, seen } of tray) {
        expect(ends).toBe(latest + 86_400);
        expect(ends).toBeGreaterThan(now);
        expect(latest).toBeLessThanOrEqual(now + 1);
        expect(seen).toBe(0);
      }
    }
    await network().control('POST', '/clock', { advanceMs: -1.5 * day });
  });

  it('are refused, undone or never answered by script', async () => {
    const owner = await person();
    const [item] = await publish(network(), owner.username, {});
    const session = await visitor();
    const { username } = session;
    const page = await client(session);
    const object = (kind: string, call: string) => network().control('POST', '/objections', { username, kind, call });
    await object('null_root_with_errors', 'stories');
    expect((await page.graphql('PolarisStoriesV3TrayContainerQuery', {})).body.data).toEqual({ xdt_api__v1__feed__reels_tray: null });
    await object('unchanged', 'view_story');
    const answer = await page.graphql('PolarisStoriesV3SeenMutation', see(owner, item!));
    expect(answer.body.data.xdt_mark_story_reel_seen).toMatchObject({ status: 'ok' });
    const reels = await page.graphql('PolarisStoriesV3ReelPageStandaloneQuery', { reel_ids: [owner.pk] });
    expect(reels.body.data.xdt_api__v1__feed__reels_media.reels_media[0].seen).toBe(0);
    expect(await views(network(), session)).toEqual([`${item!.pk} undone`]);

    const other = await person();
    await publish(network(), other.username, {}, {});
    const window = await visit(`/stories/${other.username}/`, { session: await visitor() });
    await network().control('POST', '/objections', { username: window.session.username, kind: 'feedback_required', call: 'view_story' });
    await button(window.page, 'View story').click();
    await window.page.getByRole('dialog').getByText('Try Again Later').waitFor();
    const path = new URL(window.page.url()).pathname;
    await window.page.waitForTimeout(longerThanAStoryMs);
    expect(new URL(window.page.url()).pathname).toBe(path);
    await network().control('POST', '/objections', { username: window.session.username, kind: 'spinner_for_ever', call: 'stories' });
    await window.page.goto(`${network().url}/stories/${other.username}/`);
    await window.page.getByRole('progressbar').waitFor();
    await window.page.waitForTimeout(quietMs);
    expect(await button(window.page, 'View story').count()).toBe(0);
    await window.close();
  });

  it('get verdicts after an objection, at the same moment and above the ceiling', async () => {
    const owner = await person();
    const items = await publish(network(), owner.username, { ageMs: 4_000 }, { ageMs: 3_000 }, { ageMs: 2_000 }, { ageMs: 1_000 });
    const session = await visitor();
    const page = await client(session);
    const view = (place: number) => page.graphql('PolarisStoriesV3SeenMutation', see(owner, items[place]!));
    await network().control('PUT', '/ceilings', { sameMomentMs: 600_000 });
    await view(0);
    await view(1);
    await network().control('PUT', '/ceilings', { perHour: { view_story: 2 }, sameMomentMs: 0 });
    await view(2);
    await network().control('POST', '/objections', { username: session.username, kind: 'feedback_required', call: 'view_story' });
    await view(3);
    await view(3);
    await network().control('PUT', '/ceilings', { perHour: {}, sameMomentMs: 250 });
    expect((await network().ledger(`account=${session.username}&action=view_story`)).map(({ verdicts: all }) => all)).toEqual([
      [],
      ['same_moment'],
      ['ceiling_exceeded'],
      ['ceiling_exceeded'],
      ['after_objection', 'ceiling_exceeded'],
    ]);
  });

  it('are refused when the call names another person or time', async () => {
    const [owner, other] = [await person(), await person()];
    const [item] = await publish(network(), owner.username, {});
    const page = await client();
    for (const wrong of [{ reelId: other.pk }, { reelMediaTakenAt: 1 }, { reelMediaId: '12' }]) {
      const { body } = await page.graphql('PolarisStoriesV3SeenMutation', { ...see(owner, item!), ...wrong });
      expect(body.data).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, personsPauseMs));
    }
    expect((await views(network(), page.session)).map((each) => each.split(' ')[1])).toEqual(['refused', 'refused', 'refused']);
  });
});
