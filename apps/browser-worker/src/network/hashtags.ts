import type { LedgerTarget } from '@decola/contracts';
import { z } from 'zod';
import { type Answer, at, type PageCall, rootOf } from './answers.js';
import { readPerson } from './people.js';
import { type Post, readMedia } from './posts.js';

/** One page of a hashtag grid. */
export interface HashtagPage {
  /** Authors of the posts, in the order of the grid. */
  readonly authors: readonly LedgerTarget[];
  /** The posts with the fields that acting on one needs, in the same order. */
  readonly posts: readonly Post[];
  readonly hasMore: boolean;
}

const hashtagAnswer = z.object({
  edges: z.array(z.object({ node: z.object({ __typename: z.string().nullish(), items: z.array(z.unknown()).nullish() }).nullish() })),
  page_info: z.object({ has_next_page: z.boolean().nullish() }).nullish(),
});
const gridUnit = 'XDTTopSerpMediaGridUnit';

/** True when the page asks for a page of a hashtag grid, by the family of names that the query goes by. */
export function isHashtagCall({ friendlyName }: PageCall): boolean {
  return friendlyName !== null && /KeywordSearchExplorePage/.test(friendlyName);
}

/** Reads a page of a hashtag grid; null when the answer is something else. */
export function readHashtagPage(answer: Answer): HashtagPage | null {
  const parsed = hashtagAnswer.safeParse(rootOf(answer, 'xdt_fbsearch__top_serp_graphql'));
  if (!parsed.success) return null;
  const items = parsed.data.edges.filter(({ node }) => node?.__typename === gridUnit).flatMap(({ node }) => node?.items ?? []);
  const authors = items.flatMap((item) => {
    const user = readPerson(at(item, 'user'));
    return user ? [{ targetId: user.userId, username: user.username }] : [];
  });
  return { authors, posts: items.flatMap((item) => readMedia(item) ?? []), hasMore: parsed.data.page_info?.has_next_page ?? false };
}
