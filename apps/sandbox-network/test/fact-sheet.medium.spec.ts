import { testNetwork, type TestNetwork } from './support/network.js';
import { PageClient } from './support/page-client.js';

/**
 * Paths, operation names and answer fields, copied by hand from the fact sheet on Instagram's web page (sections in the titles). Nothing
 * here is imported from `src`, nor from the browser worker, which has a list of its own: a mistake in one of them shows as a difference.
 */
let network: TestNetwork;
let client: PageClient;
let viewer: string;
let person: { pk: string; username: string };
/** Shortcode and id of a post of the person. */
let post: { code: string; pk: string };
let page: { docIds: Record<string, string>; bloksVersion: string };

beforeAll(async () => {
  network = await testNetwork({ build: 'main' });
  const session = await network.visitor();
  viewer = session.username;
  client = await PageClient.open(network, session);
  person = await network.account({ username: 'pessoa.da.ficha', followers: 30, following: 20, posts: 20 });
  const { text } = await client.load('/');
  const { define } = JSON.parse(/<script type="application\/json" id="boot" data-sjs>(.*?)<\/script>/.exec(text)![1]!) as {
    define: [string, unknown, { site?: typeof page }][];
  };
  page = define.find(([name]) => name === 'SiteData')![2].site!;
  const { body } = await graphql('PolarisProfilePostsQuery', '/graphql/query', { username: person.username }, grid);
  post = body.data[grid].edges[0].node;
});
afterAll(() => network?.stop());

const comments = 'xdt_api__v1__media__media_id__comments__connection';
const likeInput = () => ({ media_id: post.pk, actor_id: client.fbid, client_mutation_id: '1', container_module: 'single_post' });
const grid = 'xdt_api__v1__feed__user_timeline_graphql_connection';

/** Sends an operation to a path; `rootHeader` is for feed and grid, which alone have this header and the Bloks version. */
function graphql(operation: string, path: string, variables: Record<string, unknown>, rootHeader?: string) {
  return client.send('POST', path, {
    headers: {
      'x-fb-friendly-name': operation,
      'x-fb-lsd': client.lsd,
      ...(rootHeader === undefined ? {} : { 'x-root-field-name': rootHeader, 'x-bloks-version-id': page.bloksVersion }),
    },
    form: {
      av: client.fbid,
      __req: `z${(requests += 1).toString(36)}`,
      __rev: client.revision,
      lsd: client.lsd,
      fb_dtsg: client.dtsg,
      jazoest: `2${[...client.dtsg].reduce((sum, character) => sum + character.charCodeAt(0), 0)}`,
      fb_api_caller_class: 'RelayModern',
      fb_api_req_friendly_name: operation,
      variables: JSON.stringify(variables),
      server_timestamps: 'true',
      doc_id: page.docIds[operation] ?? '',
    },
  });
}
let requests = 0;

describe('documents (section 2)', () => {
  it.each([
    ['/', () => '/'],
    ['/USER/', () => `/${person.username}/`],
    ['/USER/followers/', () => `/${person.username}/followers/`],
    ['/USER/following/', () => `/${person.username}/following/`],
    ['/p/CODE/', () => `/p/${post.code}/`],
    ['/reel/CODE/', () => `/reel/${post.code}/`],
    ['/stories/USER/', () => `/stories/${person.username}/`],
    ['/reels/CODE/', () => `/reels/${post.code}/`],
    ['/tv/CODE/', () => `/tv/${post.code}/`],
    ['/direct/inbox/', () => '/direct/inbox/'],
    ['/direct/requests/', () => '/direct/requests/'],
    ['/direct/new/', () => '/direct/new/'],
    ['/direct/t/ID/', () => '/direct/t/17841000000000001/'],
    ['/p/CODE/liked_by/', () => `/p/${post.code}/liked_by/`],
    ['/p/CODE/comments/', () => `/p/${post.code}/comments/`],
    ['/?variant=following', () => '/?variant=following'],
    ['/explore/', () => '/explore/'],
    ['/explore/tags/TAG/', () => '/explore/tags/bolo/'],
    ['/explore/search/keyword/?q=%23TAG', () => '/explore/search/keyword/?q=%23bolo'],
  ])('%s is a document with the tokens of the page', async (_, path) => {
    const { status, text, headers } = await client.load(path());
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('["LSD",[],{"token":"');
    expect(text).toContain('["DTSGInitialData",[],{"token":"');
  });

  it.each(['/challenge/', '/challenge/action/AX/', '/auth_platform/', '/accounts/suspended/'])('%s is there', async (path) => {
    expect((await client.load(path)).status).toBe(200);
  });

  it('a profile’s HTML has one profile id, and the log-in redirects people who are logged in', async () => {
    const { text } = await client.load(`/${person.username}/`);
    expect(new Set([...text.matchAll(/"profile_id":"(\d+)"/g)].map(([, id]) => id))).toEqual(new Set([person.pk]));
    const { status, headers } = await client.load('/accounts/login/');
    expect([status, headers.get('location')]).toEqual([302, '/']);
    await client.load('/');
  });
});

