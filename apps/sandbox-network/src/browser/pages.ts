import type { Dom } from './dom.js';
import type { Feed } from './feed.js';
import type { Follow } from './follow.js';
import type { Lists } from './lists.js';
import type { Overlays } from './overlays.js';
import type { ScreenParts } from './screen-parts.js';
import type { Transport } from './transport.js';
import type { Boot, Media, Person, Profile } from './types.js';

/**
 * The screens of home, profiles, lists and search. The browser receives the source text of this function, so it may use only its
 * parameters and the browser's globals.
 */
export function createPages(
  boot: Boot,
  { h, icon, on, css }: Dom,
  transport: Transport,
  overlays: Overlays,
  { followButton }: Follow,
  { peopleList }: Lists,
  { feedOf }: Feed,
  { ids, isNarrow, shortNumber, exactNumber, missingPage, grid }: ScreenParts,
) {
  const { texts, viewer, traits, drawings } = boot;
  /** Ids of the people whose profile this page has shown. */
  const asked = new Set<string>();
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

  const messageButton = ({ pk, username }: Profile): HTMLElement =>
    on(
      traits.isDrift
        ? h('button', { class: css('button'), type: 'button' }, h('div', {}, icon(texts.messageShort, drawings.messages)))
        : h('div', { class: css('button'), role: 'button', tabindex: 0 }, texts.message),
      'click',
      () => dispatchEvent(new CustomEvent('site:message', { detail: { pk, username } })),
    );

  /** A press on a ringed picture opens the story, or only the enlarged picture. */
  const pressRing = ({ username, profile_pic_url: src }: Profile): void => {
    if (traits.ringOpens === 'story') return void dispatchEvent(new CustomEvent('site:navigate', { detail: `/stories/${username}/` }));
    overlays.openDialog(username, h('img', { alt: username, src, width: 400, height: 400 }));
  };

  const profileHeader = (profile: Profile): HTMLElement => {
    const base = `/${profile.username}`;
    const isOwn = profile.pk === viewer.id;
    const isBare = boot.trouble === 'broken' || boot.trouble === 'buttonless';
    const avatar = h('img', { class: css('avatar'), alt: profile.username, src: profile.profile_pic_url, width: 150, height: 150 });
    return h(
      boot.trouble === 'broken' ? 'div' : 'header',
      { class: css('header') },
      h(
        'div',
        {},
        profile.latest_reel_media > 0
          ? on(h('div', { role: 'button', tabindex: 0 }, h('canvas', { width: 10, height: 10 }), avatar), 'click', () => pressRing(profile))
          : avatar,
      ),
      h(
        'section',
        {},
        h(
          'div',
          { class: css('row') },
          h('a', { href: `${base}/` }, h('h2', { class: css('name') }, h('span', {}, profile.username))),
          profile.is_verified ? icon(texts.verified, drawings.check, 16) : null,
          !isBare && !isOwn && profile.friendship_status ? followButton(profile, profile.friendship_status, 'profile') : null,
          isBare || isOwn ? null : messageButton(profile),
          h('div', { role: 'button', tabindex: 0 }, icon(texts.options, drawings.dots)),
        ),
        h(
          'ul',
          { class: css('counters') },
          counter(profile.media_count, texts.posts, null),
          counter(profile.follower_count, texts.followers, `${base}/followers/${traits.counterQuery}`),
          counter(profile.following_count, texts.followingCounter, `${base}/following/${traits.counterQuery}`),
        ),
        h('div', { class: css('bio') }, h('span', {}, profile.full_name), h('div', {}, profile.biography)),
      ),
    );
  };

  const profileQuery = async (id: string): Promise<Profile | null | undefined> => {
    const isOwn = id === viewer.id;
    // A second visit of another profile requests it again. The visitor's own profile is available from the document only.
    const brought =
      isOwn || !asked.has(id) ? transport.preloaded(traits.profileQuery, ({ user }) => (user as Profile | null)?.pk === id) : undefined;
    asked.add(id);
    if (brought?.kind === 'ok') return (brought.data.data as { user: Profile }).user;
    if (traits.preloads && isOwn) {
      // The visitor's own profile is available from its document only.
      location.reload();
      return undefined;
    }
    const answer = await transport.graphql(traits.profileQuery, {
      id,
      render_surface: 'PROFILE',
      enable_integrity_filters: true,
      __relay_internal__pv__PolarisCannesGuardianExperienceEnabledrelayprovider: true,
    });
    if (answer.kind === 'ok') return (answer.data.data as { user: Profile | null }).user;
    overlays.showRefusal(answer);
    return undefined;
  };

  const areOf =
    (username: string) =>
    (data: Record<string, unknown>): boolean =>
      (data as Record<string, { edges: { node: Media }[] }>).xdt_api__v1__feed__user_timeline_graphql_connection?.edges[0]?.node.user
        .username === username;

  const profilePosts = (username: string): HTMLElement => {
    let after: string | null | undefined;
    return grid(async () => {
      if (after === null) return null;
      const isFirst = after === undefined;
      const data = {
        count: 12,
        include_reel_media_seen_timestamp: true,
        include_relationship_info: true,
        latest_besties_reel_media: true,
        latest_reel_media: true,
      };
      const answer =
        (isFirst ? transport.preloaded('PolarisProfilePostsQuery', areOf(username)) : undefined) ??
        (await (isFirst
          ? transport.graphql('PolarisProfilePostsQuery', { data, username })
          : transport.graphql('PolarisProfilePostsTabContentQuery_connection', {
              after,
              before: null,
              data,
              first: 12,
              last: null,
              username,
            })));
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
        : profilePosts(profile.username);
    main.replaceChildren(profileHeader(profile), others, h('div', { class: css('tabs'), role: 'tablist' }), posts);
    if (profile.pk !== viewer.id) void suggestionCards(profile.pk, others);
  };

  /** A list with its search box. */
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

  /** Shows a list: on desktop in a dialog over the profile, else as a page. @returns a function that closes the dialog. */
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
    if (traits.isDrift || isNarrow()) {
      main.replaceChildren(h('h1', { class: css('title') }, title), list);
      return null;
    }
    let close = (): void => {};
    const content = h('div', {}, h('div', { class: css('title') }, h('h1', {}, title)), list);
    close = overlays.openDialog(title, content, leave);
    content.prepend(overlays.closeButton(() => close()));
    return close;
  };

  const showHome = (main: HTMLElement, variant: 'home' | 'following'): void => {
    document.title = 'Instagram';
    const others = h('div', { class: css('suggestions') });
    main.replaceChildren(feedOf(variant), others);
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

  return { idOf, showProfile, showList, showHome, showSearch };
}

export type Pages = ReturnType<typeof createPages>;
