import { makeBuild } from '../src/build/build.js';
import { testNetwork, type TestNetwork } from './support/network.js';
import { PageClient } from './support/page-client.js';

let network: TestNetwork;
beforeAll(async () => {
  network = await testNetwork();
});
afterAll(() => network?.stop());

const client = async (browserName?: string): Promise<PageClient> => PageClient.open(network, await network.visitor(), browserName);
let names = 0;
const person = (over: Record<string, unknown> = {}) =>
  network.account({ username: `alvo.${++names}`, followers: 40, following: 5, ...over });

describe('profile', () => {
  it('shows the configured numbers and the friendship', async () => {
    const page = await client();
    const { pk } = await person({ followers: 5_000, following: 7, posts: 3, fullName: 'Café da Lia' });
    const { body } = await page.profile(pk);
    expect(body).toMatchObject({ status: 'ok', extensions: { is_final: true } });
    expect(body.data.user).toMatchObject({
      pk,
      full_name: 'Café da Lia',
      follower_count: 5_000,
      following_count: 7,
      media_count: 3,
      is_private: false,
      friendship_status: { following: false, outgoing_request: false },
    });
    expect(body.data.xdt_viewer.user.id).toBe(page.session.accountId);
  });

  it('is null for a deleted account, whose page is missing in two ways', async () => {
    const page = await client();
    const gone = await person({ presence: 'gone_404' });
    const quiet = await person({ presence: 'gone_200' });
    expect((await page.profile(gone.pk)).body.data.user).toBeNull();
    expect((await page.load(`/${gone.username}/`)).status).toBe(404);
    expect((await page.load(`/${quiet.username}/`)).status).toBe(200);
    expect((await page.load(`/${quiet.username}/`)).text).not.toContain('profile_id');
  });

  it('is under the new name of a renamed account', async () => {
    const page = await client();
    const { pk } = await person({ username: 'nome.velho', presence: 'renamed', renamedTo: 'nome.novo' });
    expect((await page.load('/nome.velho/')).status).toBe(404);
    const html = (await page.load('/nome.novo/')).text;
    expect([...html.matchAll(/"profile_id":"(\d+)"/g)].map(([, id]) => id)).toEqual([pk]);
  });

  it('follows a renaming, after which the old name is free or belongs to another account', async () => {
    const page = await client();
    const [free, taken] = [await person({ followers: 70 }), await person({ followers: 70 })];
    await network.control('PUT', `/accounts/${free.username}/lists`, { lossRate: 0 });
    const computed = (await network.people(taken.username, 'followers')).find(({ presence }) => presence === 'present')!;
    for (const [old, to, takenBySomebodyElse] of [
      [free, 'alvo.agora.livre', false],
      [taken, 'alvo.agora.tomado', true],
      [computed, 'alvo.calculado', false],
    ] as const) {
      await network.control('POST', `/accounts/${old.username}/rename`, { to, takenBySomebodyElse });
      expect((await page.profile(old.pk)).body.data.user).toMatchObject({ pk: old.pk, username: to });
      expect((await page.load(`/${to}/`)).text).toContain(`"profile_id":"${old.pk}"`);
      const before = await page.load(`/${old.username}/`);
      expect(before.status).toBe(takenBySomebodyElse ? 200 : 404);
      expect(before.text).not.toContain(old.pk);
      await page.load('/');
    }
    // Lists show the new name, and the settings of the account are kept.
    expect((await network.people('alvo.agora.tomado', 'followers')).map(({ username }) => username)).toContain('alvo.calculado');
    expect((await page.pass(free.pk, 'followers')).rows).toHaveLength(70);
    expect(new Set((await page.pass(free.pk, 'followers')).rows.map(({ pk }) => pk)).size).toBe(70);
    await expect(network.control('POST', '/accounts/alvo.agora.livre/rename', { to: 'alvo.agora.tomado' })).rejects.toThrow('409');
  });

  it('costs no more for a person with very many followers, as do list pages', async () => {
    const page = await client();
    const [few, many] = [await person({ followers: 90 }), await person({ followers: 90_000 })];
    const millisecondsOf = async (work: () => Promise<unknown>): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 80; round++) {
        const started = performance.now();
        await work();
        times.push(performance.now() - started);
      }
      // The quickest one is the cost of the answer; slower ones measure what else the machine does.
      return Math.min(...times);
    };
    for (const answer of [(pk: string) => page.profile(pk), (pk: string) => page.list(pk, 'followers')]) {
      const usual = await millisecondsOf(() => answer(few.pk));
      expect(await millisecondsOf(() => answer(many.pk))).toBeLessThan(usual * 5);
    }
  });
});

