import {
  commentCreationOfPath,
  commentsOfPath,
  followingFeedPath,
  friendshipOfPath,
  hashtagPath,
  homePath,
  isDataPath,
  isFeedPath,
  isFeedRoute,
  isGraphPath,
  isHashtagRoute,
  isReadOnlyPost,
  isSamePath,
  listOfPath,
  likeOfPath,
  listPagePath,
  mediaOfPath,
  objectionOfPath,
  postPath,
  profilePath,
  usernameOfPath,
} from './routes.js';

/*
 * The tables below are copied by hand from instagram-web.md, section by section, and never from the sandbox network: a mistake that worker and
 * sandbox had in common would pass every test that runs one against the other.
 */

describe('pages (section 2)', () => {
  it('have these paths', () => {
    expect([homePath, profilePath('ana.doces'), listPagePath('ana', 'followers'), listPagePath('ana', 'following')]).toEqual([
      '/',
      '/ana.doces/',
      '/ana/followers/',
      '/ana/following/',
    ]);
    expect([hashtagPath('doces'), hashtagPath('#doces'), hashtagPath('café')]).toEqual([
      '/explore/tags/doces/',
      '/explore/tags/doces/',
      '/explore/tags/caf%C3%A9/',
    ]);
  });

  it.each([
    ['/explore/tags/doces/', true],
    ['/explore/search/keyword/?q=%23doces', true],
    ['/explore/search/keyword/', false],
    ['/explore/search/', false],
    ['/explore/', false],
    ['/explore/locations/1/sao-paulo/', false],
  ])('%s is a hashtag page: %s', (path, expected) => {
    expect(isHashtagRoute(new URL(path, 'https://www.instagram.com'))).toBe(expected);
  });

  it.each([
    ['/ana.doces/', 'ana.doces'],
    ['/Ana_2/', 'Ana_2'],
    ['/ana', 'ana'],
    [`/${'a'.repeat(30)}/`, 'a'.repeat(30)],
    [`/${'a'.repeat(31)}/`, null],
    ['/ana-doces/', null],
    ['/create/', 'create'], // a profile of that name exists
    // A user's other pages are not profile links.
    ...['followers', 'following', 'reels', 'tagged', 'reposts', 'p/CODE', 'reel/CODE'].map((tab) => [`/ana/${tab}/`, null]),
    // The site's own pages.
    ...[
      '/',
      '/accounts/login/',
      '/p/CODE/',
      '/reel/CODE/',
      '/reels/CODE/',
      '/tv/CODE/',
      '/p/CODE/liked_by/',
      '/p/CODE/comments/',
      '/explore/',
      '/explore/tags/doces/',
      '/stories/ana/',
      '/stories/highlights/1/',
      '/notifications/',
      '/direct/inbox/',
      '/direct/requests/',
      '/direct/new/',
      '/direct/t/1/',
      '/accounts/edit/',
      '/accounts/settings/',
      '/challenge/',
      '/accounts/suspended/',
    ].map((path) => [path, null]),
    // The first segments that the sheet lists as not being usernames.
    ...[
      'accounts about api challenge developer direct directory emails explore graphql legal notifications p privacy',
      'reel reels settings static stories terms tv web',
    ].flatMap((names) => names.split(' ').map((name) => [`/${name}/`, null])),
  ] as [string, string | null][])('%s names the user %s', (path, username) => {
    expect(usernameOfPath(path)).toBe(username);
  });
});

