import type { Comments } from './comments.js';
import type { Dom } from './dom.js';
import type { Follow } from './follow.js';
import type { Likes } from './likes.js';
import type { Overlays } from './overlays.js';
import type { ScreenParts } from './screen-parts.js';
import type { Answer, Transport } from './transport.js';
import type { Boot, Media, Person } from './types.js';

/**
 * The screens of a hashtag, of a post and of its likers. The browser receives the source text of this function, so it may use only its
 * parameters and the browser's globals.
 */
export function createPosts(
  { texts, viewer, drawings, trouble }: Boot,
  { h, css }: Dom,
  transport: Transport,
  overlays: Overlays,
  { followButton }: Follow,
  { iconButton, likeButton }: Likes,
  { commentArea }: Comments,
  { ids, isNarrow, exactNumber, missingPage, grid, likesLine, captionParts }: ScreenParts,
) {
  let hasShownFirstComments = false;
  /** A test ordered a page without landmarks, or without the buttons of posts. */
  const isBare = trouble === 'broken' || trouble === 'buttonless';

  const showTag = (main: HTMLElement, query: string): void => {
    document.title = `${query} • Instagram`;
    let after: string | null | undefined;
    const session = crypto.randomUUID();
    const empty = h('div', { class: css('message') });
    main.replaceChildren(
      h('div', { class: css('title') }, h('h1', {}, h('span', {}, query))),
      grid(async () => {
        if (after === null) return null;
        const operation =
          after === undefined ? 'PolarisKeywordSearchExplorePageRelayQuery' : 'PolarisKeywordSearchExplorePageRelayPaginationQuery';
        const answer = await transport.graphql(operation, {
          query,
          first: 24,
          search_session_id: session,
          serp_session_id: session,
          after: after ?? null,
        });
        if (answer.kind !== 'ok') {
          overlays.showRefusal(answer);
          return null;
        }
        const result = (
          answer.data.data as Record<
            string,
            { edges: { node: { items?: Media[] } }[]; page_info: { has_next_page: boolean; end_cursor: string } }
          >
        ).xdt_fbsearch__top_serp_graphql;
        const isFirst = after === undefined;
        after = result?.page_info.has_next_page ? result.page_info.end_cursor : null;
        const media = result?.edges.flatMap(({ node }) => node.items ?? []) ?? [];
        for (const { user } of media) ids.set(user.username, user.pk);
        if (isFirst && media.length === 0) empty.replaceChildren(texts.nothingFound);
        return media;
      }),
      empty,
    );
  };

  const postBody = (media: Media, firstComments: Answer | undefined): HTMLElement => {
    const { user } = media;
    const status = user.friendship_status ?? { following: false, outgoing_request: false };
    const likes = h('div', {});
    // At mobile width the comments have a page of their own.
    const comments = isNarrow() ? null : commentArea(media, firstComments);
    const commentsPath = `/p/${media.code}/comments/`;
    const showLikes = (): void => likes.replaceChildren(likesLine(media));
    showLikes();
    return h(
      trouble === 'broken' ? 'div' : 'article',
      { class: css('post'), role: 'presentation' },
      h('div', { class: css('media') }, h('img', { alt: media.caption.text.slice(0, 80), src: media.display_uri })),
      h(
        'div',
        {},
        h(
          'header',
          { class: css('row') },
          h(
            'a',
            { href: `/${user.username}/` },
            h('img', { class: css('avatar'), alt: '', src: user.profile_pic_url, width: 32, height: 32 }),
          ),
          ...[user, ...media.coauthor_producers].map(({ username }) =>
            h('a', { href: `/${username}/` }, h('span', { class: css('name') }, username)),
          ),
          user.pk === viewer.id || status.following ? null : followButton(user, status, 'suggestions'),
        ),
        h('div', { class: css('text') }, ...captionParts(media.caption.text)),
        comments?.list,
        h(
          'section',
          { class: css('row') },
          isBare ? null : likeButton(media, 'single_post', showLikes),
          ...(
            [
              [texts.comment, drawings.bubble, () => commentOn(commentsPath, comments?.form)],
              [texts.share, drawings.messages, undefined],
              [texts.save, drawings.flag, undefined],
              [texts.moreOptions, drawings.dots, undefined],
            ] as const
          ).map(([word, drawing, press]) => iconButton(word, drawing, press)),
        ),
        likes,
        h(
          'time',
          { datetime: new Date(media.taken_at * 1000).toISOString() },
          new Date(media.taken_at * 1000).toLocaleDateString(document.documentElement.lang),
        ),
        comments
          ? !isBare && comments.form
          : h('a', { href: commentsPath }, overlays.text('viewAllComments', { count: exactNumber(media.comment_count) })),
      ),
    );
  };

  const commentOn = (path: string, form: HTMLElement | undefined): void => {
    if (form) form.querySelector('textarea')?.focus();
    else dispatchEvent(new CustomEvent('site:navigate', { detail: path }));
  };

  const isOf =
    (code: string) =>
    (data: Record<string, unknown>): boolean =>
      (data as Record<string, { items: Media[] }>).xdt_api__v1__media__shortcode__web_info?.items[0]?.code === code;

  /** The likers of a post, a sample without a second page; null when something else is shown instead. */
  const likersOf = async (screen: HTMLElement, code: string): Promise<HTMLElement | null> => {
    const media = await loadMedia(code);
    if (media === null) screen.replaceChildren(missingPage());
    if (!media) return null;
    const answer = await transport.graphql('PolarisPostLikedByListDialogQuery', { id: media.pk });
    const likers =
      answer.kind === 'ok'
        ? (answer.data.data as { fetch__XDTMediaDict: { likers_connection: { nodes: Person[] } } | null }).fetch__XDTMediaDict
        : null;
    if (answer.kind !== 'ok') overlays.showRefusal(answer);
    if (!likers) return null;
    const rows = likers.likers_connection.nodes.map((person) => {
      ids.set(person.username, person.pk);
      return h(
        'div',
        { class: css('row') },
        h(
          'a',
          { href: `/${person.username}/`, role: 'link', tabindex: 0 },
          h('img', { class: css('avatar'), alt: '', src: person.profile_pic_url, width: 44, height: 44 }),
          h('span', { class: css('name') }, person.username),
        ),
        h('span', { class: css('second') }, person.full_name),
        person.pk === viewer.id || !person.friendship_status ? null : followButton(person, person.friendship_status, 'followers'),
      );
    });
    return h('div', {}, h('div', { class: css('title') }, h('h1', {}, texts.likes)), h('div', { class: css('box') }, ...rows));
  };

  const showLikers = async (screen: HTMLElement, code: string): Promise<void> => {
    const list = await likersOf(screen, code);
    if (list) screen.replaceChildren(list);
  };

  /** @returns a function that closes the dialog; null when nothing is shown. */
  const openLikers = async (
    screen: HTMLElement,
    code: string,
    isStillHere: () => boolean,
    leave: () => void,
  ): Promise<(() => void) | null> => {
    const list = await likersOf(screen, code);
    if (!list || !isStillHere()) return null;
    const close = overlays.openDialog(texts.likes, list, leave);
    list.prepend(overlays.closeButton(() => close()));
    return close;
  };

  /** @returns null when there is no such post; undefined when a refusal is shown instead. */
  const loadMedia = async (code: string): Promise<Media | null | undefined> => {
    const answer =
      transport.preloaded('PolarisPostRootQuery', isOf(code)) ?? (await transport.graphql('PolarisPostRootQuery', { shortcode: code }));
    if (answer.kind !== 'ok') {
      if (answer.body?.errors) return null;
      overlays.showRefusal(answer);
      return undefined;
    }
    const media = (answer.data.data as { xdt_api__v1__media__shortcode__web_info: { items: Media[] } })
      .xdt_api__v1__media__shortcode__web_info.items[0];
    if (media) ids.set(media.user.username, media.user.pk);
    return media ?? null;
  };

  const loadPost = async (code: string): Promise<HTMLElement | null> => {
    const media = await loadMedia(code);
    if (media === undefined) return null;
    return media ? postBody(media, isNarrow() ? undefined : firstCommentsOf(code)) : missingPage();
  };

  /** The answer with the first comments, when the document contains it; a second visit of the post requests them. */
  const firstCommentsOf = (code: string): Answer | undefined => {
    if (hasShownFirstComments || !transport.preloaded('PolarisPostRootQuery', isOf(code))) return undefined;
    hasShownFirstComments = true;
    return transport.preloaded('PolarisPostCommentsContainerQuery', () => true);
  };

  /** The comments as a page of their own, at mobile width. */
  const showComments = async (screen: HTMLElement, code: string): Promise<void> => {
    const media = await loadMedia(code);
    if (media === null) return screen.replaceChildren(missingPage());
    if (media === undefined) return;
    const { list, form } = commentArea(media, firstCommentsOf(code));
    screen.replaceChildren(h('h1', { class: css('title') }, texts.commentsTitle), list, form);
  };

  const showPost = async (main: HTMLElement, code: string): Promise<void> => {
    const body = await loadPost(code);
    if (body) main.replaceChildren(isNarrow() ? h('h1', { class: css('title') }, 'Post') : '', body);
  };

  /** @returns a function that closes the dialog; null when the post is shown as a page. */
  const openPost = async (code: string, isStillHere: () => boolean, leave: () => void): Promise<(() => void) | null> => {
    const body = await loadPost(code);
    return body && isStillHere() ? overlays.openDialog('Post', body, leave) : null;
  };

  return { showTag, showPost, openPost, showLikers, openLikers, showComments };
}

export type Posts = ReturnType<typeof createPosts>;
