import { answerWith as answer } from '../../test/support/answers.js';
import { isLikersCall, isLikersRefusal, readLikers } from './likers.js';

const rows = [
  { pk: '301', username: 'caio', full_name: 'Caio', is_private: true, is_verified: false, latest_reel_media: 1_790_000_000 },
  { id: 302, username: 'bia' },
  { username: 'sem.id' },
];
const people = [
  { userId: '301', username: 'caio', fullName: 'Caio', isPrivate: true, isVerified: false, hasStory: true },
  { userId: '302', username: 'bia', fullName: '', isPrivate: false, isVerified: false, hasStory: false },
];
const graph = (json: unknown, status = 200) => answer({ friendlyName: 'PolarisPostLikedByListDialogQuery', json, status });
const rest = (json: unknown, status = 200) => answer({ path: '/api/v1/media/55/likers/', method: 'GET', json, status });

it('likers of a post are read by GraphQL and by REST, without rows that name nobody', () => {
  expect(readLikers(graph({ data: { fetch__XDTMediaDict: { id: '55', likers_connection: { nodes: rows } } } }))).toEqual(people);
  expect(readLikers(rest({ users: rows, user_count: 98, status: 'ok' }))).toEqual(people);
  expect(readLikers(answer({ json: { users: rows } }))).toBeNull();
});

it.each([
  ['the dialog’s query', graph(null), true],
  ['the older REST call', rest(null), true],
  ['the query of a list of followers', answer({ friendlyName: 'usePolarisGetFollowListQuery' }), false],
])('likers are requested by a call: %s', (_, call, expected) => expect(isLikersCall(call)).toBe(expected));

it.each([
  ['a failed query', graph({ data: null, errors: [{ code: 1_675_030 }] }), true],
  ['a post that cannot be read', rest({ message: 'Media not found or unavailable', status: 'fail' }, 400), true],
  ['nobody', graph({ data: { fetch__XDTMediaDict: { likers_connection: { nodes: [] } } } }), false],
  ['a page in place of JSON', graph(null), false],
])('likers are refused by %s: %s', (_, said, expected) => expect(isLikersRefusal(said)).toBe(expected));
