import { eventually } from '@decola/testing';
import type { Browser, Locator, Page } from 'playwright';
import { buildNames } from '../src/build/traits.js';
import { inBuild, personsPauseMs } from './support/builds.js';
import { launchBrowser, type TestSession } from './support/network.js';
import type { PageClient } from './support/page-client.js';

const betweenLooksMs = 200;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const slots = [
  'media',
  'ad',
  'explore_story',
  'stories_netego',
  'suggested_users',
  'bloks_netego',
  'end_of_feed_demarcator',
  'ad4ad_in_webfeed',
];
const root = 'xdt_api__v1__feed__timeline__connection';

interface Media {
  pk: string;
  code: string;
  taken_at: number;
  has_liked: boolean;
  user: { pk: string; username: string; friendship_status: { following: boolean } };
}
interface Node {
  media: Media | null;
  ad: { items: Media[] } | null;
  explore_story: { media: Media } | null;
}
interface TrueItem {
  kind: string;
  code?: string;
  username?: string;
  isFollowed?: boolean;
  likesHidden?: boolean;
}

async function readFeed(page: PageClient, variant: 'home' | 'following'): Promise<{ nodes: Node[]; pages: number }> {
  const nodes: Node[] = [];
  let after: string | null = null;
  let pages = 0;
  do {
    const { body } = await page.graphql(
      after === null ? 'PolarisFeedTimelineRootV2Query' : 'PolarisFeedRootPaginationCachedQuery_subscribe',
      { data: { device_id: 'x' }, first: 12, variant, after },
    );
    expect(body.status).toBe('ok');
    nodes.push(...body.data[root].edges.map(({ node }: { node: Node }) => node));
    expect(body.data[root].page_info.has_next_page).toBe(body.data[root].page_info.end_cursor !== null);
    after = body.data[root].page_info.end_cursor;
    pages++;
  } while (after !== null);
  return { nodes, pages };
}

/** The article of a post. Only a post whose likes are shown has the link by which it is found. */
const articleOf = (page: Page, code: string): Locator => page.locator('article', { has: page.locator(`a[href="/p/${code}/liked_by/"]`) });
const heart = (article: Locator, word: string): Locator => article.locator(`section svg[aria-label="${word}"]`);

/** Waits until the page neither scrolls nor grows: a press on what moves under the mouse is no click. */
async function atRest(page: Page): Promise<void> {
  const place = () => page.evaluate(() => [window.scrollY, document.documentElement.scrollHeight]);
  await eventually(async () => {
    const before = await place();
    await page.waitForTimeout(betweenLooksMs);
    expect(await place()).toEqual(before);
  });
}

/** Numbers the followers: what a feed contains depends on the name of its reader. */
let followers = 0;