describe('follow and unfollow', () => {
  it('are done, counted, and in the ledger without a verdict', async () => {
    const page = await client();
    await network.control('PUT', '/ceilings', { sameMomentMs: 0 });
    const { pk, username } = await person();
    const followed = await page.follow(pk);
    expect(followed.body.data.xdt_create_friendship.friendship_status).toMatchObject({ following: true, outgoing_request: false });
    expect((await page.profile(pk)).body.data.user).toMatchObject({ follower_count: 41, friendship_status: { following: true } });
    expect((await network.people(username, 'followers')).map((each) => each.username)).toContain(page.session.username);
    const left = await page.unfollow(pk);
    expect(left.body.data.xdt_destroy_friendship.friendship_status).toMatchObject({ following: false });
    expect((await page.profile(pk)).body.data.user.follower_count).toBe(40);
    const entries = await network.ledger(`account=${page.session.username}&action=follow,unfollow`);
    expect(entries.map(({ action, result, target, verdicts }) => [action, result, target, verdicts])).toEqual([
      ['follow', 'done', username, []],
      ['unfollow', 'done', username, []],
    ]);
  });

  it('send a request to a private account, whose owner answers after a while', async () => {
    const page = await client();
    const { pk, username } = await person({ isPrivate: true });
    const { body } = await page.follow(pk);
    expect(body.data.xdt_create_friendship.friendship_status).toMatchObject({ following: false, outgoing_request: true });
    await network.control('POST', '/ties', { follower: page.session.username, followed: username, state: 'following' });
    expect((await page.profile(pk)).body.data.user.friendship_status).toMatchObject({ following: true, outgoing_request: false });
  });

  it('send a request to a private account, whose owner accepts or declines when the test orders it', async () => {
    const page = await client();
    for (const [answer, expected] of [
      ['accept', { following: true, outgoing_request: false }],
      ['decline', { following: false, outgoing_request: false }],
    ] as const) {
      const { pk, username } = await person({ isPrivate: true });
      const request = { follower: page.session.username, followed: username, answer };
      await expect(network.control('POST', '/requests', request)).rejects.toThrow('409');
      await page.follow(pk);
      await network.control('POST', '/requests', request);
      expect((await page.profile(pk)).body.data.user.friendship_status).toMatchObject(expected);
    }
  });

  it('do not affect a person whom the visitor blocked, and who cannot see the visitor', async () => {
    const page = await client();
    const { pk, username } = await person();
    for (const [follower, followed, state] of [
      [username, page.session.username, 'following'],
      [page.session.username, username, 'blocking'],
    ] as const)
      await network.control('POST', '/ties', { follower, followed, state });
    const status = (await page.profile(pk)).body.data.user.friendship_status;
    expect(status).toMatchObject({ blocking: true, following: false, followed_by: false });
    expect((await page.follow(pk)).body.data).toBeNull();
    const theirs = await PageClient.open(network, await network.control('POST', '/sessions', { username }));
    expect((await theirs.profile(page.session.accountId)).body.data.user).toBeNull();
  });

  it('answer a wrong path with a null root and do nothing', async () => {
    const page = await client();
    const { pk } = await person();
    const { status, body } = await page.graphql('usePolarisFollowMutation', { target_user_id: pk }, { path: '/graphql/query' });
    expect([status, body.data.xdt_create_friendship]).toEqual([200, null]);
    expect((await page.profile(pk)).body.data.user.friendship_status.following).toBe(false);
    const posts = { username: (await person({ posts: 5 })).username, data: { count: 12 } };
    const timeline = 'xdt_api__v1__feed__user_timeline_graphql_connection';
    expect((await page.graphql('PolarisProfilePostsQuery', posts, { path: '/api/graphql' })).body.data[timeline]).toBeNull();
    expect((await page.graphql('PolarisProfilePostsQuery', posts)).body.data[timeline].edges).toHaveLength(5);
  });

  it('get verdicts: a repeated action, an unfollow of a stranger, too many actions, too short pauses', async () => {
    const page = await client();
    const verdictsOf = async (): Promise<string[]> =>
      (await network.ledger(`account=${page.session.username}&action=follow,unfollow`)).at(-1)?.verdicts ?? [];
    const [one, two, three] = [await person(), await person(), await person()];
    await network.control('PUT', '/ceilings', { sameMomentMs: 0, perHour: { follow: 2 } });
    await page.follow(one.pk);
    await page.follow(one.pk);
    expect(await verdictsOf()).toEqual(['double_action']);
    await page.unfollow(two.pk);
    expect(await verdictsOf()).toEqual(['unfollow_of_stranger']);
    await page.follow(three.pk);
    expect(await verdictsOf()).toEqual(['ceiling_exceeded']);
    await network.control('POST', '/clock', { advanceMs: 3_700_000 });
    await network.control('PUT', '/ceilings', { sameMomentMs: 10_000 });
    await Promise.all([page.follow((await person()).pk), page.follow((await person()).pk)]);
    expect(await verdictsOf()).toEqual(['same_moment']);
    await network.control('PUT', '/ceilings', { sameMomentMs: 0, perHour: {} });
    await network.control('POST', '/clock', { advanceMs: -3_700_000 });
  });
});

