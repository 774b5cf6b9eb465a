import { hash, keyOf } from '../population/numbers.js';

/** `main` is what the site looks like today; `drift` says the same with another structure. */
export type BuildName = 'main' | 'drift';

/** Every GraphQL operation that the page sends. */
export const operations = {
  PolarisProfilePageContentQuery: { root: 'user', kind: 'query' },
  PolarisProfilePostsQuery: { root: 'xdt_api__v1__feed__user_timeline_graphql_connection', kind: 'query' },
  PolarisPostRootQuery: { root: 'xdt_api__v1__media__shortcode__web_info', kind: 'query' },
  PolarisKeywordSearchExplorePageRelayQuery: { root: 'xdt_fbsearch__top_serp_graphql', kind: 'query' },
  PolarisKeywordSearchExplorePageRelayPaginationQuery: { root: 'xdt_fbsearch__top_serp_graphql', kind: 'query' },
  PolarisProfileSuggestedUsersWithPreloadableQuery: { root: 'xdt_api__v1__discover__chaining', kind: 'query' },
  usePolarisFollowMutation: { root: 'xdt_create_friendship', kind: 'mutation' },
  usePolarisUnfollowMutation: { root: 'xdt_destroy_friendship', kind: 'mutation' },
} as const;
export type OperationName = keyof typeof operations;

/** Names that the page's own elements carry; random letters in every build. */
export const styleNames = [
  'page',
  'side',
  'item',
  'main',
  'header',
  'avatar',
  'name',
  'row',
  'button',
  'primary',
  'word',
  'counters',
  'count',
  'bio',
  'tabs',
  'grid',
  'tile',
  'spinner',
  'shade',
  'dialog',
  'title',
  'close',
  'box',
  'canvas',
  'person',
  'names',
  'second',
  'menu',
  'choice',
  'notice',
  'banner',
  'suggestions',
  'card',
  'post',
  'media',
  'text',
  'bar',
  'form',
  'field',
  'search',
  'message',
  'hidden',
] as const;
export type StyleName = (typeof styleNames)[number];

export interface Build {
  name: BuildName;
  /** Revision number, as `__rev` and `X-Instagram-AJAX` carry it. */
  revision: string;
  bloksVersion: string;
  asbdId: string;
  docIds: Record<OperationName, string>;
  classes: Record<StyleName, string>;
}

/** Everything that a rollout changes comes from the seed, the name and the number of the rollout. */
export function makeBuild(seed: string, name: BuildName, rollout: number): Build {
  const key = keyOf(`build:${seed}:${name}:${rollout}`);
  const digits = (salt: number, length: number): string =>
    Array.from({ length }, (_, place) => (place === 0 ? 2 + (hash(key, salt, place) % 2) : hash(key, salt, place) % 10)).join('');
  const letters = (salt: number): string => `x${hash(key, salt, 1).toString(36)}${hash(key, salt, 2).toString(36).slice(0, 2)}`;
  return {
    name,
    revision: `10${digits(1, 8)}`,
    bloksVersion: Array.from({ length: 8 }, (_, part) => hash(key, 2, part).toString(16).padStart(8, '0')).join(''),
    asbdId: '359341',
    docIds: Object.fromEntries(Object.keys(operations).map((operation, place) => [operation, digits(100 + place, 17)])) as Record<
      OperationName,
      string
    >,
    classes: Object.fromEntries(styleNames.map((style, place) => [style, letters(500 + place)])) as Record<StyleName, string>,
  };
}
