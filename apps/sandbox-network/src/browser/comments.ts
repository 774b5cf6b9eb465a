import type { Dom } from './dom.js';
import type { Likes } from './likes.js';
import type { Overlays } from './overlays.js';
import type { ScreenParts } from './screen-parts.js';
import type { Answer, Transport } from './transport.js';
import type { Boot, Comment, Media } from './types.js';

/**
 * The comments of a post, their replies, and the box to write one. The browser receives the source text of this function, so it may use
 * only its parameters and the browser's globals.
 */
export function createComments(
  { texts, traits, drawings }: Boot,
  { h, icon, spinner, on, css }: Dom,
  transport: Transport,
  overlays: Overlays,
  { iconButton }: Likes,
  { ids }: ScreenParts,
) {
  /** The next page is requested when fewer pixels than this are left below. */
  const nearEnd = 200;
  const connectionOf = 'xdt_api__v1__media__media_id__comments__connection';
  const repliesOf = 'xdt_api__v1__media__media_id__comments__parent_comment_id__child_comments__connection';

  interface Page {
    answer: Answer;
    comments: Comment[];
    next: string | null;
  }

  const pageOfConnection = (answer: Answer, root: string): Page => {
    const connection =
      answer.kind === 'ok'
        ? (
            answer.data.data as Record<
              string,
              { edges: { node: Comment }[]; page_info: { has_next_page: boolean; end_cursor: string | null } } | null
            >
          )[root]
        : null;
    return {
      answer: connection ? answer : { kind: 'failed', status: 200, body: null },
      comments: connection?.edges.map(({ node }) => node) ?? [],
      next: connection?.page_info.has_next_page ? connection.page_info.end_cursor : null,
    };
  };

  const pageOfRest = (answer: Answer, name: string, cursor: string): Page => {
    const body: Record<string, unknown> = answer.kind === 'ok' ? answer.data : {};
    return { answer, comments: (body[name] as Comment[] | undefined) ?? [], next: (body[cursor] as string | undefined) ?? null };
  };

  const commentsAfter = async (media: Media, cursor: string | null): Promise<Page> => {
    if (traits.commentsBy === 'rest') {
      const query = new URLSearchParams({ can_support_threading: 'true', permalink_enabled: 'false', sort_order: 'popular' });
      if (cursor !== null) query.set('min_id', cursor);
      return pageOfRest(await transport.rest('GET', `/api/v1/media/${media.pk}/comments/?${query.toString()}`), 'comments', 'next_min_id');
    }
    const variables = { media_id: media.pk, sort_order: 'popular', __relay_internal__pv__PolarisIsLoggedInrelayprovider: true };
    const answer = await (cursor === null
      ? transport.graphql('PolarisPostCommentsContainerQuery', variables)
      : transport.graphql('PolarisPostCommentsPaginationQuery', { ...variables, after: cursor, before: null, first: 10, last: null }));
    return pageOfConnection(answer, connectionOf);
  };

  const repliesAfter = async (media: Media, parent: string, cursor: string | null): Promise<Page> => {
    if (traits.commentsBy === 'rest') {
      const query = cursor === null ? '' : `?${new URLSearchParams({ min_child_cursor: cursor }).toString()}`;
      const answer = await transport.rest('GET', `/api/v1/media/${media.pk}/comments/${parent}/child_comments/${query}`);
      return pageOfRest(answer, 'child_comments', 'next_min_child_cursor');
    }
    const variables = { media_id: media.pk, parent_comment_id: parent, __relay_internal__pv__PolarisIsLoggedInrelayprovider: true };
    const answer = await (cursor === null
      ? transport.graphql('PolarisPostChildCommentsQuery', variables)
      : transport.graphql('PolarisPostCommentsChildrenPaginationtQuery', {
          ...variables,
          after: cursor,
          before: null,
          first: 10,
          last: null,
        }));
    return pageOfConnection(answer, repliesOf);
  };

  /** A word to press; in one build a labelled picture. */
  const wordButton = (word: string, drawing: string, press: () => void): HTMLElement =>
    on(
      traits.isDrift
        ? h('button', { class: css('choice'), type: 'button' }, h('div', {}, icon(word, drawing, 12)))
        : h('div', { class: css('second'), role: 'button', tabindex: 0 }, h('span', {}, word)),
      'click',
      press,
    );

  /** Text in which names lead to profiles. */
  const linked = (text: string): (string | HTMLElement)[] =>
    text
      .split(/(@[A-Za-z0-9._]{1,30})/)
      .filter(Boolean)
      .map((part) => (part.startsWith('@') ? h('a', { href: `/${part.slice(1)}/` }, part) : part));

  /** The small heart of a comment: not the post's. */
  const commentHeart = (comment: Comment): HTMLElement => {
    const holder = h('div', {});
    const draw = (): void =>
      holder.replaceChildren(
        iconButton(
          comment.has_liked_comment ? texts.unlike : texts.like,
          drawings.heart,
          () => {
            comment.has_liked_comment = !comment.has_liked_comment;
            void transport.rest('POST', `/api/v1/web/comments/${comment.has_liked_comment ? 'like' : 'unlike'}/${comment.pk}/`, {});
            draw();
          },
          12,
        ),
      );
    draw();
    return holder;
  };

  /** The replies of a comment, which are loaded when somebody asks for them. */
  const replyArea = (media: Media, comment: Comment, answerTo: ((to: Comment) => void) | null): HTMLElement => {
    const list = h('ul', {});
    const foot = h('div', {});
    let cursor: string | null = null;
    const more = async (): Promise<void> => {
      foot.replaceChildren(spinner());
      const { answer, comments, next } = await repliesAfter(media, comment.pk, cursor);
      if (answer.kind !== 'ok') return overlays.showRefusal(answer);
      cursor = next;
      list.append(...comments.map((each) => row(media, each, answerTo)));
      foot.replaceChildren(cursor === null ? '' : button());
    };
    const button = (): HTMLElement => {
      const left = comment.child_comment_count - list.childElementCount;
      return wordButton(overlays.text('viewReplies', { count: String(left) }), drawings.bubble, () => void more());
    };
    if (comment.child_comment_count > 0) foot.append(button());
    return h('div', { class: css('replies') }, list, foot);
  };

  const row = (media: Media, comment: Comment, answerTo: ((to: Comment) => void) | null): HTMLElement => {
    const { user, text, created_at: at, comment_like_count: likeCount, is_edited: isEdited } = comment;
    ids.set(user.username, user.pk);
    return h(
      'li',
      {},
      h(
        'div',
        { class: css('row') },
        h(
          'a',
          { href: `/${user.username}/` },
          h('img', { class: css('avatar'), alt: '', src: user.profile_pic_url, width: 32, height: 32 }),
        ),
        h(
          'div',
          { class: css('names') },
          h('a', { href: `/${user.username}/` }, h('span', { class: css('name') }, user.username)),
          h('span', {}, ' ', ...linked(text)),
          h(
            'div',
            { class: css('row', 'second') },
            h(
              'time',
              { datetime: new Date(at * 1000).toISOString() },
              new Date(at * 1000).toLocaleDateString(document.documentElement.lang),
            ),
            isEdited ? h('span', {}, texts.edited) : null,
            likeCount > 0 ? h('span', {}, `${likeCount} ♥`) : null,
            answerTo && wordButton(texts.reply, drawings.bubble, () => answerTo(comment)),
          ),
        ),
        commentHeart(comment),
      ),
      comment.parent_comment_id ? null : replyArea(media, comment, answerTo),
    );
  };

  /** Sends a comment. @returns the new comment; null when it failed or nothing came back. */
  const send = async (media: Media, text: string, answered: Comment | null): Promise<Comment | null> => {
    // In most builds the page turns the id into a number, which cannot hold it: the reply then answers a comment that does not exist.
    const repliedTo = answered && (traits.roundsCommentIds ? String(Number(answered.pk)) : answered.pk);
    const reply = repliedTo === null ? {} : { replied_to_comment_id: repliedTo };
    const connections = [
      `client:root:__PolarisPostComments__${connectionOf}_connection(data:{},media_id:"${media.pk}",sort_order:"popular")`,
    ];
    const answer = await transport.graphql(
      'PolarisPostCommentInputRevampedMutation',
      traits.mutations === 'xig'
        ? { connections, data: { comment_text: text, media_id: media.pk, ...reply, tracking_token: null } }
        : { connections, request_data: { comment_text: text, ...reply }, media_id: media.pk },
    );
    if (answer.kind !== 'ok') {
      overlays.showRefusal(answer);
      return null;
    }
    const [root] = Object.values(answer.data.data as Record<string, { comment_dict?: Comment | null; node?: Comment } | null>);
    const comment = root?.comment_dict ?? root?.node ?? null;
    if (!root) overlays.toast(texts.wentWrong);
    return comment;
  };

  /** The box to write a comment. Its `textarea` is replaced by another one as soon as it gets the focus. */
  const commentForm = (media: Media, whenSent: (comment: Comment) => void) => {
    const label = traits.isDrift ? overlays.text('addCommentFor', { name: media.user.username }) : texts.addComment;
    const form = h('form', { class: css('row'), method: 'post' });
    let answered: Comment | null = null;
    let isBusy = false;
    let box: HTMLTextAreaElement;
    const publish = traits.isDrift
      ? h('button', { class: css('choice'), type: 'submit' }, h('div', {}, icon(texts.publish, drawings.messages)))
      : on(h('div', { class: css('second'), role: 'button' }, texts.publish), 'click', () => void submit());

    const textBox = (text: string): HTMLTextAreaElement => {
      const element = h('textarea', { class: css('field'), 'aria-label': label, placeholder: label, autocomplete: 'off', rows: 1 });
      element.value = text;
      on(element, 'input', allow);
      on(element, 'keydown', (event) => {
        const { key, shiftKey } = event as KeyboardEvent;
        if (key !== 'Enter' || shiftKey) return;
        event.preventDefault();
        void submit();
      });
      return element;
    };

    const show = (text: string): void => {
      box = textBox(text);
      on(box, 'focus', () => {
        const fresh = textBox(box.value);
        box.replaceWith(fresh);
        box = fresh;
        box.focus();
      });
      form.replaceChildren(box, publish);
      allow();
    };

    /** Lets the text be sent only when there is one. */
    const allow = (): void => {
      const may = !isBusy && box.value.trim() !== '';
      if (traits.isDrift) publish.toggleAttribute('disabled', !may);
      else {
        publish.setAttribute('aria-disabled', String(!may));
        publish.setAttribute('tabindex', may ? '0' : '-1');
      }
    };

    const submit = async (): Promise<void> => {
      const text = box.value.trim();
      if (isBusy || text === '') return;
      isBusy = true;
      allow();
      // The reply is one only while the name still stands at the beginning.
      const to = answered && text.startsWith(`@${answered.user.username}`) ? answered : null;
      const comment = await send(media, text, to);
      isBusy = false;
      if (!comment) return allow();
      answered = null;
      media.comment_count++;
      whenSent(comment);
      show('');
    };

    const answerTo = (comment: Comment): void => {
      answered = comment;
      show(`@${comment.user.username} `);
      box.focus();
    };

    on(form, 'submit', (event) => {
      event.preventDefault();
      void submit();
    });
    show('');
    return { form, answerTo };
  };

  /**
   * The comments of a post with the box, both as elements.
   * @param brought the answer with the first comments, when the document contains it
   */
  const commentArea = (media: Media, brought: Answer | undefined): { list: HTMLElement; form: HTMLElement } => {
    if (media.comments_disabled) return { list: h('div', {}), form: h('div', { class: css('second') }, texts.commentsOff) };
    const rows = h('ul', {});
    const threads = new Map<string, HTMLElement>();
    const foot = h('div', {}, spinner());
    const list = h('div', { class: css('comments') }, rows, foot);
    let cursor: string | null = null;
    let isLoading = false;
    let isOver = false;

    const load = async (first?: Answer): Promise<void> => {
      if (isLoading || isOver) return;
      isLoading = true;
      foot.replaceChildren(spinner());
      const { answer, comments, next } = first ? pageOfConnection(first, connectionOf) : await commentsAfter(media, cursor);
      isLoading = false;
      if (answer.kind !== 'ok') {
        // The spinner stays visible after a failure, as on the site.
        isOver = true;
        return overlays.showRefusal(answer);
      }
      cursor = next;
      isOver = cursor === null;
      for (const comment of comments) {
        const element = row(media, comment, answerTo);
        threads.set(comment.pk, element);
        rows.append(element);
      }
      foot.replaceChildren(
        isOver
          ? rows.childElementCount === 0
            ? texts.noComments
            : ''
          : traits.isDrift
            ? iconButton(texts.loadMoreComments, drawings.plus, () => void load())
            : spinner(),
      );
      check();
    };
    const check = (): void => {
      if (!traits.isDrift && list.isConnected && list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd) void load();
    };
    const show = (comment: Comment): void => {
      const element = row(media, comment, answerTo);
      const thread = comment.parent_comment_id ? threads.get(comment.parent_comment_id) : undefined;
      if (thread) thread.querySelector('ul')?.append(element);
      else rows.prepend(element);
    };
    const mayWrite = !media.commenting_disabled_for_viewer;
    const box = mayWrite ? commentForm(media, show) : null;
    const answerTo = box?.answerTo ?? null;
    list.addEventListener('scroll', check, { passive: true });
    void load(brought);
    return { list, form: box?.form ?? h('div', { class: css('second') }, texts.commentsLimited) };
  };

  return { commentArea };
}

export type Comments = ReturnType<typeof createComments>;