describe('lists', () => {
  it('lose and repeat about one row in eight of a pass, in pages of 12, 11 and 7, and are complete after some passes', async () => {
    const page = await client();
    const { pk, username } = await person({ followers: 1_200 });
    const truth = new Set((await network.people(username, 'followers')).map((each) => each.pk));
    expect(truth.size).toBe(1_200);
    const seen = new Set<string>();
    const first = await page.pass(pk, 'followers');
    for (const row of first.rows) seen.add(row.pk);
    expect(first.rows).toHaveLength(1_200);
    expect(seen.size / 1_200).toBeGreaterThan(0.83);
    expect(seen.size / 1_200).toBeLessThan(0.93);
    expect(new Set(first.sizes.slice(0, -1))).toEqual(new Set([12, 11, 7]));
    expect(first.cursors.every((cursor) => /^\d+$/.test(cursor))).toBe(true);
    const second = await page.pass(pk, 'followers');
    expect(second.rows.slice(0, 24).map((row) => row.pk)).not.toEqual(first.rows.slice(0, 24).map((row) => row.pk));
    for (let pass = 2; pass < 9 && seen.size < 1_200; pass++) for (const row of (await page.pass(pk, 'followers')).rows) seen.add(row.pk);
    expect(seen).toEqual(truth);
    expect(await network.ledger(`account=${page.session.username}&verdicts=true`)).toEqual([]);
  });

  it('are complete when configured to lose nothing', async () => {
    const page = await client();
    const { pk, username } = await person({ followers: 300, following: 55 });
    await network.control('PUT', `/accounts/${username}/lists`, { lossRate: 0 });
    for (const kind of ['followers', 'following'] as const) {
      const { rows } = await page.pass(pk, kind);
      expect(rows.map((row) => row.pk).sort()).toEqual((await network.people(username, kind)).map((each) => each.pk).sort());
    }
  });

  it('continue at a cursor that was given out before, and begin again at an unknown one', async () => {
    const page = await client();
    const { pk, username } = await person({ followers: 200 });
    await network.control('PUT', `/accounts/${username}/lists`, { lossRate: 0 });
    const first = await page.list(pk, 'followers');
    const third = await page.list(pk, 'followers', first.body.next_max_id);
    const again = await page.list(pk, 'followers', first.body.next_max_id);
    expect(again.body.users).toEqual(third.body.users);
    const forged = await page.list(pk, 'followers', '150');
    expect(forged.body.users).toEqual(first.body.users);
    expect((await network.ledger(`account=${page.session.username}&verdict=forged_call`)).map(({ detail }) => detail['faults'])).toEqual([
      ['cursor_never_given'],
    ]);
  });

  it('use a long random cursor for one’s own followers', async () => {
    const page = await client();
    const own = page.session.accountId;
    const { cursors, rows } = await page.pass(own, 'followers');
    expect(rows).toHaveLength(20);
    expect(cursors[0]).toMatch(/^[\w-]{120}$/);
    expect((await page.list(own, 'followers', cursors[0])).body.users.length).toBeGreaterThan(0);
    expect(await network.ledger(`account=${page.session.username}&verdicts=true`)).toEqual([]);
  });

  it('are empty for a private account, and cut when the network limits them', async () => {
    const page = await client();
    const hidden = await person({ isPrivate: true, followers: 500 });
    expect((await page.list(hidden.pk, 'followers')).body).toEqual({
      users: [],
      has_more: false,
      use_clickable_see_more: false,
      status: 'ok',
    });
    const cut = await person({ followers: 500 });
    await network.control('PUT', `/accounts/${cut.username}/lists`, { limited: true });
    const { rows } = await page.pass(cut.pk, 'followers');
    expect(rows).toHaveLength(50);
    expect((await page.list(cut.pk, 'followers')).body.should_limit_list_of_followers).toBe(true);
  });

  it('count places and not rows in their cursors, and report at the end how many rows the last page has', async () => {
    const page = await client();
    const { pk, username } = await person({ followers: 700 });
    await network.control('PUT', `/accounts/${username}/lists`, { lossRate: 0 });
    const { rows, sizes, cursors } = await page.pass(pk, 'followers');
    expect(new Set(rows.map((row) => row.pk)).size).toBe(700);
    expect(sizes.slice(0, -1).filter((size) => size < 12).length).toBeGreaterThan(2);
    expect(cursors).toEqual(cursors.map((_, place) => String((place + 1) * 12)));
    const first = (await page.list(pk, 'followers')).body;
    const last = (await page.list(pk, 'followers', cursors.at(-1))).body;
    expect([first.page_size, last.page_size, last.users.length]).toEqual([12, sizes.at(-1), sizes.at(-1)]);
    expect(last).not.toHaveProperty('next_max_id');
  });

  it('never show some people, so that there are fewer rows than the profile’s number', async () => {
    const page = await client();
    await network.control('PUT', '/lists', { lossRate: 0 });
    try {
      const { accounts } = await network.control<{
        accounts: { pk: string; username: string; followers: number; isPrivate: boolean; presence: string }[];
      }>('GET', '/accounts?limit=1000');
      const people = accounts.filter(
        ({ followers, isPrivate, presence }) => followers > 900 && followers < 3_000 && !isPrivate && presence === 'present',
      );
      // Some of the people have blocked some of the visitors.
      let computed = people.shift()!;
      while ((await page.profile(computed.pk)).body.data.user === null) computed = people.shift()!;
      const named = await person({ followers: 600 });
      await network.control('PUT', `/accounts/${named.username}/lists`, { hiddenShare: 0.1 });
      for (const [{ pk, username, followers }, least, most] of [
        [computed, 0.96, 0.999],
        [named, 0.85, 0.95],
      ] as const) {
        const told = (await page.profile(pk)).body.data.user.follower_count;
        expect(told).toBe(followers);
        const seen = (await page.pass(pk, 'followers')).rows.map((row) => row.pk).sort();
        expect(seen.length / told).toBeGreaterThan(least);
        expect(seen.length / told).toBeLessThan(most);
        expect((await page.pass(pk, 'followers')).rows.map((row) => row.pk).sort()).toEqual(seen);
        expect((await network.people(username, 'followers')).map((each) => each.pk).sort()).toEqual(seen);
      }
    } finally {
      await network.control('PUT', '/lists', { lossRate: 0.125 });
    }
  });

  it('have the fields of the site’s answers where it has them', async () => {
    const page = await client();
    const { pk } = await person({ followers: 50, following: 50 });
    const own = page.session.accountId;
    const first = (await page.list(own, 'followers')).body;
    expect(first).toHaveProperty('groups');
    expect(first).not.toHaveProperty('hidden_following_account_count');
    expect((await page.list(own, 'followers', first.next_max_id)).body).not.toHaveProperty('groups');
    expect((await page.list(pk, 'followers')).body).not.toHaveProperty('groups');
    const following = (await page.list(own, 'following')).body;
    expect(following).toHaveProperty('hidden_following_account_count');
    expect(following).not.toHaveProperty('groups');
  });

  describe('withheld from one account', () => {
    const withhold = (page: PageClient, how: Record<string, unknown>) =>
      network.control('PUT', `/accounts/${page.session.username}/withheld-lists`, how);
    const pages = (page: PageClient) => network.ledger(`account=${page.session.username}&action=list_page`);

    it('are redirected to `/` or empty for all people, while other accounts can read them', async () => {
      for (const form of ['redirect', 'empty'] as const) {
        const [met, spared] = [await client(), await client()];
        const targets = [await person(), await person()];
        await withhold(met, { form });
        for (const { pk } of [...targets, { pk: met.session.accountId }])
          for (const kind of ['followers', 'following'] as const) {
            const answer = await met.list(pk, kind);
            if (form === 'redirect') expect([answer.status, answer.headers.get('location')]).toEqual([302, '/']);
            else expect([answer.status, answer.body.users, answer.body.next_max_id]).toEqual([200, [], undefined]);
          }
        // The profile still has a count above zero.
        expect((await met.profile(targets[0]!.pk)).body.data.user.follower_count).toBe(40);
        expect((await spared.list(targets[0]!.pk, 'followers')).body.users.length).toBeGreaterThan(6);
        const met18 = await pages(met);
        expect(met18.map(({ result, objection, detail }) => [result, objection, detail['form']])).toEqual(
          met18.map(() => ['objected', 'list_withheld', form]),
        );
        // The first withheld page is the objection; further list pages are verdicts.
        expect(met18.map(({ verdicts }) => verdicts)).toEqual([[], ...met18.slice(1).map(() => ['after_objection'])]);
      }
    });

    it('begin to be withheld after some rows, also at a known cursor, until the control API or the clock ends it', async () => {
      const page = await client();
      const { pk } = await person({ followers: 100 });
      await withhold(page, { form: 'empty', afterPages: 1 });
      const { next_max_id: cursor, users } = (await page.list(pk, 'followers')).body;
      expect(users.length).toBeGreaterThan(6);
      expect((await page.list(pk, 'followers', cursor)).body).toEqual({
        users: [],
        has_more: false,
        use_clickable_see_more: false,
        status: 'ok',
      });
      await network.control('DELETE', `/accounts/${page.session.username}/withheld-lists`);
      expect((await page.list(pk, 'followers', cursor)).body.users.length).toBeGreaterThan(6);
      await withhold(page, { form: 'redirect' });
      expect((await page.list(pk, 'followers', cursor)).status).toBe(302);
      await network.control('POST', '/clock', { advanceMs: 49 * 3_600_000 });
      try {
        await page.load('/');
        expect((await page.list(pk, 'followers', cursor)).body.users.length).toBeGreaterThan(6);
      } finally {
        await network.control('POST', '/clock', { advanceMs: -49 * 3_600_000 });
      }
      expect(await network.ledger(`account=${page.session.username}&verdicts=true`)).toEqual([]);
    });
  });

  it('of a person who becomes private meanwhile are empty from then on, and the profile shows why', async () => {
    const page = await client();
    const { pk, username } = await person({ followers: 100 });
    const { next_max_id: cursor } = (await page.list(pk, 'followers')).body;
    await network.account({ username, isPrivate: true });
    expect((await page.list(pk, 'followers', cursor)).body.users).toEqual([]);
    expect((await page.profile(pk)).body.data.user).toMatchObject({ is_private: true, follower_count: 100 });
  });

  it('return the friendships of a page of people', async () => {
    const page = await client();
    const [one, two] = [await person(), await person({ isPrivate: true })];
    await page.follow(one.pk);
    const { body } = await page.send('POST', '/api/v1/friendships/show_many/', { form: { user_ids: `${one.pk},${two.pk}` } });
    expect(body).toMatchObject({
      status_code: '200',
      friendship_statuses: { [one.pk]: { following: true, is_private: false }, [two.pk]: { following: false, is_private: true } },
    });
  });
});

