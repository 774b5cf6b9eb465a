import type { Dom } from './dom.js';
import type { Overlays } from './overlays.js';
import type { Transport } from './transport.js';
import type { Boot, Person, Status } from './types.js';

/**
 * Follow buttons with their menus and questions. The browser receives the source text of this function, so it may use only its
 * parameters and the browser's globals.
 */
export function createFollow(
  { texts, traits, drawings }: Boot,
  { h, icon, spinner, on, css }: Dom,
  transport: Transport,
  overlays: Overlays,
) {
  const wordOf = (status: Status): string =>
    status.blocking
      ? texts.unblock
      : status.following
        ? texts.following
        : status.outgoing_request
          ? texts.requested
          : status.followed_by
            ? texts.followBack
            : texts.follow;

  /** A button that shows and changes the friendship. Its text is inside nested elements, as on the site. */
  const followButton = (person: Person, first: Status, container: 'profile' | 'followers' | 'suggestions'): HTMLElement => {
    let status = first;
    const holder = h('div', { class: css('item') });

    const change = async (action: 'follow' | 'unfollow'): Promise<void> => {
      holder.replaceChildren(h('button', { class: css('button'), type: 'button', disabled: true }, h('div', {}, spinner())));
      // Lists and suggestions use operations of their own, whose answer has no field for a pending request.
      const answer = await (container === 'profile'
        ? transport.graphql(action === 'follow' ? 'usePolarisFollowMutation' : 'usePolarisUnfollowMutation', {
            target_user_id: person.pk,
            container_module: container,
            nav_chain: 'PolarisProfilePostsTabRoot:profilePage:1:via_cold_start',
          })
        : transport.graphql(action === 'follow' ? 'usePolarisFollowUserFollowMutation' : 'usePolarisFollowUserUnfollowMutation', {
            target_user_id: person.pk,
          }));
      if (answer.kind === 'ok') {
        const root = (answer.data.data as Record<string, { friendship_status: Status } | null>)[
          action === 'follow' ? 'xdt_create_friendship' : 'xdt_destroy_friendship'
        ];
        if (!root) overlays.toast(texts.wentWrong);
        else if (container === 'profile') status = { ...status, ...root.friendship_status };
        else {
          const { following } = root.friendship_status;
          status = { ...status, following, outgoing_request: action === 'follow' && person.is_private && !following };
        }
      } else overlays.showRefusal(answer);
      draw();
    };

    const confirmUnfollow = (): void =>
      overlays.ask(`@${person.username}`, overlays.text('unfollowPrivate', { name: person.username }), [
        { word: texts.unfollow, act: () => void change('unfollow') },
        { word: texts.cancel },
      ]);

    const unfollow = (): void => (person.is_private ? confirmUnfollow() : void change('unfollow'));

    const press = (): void => {
      if (status.blocking) return overlays.ask(overlays.text('unblockTitle', { name: person.username }), '', [{ word: texts.cancel }]);
      if (status.outgoing_request) return confirmUnfollow();
      if (!status.following) return void change('follow');
      if (container !== 'profile') return confirmUnfollow();
      overlays.openMenu(person.username, [
        { word: texts.closeFriends },
        { word: texts.mute },
        { word: texts.restrict },
        { word: texts.unfollow, act: unfollow },
      ]);
    };

    const draw = (): void => {
      const word = wordOf(status);
      const isPrimary = !status.following && !status.outgoing_request;
      const inside = traits.isDrift ? icon(word, drawings.person) : h('div', { class: css('word') }, word);
      const button = h('button', { class: isPrimary ? css('button', 'primary') : css('button'), type: 'button' }, h('div', {}, inside));
      holder.replaceChildren(on(button, 'click', press));
    };

    draw();
    return holder;
  };

  return { followButton };
}

export type Follow = ReturnType<typeof createFollow>;
