import { isActing } from './gated-requests.js';

const call = (method: string, path: string, headers: Record<string, string> = {}, postData?: string) =>
  isActing({ method, url: `https://network.example${path}`, headers, ...(postData === undefined ? {} : { postData }) });

describe('a call that acts', () => {
  it.each([
    ['a mutation by its header', call('POST', '/graphql/query', { 'x-fb-friendly-name': 'usePolarisFollowMutation' })],
    ['a header in other letters', call('POST', '/api/graphql', { 'X-FB-Friendly-Name': 'usePolarisLikeMediaLikeMutation' })],
    ['a mutation by its form', call('POST', '/graphql/query', {}, 'av=1&fb_api_req_friendly_name=usePolarisUnfollowMutation')],
    ['an operation without a name', call('POST', '/graphql/query', {}, 'doc_id=1')],
    ['a follow by REST', call('POST', '/api/v1/friendships/create/42/')],
    ['a like by REST', call('POST', '/api/v1/web/likes/42/like/')],
    ['a comment by REST', call('POST', '/api/v1/web/comments/42/add/')],
    ['a story that was seen', call('POST', '/api/v1/stories/reel/seen')],
    ['a message', call('POST', '/api/v1/direct_v2/threads/broadcast/text/')],
    ['a call by an unknown method', call('DELETE', '/api/v1/anything/')],
  ])('is %s', (_, acts) => expect(acts).toBe(true));

  it.each([
    ['a query', call('POST', '/graphql/query', { 'x-fb-friendly-name': 'PolarisProfilePageContentQuery' })],
    [
      'the next page of a hashtag',
      call('POST', '/graphql/query', {}, 'fb_api_req_friendly_name=PolarisKeywordSearchExplorePageRelayPaginationQuery'),
    ],
    ['a page of a list', call('GET', '/api/v1/friendships/42/followers/?count=12')],
    ['the states of a list', call('POST', '/api/v1/friendships/show_many/')],
    ['where links lead', call('POST', '/ajax/bulk-route-definitions/')],
    ['a page load', call('GET', '/ana.doces/')],
  ])('is not %s', (_, acts) => expect(acts).toBe(false));
});
