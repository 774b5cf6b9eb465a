import { answerWith as answer } from '../../test/support/answers.js';
import { isClosedTo, isProfileQuery, type Profile, profileIdOfHtml, readProfile, readViewer } from './profiles.js';

const profile = (json: unknown, friendlyName = 'PolarisProfilePageContentQuery', status = 200) =>
  readProfile(answer({ friendlyName, json, status }));

describe('a profile', () => {
  it('is read with its numbers and our relation', () => {
    const user = {
      pk: '101',
      username: 'ana',
      is_private: true,
      follower_count: 12,
      following_count: 3,
      media_count: 8,
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
        posts: 8,
        knowsRelation: true,
        weFollow: false,
        weAsked: true,
        weBlock: false,
        followsUs: null,
      },
      isOfPage: true,
    });
  });
  it('of somebody whom we blocked has `weBlock`', () => {
    const user = { pk: '101', username: 'ana', friendship_status: { following: false, blocking: true } };
    expect(profile({ data: { user } })).toMatchObject({ profile: { weBlock: true, weFollow: false } });
  });
  it.each([true, false])('of somebody says whether they follow us: %s', (followed_by) => {
    const user = { pk: '101', username: 'ana', friendship_status: { following: true, followed_by } };
    expect(profile({ data: { user } })).toMatchObject({ profile: { followsUs: followed_by } });
  });
  it('is gone when the network has no user', () => expect(profile({ data: { user: null } })).toEqual({ kind: 'gone' }));
  it('could not be read when the query failed', () =>
    expect(profile({ data: null, errors: [{ code: 1675030 }] })).toEqual({ kind: 'failed' }));
  it('is not found in answers about something else', () =>
    expect(readProfile(answer({ json: { data: { user: { pk: '1', username: 'a' } } } }))).toBeNull());

  it.each(['PolarisProfilePageContentQuery', 'PolarisProfilePageContentDirectQuery', 'PolarisProfilePageContentV2Query'])(
    'is asked for by %s',
    (name) => {
      expect(isProfileQuery({ friendlyName: name })).toBe(true);
      expect(profile({ data: { user: { id: '101', username: 'ana' } } }, name)).toMatchObject({
        kind: 'profile',
        profile: { userId: '101' },
      });
    },
  );
  it('may be under another root field, and under any query name when it has the numbers of a profile', () => {
    const user = { pk: 101, username: 'ana', follower_count: 7 };
    expect(profile({ data: { fetch__XDTUserDict: user } })).toMatchObject({ profile: { userId: '101', followers: 7 } });
    expect(profile({ data: { user } }, 'PolarisUserHoverCardContentQuery')).toMatchObject({ profile: { userId: '101' }, isOfPage: false });
  });
  it('has an unknown relation when the network does not report it', () =>
    expect(profile({ data: { user: { pk: '101', username: 'ana' } } })).toMatchObject({
      profile: { knowsRelation: false, weFollow: false },
    }));
  it.each([
    ['errors stand beside it', { data: { user: null }, errors: [{ code: 1675030 }] }, 200],
    ['it says that it failed', { data: { user: null }, status: 'fail' }, 200],
    ['the status says so', { data: { user: null } }, 500],
    ['there is no data at all', { errors: [{ message: 'execution error' }], status: 'ok' }, 200],
    ['there is no root field', { data: {}, status: 'ok' }, 200],
    ['a call is refused', { message: 'Bad Request', status: 'fail' }, 400],
  ])('could not be read, and nobody is gone, when %s', (_, json, status) =>
    expect(profile(json, undefined, status)).toEqual({ kind: 'failed' }),
  );
  it('is refused when the network does not show us the person (row 15)', () =>
    expect(profile({ message: 'Not authorized to view user', status: 'fail' }, undefined, 400)).toEqual({ kind: 'refused' }));
  it('is gone when other roots answered beside the null one', () =>
    expect(profile({ data: { user: null, viewer: { user: { id: '1' } } }, status: 'ok' })).toEqual({ kind: 'gone' }));
  it('is read from a partial answer', () =>
    expect(
      profile({ data: { user: { pk: '1', username: 'ana' } }, errors: [{ path: ['user', 'profile_context_facepile_users'] }] }),
    ).toMatchObject({ kind: 'profile' }));
});

it("a private person's lists are closed until we follow, our own never", () => {
  const { profile: closed } = profile({
    data: { user: { pk: '7', username: 'a', is_private: true, friendship_status: { following: false } } },
  }) as { profile: Profile };
  expect(isClosedTo('1', closed)).toBe(true);
  expect(isClosedTo('7', closed)).toBe(false);
  expect(isClosedTo('1', { ...closed, weFollow: true })).toBe(false);
});

it('reads from an answer who is logged in', () => {
  expect(readViewer(answer({ json: { data: { xdt_viewer: { user: { id: '42' } } } } }))).toBe('42');
  expect(readViewer(answer({ json: { data: {} }, further: [{ data: { xdt_viewer: { user: { id: '42' } } } }] }))).toBe('42');
  expect(readViewer(answer({ json: { data: {} } }))).toBeNull();
});

it("reads a profile's id from its HTML, unless the HTML names several", () => {
  expect(profileIdOfHtml('{"profile_id":"12","x":1} {"profile_id":"12"}')).toBe('12');
  expect(profileIdOfHtml('{"profile_id":"12"} {"profile_id":"13"}')).toBeNull();
});
