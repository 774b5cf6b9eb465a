import type { Dom } from './dom.js';
import type { Follow } from './follow.js';
import type { Lists } from './lists.js';
import type { Overlays } from './overlays.js';
import type { Transport } from './transport.js';
import type { Boot, Media, Person, Profile } from './types.js';

/**
 * The screens: home, profile, hashtag, post. This function's own text is what the browser gets, so it uses nothing but its
 * parameters and the browser.
 */
export function createPages(
  boot: Boot,
  { h, icon, spinner, on, css }: Dom,
  transport: Transport,
  overlays: Overlays,
  { followButton }: Follow,
  { peopleList }: Lists,
) {
  const { texts, viewer, isDrift, drawings } = boot;
  /** Numbers of the people seen so far, so that their pages need not be asked for. */
  const ids = new Map<string, string>([[viewer.username, viewer.id]]);
  const isNarrow = (): boolean => innerWidth <= 500;

  const shortNumber = (count: number): string => {
    const separator = boot.language === 'pt' ? 'pt-BR' : 'en-US';
    if (count < 10_000) return count.toLocaleString(separator);
    const [value, unit] = count < 1_000_000 ? [count / 1_000, texts.thousand] : [count / 1_000_000, texts.million];
    return `${value.toLocaleString(separator, { maximumFractionDigits: 1 })}${unit}`;
  };
  const exactNumber = (count: number): string => count.toLocaleString(boot.language === 'pt' ? 'pt-BR' : 'en-US');

  const missingPage = (): HTMLElement => {
    document.title = `${texts.missingTitle} • Instagram`;
    return h(
      'div',
      { class: css('message') },
      h('h2', {}, texts.missing),
      h('p', {}, texts.missingHint),
      h('a', { href: '/' }, 'Instagram'),
    );
  };

  const idOf = async (username: string): Promise<string | null | undefined> => {
    const known = ids.get(username);
    if (known) return known;
    const path = `/${username}/`;
    const answer = await transport.rest('POST', '/ajax/bulk-route-definitions/', { 'route_urls[0]': path, routing_namespace: 'igx_www' });
    if (answer.kind !== 'ok') {
      overlays.showRefusal(answer);
      return undefined;
    }
    const { payloads } = answer.data.payload as {
      payloads: Record<string, { result: { exports: { rootView: { props: { id: string } } } } | null }>;
    };
    const id = payloads[path]?.result?.exports.rootView.props.id ?? null;
    if (id) ids.set(username, id);
    return id;
  };

  /** A grid that asks for more when the window comes near its end. `next` gives null at the end. */
  const grid = (next: () => Promise<Media[] | null>): HTMLElement => {
    const tiles = h('div', { class: css('grid') });
    const foot = h('div', { class: css('item') }, spinner());
    const whole = h('div', {}, tiles, foot);
    let isLoading = false;
    let isOver = false;
    const more = async (): Promise<void> => {
      if (isLoading || isOver) return;
      isLoading = true;
      const media = await next();
      isLoading = false;
      if (media === null || media.length === 0) {
        isOver = true;
        foot.replaceChildren();
        removeEventListener('scroll', check);
        return;
      }
      for (const each of media)
        tiles.append(
          h(
            'a',
            { class: css('tile'), href: `/p/${each.code}/`, role: 'link', tabindex: 0 },
            h('img', { alt: each.caption.text.slice(0, 80), src: each.display_uri, loading: 'lazy' }),
            each.media_type === 1 ? null : each.media_type === 2 ? icon('Clip', drawings.play, 16) : icon('Carousel', drawings.layers, 16),
          ),
        );
      check();
    };
    const check = (): void => {
      if (!whole.isConnected) return removeEventListener('scroll', check);
      if (document.documentElement.scrollHeight - scrollY - innerHeight < 500) void more();
    };
    addEventListener('scroll', check, { passive: true });
    void more();
    return whole;
  };

  const suggestionCards = async (profileId: string, place: HTMLElement): Promise<void> => {
    const answer = await transport.graphql('PolarisProfileSuggestedUsersWithPreloadableQuery', { target_id: profileId, module: 'profile' });
    if (answer.kind !== 'ok' || !place.isConnected) return;
    const { users } = (answer.data.data as { xdt_api__v1__discover__chaining: { users: Person[] } }).xdt_api__v1__discover__chaining;
    if (users.length === 0) return;
    place.append(h('h2', { class: css('second') }, texts.suggested));
    for (const person of users) {
      ids.set(person.username, person.pk);
      const status = person.friendship_status ?? { following: false, outgoing_request: false };
      place.append(
        h(
          'div',
          { class: css('card') },
          h(
            'a',
            { href: `/${person.username}/` },
            h('img', { class: css('avatar'), alt: '', src: person.profile_pic_url }),
            h('span', {}, person.username),
          ),
          followButton(person, status, 'suggestions'),
        ),
      );
    }
  };

  const counter = (count: number, word: string, href: string | null): HTMLElement => {
    const inner = h('span', { class: css('count'), title: exactNumber(count) }, h('span', {}, shortNumber(count)));
    return h(
      'li',
      {},
      h('div', {}, href ? h('a', { href, role: 'link', tabindex: 0 }, inner, ` ${word}`) : h('span', {}, inner, ` ${word}`)),
    );
  };

  const profileHeader = (profile: Profile): HTMLElement => {
    const base = `/${profile.username}`;
    const isOwn = profile.pk === viewer.id;
    const avatar = h('img', { class: css('avatar'), alt: profile.username, src: profile.profile_pic_url, width: 150, height: 150 });
    return h(
      boot.trouble === 'broken' ? 'div' : 'header',
      { class: css('header') },
      h(
        'div',
        {},
        profile.latest_reel_media > 0 ? h('div', { role: 'button', tabindex: 0 }, h('canvas', { width: 10, height: 10 }), avatar) : avatar,
      ),
      h(
        'section',
        {},
        h(
          'div',
          { class: css('row') },
          h('a', { href: `${base}/` }, h('h2', { class: css('name') }, h('span', {}, profile.username))),
          profile.is_verified ? icon(texts.verified, drawings.check, 16) : null,
          boot.trouble !== 'broken' && boot.trouble !== 'buttonless' && !isOwn && profile.friendship_status
            ? followButton(profile, profile.friendship_status, 'profile')
            : null,
          isOwn ? null : h('div', { class: css('button'), role: 'button', tabindex: 0 }, texts.message),
          h('div', { role: 'button', tabindex: 0 }, icon(texts.options, drawings.dots)),
        ),
        h(
          'ul',
          { class: css('counters') },
          counter(profile.media_count, texts.posts, null),
          counter(profile.follower_count, texts.followers, `${base}/followers/`),
          counter(profile.following_count, texts.followingCounter, `${base}/following/`),
        ),
        h('div', { class: css('bio') }, h('span', {}, profile.full_name), h('div', {}, profile.biography)),
      ),
    );
  };

  const profileQuery = async (id: string): Promise<Profile | null | undefined> => {
    const answer = await transport.graphql('PolarisProfilePageContentQuery', {
      id,
      render_surface: 'PROFILE',
      enable_integrity_filters: true,
      __relay_internal__pv__PolarisCannesGuardianExperienceEnabledrelayprovider: true,
    });
    if (answer.kind === 'ok') return (answer.data.data as { user: Profile | null }).user;
    overlays.showRefusal(answer);
    return undefined;
  };

  const profilePosts = (id: string): HTMLElement => {
    let after: string | null | undefined;
    return grid(async () => {
      if (after === null) return null;
      const answer = await transport.graphql('PolarisProfilePostsQuery', {
        id,
        first: 12,
        after: after ?? null,
        data: { count: 12, include_relationship_info: true },
      });
      if (answer.kind !== 'ok') return null;
      const connection = (
        answer.data.data as Record<string, { edges: { node: Media }[]; page_info: { has_next_page: boolean; end_cursor: string } }>
      ).xdt_api__v1__feed__user_timeline_graphql_connection;
      after = connection?.page_info.has_next_page ? connection.page_info.end_cursor : null;
      return connection?.edges.map(({ node }) => node) ?? null;
    });
  };

  const showProfile = async (main: HTMLElement, username: string): Promise<void> => {
    document.title = `${username} • Instagram`;
    const id = await idOf(username);
    if (id === null) return main.replaceChildren(missingPage());
    if (id === undefined) return;
    const profile = await profileQuery(id);
    if (profile === undefined) return;
    if (profile === null) return main.replaceChildren(missingPage());
    document.title = `${profile.full_name} (@${profile.username}) • Instagram`;
    const others = h('div', { class: css('suggestions') });
    const mayLook = !profile.is_private || profile.pk === viewer.id || (profile.friendship_status?.following ?? false);
    const posts = !mayLook
      ? h('div', { class: css('message') }, h('h2', {}, texts.privateTitle), h('div', {}, texts.privateHint))
      : profile.media_count === 0
        ? h('div', { class: css('message') }, h('span', {}, texts.noPosts))
        : profilePosts(id);
    main.replaceChildren(profileHeader(profile), others, h('div', { class: css('tabs'), role: 'tablist' }), posts);
    if (profile.pk !== viewer.id) void suggestionCards(profile.pk, others);
  };

  /** A list below its search box. */
  const searchableList = (id: string, kind: 'followers' | 'following'): HTMLElement => {
    const listOf = (typed: string): HTMLElement => peopleList(id, kind, ({ username, pk }) => ids.set(username, pk), typed);
    const input = h('input', { type: 'text', placeholder: texts.search, 'aria-label': texts.search });
    let list = listOf('');
    let pause: ReturnType<typeof setTimeout> | undefined;
    on(input, 'input', () => {
      clearTimeout(pause);
      pause = setTimeout(() => {
        const other = listOf(input.value);
        list.replaceWith(other);
        list = other;
      }, 300);
    });
    return h('div', {}, h('div', { class: css('search') }, input), list);
  };

  /** On desktop the list lies over the profile; elsewhere it is a page of its own. @returns closes the dialog. */
  const showList = async (
    main: HTMLElement,
    username: string,
    kind: 'followers' | 'following',
    isStillHere: () => boolean,
    leave: () => void,
  ): Promise<(() => void) | null> => {
    const title = kind === 'followers' ? texts.followersTitle : texts.followingTitle;
    const id = await idOf(username);
    if (!id) {
      if (id === null) main.replaceChildren(missingPage());
      return null;
    }
    if (!isStillHere()) return null;
    const list = searchableList(id, kind);
    if (isDrift || isNarrow()) {
      main.replaceChildren(h('h1', { class: css('title') }, title), list);
      return null;
    }
    let close = (): void => {};
    const content = h('div', {}, h('div', { class: css('title') }, h('h1', {}, title)), list);
    close = overlays.openDialog(title, content, leave);
    content.prepend(overlays.closeButton(() => close()));
    return close;
  };

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

  const postBody = (media: Media): HTMLElement => {
    const { user } = media;
    const status = user.friendship_status ?? { following: false, outgoing_request: false };
    return h(
      'article',
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
          h('a', { href: `/${user.username}/` }, h('span', { class: css('name') }, user.username)),
          user.pk === viewer.id || status.following ? null : followButton(user, status, 'suggestions'),
        ),
        h('div', { class: css('text') }, ...captionParts(media.caption.text)),
        h(
          'section',
          { class: css('row') },
          ...(
            [
              [texts.comment, drawings.bubble],
              [texts.share, drawings.messages],
              [texts.save, drawings.flag],
              [texts.moreOptions, drawings.dots],
            ] as const
          ).map(([word, drawing]) => h('div', { role: 'button', tabindex: 0 }, icon(word, drawing))),
        ),
        h('div', { class: css('second') }, `${exactNumber(media.like_count)} ♥`),
        h(
          'time',
          { datetime: new Date(media.taken_at * 1000).toISOString() },
          new Date(media.taken_at * 1000).toLocaleDateString(document.documentElement.lang),
        ),
      ),
    );
  };

  const captionParts = (caption: string): (string | HTMLElement)[] =>
    caption
      .split(/(#[\p{L}\p{N}_]+)/u)
      .map((part) => (part.startsWith('#') ? h('a', { href: `/explore/tags/${part.slice(1)}/` }, part) : part));

  const loadPost = async (code: string): Promise<HTMLElement | null> => {
    const answer = await transport.graphql('PolarisPostRootQuery', { shortcode: code });
    if (answer.kind !== 'ok') {
      if (answer.body?.errors) return missingPage();
      overlays.showRefusal(answer);
      return null;
    }
    const media = (answer.data.data as { xdt_api__v1__media__shortcode__web_info: { items: Media[] } })
      .xdt_api__v1__media__shortcode__web_info.items[0];
    if (media) ids.set(media.user.username, media.user.pk);
    return media ? postBody(media) : missingPage();
  };

  const showPost = async (main: HTMLElement, code: string): Promise<void> => {
    const body = await loadPost(code);
    if (body) main.replaceChildren(isNarrow() ? h('h1', { class: css('title') }, 'Post') : '', body);
  };

  /** @returns closes the dialog; null when there is none. */
  const openPost = async (code: string, isStillHere: () => boolean, leave: () => void): Promise<(() => void) | null> => {
    const body = await loadPost(code);
    return body && isStillHere() ? overlays.openDialog('Post', body, leave) : null;
  };

  const showHome = (main: HTMLElement): void => {
    document.title = 'Instagram';
    const others = h('div', { class: css('suggestions') });
    main.replaceChildren(h('div', { class: css('message') }, h('span', {}, texts.noPosts)), others);
    void suggestionCards(viewer.id, others);
  };

  const showSearch = (main: HTMLElement): void => {
    document.title = `${texts.explore} • Instagram`;
    const input = h('input', { type: 'search', placeholder: texts.search, 'aria-label': texts.search });
    on(input, 'keydown', (event) => {
      const word = input.value.trim();
      if ((event as KeyboardEvent).key !== 'Enter' || !word) return;
      dispatchEvent(new CustomEvent('site:navigate', { detail: `/explore/search/keyword/?q=${encodeURIComponent(word)}` }));
    });
    main.replaceChildren(h('div', { class: css('search') }, input));
  };

  return { ids, isNarrow, missingPage, showProfile, showList, showTag, showPost, openPost, showHome, showSearch };
}

export type Pages = ReturnType<typeof createPages>;
