import type { Account } from '../population/accounts.js';
import type { FeedItem, FeedVariant } from '../state/feed.js';
import type { World } from '../state/world.js';
import { postAnswer, postUser } from './answer-shapes.js';

const itemsPerPage = 12;

/** The slots of a feed item; exactly one is not null. */
const slots = [
  'media',
  'ad',
  'explore_story',
  'end_of_feed_demarcator',
  'stories_netego',
  'suggested_users',
  'bloks_netego',
  'abra_icebreakers_in_feed_unit',
  'ad4ad_in_webfeed',
] as const;
const empty = Object.fromEntries(slots.map((slot) => [slot, null]));

export const variantOf = (value: unknown): FeedVariant => (value === 'following' ? 'following' : 'home');

/** A page of the home feed, section 4.10 of the fact sheet; `variables` are those of the call. */
export function feedPage(world: World, viewer: Account, { variant, after }: Record<string, unknown>) {
  const items = world.feed.items(viewer, variantOf(variant));
  const start = placeOf(after);
  const end = start + itemsPerPage;
  return {
    pagination_source: null,
    edges: items.slice(start, end).map((item) => ({
      node: { __typename: 'XDTFeedItem', ...empty, [item.kind]: contentOf(world, viewer, item) },
      cursor: '',
    })),
    page_info: {
      has_next_page: end < items.length,
      end_cursor: end < items.length ? cursorOf(end) : null,
      has_previous_page: false,
      start_cursor: null,
    },
  };
}

function contentOf(world: World, viewer: Account, item: FeedItem): Record<string, unknown> {
  switch (item.kind) {
    case 'media':
      return postAnswer(world, viewer, item.post);
    case 'explore_story':
      return { id: item.post.pk, media: postAnswer(world, viewer, item.post) };
    case 'ad':
      return { ad_id: `6${item.post.pk.slice(-11)}`, ad_title: item.post.owner.fullName, items: [postAnswer(world, viewer, item.post)] };
    case 'suggested_users':
      return {
        type: 2,
        suggestions: item.users.map((account) => ({
          user: { ...postUser(account), friendship_status: world.friendships.status(viewer.index, account.index) },
          social_context: 'Suggested for you',
        })),
      };
    case 'end_of_feed_demarcator':
      return { id: 'end_of_feed', group_set: null };
  }
}

const cursorOf = (place: number): string =>
  Buffer.from(JSON.stringify({ feed_position: place, seen: '0'.repeat(80) })).toString('base64url');

/** Where a cursor continues; 0 without one and for an invalid one. */
function placeOf(cursor: unknown): number {
  if (typeof cursor !== 'string') return 0;
  try {
    const { feed_position: place } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Record<string, unknown>;
    return typeof place === 'number' && Number.isInteger(place) && place > 0 ? place : 0;
  } catch {
    return 0;
  }
}