describe('GraphQL operations (sections 3.2, 4 and 13)', () => {
  it.each([
    ['PolarisProfilePageContentQuery', 'user', () => ({ id: person.pk, render_surface: 'PROFILE' })],
    ['PolarisPostRootQuery', 'xdt_api__v1__media__shortcode__web_info', () => ({ shortcode: post.code })],
    ['PolarisPostCommentsContainerQuery', 'xdt_api__v1__media__media_id__comments__connection', () => ({ shortcode: post.code })],
    ['PolarisPostLikedByListDialogQuery', 'fetch__XDTMediaDict', () => ({ id: post.pk })],
    ['PolarisKeywordSearchExplorePageRelayQuery', 'xdt_fbsearch__top_serp_graphql', () => ({ query: '#bolo' })],
    ['PolarisPostCommentsContainerQuery', comments, () => ({ media_id: post.pk })],
    ['PolarisPostCommentsPaginationQuery', comments, () => ({ media_id: post.pk, first: 10, after: null, sort_order: 'popular' })],
    ['usePolarisLikeMediaXIGLikeMutation', 'xig_media_like', () => ({ input: likeInput() })],
    ['usePolarisLikeMediaXIGUnlikeMutation', 'xig_media_unlike', () => ({ input: likeInput() })],
    ['usePolarisLikeMediaLikeMutation', 'xdt_mark_media_like', () => ({ media_id: post.pk, container_module: 'single_post' })],
    [
      'PolarisPostCommentInputRevampedMutation',
      'xig_comment_create',
      () => ({ connections: [], data: { comment_text: 'Que lindo', media_id: post.pk } }),
    ],
    ['usePolarisFollowMutation', 'xdt_create_friendship', () => ({ target_user_id: person.pk, container_module: 'profile' })],
    ['usePolarisUnfollowMutation', 'xdt_destroy_friendship', () => ({ target_user_id: person.pk, container_module: 'profile' })],
  ])('%s works at /api/graphql and answers %s', async (operation, root, variables) => {
    // The network counts two actions within 250 ms as simultaneous.
    await network.control('PUT', '/ceilings', { sameMomentMs: 0 });
    const elsewhere = await graphql(operation, '/graphql/query', variables());
    expect([elsewhere.status, elsewhere.body.data]).toEqual([200, { [root]: null }]);
    const { status, body } = await graphql(operation, '/api/graphql', variables());
    expect(status).toBe(200);
    expect(body.data[root]).toEqual(expect.anything());
  });

  it('a post has the fields of section 4.6, and its likers and comments those of 4.7 and 4.8', async () => {
    const read = async (operation: string, variables: Record<string, unknown>) =>
      (await graphql(operation, '/api/graphql', variables)).body.data;
    const { items } = (await read('PolarisPostRootQuery', { shortcode: post.code })).xdt_api__v1__media__shortcode__web_info;
    expect(Object.keys(items[0])).toEqual(
      expect.arrayContaining([
        ...['pk', 'id', 'code', 'media_type', 'product_type', 'taken_at', 'user', 'caption', 'like_count', 'comment_count', 'has_liked'],
        ...['comments_disabled', 'commenting_disabled_for_viewer', 'like_and_view_counts_disabled', 'top_likers', 'coauthor_producers'],
        ...['carousel_media', 'view_count'],
      ]),
    );
    expect(items[0].id).toBe(`${post.pk}_${person.pk}`);
    const { id, likers_connection: likers } = (await read('PolarisPostLikedByListDialogQuery', { id: post.pk })).fetch__XDTMediaDict;
    expect([id, Object.keys(likers)]).toEqual([post.pk, ['nodes']]);
    await network.control('POST', '/comments', { post: post.code, username: person.username, text: 'Obrigada' });
    const connection = (await read('PolarisPostCommentsContainerQuery', { media_id: post.pk }))[comments];
    expect(Object.keys(connection)).toEqual(['edges', 'page_info']);
    expect(Object.keys(connection.edges[0].node)).toEqual(
      expect.arrayContaining([
        ...['pk', 'text', 'created_at', 'user', 'child_comment_count', 'parent_comment_id', 'comment_like_count', 'has_liked_comment'],
        ...['is_covered', 'restricted_status', 'is_edited', 'giphy_media_info', 'has_translation', 'fallback_user_info', '__typename'],
      ]),
    );
    expect(Object.keys(connection.page_info).sort()).toEqual(['end_cursor', 'has_next_page', 'has_previous_page', 'start_cursor']);
  });

  it('a like answers `has_liked`, and a comment the id of the new one (section 4.5)', async () => {
    const like = await graphql('usePolarisLikeMediaXIGLikeMutation', '/api/graphql', { input: likeInput() });
    expect(like.body.data.xig_media_like.media.has_liked).toBe(true);
    const comment = await graphql('PolarisPostCommentInputRevampedMutation', '/api/graphql', {
      connections: [],
      data: { comment_text: 'Parabéns', media_id: post.pk },
    });
    expect(comment.body.data.xig_comment_create.comment_dict.pk).toMatch(/^\d{17}$/);
    const older = await graphql('PolarisPostCommentInputRevampedMutation', '/api/graphql', {
      connections: [],
      request_data: { comment_text: 'Perfeito' },
      media_id: post.pk,
    });
    expect(older.body.data.xdt_web__comments__media_id__add_queryable).toEqual(expect.anything());
  });

  it('a deleted post is 1675030 without data (section 4.6)', async () => {
    const { username } = await network.account({ username: 'outra.pessoa.da.ficha' });
    const gone = await network.control<{ code: string }>('POST', '/posts', { username, presence: 'deleted' });
    const { status, body } = await graphql('PolarisPostRootQuery', '/api/graphql', { shortcode: gone.code });
    expect([status, body.data, body.errors[0].code, body.errors[0].summary]).toEqual([200, null, 1_675_030, 'Query Error']);
    expect(body.errors[0].message).toContain('field_exception occured');
  });

  it('the home feed works at /graphql/query, with one slot of each item filled (section 4.10)', async () => {
    const root = 'xdt_api__v1__feed__timeline__connection';
    const first = await graphql('PolarisFeedTimelineRootV2Query', '/graphql/query', { variant: 'home', first: 12 }, root);
    expect((await graphql('PolarisFeedTimelineRootV2Query', '/api/graphql', { variant: 'home' }, root)).body.data).toEqual({
      [root]: null,
    });
    const { edges, page_info: info } = first.body.data[root];
    for (const { node } of edges) {
      const { __typename: name, ...slots } = node;
      expect(name).toBe('XDTFeedItem');
      expect(Object.keys(slots)).toEqual(
        expect.arrayContaining([
          ...[
            'media',
            'ad',
            'explore_story',
            'stories_netego',
            'suggested_users',
            'bloks_netego',
            'end_of_feed_demarcator',
            'ad4ad_in_webfeed',
          ],
        ]),
      );
      expect(Object.values(slots).filter((slot) => slot !== null)).toHaveLength(1);
    }
    const media = edges.find(({ node }: { node: { media: unknown } }) => node.media).node.media;
    expect(media).toMatchObject({ has_liked: false, user: { friendship_status: { following: expect.any(Boolean) } } });
    const next = { variant: 'home', after: info.end_cursor };
    const more = await graphql('PolarisFeedRootPaginationCachedQuery_subscribe', '/graphql/query', next, root);
    expect(more.body.data[root].edges.length).toBeGreaterThan(0);
    expect(more.body.status).toBe('ok');
  });

  it('the profile grid works at /graphql/query, 12 posts a page', async () => {
    const { body } = await graphql('PolarisProfilePostsQuery', '/graphql/query', { username: person.username }, grid);
    expect(body.data[grid].edges).toHaveLength(12);
    expect(body.data[grid].page_info).toMatchObject({ has_next_page: true, end_cursor: expect.any(String) });
    const next = { username: person.username, after: body.data[grid].page_info.end_cursor };
    const more = await graphql('PolarisProfilePostsTabContentQuery_connection', '/graphql/query', next, grid);
    expect(more.body.data[grid].edges).toHaveLength(8);
  });

  it('follow and unfollow answer with the friendship, and from a list with its short form', async () => {
    const variables = { target_user_id: person.pk, container_module: 'profile' };
    const answer = async (operation: string) => (await graphql(operation, '/api/graphql', variables)).body.data;
    expect((await answer('usePolarisFollowMutation')).xdt_create_friendship.friendship_status).toMatchObject({
      following: true,
      outgoing_request: false,
    });
    expect((await answer('usePolarisUnfollowMutation')).xdt_destroy_friendship.friendship_status).toMatchObject({ following: false });
    expect((await answer('usePolarisFollowUserFollowMutation')).xdt_create_friendship).toEqual({
      id: person.pk,
      friendship_status: { following: true },
    });
    expect((await answer('usePolarisFollowUserUnfollowMutation')).xdt_destroy_friendship).toEqual({
      id: person.pk,
      friendship_status: { following: false },
    });
  });
});

