import { eventually } from '@decola/testing';
import type { Browser, Page } from 'playwright';
import { makeBuild } from '../src/build/build.js';
import type { BuildName } from '../src/build/traits.js';
import { launchBrowser, openWindow, testNetwork, type TestNetwork, type TestSession, type Visit } from './support/network.js';
import { PageClient } from './support/page-client.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

let names = 0;
const inBuild = (build: BuildName) => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await testNetwork({ build });
  });
  afterAll(() => network?.stop());
  return {
    network: () => network,
    client: async () => PageClient.open(network, await network.visitor(), 'tester', makeBuild('tests', build, 0)),
    person: (over: Record<string, unknown> = {}) =>
      network.account({ username: `gente.${++names}`, followers: 60, following: 15, posts: 20, ...over }),
    /** Opens a window at a path; closing it also asserts that the ledger has no verdict. */
    visit: async (path: string, session?: TestSession): Promise<Visit> => {
      const opened = await openWindow(browser, network, path, { session });
      return {
        ...opened,
        close: async () => {
          await opened.close();
          expect(await network.ledger(`account=${opened.session.username}&verdicts=true`)).toEqual([]);
        },
      };
    },
  };
};

const dialog = (page: Page) => page.getByRole('dialog');
const followersRoot = 'xdt_api__v1__friendships__followers__connection';
const followingRoot = 'xdt_api__v1__friendships__following__connection';

describe('main', () => {
  const { network, person, visit } = inBuild('main');

  it('sends feed and grid to one path and everything else to the other', async () => {
    const { username } = await person();
    const { page, calls, close } = await visit(`/${username}/`);
    await page.locator('a[href^="/p/"]').first().waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await eventually(() => expect(calls).toContain('PolarisProfilePostsTabContentQuery_connection /graphql/query'));
    expect(calls).toContain('PolarisProfilePostsQuery /graphql/query');
    expect(calls).toContain('PolarisProfilePageContentQuery /api/graphql');
    await page.locator('header').getByRole('button', { name: 'Follow', exact: true }).click();
    await page.locator('header').getByRole('button', { name: 'Following', exact: true }).waitFor();
    expect(calls).toContain('usePolarisFollowMutation /api/graphql');
    await close();
  });

  it('follows from a list by a separate operation, whose answer has no field for requests', async () => {
    const { username, pk } = await person({ followers: 3 });
    const hidden = await person({ isPrivate: true });
    await network().control('POST', '/ties', { follower: hidden.username, followed: username, state: 'following' });
    const { page, calls, session, close } = await visit(`/${username}/`);
    await page.locator('header a[href$="/followers/"]').click();
    const heard = page.waitForResponse(
      (response) => response.request().headers()['x-fb-friendly-name'] === 'usePolarisFollowUserFollowMutation',
    );
    // People added by an action come first in the list.
    await dialog(page).locator(`a[href="/${hidden.username}/"]`).first().waitFor();
    await dialog(page).getByRole('button', { name: 'Follow', exact: true }).first().click();
    const answer = await heard;
    expect(JSON.parse(new URLSearchParams(answer.request().postData() ?? '').get('variables') ?? '')).toEqual({
      target_user_id: hidden.pk,
    });
    expect(((await answer.json()) as { data: object }).data).toMatchObject({
      xdt_create_friendship: { id: hidden.pk, friendship_status: { following: false } },
    });
    await dialog(page).getByRole('button', { name: 'Requested' }).waitFor();
    expect(calls.filter((call) => call.startsWith('usePolarisFollow'))).toEqual(['usePolarisFollowUserFollowMutation /api/graphql']);
    expect((await network().ledger(`account=${session.username}&action=follow`)).map(({ target, result }) => [target, result])).toEqual([
      [hidden.username, 'requested'],
    ]);
    expect(pk).not.toBe(hidden.pk);
    await close();
  });
});

describe('drift', () => {
  const { person, visit } = inBuild('drift');

  it('sends everything to one path, as in 2025', async () => {
    const { username } = await person();
    const { page, calls, close } = await visit(`/${username}/`);
    await page.locator('a[href^="/p/"]').first().waitFor();
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.every((call) => call.endsWith(' /graphql/query'))).toBe(true);
    await close();
  });
});

