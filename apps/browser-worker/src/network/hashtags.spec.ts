import { answerWith as answer } from '../../test/support/answers.js';
import { isHashtagCall, readHashtagPage } from './hashtags.js';

it('reads authors only from the media units of a hashtag grid', () => {
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
    posts: [], // without a code they cannot be opened
    hasMore: true,
  });
});

it('recognises the calls of a hashtag grid by the name of their query', () => {
  const call = (friendlyName: string | null) => isHashtagCall(answer({ friendlyName }));
  expect(call('PolarisKeywordSearchExplorePageRelayQuery')).toBe(true);
  expect(call('PolarisSearchBoxRefetchableQuery')).toBe(false);
  expect(call(null)).toBe(false);
});