describe('stories (sections 3.2 and 4.11)', () => {
  let items: { pk: string; takenAt: string }[];
  let taken: number;
  beforeAll(async () => {
    const account = { follower: viewer, followed: person.username, state: 'following' };
    await network.control('POST', '/ties', account);
    ({ items } = await network.control<{ items: typeof items }>('PUT', `/accounts/${person.username}/stories`, {
      items: [{ type: 'video' }],
    }));
    taken = Date.parse(items[0]!.takenAt) / 1_000;
  });
  afterAll(() => network.control('POST', '/ties', { follower: viewer, followed: person.username, state: 'none' }));

  it('the tray names the people, what was seen and until when it is shown', async () => {
    const { body } = await graphql('PolarisStoriesV3TrayContainerQuery', '/api/graphql', {});
    const { tray, broadcasts } = body.data.xdt_api__v1__feed__reels_tray;
    expect(broadcasts).toEqual(expect.any(Array));
    expect(tray.find(({ id }: { id: string }) => id === person.pk)).toMatchObject({
      id: person.pk,
      reel_type: 'user_reel',
      user: { pk: person.pk, username: person.username, reel_media_seen_timestamp: null },
      latest_reel_media: taken,
      seen: 0,
      expiring_at: taken + 86_400,
      ranked_position: expect.any(Number),
      seen_ranked_position: expect.any(Number),
      muted: false,
      has_besties_media: false,
    });
  });

  it.each([
    ['PolarisStoriesV3ReelPageStandaloneQuery', () => ({ reel_ids: [person.pk] })],
    ['PolarisStoriesV3ReelPageGalleryQuery', () => ({ reel_ids: [person.pk], initial_reel_id: person.pk, first: 3 })],
    ['PolarisStoriesV3ReelPageGalleryPaginationQuery', () => ({ reel_ids: ['1', person.pk], after: '1', first: 3 })],
  ])('%s answers the reel with its items', async (operation, variables) => {
    const { body } = await graphql(operation, '/api/graphql', variables());
    const root = body.data.xdt_api__v1__feed__reels_media;
    expect(root.unviewable_authors_infos).toEqual([]);
    expect(root.reels_media).toHaveLength(1);
    expect(root.reels_media[0]).toMatchObject({ id: person.pk, reel_type: 'user_reel', seen: 0, latest_reel_media: taken });
    expect(root.reels_media[0].items).toEqual([
      expect.objectContaining({
        pk: items[0]!.pk,
        id: `${items[0]!.pk}_${person.pk}`,
        code: expect.any(String),
        taken_at: taken,
        expiring_at: taken + 86_400,
        media_type: 2,
        video_duration: expect.any(Number),
        can_reply: true,
      }),
    ]);
  });

  it('the seen call is a mutation, and `stories/reel/seen` in older builds', async () => {
    const seen = {
      reelId: person.pk,
      reelMediaId: items[0]!.pk,
      reelMediaOwnerId: person.pk,
      reelMediaTakenAt: taken,
      viewSeenAt: taken + 60,
    };
    const { body } = await graphql('PolarisStoriesV3SeenMutation', '/api/graphql', seen);
    expect(body.data.xdt_mark_story_reel_seen).toEqual(expect.anything());
    const form = Object.fromEntries(Object.entries(seen).map(([name, value]) => [name, String(value)]));
    expect((await client.send('POST', '/api/v1/stories/reel/seen', { form })).body).toEqual({ status: 'ok' });
  });

  it('a person without a story has no reel', async () => {
    await network.control('PUT', `/accounts/${person.username}/stories`, { items: [] });
    const { body } = await graphql('PolarisStoriesV3ReelPageStandaloneQuery', '/api/graphql', { reel_ids: [person.pk] });
    expect(body.data.xdt_api__v1__feed__reels_media).toEqual({ reels_media: [], unviewable_authors_infos: [] });
  });
});