describe('hashtag', () => {
  it('shows posts in rows of a grid, page after page, without repeats', async () => {
    const page = await client();
    const codes: string[] = [];
    let after: string | null = null;
    for (let round = 0; round < 3; round++) {
      const operation = round === 0 ? 'PolarisKeywordSearchExplorePageRelayQuery' : 'PolarisKeywordSearchExplorePageRelayPaginationQuery';
      const { body } = await page.graphql(operation, { query: '#doces', first: 24, after });
      const { edges, page_info: info } = body.data.xdt_fbsearch__top_serp_graphql;
      if (round === 0) expect(edges[0].node.__typename).toBe('XDTTopSerpHeaderUnit');
      for (const { node } of edges) if (node.items) for (const item of node.items) codes.push(item.code);
      after = info.end_cursor;
      expect(info.has_next_page).toBe(true);
    }
    expect(codes).toHaveLength(72);
    expect(new Set(codes).size).toBe(72);
    const post = await page.graphql('PolarisPostRootQuery', { shortcode: codes[5] });
    if (post.body.data) expect(post.body.data.xdt_api__v1__media__shortcode__web_info.items[0].caption.text).toContain('#doces');
  });

  it('is empty for a tag that nobody uses', async () => {
    const { body } = await (
      await client()
    ).graphql('PolarisKeywordSearchExplorePageRelayQuery', { query: '#zznada', first: 24, after: null });
    expect(body.data.xdt_fbsearch__top_serp_graphql.page_info.has_next_page).toBe(false);
  });
});

describe('likes', () => {
  it('are a sample without a second page, which is smaller for calls without a claim', async () => {
    const page = await client();
    const { edges } = (await page.graphql('PolarisKeywordSearchExplorePageRelayQuery', { query: '#doces', first: 24, after: null })).body
      .data.xdt_fbsearch__top_serp_graphql;
    const posts = (edges as { node: { items?: { pk: string; code: string; like_count: number }[] } }[]).flatMap(
      ({ node }) => node.items ?? [],
    );
    // One post in a hundred is gone when it is opened.
    const sampleOf = async (pk: string, headers = {}) =>
      (await page.graphql('PolarisPostLikedByListDialogQuery', { id: pk }, { headers })).body.data?.fetch__XDTMediaDict;
    const most = posts.filter(({ like_count }) => like_count >= 100);
    let post = most.shift()!;
    while (!(await sampleOf(post.pk))) post = most.shift()!;
    const { likers_connection: sample, id } = await sampleOf(post.pk);
    expect(id).toBe(post.pk);
    expect(Object.keys(sample)).toEqual(['nodes']);
    expect(sample.nodes.length).toBeGreaterThan(50);
    expect(sample.nodes.length).toBeLessThanOrEqual(98);
    expect(sample.nodes[0]).toMatchObject({
      pk: expect.any(String),
      username: expect.any(String),
      friendship_status: { following: false },
    });
    const few = (await sampleOf(post.pk, { 'x-ig-www-claim': '0' })).likers_connection.nodes;
    expect(few.length).toBeLessThanOrEqual(13);
    expect(few.length).toBeGreaterThan(8);
    expect((await network.ledger(`account=${page.session.username}&action=likers`)).at(-1)).toMatchObject({
      target: post.code,
      verdicts: [],
    });
  });
});

