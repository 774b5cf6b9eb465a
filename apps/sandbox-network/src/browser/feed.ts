import type { Dom } from './dom.js';
import type { Follow } from './follow.js';
import type { Likes } from './likes.js';
import type { Overlays } from './overlays.js';
import type { ScreenParts } from './screen-parts.js';
import type { Answer, Transport } from './transport.js';
import type { Boot, Media, Person } from './types.js';

/**
 * The home feed. The browser receives the source text of this function, so it may use only its parameters and the browser's globals.
 */
export function createFeed(
  { texts, viewer, drawings, trouble }: Boot,
  { h, spinner, css }: Dom,
  transport: Transport,
  overlays: Overlays,
  { followButton }: Follow,
  { iconButton, likeButton }: Likes,
  { ids, exactNumber, likesLine, captionParts }: ScreenParts,
) {
  const root = 'xdt_api__v1__feed__timeline__connection';
  /** Address of the document, which may contain the first page of this feed. */
  const documentAddress = location.pathname + location.search;
  let hasShownDocument = false;

  interface Item {
    media: Media | null;
    ad: { items: Media[] } | null;
    explore_story: { media: Media } | null;
    suggested_users: { suggestions: { user: Person }[] } | null;
    end_of_feed_demarcator: object | null;
  }

  const openPost = (media: Media): void => {
    dispatchEvent(new CustomEvent('site:navigate', { detail: `/p/${media.code}/` }));
  };

  /** One post of the feed. `note` says why a post is shown that is of nobody whom the visitor follows. */
  const article = (media: Media, note: string | null): HTMLElement => {
    const { user } = media;
    ids.set(user.username, user.pk);
    const status = user.friendship_status ?? { following: false, outgoing_request: false };
    const likes = h('div', {});
    const showLikes = (): void => likes.replaceChildren(likesLine(media));
    showLikes();
    return h(
      trouble === 'broken' ? 'div' : 'article',
      { class: css('feed') },
      h(
        'header',
        { class: css('row') },
        h(
          'a',
          { href: `/${user.username}/`, role: 'link', tabindex: 0 },
          h('img', { class: css('avatar'), alt: '', src: user.profile_pic_url, width: 32, height: 32 }),
        ),
        ...[user, ...media.coauthor_producers].map(({ username }) =>
          h('a', { href: `/${username}/`, role: 'link', tabindex: 0 }, h('span', { class: css('name') }, username)),
        ),
        user.pk === viewer.id || status.following || note === texts.sponsored ? null : followButton(user, status, 'suggestions'),
        note && h('div', { class: css('second') }, h('span', {}, note)),
        h(
          'time',
          { datetime: new Date(media.taken_at * 1000).toISOString() },
          new Date(media.taken_at * 1000).toLocaleDateString(document.documentElement.lang),
        ),
      ),
      h('div', { class: css('media') }, h('img', { alt: media.caption.text.slice(0, 80), src: media.display_uri, loading: 'lazy' })),
      h(
        'section',
        { class: css('row') },
        trouble === 'broken' || trouble === 'buttonless' ? null : likeButton(media, 'feed_timeline', showLikes),
        iconButton(texts.comment, drawings.bubble, () => openPost(media)),
        iconButton(texts.share, drawings.messages),
        iconButton(texts.save, drawings.flag),
        iconButton(texts.moreOptions, drawings.dots),
      ),
      likes,
      h('div', { class: css('text') }, ...captionParts(media.caption.text)),
      media.comment_count > 0 && !media.comments_disabled
        ? h('a', { href: `/p/${media.code}/` }, overlays.text('viewAllComments', { count: exactNumber(media.comment_count) }))
        : null,
    );
  };

  const element = ({ media, ad, explore_story: story, suggested_users: people, end_of_feed_demarcator: end }: Item): HTMLElement | null => {
    if (media) {
      const isKnown = media.user.pk === viewer.id || media.user.friendship_status?.following === true;
      return article(media, isKnown ? null : texts.suggested);
    }
    if (ad?.items[0]) return article(ad.items[0], texts.sponsored);
    if (story) return article(story.media, texts.suggested);
    if (people)
      return h(
        'div',
        { class: css('suggestions') },
        h('h2', { class: css('second') }, texts.suggested),
        ...people.suggestions.map(({ user }) => {
          ids.set(user.username, user.pk);
          return h(
            'div',
            { class: css('card') },
            h('a', { href: `/${user.username}/`, role: 'link', tabindex: 0 }, h('span', { class: css('name') }, user.username)),
            followButton(user, user.friendship_status ?? { following: false, outgoing_request: false }, 'suggestions'),
          );
        }),
      );
    return end && h('div', { class: css('message') }, h('span', {}, texts.endOfFeed));
  };

  const request = (variant: 'home' | 'following', cursor: string | null): Promise<Answer> => {
    const variables = {
      data: { device_id: crypto.randomUUID(), is_async_ads_double_request: '0', is_pull_to_refresh: '0' },
      first: 12,
      variant,
    };
    return cursor === null
      ? transport.graphql('PolarisFeedTimelineRootV2Query', variables)
      : transport.graphql('PolarisFeedRootPaginationCachedQuery_subscribe', { ...variables, after: cursor, before: null, last: null });
  };

  /** The feed as an element, which loads more when the page is scrolled near its end. */
  const feedOf = (variant: 'home' | 'following'): HTMLElement => {
    const items = h('div', {});
    const foot = h('div', {}, spinner());
    const whole = h('div', {}, items, foot);
    let cursor: string | null = null;
    let isLoading = false;
    let isOver = false;
    const more = async (): Promise<void> => {
      if (isLoading || isOver) return;
      isLoading = true;
      const isOfDocument = !hasShownDocument && documentAddress === location.pathname + location.search;
      hasShownDocument = true;
      const brought = isOfDocument ? transport.preloaded('PolarisFeedTimelineRootV2Query', () => true) : undefined;
      const answer = brought ?? (await request(variant, cursor));
      isLoading = false;
      const connection =
        answer.kind === 'ok'
          ? (
              answer.data.data as Record<
                string,
                { edges: { node: Item }[]; page_info: { has_next_page: boolean; end_cursor: string | null } } | null
              >
            )[root]
          : null;
      if (!connection) {
        isOver = true;
        if (answer.kind !== 'ok') overlays.showRefusal(answer);
        return;
      }
      for (const { node } of connection.edges) items.append(element(node) ?? '');
      cursor = connection.page_info.has_next_page ? connection.page_info.end_cursor : null;
      isOver = cursor === null;
      if (isOver) {
        foot.replaceChildren();
        removeEventListener('scroll', check);
      }
      check();
    };
    const check = (): void => {
      if (!whole.isConnected) return removeEventListener('scroll', check);
      if (document.documentElement.scrollHeight - scrollY - innerHeight < 800) void more();
    };
    addEventListener('scroll', check, { passive: true });
    // The feed is in the page by then, also when its first items come from the document.
    queueMicrotask(() => void more());
    return whole;
  };

  return { feedOf };
}

export type Feed = ReturnType<typeof createFeed>;
