import type { Dom } from './dom.js';
import type { Likes } from './likes.js';
import type { Overlays } from './overlays.js';
import type { Pages } from './pages.js';
import type { ScreenParts } from './screen-parts.js';
import type { Answer, Transport } from './transport.js';
import type { Boot, Person, Reel, StoryItem, Tray } from './types.js';

/**
 * The stories tray of the home page, the viewer, and live broadcasts. The browser receives the source text of this function, so it may use
 * only its parameters and the browser's globals.
 */
export function createStories(
  { texts, traits, viewer, drawings, trouble }: Boot,
  { h, icon, spinner, on, css }: Dom,
  transport: Transport,
  overlays: Overlays,
  { iconButton }: Likes,
  { ids }: ScreenParts,
  { idOf }: Pages,
) {
  /** How long a photo is shown, and after what time an item counts as seen, in ms. */
  const photoMs = 5_000;
  const seenAfterMs = 1_300;

  /** The people of the tray that was shown last: the viewer that opens from it goes on from one to the next. */
  let queue: Tray['tray'] = [];
  let hasUsedDocument = false;

  const navigate = (path: string): void => void dispatchEvent(new CustomEvent('site:navigate', { detail: path }));

  const pressable = (label: string, inside: (Node | string | null)[], press: () => void, className = css('ring')): HTMLElement =>
    on(
      traits.isDrift
        ? h('button', { class: className, type: 'button', 'aria-label': label }, ...inside)
        : h('div', { class: className, role: 'button', tabindex: 0, 'aria-label': label }, ...inside),
      'click',
      press,
    );

  const picture = ({ profile_pic_url: src }: Person, size: number): HTMLElement =>
    h('img', { class: css('avatar'), alt: '', src, width: size, height: size });

  const rootOf = <Root>(answer: Answer, root: string): Root | null =>
    answer.kind === 'ok' ? ((answer.data.data as Record<string, Root | null>)[root] ?? null) : null;

  const showTray = async (place: HTMLElement): Promise<void> => {
    const brought = hasUsedDocument ? undefined : transport.preloaded('PolarisStoriesV3TrayContainerQuery', () => true);
    hasUsedDocument = true;
    const answer = brought ?? (await transport.graphql('PolarisStoriesV3TrayContainerQuery', { is_highlights: false }));
    const tray = rootOf<Tray>(answer, 'xdt_api__v1__feed__reels_tray');
    if (!tray) return overlays.showRefusal(answer);
    queue = tray.tray;
    const tiles = tray.broadcasts.map(({ broadcast_owner: owner }) =>
      pressable(
        overlays.text('liveBy', { name: owner.username }),
        [h('canvas', { width: 10, height: 10 }), picture(owner, 56), h('b', {}, texts.live), h('div', {}, owner.username)],
        () => navigate(`/${owner.username}/live/`),
      ),
    );
    for (const { user, seen, latest_reel_media: latest, muted, has_besties_media: hasBesties } of tray.tray) {
      ids.set(user.username, user.pk);
      const label = overlays.text(seen < latest ? 'storyBy' : 'storySeenBy', { name: user.username });
      tiles.push(
        pressable(
          label,
          [
            h('canvas', { width: 10, height: 10 }),
            picture(user, 56),
            h('div', muted ? { style: 'opacity:.5' } : {}, user.pk === viewer.id ? texts.yourStory : user.username),
          ],
          () => navigate(`/stories/${user.username}/`),
          hasBesties ? css('ring', 'closeRing') : css('ring'),
        ),
      );
    }
    place.replaceChildren(h('ul', { class: css('tray') }, ...tiles.map((tile) => h('li', {}, tile))));
  };

  const reelsRoot = 'xdt_api__v1__feed__reels_media';

  /** Null when the answer was a refusal, which is shown then. */
  const reelsOf = (answer: Answer): Reel[] | null => {
    const root = rootOf<{ reels_media: Reel[] }>(answer, reelsRoot);
    if (!root) overlays.showRefusal(answer);
    return root?.reels_media ?? null;
  };

  const loadStandalone = async (username: string): Promise<Reel[] | null> => {
    const brought = transport.preloaded(
      'PolarisStoriesV3ReelPageStandaloneQuery',
      (data) => (data as Record<string, { reels_media: Reel[] }>)[reelsRoot]?.reels_media[0]?.user.username === username,
    );
    if (brought) return reelsOf(brought);
    const id = await idOf(username);
    if (id === null) return [];
    return id === undefined ? null : reelsOf(await transport.graphql('PolarisStoriesV3ReelPageStandaloneQuery', { reel_ids: [id] }));
  };

  const loadGallery = async (reelIds: string[], initial: string): Promise<Reel[] | null> =>
    reelsOf(
      await transport.graphql('PolarisStoriesV3ReelPageGalleryQuery', { initial_reel_id: initial, reel_ids: reelIds, first: 3, last: 2 }),
    );

  /** Reports that an item was shown long enough. */
  const report = ({ id }: Reel, item: StoryItem): Promise<Answer> => {
    const seenAt = Math.floor(Date.now() / 1_000);
    const variables = { reelId: id, reelMediaId: item.pk, reelMediaOwnerId: id, reelMediaTakenAt: item.taken_at, viewSeenAt: seenAt };
    return traits.storySeenBy === 'graphql'
      ? transport.graphql('PolarisStoriesV3SeenMutation', variables)
      : transport.rest(
          'POST',
          '/api/v1/stories/reel/seen',
          Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)])),
        );
  };

  /** Shows the stories of a person; those who follow in the tray, too, when it was opened there. */
  const showStories = async (
    screen: HTMLElement,
    username: string,
    itemId: string,
    { isFirstScreen, returnTo }: { isFirstScreen: boolean; returnTo: string },
  ): Promise<void> => {
    document.title = `${texts.reels} • Instagram`;
    const start = isFirstScreen ? undefined : queue.find(({ user }) => user.username === username);
    const upcoming = start ? queue.slice(queue.indexOf(start)).map(({ id }) => id) : [];
    const loaded = await (start ? loadGallery(upcoming, start.id) : loadStandalone(username));
    if (!screen.isConnected || loaded === null) return;
    const [firstReel] = loaded;
    // Without a story the address leads to the profile.
    if (!firstReel) return navigate(`/${username}/`);
    const player = createPlayer(screen, loaded, upcoming, returnTo);
    // A person who comes by address is asked first, because the owner sees who viewed the story.
    if (!isFirstScreen) return player.begin(itemId);
    const close = pressable(texts.close, [icon(texts.close, drawings.cross)], () => navigate(returnTo), css('close'));
    screen.replaceChildren(
      h(
        'section',
        { class: css('viewer') },
        close,
        picture(firstReel.user, 77),
        h('span', {}, overlays.text('viewAs', { name: viewer.username })),
        h('span', { class: css('second') }, overlays.text('viewHint', { name: username })),
        trouble === 'broken' || trouble === 'buttonless'
          ? null
          : on(h('div', { class: css('button', 'primary'), role: 'button', tabindex: 0 }, h('div', {}, texts.viewStory)), 'click', () =>
              player.begin(itemId),
            ),
      ),
    );
  };

  const createPlayer = (screen: HTMLElement, reels: Reel[], upcoming: string[], returnTo: string) => {
    const reported = new Set<string>();
    let reelPlace = 0;
    let itemPlace = 0;
    let timers: ReturnType<typeof setTimeout>[] = [];
    let isPaused = false;
    let isLoading = false;
    const later = (ms: number, act: () => void): void => void timers.push(setTimeout(() => screen.isConnected && act(), ms));
    const stop = (): void => {
      for (const timer of timers) clearTimeout(timer);
      timers = [];
    };
    const leave = (): void => {
      stop();
      removeEventListener('keydown', press);
      navigate(returnTo);
    };

    const loadMore = async (): Promise<void> => {
      const last = reels.at(-1)?.id ?? '';
      if (upcoming.indexOf(last) < 0 || upcoming.indexOf(last) === upcoming.length - 1) return;
      const answer = await transport.graphql('PolarisStoriesV3ReelPageGalleryPaginationQuery', {
        after: last,
        first: 3,
        initial_reel_id: upcoming[0],
        reel_ids: upcoming,
      });
      reels.push(...(reelsOf(answer) ?? []));
    };

    const go = async (step: 1 | -1): Promise<void> => {
      if (isLoading) return;
      stop();
      isPaused = false;
      itemPlace += step;
      if (itemPlace < 0) {
        reelPlace = Math.max(0, reelPlace - 1);
        itemPlace = 0;
      } else if (itemPlace >= (reels[reelPlace]?.items.length ?? 0)) {
        reelPlace += 1;
        if (!reels[reelPlace]) {
          isLoading = true;
          await loadMore();
          isLoading = false;
          if (!screen.isConnected) return;
        }
        const next = reels[reelPlace];
        if (!next) return leave();
        itemPlace = firstUnseen(next);
      }
      open();
    };

    const firstUnseen = ({ items, seen }: Reel): number =>
      Math.max(
        0,
        items.findIndex(({ taken_at: takenAt }) => takenAt > seen),
      );

    const markSeen = async (reel: Reel, item: StoryItem): Promise<void> => {
      if (reported.has(item.pk)) return;
      reported.add(item.pk);
      const answer = await report(reel, item);
      if (answer.kind === 'ok') return;
      // The dialog of a refusal pauses the story.
      isPaused = true;
      stop();
      overlays.showRefusal(answer);
    };

    const open = (): void => {
      const reel = reels[reelPlace];
      const item = reel?.items[itemPlace];
      if (!reel || !item) return leave();
      ids.set(reel.user.username, reel.user.pk);
      history.replaceState({}, '', `/stories/${reel.user.username}/${item.pk}/`);
      const media = h('div', { class: css('media') });
      const run = (ms: number | null): void => {
        later(seenAfterMs, () => void markSeen(reel, item));
        if (ms !== null) later(ms, () => void go(1));
      };
      const [image] = item.image_versions2.candidates;
      const video = item.video_versions?.[0];
      if (video) {
        const player = h('video', { playsinline: true, muted: true, autoplay: true, src: video.url, poster: image.url, width: 360 });
        player.muted = true;
        const wait = spinner();
        media.append(player, wait);
        player.addEventListener(
          'playing',
          () => {
            wait.remove();
            run(null);
          },
          { once: true },
        );
        player.addEventListener('ended', () => screen.isConnected && void go(1));
        player.addEventListener('error', () => wait.replaceWith(h('div', { role: 'alert' }, texts.videoBroken)));
      } else {
        media.append(h('img', { alt: '', src: image.url, width: 360, draggable: 'false' }));
        run(photoMs);
      }
      draw(reel, item, media, () => {
        isPaused = !isPaused;
        stop();
        const playing = media.querySelector('video');
        if (isPaused) playing?.pause();
        else if (playing) void playing.play();
        else run(photoMs);
      });
    };

    const draw = (reel: Reel, item: StoryItem, media: HTMLElement, pause: () => void): void => {
      const pauseHolder = h('div');
      const drawPause = (): void =>
        pauseHolder.replaceChildren(
          iconButton(
            isPaused ? texts.storyPlay : texts.storyPause,
            isPaused ? drawings.play : drawings.pause,
            () => {
              pause();
              drawPause();
            },
            16,
          ),
        );
      drawPause();
      const reply = h('textarea', { placeholder: overlays.text('storyReply', { name: reel.user.username }), rows: 1 });
      on(reply, 'focus', () => {
        stop();
        isPaused = true;
      });
      on(reply, 'keydown', (event) => {
        event.stopPropagation();
        if ((event as KeyboardEvent).key !== 'Enter' || !reply.value.trim()) return;
        event.preventDefault();
        void transport.graphql('usePolarisStoriesV4ReplyMutation', { media_id: item.pk, reel_id: reel.id, text: reply.value.trim() });
        reply.value = '';
      });
      const heart = h('div');
      const drawHeart = (): void =>
        heart.replaceChildren(
          iconButton(item.has_liked ? texts.unlike : texts.like, drawings.heart, () => {
            if (item.has_liked) return;
            item.has_liked = true;
            drawHeart();
            void transport.graphql('usePolarisStoriesV4LikeMutation', { media_id: item.pk });
          }),
        );
      drawHeart();
      const isOwn = reel.id === viewer.id;
      screen.replaceChildren(
        h(
          'section',
          { class: css('viewer') },
          h(
            'div',
            { class: css('row') },
            ...reel.items.map((_, place) => h('div', { class: place <= itemPlace ? css('progress', 'done') : css('progress') })),
          ),
          h(
            'header',
            { class: css('row') },
            h('a', { href: `/${reel.user.username}/` }, picture(reel.user, 32)),
            h('a', { href: `/${reel.user.username}/` }, h('span', { class: css('name') }, reel.user.username)),
            h('time', { datetime: new Date(item.taken_at * 1_000).toISOString() }),
            item.audience === 'besties' ? icon(texts.closeFriendsStory, drawings.check, 16) : null,
            pauseHolder,
            iconButton(texts.options, drawings.dots),
            iconButton(texts.close, drawings.cross, leave),
          ),
          media,
          h(
            'div',
            { class: css('row') },
            iconButton(texts.storyPrevious, drawings.previous, () => void go(-1)),
            iconButton(texts.storyNext, drawings.next, () => void go(1)),
          ),
          isOwn ? null : h('div', { class: css('row') }, reply, heart, iconButton(texts.share, drawings.messages)),
        ),
      );
    };

    const press = ({ key }: KeyboardEvent): void => {
      if (!screen.isConnected) return removeEventListener('keydown', press);
      // Over a dialog the keys belong to the dialog.
      if (overlays.layer.querySelector('[role=dialog]')) return;
      if (key === 'Escape') leave();
      else if (key === 'ArrowRight') void go(1);
      else if (key === 'ArrowLeft') void go(-1);
    };

    const begin = (itemId: string): void => {
      addEventListener('keydown', press);
      const [reel] = reels;
      if (!reel) return leave();
      const wanted = reel.items.findIndex(({ pk }) => pk === itemId);
      itemPlace = wanted < 0 ? firstUnseen(reel) : wanted;
      open();
    };

    return { begin };
  };

  /** A live broadcast. Its page tells the network that it is watched. */
  const showLive = async (screen: HTMLElement, username: string): Promise<void> => {
    document.title = `${texts.live} • Instagram`;
    const id = await idOf(username);
    if (!id) return navigate(`/${username}/`);
    const answer = await transport.rest('POST', `/api/v1/live/180${id}/heartbeat_and_get_viewer_count/`, { live_with_eligibility: '2' });
    if (!screen.isConnected) return;
    if (answer.kind !== 'ok') return navigate(`/${username}/`);
    screen.replaceChildren(
      h(
        'section',
        { class: css('viewer') },
        h('b', {}, texts.live),
        h('a', { href: `/${username}/` }, username),
        h('video', { width: 360 }),
      ),
    );
  };

  return { showTray, showStories, showLive };
}

export type Stories = ReturnType<typeof createStories>;