describe('forged calls', () => {
  const faultsOf = async (page: PageClient): Promise<unknown> =>
    (await network.ledger(`account=${page.session.username}&verdict=forged_call`)).at(-1)?.detail['faults'];

  it.each([
    ['x-ig-app-id', undefined, 'app_id'],
    ['x-csrftoken', 'x'.repeat(32), 'csrf'],
    ['x-csrftoken', undefined, 'csrf'],
    ['x-asbd-id', '129477', 'asbd_id'],
    ['x-fb-lsd', 'other', 'lsd'],
    ['x-fb-friendly-name', undefined, 'friendly_name_header'],
    ['x-root-field-name', 'xdt_create_friendship', 'root_field_name'],
    ['x-bloks-version-id', 'a'.repeat(64), 'bloks_version_id'],
    ['x-web-session-id', undefined, 'web_session_id'],
    ['sec-fetch-site', undefined, 'not_from_the_page'],
    ['origin', undefined, 'origin'],
  ])('are refused and recorded: header %s as %s', async (header, value, fault) => {
    const page = await client();
    const { pk } = await person();
    const { body } = await page.graphql('usePolarisFollowMutation', { target_user_id: pk }, { headers: { [header]: value } });
    expect(body?.data?.xdt_create_friendship).toBeUndefined();
    expect(await faultsOf(page)).toEqual([fault]);
    expect((await page.profile(pk)).body.data.user.friendship_status.following).toBe(false);
  });

  it.each([
    ['lsd', 'AVqbxe3J_YA', 'lsd'],
    ['fb_dtsg', 'NAfother:1:1', 'dtsg'],
    ['jazoest', '21', 'jazoest'],
    ['doc_id', '9740159112729312', 'doc_id'],
    ['doc_id', makeBuild('tests', 'drift', 0).docIds.usePolarisFollowMutation, 'doc_id_of_another_build'],
    ['__rev', '1', 'revision'],
    ['__req', '1', 'replayed'],
    ['fb_api_req_friendly_name', 'Nothing', 'friendly_name'],
  ])('are refused and recorded: field %s as %s', async (field, value, fault) => {
    const page = await client();
    const { pk } = await person();
    await page.profile(pk);
    await page.graphql('usePolarisFollowMutation', { target_user_id: pk }, { form: { [field]: value } });
    expect(await faultsOf(page)).toContain(fault);
    expect((await page.profile(pk)).body.data.user.friendship_status.following).toBe(false);
  });

  it('are those of the grid without the root field and the Bloks version, which no other call has', async () => {
    const page = await client();
    const { username } = await person();
    const headers = { 'x-root-field-name': undefined, 'x-bloks-version-id': undefined };
    await page.graphql('PolarisProfilePostsQuery', { username, data: { count: 12 } }, { headers });
    expect(await faultsOf(page)).toEqual(['root_field_name', 'bloks_version_id']);
  });

  it('are those to paths that the page never requests, which answer like the site', async () => {
    const page = await client();
    const { pk, username } = await person();
    const missing = expect.objectContaining({ status: 404, text: expect.stringMatching(/^<!DOCTYPE html>.*Page Not Found/) });
    expect(await page.send('POST', `/api/v1/friendships/create/${pk}/`, { form: { user_id: pk } })).toEqual(missing);
    expect(await page.send('GET', '/api/v1/nothing/here/')).toEqual(missing);
    expect(await page.send('POST', '/api/v1/web/likes/1/like/', { form: {} })).toEqual(missing);
    expect(await page.send('POST', '/nothing/', { form: {} })).toEqual(missing);
    expect(await page.send('GET', `/api/v1/users/web_profile_info/?username=${username}`)).toMatchObject({ status: 429, text: '' });
    const shop = (
      await network.control<{ accounts: { username: string; isPrivate: boolean }[] }>('GET', '/accounts?limit=1000')
    ).accounts.find((each) => each.username.includes('.da.'))!;
    expect((await page.send('GET', `/api/v1/users/web_profile_info/?username=${shop.username}`)).status).toBe(400);
    const redirected = await page.send('GET', '/api/v1/media/3400000000000000000/info/');
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, '/']);
    expect((await page.send('GET', '/graphql/query/?query_hash=37479f2b8209594dde7facb0d904896a')).body).toMatchObject({
      data: { user: null },
      status: 'ok',
    });
    const entries = await network.ledger(`account=${page.session.username}&verdict=forged_call`);
    expect(entries.map(({ detail }) => detail['faults'])).toEqual(Array.from({ length: 8 }, () => ['unknown_path']));
    expect(await network.control('GET', `/ties?follower=${page.session.username}&followed=${username}`)).toMatchObject({ state: 'none' });
    // No document was opened, and an unknown control route still answers in its own form.
    expect(await network.ledger(`account=${page.session.username}&action=page_view`)).toHaveLength(1);
    await expect(network.control('GET', '/nothing')).rejects.toThrow('404 {"error":"no such control"}');
  });

  it('are noticed with the tokens of another session', async () => {
    const [mine, other] = [await client(), await client()];
    const { pk } = await person();
    [mine.lsd, mine.dtsg] = [other.lsd, other.dtsg];
    await mine.follow(pk);
    expect(await faultsOf(mine)).toEqual(['lsd']);
  });

  it('are REST calls without the page’s headers', async () => {
    const page = await client();
    const { pk } = await person();
    await page.list(pk, 'followers', undefined, { 'x-requested-with': undefined, 'x-ig-www-claim': 'hmac.made-up' });
    expect(await faultsOf(page)).toEqual(['www_claim', 'requested_with']);
  });

  it('are those of an old build after a rollout, while pages that stayed open continue to work', async () => {
    const own = await testNetwork();
    try {
      const open = await PageClient.open(own, await own.visitor());
      const late = new PageClient(own, await own.visitor());
      await own.control('POST', '/build', { name: 'main' });
      expect((await open.profile(open.session.accountId)).body.data.user).not.toBeNull();
      await late.load('/');
      await late.profile(late.session.accountId);
      expect((await own.ledger('verdict=forged_call')).map(({ detail }) => detail['faults'])).toEqual([['doc_id_of_another_build']]);
      const fresh = await PageClient.open(own, await own.visitor(), 'fresh0', makeBuild('tests', 'main', 1));
      expect((await fresh.profile(fresh.session.accountId)).body.data.user).not.toBeNull();
    } finally {
      await own.stop();
    }
  });

  it('are distinguished from two browsers of one account that take turns', async () => {
    const session = await network.visitor();
    const [one, two] = [await PageClient.open(network, session, 'first0'), await PageClient.open(network, session, 'second')];
    for (const page of [one, two]) await page.profile(session.accountId);
    expect(await network.ledger(`account=${session.username}&verdicts=true`)).toEqual([]);
    await one.profile(session.accountId);
    expect((await network.ledger(`account=${session.username}&verdicts=true`)).map(({ verdicts }) => verdicts)).toEqual([['two_at_once']]);
  });
});

describe('page views', () => {
  it('are in the ledger with account and target, whatever their result, and exceeding the ceiling is a verdict', async () => {
    const page = await client();
    const { username } = await person();
    await network.control('PUT', '/ceilings', { perHour: { page_view: 4 } });
    try {
      await network.control('POST', '/objections', { username: page.session.username, kind: 'rate_limit', call: 'page', afterCalls: 1 });
      for (const path of [`/${username}/`, '/explore/', `/${username}/`, '/']) await page.load(path);
      const views = await network.ledger(`account=${page.session.username}&action=page_view`);
      expect(views.map(({ target, result, verdicts }) => [target, result, verdicts])).toEqual([
        ['/', 'read', []],
        [username, 'read', []],
        ['/explore/', 'objected', []],
        [username, 'read', []],
        ['/', 'read', ['ceiling_exceeded']],
      ]);
    } finally {
      await network.control('PUT', '/ceilings', { perHour: {} });
    }
    for (let view = 0; view < 80; view++) await page.load('/');
    expect((await network.ledger(`account=${page.session.username}&verdicts=true`)).length).toBe(1);
  });
});

