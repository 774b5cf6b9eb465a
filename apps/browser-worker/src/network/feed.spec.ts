import { answerWith as answer } from '../../test/support/answers.js';
import { isFeedCall, readFeedPage } from './feed.js';

const media = (pk: string, following: boolean | null, over: object = {}) => ({
  pk,
  code: `c${pk}`,
  user: { pk: '7', username: 'ana', ...(following === null ? {} : { friendship_status: { following } }) },
  ...over,
});

it('reads only posts of followed people from the feed: no advertisements, suggestions and ends', () => {
  const nodes = [
    { media: media('1', true), ad: null, explore_story: null },
    { media: media('2', false) },
    { media: media('3', null) },
    { media: null, ad: { media: media('4', true) } },
    { media: media('5', true), explore_story: { media: media('5', true) } },
    { media: media('6', true, { ad_id: '9' }) },
    { media: null, suggested_users: { users: [] } },
    { media: null, end_of_feed_demarcator: { id: '1' } },
  ];
  const json = {
    data: { xdt_api__v1__feed__timeline__connection: { edges: nodes.map((node) => ({ node })), page_info: { has_next_page: true } } },
  };
  const page = readFeedPage(answer({ json }));
  expect(page?.posts.map(({ pk }) => pk)).toEqual(['1']);
  expect(page?.hasMore).toBe(true);
});

it('reads the older REST form too', () => {
  const json = {
    feed_items: [{ media_or_ad: media('1', true) }, { media_or_ad: media('2', true, { ad_id: '3' }) }],
    more_available: false,
  };
  const page = readFeedPage(answer({ path: '/api/v1/feed/timeline/', json }));
  expect([page?.posts.map(({ pk }) => pk), page?.hasMore]).toEqual([['1'], false]);
  expect(readFeedPage(answer({ path: '/api/v1/other/', json }))).toBeNull();
});

it.each([
  ['PolarisFeedTimelineRootV2Query', '/graphql/query', true],
  ['PolarisFeedRootPaginationCachedQuery_subscribe', '/graphql/query', true],
  [null, '/api/v1/feed/timeline/', true],
  ['PolarisProfilePostsQuery', '/graphql/query', false],
])('the call %s at %s asks for the feed: %s', (friendlyName, path, expected) => {
  expect(isFeedCall(answer({ friendlyName, path }))).toBe(expected);
});
