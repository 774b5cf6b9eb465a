import { answerWith as answer } from '../../test/support/answers.js';
import { isListRefusal, personOfList, readListPage, variablesAt } from './lists.js';

describe('a page of a list', () => {
  const list = (json: unknown) => readListPage(answer({ path: '/api/v1/friendships/55/followers/', method: 'GET', json }));
  const user = (pk: string) => ({ pk, username: `u${pk}`, full_name: 'U', is_private: true, is_verified: false, latest_reel_media: 5 });

  it('has rows and a cursor', () => {
    expect(list({ users: [user('1')], next_max_id: '12', has_more: true, big_list: true, status: 'ok' })).toEqual({
      userId: '55',
      list: 'followers',
      rows: [{ userId: '1', username: 'u1', fullName: 'U', isPrivate: true, isVerified: false, hasStory: true }],
      isEmpty: false,
      next: '12',
      limited: false,
    });
  });
  it('is the last one when it has no cursor, with or without rows', () => {
    expect(list({ users: [user('1')], has_more: false, big_list: false })?.next).toBeNull();
    expect(list({ users: [], has_more: false, use_clickable_see_more: false, status: 'ok' })).toMatchObject({ rows: [], next: null });
  });
  it('tells when the network shows only a part of the list', () => {
    expect(list({ users: [], should_limit_list_of_followers: true })?.limited).toBe(true);
    expect(list({ users: [], should_limit_list_of_followings: true })?.limited).toBe(false);
  });
});

describe('a page of a list by GraphQL', () => {
  const root = 'xdt_api__v1__friendships__followers__connection';
  const graph = (connection: unknown, over = {}) =>
    readListPage(
      answer({ path: '/api/graphql', friendlyName: 'usePolarisGetFollowListQuery', json: { data: { [root]: connection } }, ...over }),
    );
  const edge = (node: object) => ({ node });

  it('has rows and a cursor, with `id` where `pk` is missing', () => {
    const page = graph(
      {
        edges: [
          edge({ id: '1', username: 'ana', is_private: true }),
          edge({ pk: '2', id: '2', username: 'bia' }),
          edge({ username: 'caio' }),
        ],
        page_info: { has_next_page: true, end_cursor: '24' },
        should_limit_list_of_followers: false,
      },
      { variables: { user_id: '55', after: null } },
    );
    expect(page).toMatchObject({ userId: '55', list: 'followers', next: '24', limited: false, isEmpty: false });
    expect(page?.rows.map(({ userId, isPrivate }) => [userId, isPrivate])).toEqual([
      ['1', true],
      ['2', false],
    ]);
  });
  it('is the last one when there is no next page, with or without a cursor', () =>
    expect(graph({ edges: [], page_info: { has_next_page: false, end_cursor: '24' } })).toMatchObject({
      next: null,
      isEmpty: true,
      userId: null,
    }));
  it('tells when the network shows only a part of the list', () =>
    expect(graph({ edges: [], page_info: { has_next_page: false }, should_limit_list_of_followers: true })?.limited).toBe(true));
  it('is of the following list when the root field says so', () => {
    const json = { data: { xdt_api__v1__friendships__following__connection: { edges: [], page_info: null } } };
    expect(readListPage(answer({ json, variables: { request_data: { target_id: 9 } } }))).toMatchObject({ list: 'following', userId: '9' });
  });

  it('continues at a cursor by one variable of its first request, and no other request is changed', () => {
    expect(variablesAt({ user_id: '55', first: 12, after: null }, '24')).toEqual({ user_id: '55', first: 12, after: '24' });
    expect(variablesAt({ id: '55', request_data: { max_id: null, count: 12 } }, '24')).toEqual({
      id: '55',
      request_data: { max_id: '24', count: 12 },
    });
    expect(variablesAt({ user_id: '55', after: '12' }, '24')).toBeNull();
    expect(variablesAt({ user_id: '55' }, '24')).toBeNull();
    expect(variablesAt(null, '24')).toBeNull();
  });
});

describe('a list that is refused', () => {
  const rest = { path: '/api/v1/friendships/55/followers/', method: 'GET' };
  it.each([
    ['not authorized', { ...rest, status: 400, json: { message: 'Not authorized to view user', status: 'fail' } }],
    ['failed with status 200', { ...rest, json: { message: 'x', status: 'fail' } }],
    [
      'failed as a GraphQL query',
      { friendlyName: 'usePolarisGetFollowListQuery', json: { data: null, errors: [{ code: 1675030 }] }, variables: { user_id: '55' } },
    ],
  ])('concerns only that list: %s', (_, over) => {
    expect(isListRefusal(answer(over))).toBe(true);
    expect(personOfList(answer(over))).toBe('55');
  });
  it('is not a page of a list, another call, or a call without an answer', () => {
    expect(isListRefusal(answer({ ...rest, json: { users: [], status: 'ok' } }))).toBe(false);
    expect(isListRefusal(answer({ status: 400, json: { status: 'fail' } }))).toBe(false);
    expect(isListRefusal(answer({ ...rest, notJson: 'empty' }))).toBe(false);
  });
});