describe('relay', () => {
  const { network, client, person, visit } = inBuild('relay');
  const listOf = (page: PageClient, userID: string, list: 'followers' | 'following', after: string | null = null) =>
    page.graphql('usePolarisGetFollowListQuery', { after, before: null, count: 12, first: 12, last: null, list, query: '', userID });

  it('answers lists by GraphQL, those of others and one’s own, with `id` and no `pk`, completely over all pages', async () => {
    const page = await client();
    const { pk, username } = await person({ followers: 200, following: 30 });
    await network().control('PUT', '/lists', { lossRate: 0 });
    for (const [owner, name] of [
      [pk, username],
      [page.session.accountId, page.session.username],
    ] as const)
      for (const [kind, root] of [
        ['followers', followersRoot],
        ['following', followingRoot],
      ] as const) {
        const seen: string[] = [];
        let after: string | null = null;
        do {
          const { body } = await listOf(page, owner, kind, after);
          const connection: {
            edges: { node: Record<string, unknown> }[];
            page_info: { has_next_page: boolean; end_cursor: string | null };
          } = body.data[root];
          expect(Object.keys(body.data)).toEqual([root, 'xdt_viewer']);
          for (const { node } of connection.edges) {
            expect(node).toMatchObject({ id: expect.any(String), username: expect.any(String), is_private: expect.any(Boolean) });
            expect(node).not.toHaveProperty('pk');
            seen.push(String(node['id']));
          }
          after = connection.page_info.end_cursor;
          expect(connection.page_info.has_next_page).toBe(after !== null);
          if (after !== null) expect(after).toMatch(/^[\w-]{120}$/);
        } while (after !== null);
        expect(seen.sort()).toEqual((await network().people(name, kind)).map((each) => each.pk).sort());
      }
    expect(await network().ledger(`account=${page.session.username}&verdicts=true`)).toEqual([]);
    expect((await network().ledger(`account=${page.session.username}&action=list_page`)).length).toBeGreaterThan(20);
  });

  it('cuts, closes and withholds lists in the form of GraphQL', async () => {
    const page = await client();
    const cut = await person({ followers: 300 });
    await network().control('PUT', `/accounts/${cut.username}/lists`, { limited: true });
    expect((await listOf(page, cut.pk, 'followers')).body.data[followersRoot].should_limit_list_of_followers).toBe(true);
    const hidden = await person({ isPrivate: true });
    const empty = { edges: [], page_info: { has_next_page: false, end_cursor: null } };
    expect((await listOf(page, hidden.pk, 'followers')).body.data[followersRoot]).toMatchObject(empty);
    const { pk } = await person();
    await network().control('PUT', `/accounts/${page.session.username}/withheld-lists`, { form: 'empty', afterPages: 1 });
    const { end_cursor: cursor } = (await listOf(page, pk, 'followers')).body.data[followersRoot].page_info;
    expect((await listOf(page, pk, 'followers', cursor)).body.data[followersRoot]).toMatchObject(empty);
    await network().control('PUT', `/accounts/${page.session.username}/withheld-lists`, { form: 'redirect' });
    const redirected = await listOf(page, pk, 'following');
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, '/']);
    await network().control('DELETE', `/accounts/${page.session.username}/withheld-lists`);
    await network().control('POST', '/objections', { username: page.session.username, kind: 'null_root_with_errors', call: 'following' });
    expect((await listOf(page, pk, 'following')).body).toMatchObject({
      data: { [followingRoot]: null },
      errors: [{ path: [followingRoot] }],
    });
  });

  it('begins a list again at an unknown cursor, and accepts cursors of the other form', async () => {
    const page = await client();
    const { pk, username } = await person({ followers: 100 });
    await network().control('PUT', `/accounts/${username}/lists`, { lossRate: 0 });
    const rest = (await page.list(pk, 'followers')).body;
    const second = (await listOf(page, pk, 'followers', rest.next_max_id)).body.data[followersRoot];
    expect(second.edges[0].node.id).not.toBe(rest.users[0].id);
    expect(await network().ledger(`account=${page.session.username}&verdicts=true`)).toEqual([]);
    const forged = (await listOf(page, pk, 'followers', 'QVFBYjlocW5h')).body.data[followersRoot];
    expect(forged.edges[0].node.id).toBe(rest.users[0].id);
    expect((await network().ledger(`account=${page.session.username}&verdict=forged_call`)).map(({ detail }) => detail['faults'])).toEqual([
      ['cursor_never_given'],
    ]);
  });

  it('requests profiles under another name, with another root in the header than in the answer', async () => {
    const page = await client();
    const { pk } = await person();
    const { body } = await page.graphql('PolarisProfilePageContentDirectQuery', { id: pk });
    expect(body.data.user.pk).toBe(pk);
    const { username } = await person();
    const { page: window, calls, close } = await visit(`/${username}/`);
    const sent = window.waitForRequest((request) => request.headers()['x-fb-friendly-name'] === 'PolarisProfilePageContentDirectQuery');
    await window.reload();
    expect((await sent).headers()['x-root-field-name']).toBe('fetch__XDTUserDict');
    await window.locator('header').getByRole('button', { name: 'Follow', exact: true }).waitFor();
    expect(calls).not.toContain('PolarisProfilePageContentQuery /graphql/query');
    await close();
  });

  it('links its counters with `?next=%2F`, and its list scrolls to the end', async () => {
    const { username } = await person({ followers: 90 });
    await network().control('PUT', `/accounts/${username}/lists`, { lossRate: 0 });
    const { page, calls, close } = await visit(`/${username}/`);
    const heard = new Set<string>();
    page.on('response', (response) => {
      if (response.request().headers()['x-fb-friendly-name'] !== 'usePolarisGetFollowListQuery') return;
      void response.json().then(
        ({ data }: { data: Record<string, { edges: { node: { id: string } }[] }> }) => {
          for (const { node } of data[followersRoot]?.edges ?? []) heard.add(node.id);
        },
        () => undefined,
      );
    });
    await page.locator(`header a[href="/${username}/followers/?next=%2F"]`).click();
    await dialog(page).getByRole('link').first().waitFor();
    const area = (await dialog(page).boundingBox())!;
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    await eventually(async () => {
      await page.mouse.wheel(0, 2_000);
      expect(heard.size).toBe(90);
    });
    expect(calls.some((call) => call.startsWith('usePolarisGetFollowListQuery'))).toBe(true);
    await page.keyboard.press('Escape');
    await page.waitForURL(`**/${username}/`);
    await close();
  });
});