describe('direct (sections 3.2 and 4.12)', () => {
  const texts = (thread: { slide_messages: { edges: { node: { text_body: string } }[] } }) =>
    thread.slide_messages.edges.map(({ node }) => node.text_body);
  let thread: string;
  beforeAll(async () => {
    for (let number = 1; number <= 25; number++)
      ({ thread } = await network.control<{ thread: string }>('POST', '/messages', {
        from: person.username,
        to: viewer,
        text: `Nota ${number}`,
      }));
    await network.control('POST', '/messages', { from: viewer, to: person.username, text: 'Oi' });
  });

  it('the inbox has five messages of each thread, newest first, and ids of people that are not their `pk`', async () => {
    const { body } = await graphql('PolarisDirectInboxQuery', '/api/graphql', {});
    const [edge] = body.data.get_slide_mailbox_for_iris_subscription.threads_by_folder.edges;
    const found = edge.node.as_ig_direct_thread;
    expect(found).toMatchObject({
      thread_fbid: thread,
      thread_key: thread,
      thread_id: expect.any(String),
      thread_subtype: 'IG_ONLY_ONE_TO_ONE',
      is_group: false,
      users: [{ id: person.pk, username: person.username, full_name: expect.any(String), interop_messaging_user_fbid: expect.any(String) }],
      folder: 'PRIMARY',
      system_folder: 'INBOX',
      messaging_folder_tag: 'INBOX',
      is_muted: false,
      marked_as_unread: false,
      viewer: { interop_messaging_user_fbid: expect.any(String) },
    });
    expect(texts(found)).toEqual(['Oi', 'Nota 25', 'Nota 24', 'Nota 23', 'Nota 22']);
    const [own, received] = found.slide_messages.edges.map((each: { node: unknown }) => each.node);
    expect(received).toEqual(
      expect.objectContaining({
        id: expect.stringMatching(/^mid\.\$/),
        sender_fbid: found.users[0].interop_messaging_user_fbid,
        timestamp_ms: expect.any(String),
        content_type: 'TEXT',
        text_body: 'Nota 25',
        content: { __typename: 'SlideMessageText', text_body: 'Nota 25' },
      }),
    );
    expect(own.sender_fbid).toBe(found.viewer.interop_messaging_user_fbid);
    expect([person.pk, client.fbid]).not.toContain(received.sender_fbid);
  });

  it('a thread has 20 messages a page', async () => {
    const { body } = await graphql('IGDThreadDetailQuery', '/api/graphql', { thread_fbid: thread });
    const first = body.data.get_slide_thread_nullable.as_ig_direct_thread;
    expect(texts(first)).toHaveLength(20);
    const { end_cursor: after, has_next_page: more } = first.slide_messages.page_info;
    expect(more).toBe(true);
    const next = await graphql('IGDMessageListOffMsysQuery', '/api/graphql', { id: thread, after, first: 20 });
    expect(texts(next.body.data.fetch__SlideThread.as_ig_direct_thread)).toEqual([6, 5, 4, 3, 2, 1].map((number) => `Nota ${number}`));
  });

  it('a message has no call: it leaves over a WebSocket', async () => {
    const { status } = await client.send('POST', '/api/v1/direct_v2/threads/broadcast/text/', { form: { text: 'Oi' } });
    expect(status).toBe(404);
  });
});

