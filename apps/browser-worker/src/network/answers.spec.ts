import {
  type Answer,
  isFriendshipCall,
  friendshipTarget,
  parseBody,
  profileIdOfHtml,
  readFriendship,
  readHashtagPage,
  readListPage,
  readProfile,
  readViewer,
} from './answers.js';

const answer = (over: Partial<Answer>): Answer => ({
  path: '/graphql/query',
  method: 'POST',
  status: 200,
  friendlyName: null,
  variables: null,
  json: null,
  notJson: null,
  redirectedTo: null,
  ...over,
});
const profile = (json: unknown) => readProfile(answer({ friendlyName: 'PolarisProfilePageContentQuery', json }));

describe('a profile', () => {
  it('is read with its numbers and our relation', () => {
    const user = {
      pk: '101',
      username: 'ana',
      is_private: true,
      follower_count: 12,
      following_count: 3,
      friendship_status: { following: false, outgoing_request: true },
    };
    expect(profile({ data: { user } })).toEqual({
      kind: 'profile',
      profile: {
        userId: '101',
        username: 'ana',
        isPrivate: true,
        followers: 12,
        following: 3,
        weFollow: false,
        weAsked: true,
        weBlock: false,
      },
    });
  });
  it('of somebody whom we blocked says so', () => {
    const user = { pk: '101', username: 'ana', friendship_status: { following: false, blocking: true } };
    expect(profile({ data: { user } })).toMatchObject({ profile: { weBlock: true, weFollow: false } });
  });
  it('is gone when the network has no user', () => expect(profile({ data: { user: null } })).toEqual({ kind: 'gone' }));
  it('could not be read when the query failed', () =>
    expect(profile({ data: null, errors: [{ code: 1675030 }] })).toEqual({ kind: 'failed' }));
  it('is not found in answers about something else', () =>
    expect(readProfile(answer({ json: { data: { user: { pk: '1', username: 'a' } } } }))).toBeNull());
  it('has its id in its HTML, unless the HTML names several', () => {
    expect(profileIdOfHtml('{"profile_id":"12","x":1} {"profile_id":"12"}')).toBe('12');
    expect(profileIdOfHtml('{"profile_id":"12"} {"profile_id":"13"}')).toBeNull();
  });
});

describe('following somebody', () => {
  it('is known by its friendly name, its target and its answer', () => {
    const follow = answer({
      friendlyName: 'usePolarisFollowMutation',
      variables: { target_user_id: '7' },
      json: { data: { xdt_create_friendship: { friendship_status: { following: false, outgoing_request: true } } } },
    });
    expect(isFriendshipCall(follow, 'follow')).toBe(true);
    expect(isFriendshipCall(follow, 'unfollow')).toBe(false);
    expect(friendshipTarget(follow)).toBe('7');
    expect(readFriendship(follow, 'follow')).toEqual({ root: 'xdt_create_friendship', following: false, outgoingRequest: true });
  });
  it('proves nothing when the root is null, as a wrong address gives it', () => {
    expect(
      readFriendship(answer({ friendlyName: 'usePolarisFollowMutation', json: { data: { xdt_create_friendship: null } } }), 'follow'),
    ).toBeNull();
  });
  it('tells unfollow from follow', () => {
    const unfollow = answer({
      friendlyName: 'usePolarisUnfollowMutation',
      json: { data: { xdt_destroy_friendship: { friendship_status: { following: false } } } },
    });
    expect(isFriendshipCall(unfollow, 'follow')).toBe(false);
    expect(readFriendship(unfollow, 'unfollow')).toMatchObject({ following: false });
  });
  it('reads the older form too', () => {
    const older = answer({ path: '/api/v1/friendships/create/9/', json: { friendship_status: { following: true }, status: 'ok' } });
    expect(readFriendship(older, 'follow')).toMatchObject({ following: true });
    expect(friendshipTarget(older)).toBe('9');
    expect(isFriendshipCall(answer({ path: '/api/v1/friendships/show_many/', json: {} }), 'follow')).toBe(false);
  });
});

describe('a page of a list', () => {
  const list = (json: unknown) => readListPage(answer({ path: '/api/v1/friendships/55/followers/', method: 'GET', json }));
  const user = (pk: string) => ({ pk, username: `u${pk}`, full_name: 'U', is_private: true, is_verified: false, latest_reel_media: 5 });

  it('has rows and a cursor', () => {
    expect(list({ users: [user('1')], next_max_id: '12', has_more: true, big_list: true, status: 'ok' })).toEqual({
      userId: '55',
      list: 'followers',
      rows: [{ userId: '1', username: 'u1', fullName: 'U', isPrivate: true, isVerified: false, hasStory: true }],
      next: '12',
      limited: false,
    });
  });
  it('ends where the cursor is missing, rows or not', () => {
    expect(list({ users: [user('1')], has_more: false, big_list: false })?.next).toBeNull();
    expect(list({ users: [], has_more: false, use_clickable_see_more: false, status: 'ok' })).toMatchObject({ rows: [], next: null });
  });
  it('says when the network keeps the rest', () => {
    expect(list({ users: [], should_limit_list_of_followers: true })?.limited).toBe(true);
    expect(list({ users: [], should_limit_list_of_followings: true })?.limited).toBe(false);
  });
});

it('reads authors from the media units of a hashtag grid only', () => {
  const grid = (items: unknown[]) => ({ node: { __typename: 'XDTTopSerpMediaGridUnit', items } });
  const json = {
    data: {
      xdt_fbsearch__top_serp_graphql: {
        edges: [
          { node: { __typename: 'XDTTopSerpAccountsHCMUnit', items: [{ user: { pk: '9', username: 'shop' } }] } },
          grid([{ user: { pk: '1', username: 'ana' } }, { user: { pk: '2', username: 'bia' } }]),
          grid([{ user: { pk: '1', username: 'ana' } }, {}]),
        ],
        page_info: { has_next_page: true },
      },
    },
  };
  expect(readHashtagPage(answer({ json }))).toEqual({
    authors: [
      { targetId: '1', username: 'ana' },
      { targetId: '2', username: 'bia' },
      { targetId: '1', username: 'ana' },
    ],
    hasMore: true,
  });
});

it('knows who is logged in where an answer tells it', () => {
  expect(readViewer(answer({ json: { data: { xdt_viewer: { user: { id: '42' } } } } }))).toBe('42');
  expect(readViewer(answer({ json: { data: {} } }))).toBeNull();
});

describe('bodies', () => {
  it('are read with or without their guard', () =>
    expect(parseBody('for (;;);{"error":1357004}')).toEqual({ json: { error: 1357004 }, notJson: null }));
  it('may hold several documents', () => expect(parseBody('{"data":{}}\n{"label":"x"}').json).toEqual({ data: {} }));
  it('say what they are when they are not JSON', () => {
    expect(parseBody('<!DOCTYPE html><html>').notJson).toBe('html');
    expect(parseBody('').notJson).toBe('empty');
    expect(parseBody('Not Found').notJson).toBe('Not Found');
  });
});