describe.each(buildNames)('the home feed in the build `%s`', (build) => {
  const { network, person, post, visit, client, actions, verdicts, lines } = inBuild(build, () => browser);

  /** A visitor who follows this many new people with some posts each, and has a post of their own. */
  async function follower(people: number): Promise<TestSession> {
    const username = `leitora.${++followers}`;
    await network().account({ username, followers: 5, following: 0, posts: 1 });
    for (let count = 0; count < people; count++) {
      const followed = await person({ posts: 3 });
      await network().control('POST', '/ties', { follower: username, followed: followed.username, state: 'following' });
    }
    return network().control<TestSession>('POST', '/sessions', { username, language: 'en' });
  }

  it('mixes posts of followed accounts with own posts, suggestions and ads, in pages', async () => {
    const session = await follower(12);
    const mine = await client(session);
    const { nodes, pages } = await readFeed(mine, 'home');
    expect(pages).toBeGreaterThan(3);
    for (const node of nodes) {
      const filled = slots.filter((slot) => node[slot as keyof Node] !== null);
      expect(filled).toHaveLength(1);
      expect(Object.keys(node)).toEqual(expect.arrayContaining(slots));
    }
    const posts = nodes.flatMap(({ media }) => media ?? []);
    const followed = posts.filter(({ user }) => user.friendship_status.following);
    expect(followed).toHaveLength(36);
    expect(posts.filter(({ user }) => user.pk === session.accountId)).toHaveLength(1);
    expect(posts.filter(({ user }) => !user.friendship_status.following && user.pk !== session.accountId).length).toBeGreaterThan(3);
    for (const slot of ['ad', 'explore_story', 'suggested_users', 'end_of_feed_demarcator'])
      expect(nodes.some((node) => node[slot as keyof Node] !== null)).toBe(true);
    const truth = await lines<TrueItem>(`/accounts/${session.username}/feed`);
    expect(truth.map(({ code }) => code)).toEqual(
      nodes.map(({ media, ad, explore_story: story }) => (media ?? ad?.items[0] ?? story?.media)?.code),
    );
    expect(await verdicts(session)).toEqual([]);
    expect((await network().ledger(`account=${session.username}&action=feed`))[0]).toMatchObject({ target: 'home' });
  });

  it('has followed accounts alone, by time, in its other variant', async () => {
    const session = await follower(8);
    const { nodes } = await readFeed(await client(session), 'following');
    const posts = nodes.flatMap(({ media }) => media ?? []);
    expect(posts).toHaveLength(24);
    expect(nodes).toHaveLength(25);
    expect(posts.every(({ user }) => user.friendship_status.following)).toBe(true);
    const times = posts.map(({ taken_at: at }) => at);
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  it('is liked in the page, further down too, and says which posts are', async () => {
    const session = await follower(6);
    const feed = await lines<TrueItem>(`/accounts/${session.username}/feed`);
    const followed = feed.filter(({ kind, isFollowed, likesHidden }) => kind === 'media' && isFollowed && !likesHidden);
    const [near, far] = [followed[0]!.code!, followed.at(-1)!.code!];
    const { page, calls, close } = await visit('/', { session });
    await heart(articleOf(page, near), 'Like').click();
    await heart(articleOf(page, near), 'Unlike').waitFor();
    await eventually(async () => {
      await page.mouse.wheel(0, 3_000);
      expect(await articleOf(page, far).count()).toBe(1);
    });
    await page.waitForTimeout(personsPauseMs);
    await atRest(page);
    await heart(articleOf(page, far), 'Like').click();
    await eventually(async () => expect(await actions(session)).toEqual([`like ${near} done`, `like ${far} done`]));
    const asked = calls.filter((call) => call.startsWith('PolarisFeed'));
    expect(asked[0]).toBe(
      build === 'preloading'
        ? 'PolarisFeedRootPaginationCachedQuery_subscribe /graphql/query'
        : 'PolarisFeedTimelineRootV2Query /graphql/query',
    );
    expect(asked.filter((call) => call.startsWith('PolarisFeedRootPagination')).length).toBeGreaterThan(0);
    await page.reload();
    await heart(articleOf(page, near), 'Unlike').waitFor();
    const { nodes } = await readFeed(await client(session), 'home');
    expect(nodes.flatMap(({ media }) => (media?.has_liked ? [media.code] : [])).sort()).toEqual([near, far].sort());
    await close();
    expect(await verdicts(session)).toEqual([]);
  });

  it('names ads and suggestions in its articles, and a like of an ad or of one’s own post is a verdict', async () => {
    const session = await network().control<TestSession>('POST', '/sessions', { username: (await follower(6)).username, language: 'pt' });
    const spanish = await visit('/', { session: await network().visitor({ language: 'es' }) });
    await spanish.page.locator('article span', { hasText: 'Publicidad' }).first().waitFor();
    await spanish.page.locator('article section svg[aria-label="Me gusta"]').first().waitFor();
    await spanish.close();
    const feed = await lines<TrueItem>(`/accounts/${session.username}/feed`);
    const codeOf = (wanted: (item: TrueItem) => boolean): string =>
      feed.find((item) => item.code !== undefined && !item.likesHidden && wanted(item))!.code!;
    const ad = codeOf(({ kind }) => kind === 'ad');
    const own = feed.find(({ username }) => username === session.username)!.code!;
    const stranger = codeOf(({ kind, isFollowed, username }) => kind === 'media' && !isFollowed && username !== session.username);
    const { page, close } = await visit('/', { session });
    for (const [code, words] of [
      [ad, 'Patrocinado'],
      [stranger, 'Sugestões para você'],
    ] as const)
      await eventually(async () => {
        await page.mouse.wheel(0, 2_000);
        expect(await articleOf(page, code).locator('span', { hasText: words }).count()).toBe(1);
      });
    expect(await articleOf(page, own).getByText('Sugestões para você').count()).toBe(0);
    await atRest(page);
    await heart(articleOf(page, ad), 'Curtir').click();
    await heart(articleOf(page, ad), 'Descurtir').waitFor();
    await page.waitForTimeout(personsPauseMs);
    await heart(articleOf(page, own), 'Curtir').click();
    await eventually(async () =>
      expect((await network().ledger(`account=${session.username}&action=like`)).map((entry) => [entry.target, entry.verdicts])).toEqual([
        [ad, ['own_post_or_ad']],
        [own, ['own_post_or_ad']],
      ]),
    );
    await close();
  });

  it('opens the post for a comment, and contains posts that tests publish', async () => {
    const session = await follower(2);
    const [followed] = await network().people(session.username, 'following');
    const { code } = await post({ username: followed!.username, caption: 'Acabou de sair', at: new Date().toISOString() });
    const { page, close } = await visit('/?variant=following', { session });
    const article = page.locator('article').first();
    await article.getByText('Acabou de sair').waitFor();
    await article.locator('svg[aria-label="Comment"]').click();
    await page.getByRole('dialog').locator('form textarea').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/p/${code}/`);
    await page.keyboard.press('Escape');
    await page.waitForURL('**/?variant=following');
    await close();
  });
});
