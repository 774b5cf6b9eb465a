import { eventually } from '@decola/testing';
import type { Browser, Locator, Page } from 'playwright';
import { buildNames } from '../src/build/traits.js';
import { inBuild, personsPauseMs } from './support/builds.js';
import { launchBrowser } from './support/network.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The section that holds the comment icon, at the words of one language. */
const section = (page: Page | Locator, comment = 'Comment'): Locator => page.locator(`section:has(svg[aria-label="${comment}"])`);
const heart = (page: Page | Locator, word: string, comment?: string): Locator =>
  section(page, comment).locator(`svg[aria-label="${word}"]`);
const dialog = (page: Page): Locator => page.getByRole('dialog');

describe.each(buildNames)('the heart in the build `%s`', (build) => {
  const { network, person, post, visit, client, actions, verdicts } = inBuild(build, () => browser);

  it('likes the post of the page, stays after a reload, and takes the like back', async () => {
    const { path, code } = await post({ likes: 41 });
    const { page, session, calls, close } = await visit(path);
    await heart(page, 'Like').waitFor();
    expect(await heart(page, 'Like').getAttribute('width')).toBe('24');
    await heart(page, 'Like').click();
    await heart(page, 'Unlike').waitFor();
    await page.getByText('42 ♥').waitFor();
    await eventually(async () => expect(await actions(session)).toEqual([`like ${code} done`]));
    const isOld = build === 'drift';
    expect(calls.filter((call) => /Like/.test(call) && !/LikedBy/.test(call))).toEqual([
      isOld
        ? 'usePolarisLikeMediaLikeMutation /graphql/query'
        : `usePolarisLikeMediaXIGLikeMutation ${build === 'relay' ? '/graphql/query' : '/api/graphql'}`,
    ]);
    await page.reload();
    await heart(page, 'Unlike').waitFor();
    await page.waitForTimeout(personsPauseMs);
    await heart(page, 'Unlike').click();
    await heart(page, 'Like').waitFor();
    await eventually(async () => expect(await actions(session)).toEqual([`like ${code} done`, `unlike ${code} done`]));
    expect(await verdicts(session)).toEqual([]);
    expect(await network().control('GET', `/posts/${code}`)).toMatchObject({ likes: 41 });
    await close();
  });

  it('is the same in the dialog over a grid, and still pressed when the post is opened again', async () => {
    const { username } = await person();
    const { code } = await post({ username });
    const { page, session, close } = await visit(`/${username}/`);
    await page.locator(`a[href="/p/${code}/"]`).click();
    await heart(dialog(page), 'Like').click();
    await heart(dialog(page), 'Unlike').waitFor();
    await eventually(async () => expect(await actions(session)).toEqual([`like ${code} done`]));
    await page.keyboard.press('Escape');
    await page.waitForURL(`**/${username}/`);
    await page.locator(`a[href="/p/${code}/"]`).click();
    await heart(dialog(page), 'Unlike').waitFor();
    await close();
  });

  it('is beside a number that leads to the likers: in a dialog, in one build on a page, and at their own path', async () => {
    const { path, code } = await post({ likes: 300 });
    const { page, session, close } = await visit(path);
    await page.locator('a[href$="/liked_by/"]').click();
    await page.waitForURL(`**/p/${code}/liked_by/`);
    const place = build === 'drift' ? page.locator('main') : dialog(page);
    await place.locator('h1', { hasText: 'Likes' }).waitFor();
    expect(await place.locator('img').count()).toBeGreaterThan(50);
    expect(await dialog(page).count()).toBe(build === 'drift' ? 0 : 1);
    if (build === 'drift') await page.goBack();
    else await page.keyboard.press('Escape');
    await page.waitForURL(`**/p/${code}/`);
    await heart(page, 'Like').waitFor();
    expect(await dialog(page).count()).toBe(0);
    await page.goto(`${network().url}/p/${code}/liked_by/`);
    await page.locator('main h1', { hasText: 'Likes' }).waitFor();
    expect(await network().ledger(`account=${session.username}&action=likers`)).toMatchObject([{ target: code }, { target: code }]);
    expect(await verdicts(session)).toEqual([]);
    await close();
    const secret = await post({ likes: 300, likesHidden: true });
    const other = await visit(secret.path);
    await other.page.getByText('Liked by others').waitFor();
    expect(await other.page.locator('a[href$="/liked_by/"]').count()).toBe(0);
    await other.close();
  });

  it('has likers in a dialog over a grid, from which one returns to the post', async () => {
    const { username } = await person();
    const { code } = await post({ username, likes: 20 });
    const { page, close } = await visit(`/${username}/`);
    await page.locator(`a[href="/p/${code}/"]`).click();
    await dialog(page).locator('a[href$="/liked_by/"]').click();
    await page.locator('h1', { hasText: 'Likes' }).waitFor();
    if (build === 'drift') await page.goBack();
    else await page.keyboard.press('Escape');
    await heart(page, 'Like').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/p/${code}/`);
    await close();
  });

  it('is in Portuguese and Spanish', async () => {
    for (const [language, words] of [
      ['pt', ['Curtir', 'Descurtir', 'Comentar']],
      ['es', ['Me gusta', 'Ya no me gusta', 'Comentar']],
    ] as const) {
      const [like, unlike, comment] = words;
      const { path } = await post();
      const { page, close } = await visit(path, { session: await network().visitor({ language }) });
      await heart(page, like, comment).click();
      await heart(page, unlike, comment).waitFor();
      await close();
    }
  });

  it('changes back when the network refuses, and is back after a reload when it was undone', async () => {
    const { path, code } = await post();
    const { page, session, close } = await visit(path);
    const object = (kind: string) => network().control('POST', '/objections', { username: session.username, kind, call: 'like' });
    await object('feedback_required');
    await heart(page, 'Like').click();
    await dialog(page).getByText('Try Again Later').waitFor();
    await heart(page, 'Like').waitFor();
    await page.keyboard.press('Escape');
    await network().control('POST', `/accounts/${session.username}/forgive`);
    await page.waitForTimeout(personsPauseMs);
    await object('undone_after_reload');
    await heart(page, 'Like').click();
    await heart(page, 'Unlike').waitFor();
    await eventually(async () => expect(await actions(session)).toHaveLength(2));
    await page.reload();
    await heart(page, 'Like').waitFor();
    expect(await actions(session)).toEqual([`like ${code} objected`, `like ${code} undone`]);
    await close();
  });

  it('is missing at a post, and in the feed, when a test orders it', async () => {
    const { path } = await post();
    const { page, session, close } = await visit('/');
    const object = (kind: string) => network().control('POST', '/objections', { username: session.username, kind, call: 'page' });
    await object('button_missing');
    await page.goto(network().url + path);
    await page.locator('article section').waitFor();
    expect(await page.locator('article section svg[aria-label="Like"], form textarea').count()).toBe(0);
    await object('button_missing');
    await page.goto(`${network().url}/`);
    await page.locator('article section').first().waitFor();
    expect(await page.locator('article section svg[aria-label="Like"]').count()).toBe(0);
    await object('landmark_missing');
    await page.goto(network().url + path);
    await page.getByText('♥').first().waitFor();
    expect(await page.locator('article, main').count()).toBe(0);
    await close();
  });

  it('may stay as it was although the answer is a success', async () => {
    const { path, code } = await post();
    const { page, session, close } = await visit(path);
    await network().control('POST', '/objections', { username: session.username, kind: 'unchanged', call: 'like' });
    await heart(page, 'Like').click();
    await eventually(async () => expect(await actions(session)).toEqual([`like ${code} undone`]));
    await heart(page, 'Like').waitFor();
    await close();
  });

  it('answers a like with the root of the build, and `has_liked` in every answer about the post', async () => {
    const mine = await client();
    const { username } = await person();
    const { pk, code } = await post({ username, likes: 7, caption: '#zzcurtidas' });
    const root = build === 'drift' ? 'xdt_mark_media_like' : 'xig_media_like';
    const { data } = (await mine.like(pk)).body;
    expect(build === 'drift' ? data[root] : data[root].media).toMatchObject({ id: expect.stringMatching(`^${pk}_`), has_liked: true });
    expect(await mine.post(code)).toMatchObject({ pk, code, has_liked: true, like_count: 8 });
    const grid = (await mine.graphql('PolarisProfilePostsQuery', { username })).body.data
      .xdt_api__v1__feed__user_timeline_graphql_connection;
    expect(grid.edges[0].node).toMatchObject({ code, has_liked: true, like_count: 8 });
    const tag = (await mine.graphql('PolarisKeywordSearchExplorePageRelayQuery', { query: '#zzcurtidas' })).body.data
      .xdt_fbsearch__top_serp_graphql;
    expect(tag.edges[2].node.items).toEqual([expect.objectContaining({ code, has_liked: true })]);
    expect(await (await client()).post(code)).toMatchObject({ has_liked: false, like_count: 8 });
  });
});

describe('likes', () => {
  const { network, person, post, client, actions, lines } = inBuild('main', () => browser);

  it('get verdicts: twice the same, one’s own post, and two at the same moment', async () => {
    const mine = await client();
    const { pk } = await post();
    await network().control('PUT', '/ceilings', { sameMomentMs: 600_000 });
    await mine.like(pk);
    await mine.like(pk);
    const own = await post({ username: mine.session.username });
    await mine.like(own.pk);
    await mine.like((await post({ coauthors: [mine.session.username] })).pk);
    await network().control('PUT', '/ceilings', { sameMomentMs: 250 });
    const verdicts = (await network().ledger(`account=${mine.session.username}&action=like`)).map((entry) => entry.verdicts);
    expect(verdicts).toEqual([[], ['double_action', 'same_moment'], ['same_moment', 'own_post_or_ad'], ['same_moment', 'own_post_or_ad']]);
  });

  it('get verdicts above the ceiling and while the account must rest', async () => {
    const mine = await client();
    await network().control('PUT', '/ceilings', { sameMomentMs: 0, perHour: { like: 1 } });
    await mine.like((await post()).pk);
    await mine.like((await post()).pk);
    await network().control('PUT', '/ceilings', { sameMomentMs: 0, perHour: {} });
    await network().control('POST', '/objections', { username: mine.session.username, kind: 'action_blocked', call: 'like' });
    expect((await mine.like((await post()).pk)).body).toMatchObject({
      message: 'feedback_required',
      feedback_url: 'repute/report_problem/instagram_like_add/',
    });
    await mine.like((await post()).pk);
    const verdicts = (await network().ledger(`account=${mine.session.username}&action=like`)).map((entry) => entry.verdicts);
    expect(verdicts).toEqual([[], ['ceiling_exceeded'], [], ['after_objection']]);
  });

  it('fail for a post that was deleted after the page showed it, which then looks as the site shows it', async () => {
    const mine = await client();
    const { pk, code } = await post();
    await network().control('PUT', `/posts/${code}`, { presence: 'deleted' });
    expect((await mine.like(pk)).body).toMatchObject({ data: null, errors: [{ code: 1_675_030 }] });
    expect((await mine.graphql('PolarisPostRootQuery', { shortcode: code })).body).toMatchObject({
      data: null,
      errors: [{ code: 1_675_030 }],
    });
    expect(await actions(mine.session)).toEqual([`like ${code} refused`]);
    await network().control('PUT', `/posts/${code}`, { presence: 'present' });
    expect(await mine.post(code)).toMatchObject({ has_liked: false });
  });

  it('name the post in a target problem', async () => {
    const mine = await client();
    const { pk } = await post();
    await network().control('POST', '/objections', { username: mine.session.username, kind: 'target_problem', call: 'like' });
    const { status, body } = await mine.like(pk);
    expect([status, body]).toEqual([400, { message: 'Media not found or unavailable', status: 'fail' }]);
  });

  it('may be given by a test, are listed completely, and lead the sample', async () => {
    const mine = await client();
    const { pk, code } = await post({ likes: 120 });
    const { username } = await person();
    await network().control('POST', '/likes', { username, post: code });
    expect(await network().control('GET', `/posts/${code}`)).toMatchObject({ likes: 121 });
    const everybody = await lines<{ pk: string; username: string; presence: string }>(`/posts/${code}/likers`);
    expect(everybody).toHaveLength(121);
    expect(new Set(everybody.map((each) => each.pk)).size).toBe(121);
    await mine.like(pk);
    const { nodes } = (await mine.graphql('PolarisPostLikedByListDialogQuery', { id: pk })).body.data.fetch__XDTMediaDict.likers_connection;
    expect(nodes.length).toBeLessThanOrEqual(98);
    expect(nodes.slice(0, 2).map((each: { username: string }) => each.username)).toEqual([mine.session.username, username]);
    const names = new Set((await lines<{ pk: string }>(`/posts/${code}/likers`)).map((each) => each.pk));
    expect(nodes.every((each: { pk: string }) => names.has(each.pk))).toBe(true);
    await network().control('POST', '/likes', { username, post: code, isLiked: false });
    expect(await network().control('GET', `/posts/${code}`)).toMatchObject({ likes: 121 });
  });

  it('are hidden with their number when the owner hides them, except from the owner', async () => {
    const { username } = await network().visitor();
    const owner = await network().control<Awaited<ReturnType<typeof client>>['session']>('POST', '/sessions', { username });
    const { pk, code } = await post({ username, likes: 60, likesHidden: true });
    const [mine, theirs] = [await client(), await client(owner)];
    const sample = async (page: typeof mine) =>
      (await page.graphql('PolarisPostLikedByListDialogQuery', { id: pk })).body.data.fetch__XDTMediaDict.likers_connection.nodes.length;
    expect(await mine.post(code)).toMatchObject({ like_and_view_counts_disabled: true, like_count: 3 });
    expect(await sample(mine)).toBe(0);
    expect(await theirs.post(code)).toMatchObject({ like_count: 60 });
    expect(await sample(theirs)).toBeGreaterThan(50);
  });

  it('belong to posts of every form: albums, reels, posts with coauthors', async () => {
    const mine = await client();
    const { username } = await person();
    const album = await mine.post((await post({ mediaType: 8, coauthors: [username] })).code);
    expect(album).toMatchObject({ media_type: 8, product_type: 'carousel_container', coauthor_producers: [{ username }] });
    expect(album.carousel_media.length).toBeGreaterThan(1);
    const reel = await mine.post((await post({ mediaType: 2 })).code);
    expect(reel).toMatchObject({ media_type: 2, product_type: 'clips', carousel_media: null });
    await network().control('PUT', '/ceilings', { sameMomentMs: 0 });
    for (const { pk, code } of [album, reel]) {
      await mine.like(pk);
      expect(await mine.post(code)).toMatchObject({ has_liked: true });
    }
  });
});