describe('sessions', () => {
  it('are available in the forms that customers paste', async () => {
    const { forms, accountId } = await network.visitor();
    expect(forms.header).toMatch(/^Cookie: .*sessionid=\d+%3A/);
    expect(JSON.parse(forms.list)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'ds_user_id', value: accountId, domain: '.instagram.com' })]),
    );
    expect(JSON.parse(forms.object).cookies.length).toBeGreaterThan(5);
    expect(JSON.parse(forms.map).ds_user_id).toBe(accountId);
    expect(forms.netscape).toMatch(/^# Netscape HTTP Cookie File\n/);
    expect(forms.netscape).toMatch(/#HttpOnly_\.instagram\.com\tTRUE\t\/\tTRUE\t\d+\tsessionid\t/);
    expect(forms.bare).toMatch(new RegExp(`^${accountId}%3A[\\w-]+%3A\\d+%3AAY`));
    expect(forms.devtoolsRow).toMatch(new RegExp(`^sessionid\\t${accountId}%3A.*\\t\\.instagram\\.com\\t/\\t\\d{4}-`));
    expect(forms.devtoolsTable.split('\n')).toHaveLength(7);
    expect(forms.encodedTwice).toBe(encodeURIComponent(forms.bare));
    expect(forms.windowsCurl).toContain(`sessionid=${accountId}^%^3A`);
    expect(JSON.parse(forms.har).log.entries[0].request.cookies).toContainEqual(
      expect.objectContaining({ name: 'ds_user_id', value: accountId }),
    );
    expect(forms.colon).toBe(`sessionid: ${forms.bare}`);
    expect(forms.setCookie).toMatch(
      new RegExp(`^set-cookie: sessionid=${accountId}%3A.*; Domain=\\.instagram\\.com; .*Secure; HttpOnly$`, 'm'),
    );
  });

  it('are refused with contradicting cookies, after their expiry, and when they were ended elsewhere', async () => {
    const refused = async (page: PageClient): Promise<void> => {
      expect(await page.profile(page.session.accountId)).toMatchObject({
        status: 403,
        body: { message: 'login_required', logout_reason: 8 },
      });
      const answer = await page.load('/alguem/');
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/accounts/login/?next=%2Falguem%2F']);
      expect((await page.load('/')).text).toContain('name="password"');
    };
    const pair = await network.visitor();
    const wrong = pair.cookies.map((cookie) => (cookie.name === 'ds_user_id' ? { ...cookie, value: '12345' } : cookie));
    await refused(new PageClient(network, { ...pair, cookies: wrong }));
    const short = await client();
    const elsewhere = await client();
    await network.control('DELETE', `/sessions/${elsewhere.session.id}?reason=logout`);
    await refused(elsewhere);
    const expiring = await PageClient.open(network, await network.visitor({ expiresInMs: 60_000 }));
    await network.control('POST', '/clock', { advanceMs: 61_000 });
    await refused(expiring);
    await network.control('POST', '/clock', { advanceMs: -61_000 });
    expect((await short.profile(short.session.accountId)).status).toBe(200);
  });

  it('renew the csrf token now and then, and the page’s tokens expire', async () => {
    const page = await client();
    let renewals = 0;
    for (let round = 0; round < 130; round++) {
      const { headers, status } = await page.profile(page.session.accountId);
      expect(status).toBe(200);
      renewals += headers.getSetCookie().filter((cookie) => cookie.startsWith('csrftoken=')).length;
    }
    expect(renewals).toBeGreaterThanOrEqual(2);
    await network.control('POST', '/clock', { advanceMs: 25 * 3_600_000 });
    const stale = await page.profile(page.session.accountId);
    expect(stale.text).toMatch(/^for \(;;\);\{.*"error":1357004/);
    await page.load('/');
    expect((await page.profile(page.session.accountId)).body.data.user).not.toBeNull();
    await network.control('POST', '/clock', { advanceMs: -25 * 3_600_000 });
    expect(await network.ledger(`account=${page.session.username}&verdicts=true`)).toEqual([]);
  });
});