describe('REST (sections 3.2, 4.2 and 4.3)', () => {
  it.each(['followers', 'following'] as const)('friendships/ID/%s/ gives pages with a plain-number cursor', async (kind) => {
    const { body } = await client.send('GET', `/api/v1/friendships/${person.pk}/${kind}/?count=12`);
    expect(body).toMatchObject({ big_list: true, page_size: 12, next_max_id: '12', has_more: true, status: 'ok' });
    expect(body.users.length).toBeGreaterThanOrEqual(7);
    expect(Object.keys(body.users[0])).toEqual(
      expect.arrayContaining([
        'pk',
        'pk_id',
        'id',
        'strong_id__',
        'username',
        'full_name',
        'is_private',
        'is_verified',
        'latest_reel_media',
      ]),
    );
    const next = await client.send('GET', `/api/v1/friendships/${person.pk}/${kind}/?count=12&max_id=${body.next_max_id}`);
    expect(next.status).toBe(200);
  });

  it('friendships/show_many/ returns the friendships of a page of people', async () => {
    const { body } = await client.send('POST', '/api/v1/friendships/show_many/', { form: { user_ids: person.pk } });
    expect(body).toEqual({
      friendship_statuses: {
        [person.pk]: {
          following: false,
          incoming_request: false,
          outgoing_request: false,
          is_private: false,
          is_bestie: false,
          is_restricted: false,
          is_feed_favorite: false,
          text_post_app_pre_following: false,
        },
      },
      status: 'ok',
      status_code: '200',
    });
  });

  it('media/ID/comments/ and …/child_comments/ give comments and replies (sections 4.7 and 4.13)', async () => {
    const path = `/api/v1/media/${post.pk}/comments/?can_support_threading=true&permalink_enabled=false`;
    const { body } = await client.send('GET', path);
    expect(body).toMatchObject({ comments: expect.any(Array), comment_count: expect.any(Number), sort_order: 'popular', status: 'ok' });
    expect(body).toMatchObject({ has_more_headload_comments: expect.any(Boolean), caption: { text: expect.any(String) } });
    const [comment] = body.comments;
    expect(Object.keys(comment)).toEqual(
      expect.arrayContaining([
        ...['pk', 'user_id', 'text', 'created_at', 'user', 'comment_like_count', 'has_liked_comment', 'child_comment_count'],
        'preview_child_comments',
      ]),
    );
    expect((await client.send('GET', `${path}&sort_order=chronological`)).body.sort_order).toBe('chronological');
    const replies = await client.send('GET', `/api/v1/media/${post.pk}/comments/${comment.pk}/child_comments/`);
    expect(replies.body).toMatchObject({ child_comments: [], status: 'ok' });
  });

  it('users/web_profile_info/ is retired: an empty 429', async () => {
    const { status, text } = await client.send('GET', `/api/v1/users/web_profile_info/?username=${person.username}`);
    expect([status, text]).toEqual([429, '']);
  });

  it('the network judges none of these calls but the retired ones as forged', async () => {
    const forged = await network.ledger(`account=${viewer}&verdict=forged_call`);
    expect(forged.map(({ target }) => target).sort()).toEqual([
      '/api/v1/direct_v2/threads/broadcast/text/',
      '/api/v1/users/web_profile_info/',
    ]);
  });
});

describe('follower lists by GraphQL (section 13)', () => {
  it.each(['followers', 'following'] as const)('usePolarisGetFollowListQuery answers %s with their root, without `pk`', async (kind) => {
    const { status, body } = await graphql('usePolarisGetFollowListQuery', '/api/graphql', { userID: person.pk, list: kind });
    expect(status).toBe(200);
    const connection = body.data[`xdt_api__v1__friendships__${kind}__connection`];
    expect(connection).toMatchObject({ page_info: { has_next_page: true }, should_limit_list_of_followers: false });
    expect(connection.edges[0].node).toMatchObject({ id: expect.any(String), username: expect.any(String) });
    expect(connection.edges[0].node).not.toHaveProperty('pk');
  });
});
