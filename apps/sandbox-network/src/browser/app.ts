import type { Direct } from './direct.js';
import type { Dom } from './dom.js';
import type { Overlays } from './overlays.js';
import type { Pages } from './pages.js';
import type { Posts } from './posts.js';
import type { ScreenParts } from './screen-parts.js';
import type { Stories } from './stories.js';
import type { Boot } from './types.js';

/**
 * Starts the page: navigation bar, screens and routing. After the first load it navigates by `pushState`. The browser receives the source
 * text of this function, so it may use only its parameters and the browser's globals.
 */
export function startApp(
  boot: Boot,
  { h, icon, spinner, css }: Dom,
  overlays: Overlays,
  { ids, isNarrow, missingPage }: ScreenParts,
  pages: Pages,
  posts: Posts,
  stories: Stories,
  direct: Direct,
): void {
  const { texts, viewer, drawings } = boot;
  const main = h(boot.trouble === 'broken' ? 'div' : 'main', {
    class: css('main'),
    ...(boot.trouble === 'broken' ? {} : { role: 'main' }),
  });
  let screen = h('div');
  let closeOverlay: (() => void) | null = null;
  /** Path of the screen that is shown, possibly behind a dialog; null before the first screen. */
  let drawn: string | null = null;
  /** Full address of that screen; closing a dialog returns to it. */
  let drawnAddress = '/';

  const item = (href: string, word: string, drawing: string): HTMLElement =>
    h(
      'a',
      { class: css('item'), href, role: 'link', tabindex: 0 },
      h('div', {}, icon(word, drawing)),
      h('div', { class: css('word') }, h('span', {}, h('span', {}, word))),
    );

  const bar = h(
    'div',
    { class: css('side') },
    h(
      'div',
      { class: css('bar') },
      item('/', texts.home, drawings.home),
      item('/explore/search/', texts.search, drawings.search),
      item('/explore/', texts.explore, drawings.explore),
      item('/reels/', texts.reels, drawings.reels),
      item('/direct/inbox/', texts.messages, drawings.messages),
      item('/notifications/', texts.notifications, drawings.heart),
      h(
        'div',
        { class: css('item'), role: 'button', tabindex: 0 },
        icon(texts.newPost, drawings.plus),
        h('span', { class: css('word') }, texts.newPost),
      ),
      item(`/${viewer.username}/`, texts.profile, drawings.person),
    ),
  );

  const frame = h('div', { class: css('page') }, bar, main);

  /** Returns from a dialog to the screen behind it, unless the page has navigated on meanwhile. */
  const leaveTo = (path: string) => (): void => {
    if (!closeOverlay) return;
    closeOverlay = null;
    if (location.pathname + location.search !== path) history.pushState({}, '', path);
  };

  /** Shows a dialog again that another one has replaced, unless the page has navigated on meanwhile. */
  const returnTo = (path: string) => (): void => {
    if (!closeOverlay) return;
    closeOverlay = null;
    navigate(path);
  };

  const show = async (): Promise<void> => {
    const { pathname, search } = location;
    if (closeOverlay) {
      const close = closeOverlay;
      closeOverlay = null;
      close();
    }
    const [, first = '', second = '', third = ''] = pathname.split('/');
    const behind = drawn;
    const cameFrom = drawnAddress;
    if (boot.trouble === 'stuck') return main.replaceChildren(spinner());
    const isStillHere = (): boolean => location.pathname === pathname;
    const isList = second === 'followers' || second === 'following';
    const isPost = ['p', 'reel', 'tv'].includes(first) || (first === 'reels' && second !== '');
    const isLikers = isPost && third === 'liked_by';
    // Back from the likers' dialog to the post, which is still shown as a page.
    if (isPost && behind === pathname) return;
    const isDialog = isList
      ? behind === `/${first}/`
      : isPost && behind !== null && !behind.endsWith('/liked_by/') && !isNarrow() && !(isLikers && boot.traits.isDrift);
    if (!isDialog) {
      drawn = pathname;
      drawnAddress = pathname + search;
      // A new element for each screen, so that a late answer of the previous screen changes nothing that is shown.
      screen = h('div', {}, spinner());
      main.replaceChildren(screen);
    }
    const isStory = first === 'stories' && second !== '';
    // The story viewer has no navigation bar.
    if (isStory) bar.remove();
    else if (!bar.isConnected) frame.prepend(bar);
    if (isStory) return stories.showStories(screen, second, third, { isFirstScreen: behind === null, returnTo: cameFrom });
    if (second === 'live') return stories.showLive(screen, first);
    if (pathname === '/') {
      const isFollowing = new URLSearchParams(search).get('variant') === 'following';
      pages.showHome(screen, isFollowing ? 'following' : 'home');
      // The feed of followed people has no tray.
      if (isFollowing) return;
      const tray = h('div');
      screen.prepend(tray);
      return stories.showTray(tray);
    }
    if (first === 'explore' && second === 'tags' && third) {
      // Links point to the tag's address; the page itself replaces it by the search address.
      history.pushState({}, '', `/explore/search/keyword/?q=${encodeURIComponent(`#${decodeURIComponent(third)}`)}`);
      return show();
    }
    if (first === 'explore' && third === 'keyword') return posts.showTag(screen, new URLSearchParams(search).get('q') ?? '');
    if (first === 'explore') return pages.showSearch(screen);
    if (isPost && third === 'comments' && isNarrow()) return posts.showComments(screen, second);
    if (isLikers && !isDialog) return posts.showLikers(screen, second);
    if (isLikers) {
      const post = `/${first}/${second}/`;
      closeOverlay = await posts.openLikers(screen, second, isStillHere, behind === post ? leaveTo(post) : returnTo(post));
      return;
    }
    if (isPost) {
      if (!isDialog) return posts.showPost(screen, second);
      closeOverlay = await posts.openPost(second, isStillHere, leaveTo(drawnAddress));
      return;
    }
    if (first === 'direct') return direct.show(screen, second, third);
    if (['notifications', 'accounts', 'reels', 'stories'].includes(first))
      return screen.replaceChildren(h('div', { class: css('message') }));
    if (isList) {
      const profile = `/${first}/`;
      if (behind !== profile && !boot.traits.isDrift && !isNarrow()) {
        drawn = profile;
        drawnAddress = profile;
        await pages.showProfile(screen, first);
      }
      if (!isStillHere()) return;
      closeOverlay = await pages.showList(screen, first, second, isStillHere, leaveTo(profile));
      return;
    }
    await pages.showProfile(screen, first);
  };

  const navigate = (path: string): void => {
    if (path === location.pathname + location.search) return;
    history.pushState({}, '', path);
    if (!path.includes('/followers/') && !path.includes('/following/')) scrollTo(0, 0);
    void show();
  };

  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href');
    if (!href?.startsWith('/') || event.defaultPrevented || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    navigate(href);
  });
  addEventListener('popstate', () => void show());
  addEventListener('site:message', (event) => void direct.write((event as CustomEvent<{ pk: string; username: string }>).detail));
  addEventListener('site:navigate', (event) => navigate(String((event as CustomEvent).detail)));

  const root = document.getElementById('mount');
  root?.replaceChildren(frame, overlays.layer);
  if (boot.profileId) ids.set(location.pathname.split('/')[1] ?? '', boot.profileId);
  if (boot.trouble === 'missing') main.replaceChildren(missingPage());
  else void show();
  overlays.interrupt();
}
