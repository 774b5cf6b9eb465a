import type { Dom } from './dom.js';
import type { Overlays } from './overlays.js';
import type { Transport } from './transport.js';
import type { Boot, Media } from './types.js';

/**
 * The heart of a post. The browser receives the source text of this function, so it may use only its parameters and the browser's globals.
 */
export function createLikes(
  { texts, viewer, traits, drawings }: Boot,
  { h, icon, on, css }: Dom,
  transport: Transport,
  overlays: Overlays,
) {
  let mutations = 0;

  /** Something to press with a labelled picture in it. */
  const iconButton = (word: string, drawing: string, press: () => void = () => {}, size = 24): HTMLElement => {
    const picture = icon(word, drawing, size);
    const element = traits.isDrift
      ? h('button', { class: css('row'), type: 'button' }, h('div', {}, picture))
      : h('div', { class: css('row'), role: 'button', tabindex: 0 }, picture);
    return on(element, 'click', press);
  };

  /** The root field that answers a like; null when the call failed. */
  const send = async (media: Media, isLike: boolean, container: string): Promise<{ has_liked: boolean } | null> => {
    const isToday = traits.mutations === 'xig';
    const answer = isToday
      ? await transport.graphql(isLike ? 'usePolarisLikeMediaXIGLikeMutation' : 'usePolarisLikeMediaXIGUnlikeMutation', {
          input: {
            client_mutation_id: String(++mutations),
            actor_id: viewer.fbid,
            container_module: container,
            media_id: media.pk,
            tracking_token: null,
          },
        })
      : await transport.graphql(isLike ? 'usePolarisLikeMediaLikeMutation' : 'usePolarisLikeMediaUnlikeMutation', {
          media_id: media.pk,
          container_module: container,
        });
    if (answer.kind !== 'ok') {
      overlays.showRefusal(answer);
      return null;
    }
    const [root] = Object.values(answer.data.data as Record<string, ({ has_liked: boolean } & { media?: { has_liked: boolean } }) | null>);
    const liked = root?.media ?? root;
    if (!liked) overlays.toast(texts.wentWrong);
    return liked ?? null;
  };

  /** A post's heart. It changes at the press, before the answer, and changes back when the network refuses. */
  const likeButton = (media: Media, container: 'single_post' | 'feed_timeline', whenChanged: () => void = () => {}): HTMLElement => {
    const holder = h('div', { class: css('item') });
    let isBusy = false;
    const show = (isLiked: boolean): void => {
      if (isLiked !== media.has_liked) media.like_count += isLiked ? 1 : -1;
      // The answers in the document are shown again later, so they follow.
      media.has_liked = isLiked;
      draw();
      whenChanged();
    };
    const press = async (): Promise<void> => {
      if (isBusy) return;
      isBusy = true;
      const before = media.has_liked;
      show(!before);
      const answer = await send(media, !before, container);
      show(answer ? answer.has_liked : before);
      isBusy = false;
    };
    const draw = (): void =>
      holder.replaceChildren(iconButton(media.has_liked ? texts.unlike : texts.like, drawings.heart, () => void press()));
    draw();
    return holder;
  };

  return { iconButton, likeButton };
}

export type Likes = ReturnType<typeof createLikes>;
