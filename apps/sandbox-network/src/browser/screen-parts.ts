import type { Dom } from './dom.js';
import type { Boot, Media } from './types.js';

/**
 * Parts that several screens use. The browser receives the source text of this function, so it may use only its parameters and the
 * browser's globals.
 */
export function createScreenParts(boot: Boot, { h, icon, spinner, css }: Dom) {
  const { texts, viewer, drawings } = boot;
  /** Ids of the people seen so far, by username. For a known id the page opens a profile without asking for its route first. */
  const ids = new Map<string, string>([[viewer.username, viewer.id]]);
  const isNarrow = (): boolean => innerWidth <= 500;

  const numbersOf = { pt: 'pt-BR', en: 'en-US', es: 'es-ES' };
  const shortNumber = (count: number): string => {
    const separator = numbersOf[boot.language];
    if (count < 10_000) return count.toLocaleString(separator);
    const [value, unit] = count < 1_000_000 ? [count / 1_000, texts.thousand] : [count / 1_000_000, texts.million];
    return `${value.toLocaleString(separator, { maximumFractionDigits: 1 })}${unit}`;
  };
  const exactNumber = (count: number): string => count.toLocaleString(numbersOf[boot.language]);

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
  /** A grid that loads more when it is scrolled near its end. `next` returns null after the last page. */
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

  /** The number of likes, which leads to the likers unless the owner hides both. */
  const likesLine = (media: Media): HTMLElement =>
    media.like_and_view_counts_disabled && media.user.pk !== viewer.id
      ? h('span', { class: css('second') }, texts.likedByOthers)
      : h('a', { class: css('second'), href: `/p/${media.code}/liked_by/` }, `${exactNumber(media.like_count)} ♥`);

  const captionParts = (caption: string): (string | HTMLElement)[] =>
    caption
      .split(/(#[\p{L}\p{N}_]+)/u)
      .map((part) => (part.startsWith('#') ? h('a', { href: `/explore/tags/${part.slice(1)}/` }, part) : part));

  return { ids, isNarrow, shortNumber, exactNumber, missingPage, grid, likesLine, captionParts };
}

export type ScreenParts = ReturnType<typeof createScreenParts>;