describe('posts and the feed (sections 2 and 4.13)', () => {
  it('have these paths', () => {
    expect([postPath('C8wa5CnmEAA'), followingFeedPath]).toEqual(['/p/C8wa5CnmEAA/', '/?variant=following']);
    expect(['/', '/?variant=following', '/explore/'].map((path) => isFeedRoute(new URL(path, 'https://www.instagram.com')))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('have these calls', () => {
    expect(likeOfPath('/api/v1/web/likes/42/like/')).toEqual({ mediaId: '42', isLike: true });
    expect(likeOfPath('/api/v1/web/likes/42/unlike/')).toEqual({ mediaId: '42', isLike: false });
    expect(likeOfPath('/api/v1/web/comments/like/42/')).toBeNull();
    expect([mediaOfPath('/api/v1/media/42/info/'), mediaOfPath('/api/v1/media/42/comments/')]).toEqual(['42', null]);
    expect([commentsOfPath('/api/v1/media/42/comments/'), commentsOfPath('/api/v1/media/42/info/')]).toEqual(['42', null]);
    expect(commentsOfPath('/api/v1/media/42/comments/9/child_comments/')).toBeNull();
    expect([commentCreationOfPath('/api/v1/web/comments/42/add/'), commentCreationOfPath('/api/v1/web/comments/42/delete/9/')]).toEqual([
      '42',
      null,
    ]);
    expect([isFeedPath('/api/v1/feed/timeline/'), isFeedPath('/api/v1/feed/reels_tray/')]).toEqual([true, false]);
  });
});

describe('counter links (sections 12 and 13)', () => {
  it.each([
    ['/ana/followers/', true],
    ['/ana/followers/?next=%2F', true],
    ['/Ana/followers/', true],
    ['/ana/followers/mutualOnly/', false],
    ['/mariana/followers/', false],
    ['/ana/following/', false],
  ])('%s leads to the followers of ana: %s', (link, expected) => {
    expect(isSamePath(link, '/ana/followers/')).toBe(expected);
  });
});

describe('addresses that object (sections 2, 7 and 13)', () => {
  it.each([
    ['/accounts/login/', 'login'],
    ['/challenge/', 'challenge'],
    ['/challenge/action/AX/1/', 'challenge'],
    ['/auth_platform/', 'challenge'],
    ['/auth_platform/codeentry/', 'challenge'],
    ['/checkpoint/', 'challenge'],
    ['/checkpoint/1501/AX/', 'challenge'],
    ['/integrity/checkpoint/', 'challenge'],
    ['/consent/', 'challenge'],
    ['/accounts/suspended/', 'suspended'],
    ['/challenge/suspended/', 'suspended'],
    ['/', null],
    ['/accounts/edit/', null],
    ['/integrity/', null],
    ['/checkpoint.me/', null],
    ['/p/challenge/', null],
    ['/ana/', null],
  ])('%s means %s', (path, place) => {
    expect(objectionOfPath(path)).toBe(place);
    // A path that objects must never be taken for somebody's profile.
    if (place !== null) expect(usernameOfPath(path)).toBeNull();
  });
});

describe('calls of the page (sections 3.2, 4.3, 4.4 and 4.13)', () => {
  it.each([
    ['/graphql/query', true],
    ['/graphql/query/', true],
    ['/api/graphql', true],
    ['/api/graphql/', true],
    ['/api/v1/graphql/', false],
    ['/graphql/', false],
  ])('%s is a GraphQL call: %s', (path, expected) => {
    expect(isGraphPath(path)).toBe(expected);
    if (expected) expect(isDataPath(path)).toBe(true);
  });

  it.each([
    ['/api/v1/friendships/55/followers/', true],
    ['/api/v1/friendships/show_many/', true],
    ['/api/v1/web/search/topsearch/', true],
    ['/ana/', false],
    ['/static/bundle.js', false],
  ])('%s is answered with JSON: %s', (path, expected) => {
    expect(isDataPath(path)).toBe(expected);
  });

  it.each([
    ['/api/v1/friendships/55/followers/', { userId: '55', list: 'followers' }],
    ['/api/v1/friendships/55/following/', { userId: '55', list: 'following' }],
    ['/api/v1/friendships/show_many/', null],
    ['/api/v1/friendships/create/55/', null],
    ['/ana/followers/', null],
  ])('%s asks for the list %j', (path, list) => {
    expect(listOfPath(path)).toEqual(list);
  });

  it.each([
    ['/api/v1/friendships/create/55/', { userId: '55', action: 'follow' }],
    ['/api/v1/friendships/destroy/55/', { userId: '55', action: 'unfollow' }],
    ['/api/v1/web/friendships/55/follow/', { userId: '55', action: 'follow' }],
    ['/api/v1/web/friendships/55/unfollow/', { userId: '55', action: 'unfollow' }],
    ['/api/v1/friendships/55/followers/', null],
    ['/api/v1/friendships/show_many/', null],
  ])('%s changes the friendship %j', (path, friendship) => {
    expect(friendshipOfPath(path)).toEqual(friendship);
  });

  it.each([
    ['/api/v1/friendships/show_many/', true],
    ['/api/v1/feed/timeline/', true],
    ['/api/v1/friendships/create/55/', false],
    ['/api/v1/web/friendships/55/follow/', false],
    ['/api/v1/web/likes/42/like/', false],
    ['/api/v1/web/comments/42/add/', false],
    ['/api/v1/stories/reel/seen', false],
    ['/api/v1/direct_v2/threads/broadcast/text/', false],
  ])('a POST to %s changes nothing: %s', (path, expected) => {
    expect(isReadOnlyPost(path)).toBe(expected);
  });
});
