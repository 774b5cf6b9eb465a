import { answerWith as answer } from '../../test/support/answers.js';
import { friendshipTarget, isFriendshipCall, readFriendship, refusalOf } from './friendships.js';

describe('following somebody', () => {
  it('is recognised by its friendly name, with its target and its answer', () => {
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
  it('from a list has an answer without the request', () => {
    const follow = answer({
      path: '/api/graphql',
      friendlyName: 'usePolarisFollowUserFollowMutation',
      variables: { target_user_id: '7' },
      json: { data: { xdt_create_friendship: { friendship_status: { following: false }, id: '7' } } },
    });
    expect(isFriendshipCall(follow, 'follow')).toBe(true);
    expect(isFriendshipCall({ ...follow, friendlyName: 'usePolarisFollowUserUnfollowMutation' }, 'unfollow')).toBe(true);
    expect(isFriendshipCall({ ...follow, friendlyName: 'usePolarisFollowUserUnfollowMutation' }, 'follow')).toBe(false);
    expect(readFriendship(follow, 'follow')).toEqual({ root: 'xdt_create_friendship', following: false, outgoingRequest: null });
    expect(refusalOf(follow, 'follow')).toBeNull();
  });
  it('is read from any root field, also in a later document of the answer', () => {
    const relation = { data: { xdt_api__v1__friendships__create: { friendship_status: { following: true } } } };
    expect(
      readFriendship(answer({ friendlyName: 'usePolarisFollowMutation', json: { data: {} }, further: [relation] }), 'follow'),
    ).toMatchObject({
      root: 'xdt_api__v1__friendships__create',
      following: true,
    });
  });
  it('is not proved by a null root, which the network answers at a wrong path', () => {
    expect(
      readFriendship(answer({ friendlyName: 'usePolarisFollowMutation', json: { data: { xdt_create_friendship: null } } }), 'follow'),
    ).toBeNull();
  });
  it('is distinguished from unfollowing', () => {
    const unfollow = answer({
      friendlyName: 'usePolarisUnfollowMutation',
      json: { data: { xdt_destroy_friendship: { friendship_status: { following: false } } } },
    });
    expect(isFriendshipCall(unfollow, 'follow')).toBe(false);
    expect(readFriendship(unfollow, 'unfollow')).toMatchObject({ following: false });
  });
  it('is read in its older REST form too', () => {
    const older = answer({ path: '/api/v1/friendships/create/9/', json: { friendship_status: { following: true }, status: 'ok' } });
    expect(readFriendship(older, 'follow')).toMatchObject({ following: true });
    expect(friendshipTarget(older)).toBe('9');
    expect(isFriendshipCall(answer({ path: '/api/v1/friendships/show_many/', json: {} }), 'follow')).toBe(false);
  });
});

describe('a refusal of a follow', () => {
  const refusal = (json: unknown, status = 200, over = {}) =>
    refusalOf(answer({ friendlyName: 'usePolarisFollowMutation', json, status, ...over }), 'follow');
  const errors = [{ message: 'A server error field_exception occured.', code: 1675030 }];

  it.each([
    ['errors and a null root', { data: { xdt_create_friendship: null }, errors, status: 'ok' }, 200],
    ['errors and no data', { errors: [{ message: 'execution error', severity: 'CRITICAL' }], status: 'ok' }, 200],
    ['masked errors', { data: null, errors: [{}] }, 200],
    ['a null root that says it failed', { data: { xdt_create_friendship: null }, status: 'fail' }, 200],
    ['`spam` and nothing else', { spam: true, status: 'fail' }, 400],
    ['an unknown message', { message: 'Não foi possível concluir', status: 'fail' }, 400],
    ['a retired operation', { message: 'Bad Request', status: 'fail' }, 400],
    ['an incorrect query', { errors: [{ code: 1675002, message: 'Incorrect Query' }] }, 200],
  ])('comes as %s', (_, json, status) => expect(refusal(json, status)).toBe('refused'));

  it('comes as a page with status 403', () => expect(refusal(null, 403, { notJson: 'html' })).toBe('refused'));
  it('is not 1357005, which an outdated page may cause', () =>
    expect(refusal({ error: 1357005, errorSummary: 'x' })).toBe('not_processed'));
  it.each([
    "Some accounts prefer to manually review followers even when they're public. Let us know if you think we made a mistake.",
    'Algumas contas preferem analisar manualmente os seguidores, mesmo quando são públicas.',
  ])('that says "%s" concerns the person', (feedback_message) => {
    const json = { message: 'feedback_required', spam: true, feedback_title: 'Try Again Later', feedback_message, status: 'fail' };
    expect(refusal(json, 400)).toBe('reviewed');
    expect(refusal({ ...json, feedback_message: 'We limit how often' }, 400)).toBe('refused');
  });
  it.each([
    ['errors below a root that answered', { data: { xdt_create_friendship: { friendship_status: { following: true } } }, errors }, 200],
    ['a status of 500 with the relation', { data: { xdt_create_friendship: { friendship_status: { following: true } } } }, 500],
  ])('is not %s', (_, json, status) => expect(refusal(json, status)).toBeNull());
  it('is not an answer that cannot be read', () => expect(refusal(null, 200, { notJson: 'html' })).toBeNull());
});