describe('preloading', () => {
  const { network, client, person, visit } = inBuild('preloading');
  const asked = (calls: string[], operation: string) => calls.filter((call) => call.startsWith(`${operation} `)).length;

  it('has a profile and its first posts in the document, and requests others by calls', async () => {
    const [one, other] = [await person({ fullName: 'Ana </script> Doces' }), await person()];
    const { page, calls, close } = await visit(`/${one.username}/`);
    await page.locator('header').getByText('Ana </script> Doces').waitFor();
    await page.locator('a[href^="/p/"]').nth(11).waitFor();
    expect([asked(calls, 'PolarisProfilePageContentQuery'), asked(calls, 'PolarisProfilePostsQuery')]).toEqual([0, 0]);
    await page.evaluate((path) => dispatchEvent(new CustomEvent('site:navigate', { detail: path })), `/${other.username}/`);
    await page.locator('header h2', { hasText: other.username }).waitFor();
    expect([asked(calls, 'PolarisProfilePageContentQuery'), asked(calls, 'PolarisProfilePostsQuery')]).toEqual([1, 1]);
    // The data of the first document are outdated by now.
    await page.goBack();
    await page.locator('header h2', { hasText: one.username }).waitFor();
    expect(asked(calls, 'PolarisProfilePageContentQuery')).toBe(2);
    await close();
  });

  it('has one’s own profile in its document and nowhere else', async () => {
    const { page, calls, session, close } = await visit('/');
    await page.locator(`a[href="/${session.username}/"]`).last().click();
    await page.locator('header h2', { hasText: session.username }).waitFor();
    expect(await page.locator('header [title="20"]').count()).toBe(1);
    expect(asked(calls, 'PolarisProfilePageContentQuery')).toBe(0);
    await page.locator('header a[href$="/followers/"]').click();
    await dialog(page).getByRole('link').first().waitFor();
    await close();
    const mine = await client();
    expect((await mine.profile(mine.session.accountId)).body).toMatchObject({ data: { user: null }, status: 'ok' });
    expect((await mine.profile((await person()).pk)).body.data.user).not.toBeNull();
  });

  it('has one’s own profile also in a page whose landmarks are missing', async () => {
    const { page, session, close } = await visit('/');
    await network().control('POST', '/objections', { username: session.username, kind: 'landmark_missing', call: 'page', times: null });
    await page.goto(`${network().url}/${session.username}/`);
    await page.getByText('followers').first().waitFor();
    expect(await page.locator('header, main').count()).toBe(0);
    expect(await network().ledger(`account=${session.username}&action=page_view`)).toHaveLength(2);
    await close();
  });

  it('has a post with its first comments, under the site’s names', async () => {
    const codes = (
      (await (await client()).graphql('PolarisKeywordSearchExplorePageRelayQuery', { query: '#doces', first: 24, after: null })).body.data
        .xdt_fbsearch__top_serp_graphql.edges as { node: { items?: { code: string; comment_count: number }[] } }[]
    )
      .flatMap(({ node }) => node.items ?? [])
      .filter(({ comment_count }) => comment_count > 3)
      .map(({ code }) => code);
    const reader = await client();
    for (const code of codes) {
      const html = (await reader.load(`/p/${code}/`)).text;
      // One post in a hundred is gone when it is opened.
      if (!html.includes('adp_PolarisPostRootQueryRelayPreloader_')) continue;
      expect(html).toContain('adp_PolarisPostCommentsContainerQueryRelayPreloader_');
      const { page, calls, close } = await visit(`/p/${code}/`);
      await page.locator('article li').nth(2).waitFor();
      expect(asked(calls, 'PolarisPostRootQuery')).toBe(0);
      await close();
      return;
    }
    throw new Error('no post of the hashtag could be opened');
  });

  it('has no data of deleted accounts, and no posts of a private person', async () => {
    const page = await client();
    const gone = await person({ presence: 'gone_200' });
    expect((await page.load(`/${gone.username}/`)).text).not.toContain('RelayPreloader');
    const hidden = await person({ isPrivate: true });
    const html = (await page.load(`/${hidden.username}/`)).text;
    expect(html).toContain('adp_PolarisProfilePageContentQueryRelayPreloader_');
    expect(html).not.toContain('adp_PolarisProfilePostsQueryRelayPreloader_');
    expect([...new Set([...html.matchAll(/"profile_id":"(\d+)"/g)].map(([, id]) => id))]).toEqual([hidden.pk]);
    expect((await network().ledger(`account=${page.session.username}&action=profile`)).length).toBe(0);
  });
});