describe('objections', () => {
  it.each([
    ['feedback_required', 400, { message: 'feedback_required', feedback_url: 'repute/report_problem/instagram_follow_users/' }],
    ['action_blocked', 400, { message: 'feedback_required', feedback_title: 'Action Blocked' }],
    ['checkpoint_required', 400, { message: 'checkpoint_required', lock: true }],
    ['challenge_required', 400, { message: 'challenge_required', challenge: { native_flow: true } }],
    ['suspended', 400, { checkpoint_url: '/accounts/suspended/' }],
    ['login_required', 403, { message: 'login_required', logout_reason: 8 }],
    ['please_wait', 401, { require_login: true }],
    ['rate_limit', 429, null],
    ['http_560', 560, null],
    ['html_instead_of_json', 200, null],
    ['rate_limit_error', 429, { error_type: 'rate_limit_error' }],
    ['sentry_block', 400, { error_type: 'sentry_block' }],
    ['inactive_user', 400, { error_type: 'inactive user' }],
    ['consent_required', 400, { error_type: 'consent_required' }],
    ['geoblock_required', 400, { error_type: 'geoblock_required' }],
    ['masked_not_found', 404, null],
    ['graphql_error', 200, { data: null, errors: [{ code: 1_675_030 }] }],
    ['target_problem', 400, { message: 'Not authorized to view user' }],
    ['feedback_url_empty', 400, { message: 'feedback_required', feedback_url: '' }],
    [
      'feedback_url_with_query',
      400,
      { feedback_url: expect.stringMatching(/^repute\/report_problem\/instagram_follow_users\/\?.*scraping/) },
    ],
    ['feedback_with_category', 400, { message: 'feedback_required', feedback_url: '', category: 'instagram_follow_users' }],
    ['feedback_with_date', 400, { feedback_message: expect.stringMatching(/This block will expire on \d{4}-\d\d-\d\d\./) }],
    ['target_reviewed', 400, { message: 'feedback_required', feedback_message: expect.stringContaining('manually review followers') }],
    ['null_root_with_errors', 200, { data: { xdt_create_friendship: null }, errors: [{ code: 1_675_030 }] }],
    ['null_root_with_fail', 200, { data: { xdt_create_friendship: null }, status: 'fail' }],
    ['execution_error', 200, { errors: [{ message: 'execution error' }], status: 'ok' }],
    ['incorrect_query', 200, { errors: [{ code: 1_675_002, message: 'Incorrect Query' }] }],
    ['query_rate_limit', 200, { errors: [{ code: 1_675_004, message: 'Rate limit exceeded' }] }],
    ['retired_operation_400', 400, { status: 'fail' }],
    ['retired_operation_403', 403, null],
    ['request_not_processed', 200, { error: 1_357_005, errorSummary: "Your Request Couldn't be Processed" }],
    ['spam', 400, { spam: true, status: 'fail' }],
    ['unlisted_400', 400, { status: 'fail' }],
    ['home_redirect', 302, null],
    ['checkpoint_redirect', 302, null],
    ['integrity_redirect', 302, null],
    ['auth_platform_redirect', 302, null],
    ['consent_redirect', 302, null],
  ])('%s is answered to a follow, which is not done', async (kind, status, body) => {
    const page = await client();
    const { pk, username } = await person();
    await network.control('POST', '/objections', { username: page.session.username, kind, call: 'follow' });
    const answer = await page.follow(pk);
    expect(answer.status).toBe(status);
    if (body) expect(answer.body).toMatchObject(body);
    else expect(answer.body).toBeNull();
    expect(await network.control('GET', `/ties?follower=${page.session.username}&followed=${username}`)).toMatchObject({ state: 'none' });
    expect((await network.ledger(`account=${page.session.username}&action=follow`)).at(-1)).toMatchObject({
      result: 'objected',
      objection: kind,
      verdicts: [],
    });
  });

  it('omit `data`, or contain only `spam`, where the site does', async () => {
    const page = await client();
    const refusedBy = async (kind: string) => {
      await network.control('POST', '/objections', { username: page.session.username, kind, call: 'follow' });
      return (await page.follow((await person()).pk)).body;
    };
    for (const kind of ['execution_error', 'incorrect_query', 'query_rate_limit']) expect(await refusedBy(kind)).not.toHaveProperty('data');
    expect(Object.keys(await refusedBy('spam'))).toEqual(['spam', 'status']);
    expect(await refusedBy('unlisted_400')).not.toHaveProperty('spam');
  });

  it('come in the account’s language', async () => {
    for (const [language, review, summary] of [
      ['pt', 'Algumas contas preferem', 'Sua solicitação não pôde ser processada'],
      ['es', 'Algunas cuentas prefieren', 'No se pudo procesar tu solicitud'],
    ] as const) {
      const page = await PageClient.open(network, await network.visitor({ language }));
      const object = (kind: string) => network.control('POST', '/objections', { username: page.session.username, kind });
      await object('target_reviewed');
      expect((await page.follow((await person()).pk)).body.feedback_message).toContain(review);
      await object('request_not_processed');
      const { status, body } = await page.follow((await person()).pk);
      expect([status, body.errorSummary]).toEqual([200, summary]);
    }
  });

  it('may end the connection without an answer, of a call and of a page', async () => {
    const page = await client();
    const { pk } = await person();
    const { username } = page.session;
    for (const call of ['follow', 'page']) await network.control('POST', '/objections', { username, kind: 'connection_lost', call });
    await expect(page.follow(pk)).rejects.toThrow('socket hang up');
    await expect(page.load('/')).rejects.toThrow('socket hang up');
    expect((await network.ledger(`account=${username}`)).filter(({ result }) => result === 'objected').map(({ action }) => action)).toEqual(
      ['follow', 'page_view'],
    );
    expect((await page.follow(pk)).status).toBe(200);
  });

  it('may have another status than the usual one', async () => {
    const page = await client();
    await network.control('POST', '/objections', { username: page.session.username, kind: 'feedback_required', status: 429 });
    expect(await page.follow((await person()).pk)).toMatchObject({ status: 429, body: { message: 'feedback_required' } });
  });

  it('of a target that reviews its followers may store the request nevertheless', async () => {
    const page = await client();
    const { pk, username } = await person();
    await network.control('POST', '/objections', { username: page.session.username, kind: 'target_reviewed_pending' });
    expect(await page.follow(pk)).toMatchObject({ status: 400, body: { feedback_title: 'Your request is pending' } });
    expect((await page.profile(pk)).body.data.user.friendship_status).toMatchObject({ following: false, outgoing_request: true });
    expect((await network.ledger(`account=${page.session.username}&action=follow`)).at(-1)).toMatchObject({
      target: username,
      result: 'requested',
      objection: 'target_reviewed_pending',
    });
  });

  it('are not counted when only a part of the answer failed, by chance or by script', async () => {
    const page = await client();
    const { pk } = await person();
    await network.control('POST', '/objections', { username: page.session.username, kind: 'partial_answer', call: 'profile' });
    const { body } = await page.profile(pk);
    expect(body).toMatchObject({ status: 'ok', data: { user: { pk } }, errors: [{ path: ['user', expect.any(String)] }] });
    let partial = 0;
    for (let round = 0; round < 60; round++) {
      const answer = (await page.profile(pk)).body;
      expect(answer.data.user.pk).toBe(pk);
      partial += Number(answer.errors !== undefined);
    }
    expect(partial).toBe(2);
    await network.control('POST', '/objections', { username: page.session.username, kind: 'partial_answer', call: 'follow' });
    expect((await page.follow(pk)).body).toMatchObject({
      data: { xdt_create_friendship: { friendship_status: { following: true } } },
      errors: [{ path: ['xdt_create_friendship', expect.any(String)] }],
    });
  });

  it('set `data.user` to null together with errors or a failure, although the account exists', async () => {
    const page = await client();
    const { pk } = await person();
    const object = (kind: string) => network.control('POST', '/objections', { username: page.session.username, kind, call: 'profile' });
    await object('null_root_with_errors');
    expect((await page.profile(pk)).body).toMatchObject({ data: { user: null }, errors: [{ path: ['user'] }], status: 'ok' });
    await object('null_root_with_fail');
    expect((await page.profile(pk)).body).toEqual({ data: { user: null }, status: 'fail' });
    // It applies once: the next query of the account is answered.
    expect((await page.profile(pk)).body.data.user.pk).toBe(pk);
  });

  it('make a third action a verdict after two unclear refusals in a row, and not after a success between them', async () => {
    const page = await client();
    await network.control('PUT', '/ceilings', { sameMomentMs: 0 });
    const verdictsOfNext = async (...kinds: string[]): Promise<string[]> => {
      for (const kind of kinds) {
        if (kind !== 'none') await network.control('POST', '/objections', { username: page.session.username, kind, call: 'follow' });
        await page.follow((await person()).pk);
      }
      await page.follow((await person()).pk);
      return (await network.ledger(`account=${page.session.username}&action=follow`)).at(-1)?.verdicts ?? [];
    };
    expect(await verdictsOfNext('spam')).toEqual([]);
    expect(await verdictsOfNext('spam', 'none', 'unlisted_400')).toEqual([]);
    expect(await verdictsOfNext('null_root_with_errors', 'spam')).toEqual(['after_objection']);
  });

  it('refuse one list and no other (row 15)', async () => {
    const page = await client();
    const [closed, open] = [await person(), await person()];
    await network.control('POST', '/objections', {
      username: page.session.username,
      kind: 'target_problem',
      call: 'followers',
      target: closed.username,
      times: null,
    });
    expect(await page.list(closed.pk, 'followers')).toMatchObject({
      status: 400,
      body: { message: 'Not authorized to view user', status: 'fail' },
    });
    expect((await page.list(open.pk, 'followers')).status).toBe(200);
  });

  it('come after a number of calls, a number of times, to one account only', async () => {
    const [met, spared] = [await client(), await client()];
    await network.control('POST', '/objections', {
      username: met.session.username,
      kind: 'rate_limit',
      call: 'followers',
      afterCalls: 2,
      times: 1,
    });
    const { pk } = await person();
    const statuses = [];
    for (let round = 0; round < 4; round++) statuses.push((await met.list(pk, 'followers')).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    for (let round = 0; round < 4; round++) expect((await spared.list(pk, 'followers')).status).toBe(200);
  });

  it('make the next action a verdict until the rest is over or ended by the control API', async () => {
    const page = await client();
    await network.control('PUT', '/ceilings', { sameMomentMs: 0 });
    await network.control('POST', '/objections', { username: page.session.username, kind: 'feedback_required' });
    const last = async (): Promise<string[]> =>
      (await network.ledger(`account=${page.session.username}&action=follow`)).at(-1)?.verdicts ?? [];
    await page.follow((await person()).pk);
    expect(await last()).toEqual([]);
    await page.follow((await person()).pk);
    expect(await last()).toEqual(['after_objection']);
    await network.control('POST', '/clock', { advanceMs: 24 * 3_600_000 + 1_000 });
    await page.load('/');
    await page.follow((await person()).pk);
    expect(await last()).toEqual([]);
    await network.control('POST', '/clock', { advanceMs: -24 * 3_600_000 - 1_000 });
    await page.follow((await person()).pk);
    expect(await last()).toEqual(['after_objection']);
    await network.control('POST', `/accounts/${page.session.username}/forgive`);
    await page.load('/');
    await page.follow((await person()).pk);
    expect(await last()).toEqual([]);
  });

  it('may accept an action without effect, fail although it took effect, or only be slow', async () => {
    const page = await client();
    const [undone, unchanged, done] = [await person(), await person(), await person()];
    const object = (kind: string, over: object = {}) =>
      network.control('POST', '/objections', { username: page.session.username, kind, ...over });
    await object('undone_after_reload', { target: undone.username });
    await object('unchanged', { target: unchanged.username });
    await object('done_with_status_500', { target: done.username });
    await object('latency', { delayMs: 300, call: 'profile' });
    const shown = (answer: { body: { data: { xdt_create_friendship: { friendship_status: { following: boolean } } } } }): boolean =>
      answer.body.data.xdt_create_friendship.friendship_status.following;
    expect(shown(await page.follow(undone.pk))).toBe(true);
    expect(shown(await page.follow(unchanged.pk))).toBe(false);
    const failed = await page.follow(done.pk);
    expect([failed.status, shown(failed)]).toEqual([500, true]);
    const started = performance.now();
    const states = [];
    for (const { pk } of [undone, unchanged, done]) states.push((await page.profile(pk)).body.data.user.friendship_status.following);
    expect(states).toEqual([false, false, true]);
    expect(performance.now() - started).toBeGreaterThan(295);
  });

  it('navigate the page to the log-in, a challenge or the suspension', async () => {
    for (const [kind, address] of [
      ['login_redirect', '/accounts/login/'],
      ['challenge_required', '/challenge/'],
      ['suspended', '/accounts/suspended/'],
      ['checkpoint_redirect', '/checkpoint/'],
      ['integrity_redirect', '/integrity/checkpoint/'],
      ['auth_platform_redirect', '/auth_platform/'],
      ['consent_redirect', '/consent/'],
      ['home_redirect', '/'],
    ] as const) {
      const page = await client();
      await network.control('POST', '/objections', { username: page.session.username, kind, call: 'page' });
      const location = (await page.load('/cafe/')).headers.get('location') ?? '';
      expect(new URL(location, network.url).pathname).toMatch(address === '/' ? /^\/$/ : new RegExp(`^${address}`));
      expect(await page.load(location)).toMatchObject({ status: 200 });
      // Redirect kinds also redirect calls.
      if (!kind.endsWith('_redirect') || kind === 'login_redirect') continue;
      await page.load('/');
      await network.control('POST', '/objections', { username: page.session.username, kind, call: 'profile' });
      expect((await page.profile(page.session.accountId)).headers.get('location')).toBe(location);
    }
  });

  it('have their texts in the page’s script, and not in its documents', async () => {
    for (const [language, words] of [
      ['pt', ['Tente novamente mais tarde', 'Ação bloqueada', 'comportamento automatizado', 'Tentativa de login suspeita']],
      ['en', ['Try Again Later', 'Action Blocked', 'automated behavior', 'Suspicious Login Attempt']],
    ] as const) {
      const page = new PageClient(network, await network.visitor({ language }));
      const html = (await page.load(`/${(await person()).username}/`)).text;
      const script = (await page.load(/src="(\/static\/bundles\/[^"]+\.js)"/.exec(html)?.[1] ?? '')).text;
      for (const word of words) {
        expect(html).not.toContain(word);
        expect(script).toContain(word);
      }
    }
  });

  it('may answer the first document with an empty 429', async () => {
    const page = new PageClient(network, await network.visitor());
    await network.control('POST', '/objections', { username: page.session.username, kind: 'rate_limit', call: 'page' });
    expect(await page.load('/')).toMatchObject({ status: 429, text: '' });
    expect((await page.load('/')).status).toBe(200);
  });
});

describe('control', () => {
  it('explains what is wrong with a request', async () => {
    await expect(network.control('POST', '/accounts', { username: 'Com Espaço' })).rejects.toThrow(/400 .*username/s);
    await expect(network.control('POST', '/sessions', { username: 'ninguem.aqui.nao' })).rejects.toThrow('404');
    await expect(network.control('POST', '/objections', { kind: 'unheard_of' })).rejects.toThrow('400');
    await expect(network.account({ username: 'grande.demais', followers: 100_001 })).rejects.toThrow('400');
  });

  it('resets the network', async () => {
    const own = await testNetwork();
    try {
      const page = await PageClient.open(own, await own.visitor());
      await own.control('POST', '/reset', {});
      expect((await page.profile('1')).status).toBe(403);
      expect(await own.control('GET', '/stats')).toMatchObject({ accounts: 100_000, sessions: 0 });
    } finally {
      await own.stop();
    }
  });
});
