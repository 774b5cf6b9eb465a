import type { Dom } from './dom.js';
import type { Overlays } from './overlays.js';
import type { Pages } from './pages.js';
import type { Boot } from './types.js';

/**
 * Frame and navigation: a full load happens only once, everything after moves by `pushState`. This function's own text is
 * what the browser gets, so it uses nothing but its parameters and the browser.
 */
export function startApp(boot: Boot, { h, icon, spinner, css }: Dom, overlays: Overlays, pages: Pages): void {
  const { texts, viewer, drawings } = boot;
  const main = h(boot.trouble === 'broken' ? 'div' : 'main', {
    class: css('main'),
    ...(boot.trouble === 'broken' ? {} : { role: 'main' }),
  });
  let screen = h('div');
  let closeOverlay: (() => void) | null = null;
  /** The path whose screen lies behind a dialog; null when nothing was drawn yet. */
  let drawn: string | null = null;
  /** Its whole address, to which a closed dialog leads back. */
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

  /** Whoever closes a dialog is back where it was opened; a dialog that closes because the page moves on leads nowhere. */
  const leaveTo = (path: string) => (): void => {
    if (!closeOverlay) return;
    closeOverlay = null;
    if (location.pathname + location.search !== path) history.pushState({}, '', path);
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
    if (boot.trouble === 'stuck') return main.replaceChildren(spinner());
    const isStillHere = (): boolean => location.pathname === pathname;
    const isList = second === 'followers' || second === 'following';
    const isPost = ['p', 'reel', 'tv'].includes(first);
    if (!(isList && behind === `/${first}/`) && !(isPost && behind && !pages.isNarrow())) {
      drawn = pathname;
      drawnAddress = pathname + search;
      // A screen of its own, so that an answer that comes too late draws where nobody looks.
      screen = h('div', {}, spinner());
      main.replaceChildren(screen);
    }
    if (pathname === '/') return pages.showHome(screen);
    if (first === 'explore' && second === 'tags' && third) {
      // The link says tags, the page moves itself.
      history.pushState({}, '', `/explore/search/keyword/?q=${encodeURIComponent(`#${decodeURIComponent(third)}`)}`);
      return show();
    }
    if (first === 'explore' && third === 'keyword') return pages.showTag(screen, new URLSearchParams(search).get('q') ?? '');
    if (first === 'explore') return pages.showSearch(screen);
    if (isPost) {
      if (!behind || pages.isNarrow()) return pages.showPost(screen, second);
      closeOverlay = await pages.openPost(second, isStillHere, leaveTo(drawnAddress));
      return;
    }
    if (['direct', 'notifications', 'accounts', 'reels', 'stories'].includes(first))
      return screen.replaceChildren(h('div', { class: css('message') }));
    if (isList) {
      const profile = `/${first}/`;
      if (behind !== profile && !boot.isDrift && !pages.isNarrow()) {
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
  addEventListener('site:navigate', (event) => navigate(String((event as CustomEvent).detail)));

  const root = document.getElementById('mount');
  const frame = h('div', { class: css('page') }, bar, main);
  root?.replaceChildren(frame, overlays.layer);
  if (boot.profileId) pages.ids.set(location.pathname.split('/')[1] ?? '', boot.profileId);
  if (boot.trouble === 'missing') main.replaceChildren(pages.missingPage());
  else void show();
  overlays.interrupt();
}
