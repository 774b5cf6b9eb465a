import type { Dom } from './dom.js';
import type { Likes } from './likes.js';
import type { Overlays } from './overlays.js';
import type { ScreenParts } from './screen-parts.js';
import type { Answer, Transport } from './transport.js';
import type { Boot, Person, Thread } from './types.js';

/**
 * The screens of direct messages. The browser receives the source text of this function, so it may use only its parameters and the
 * browser's globals.
 */
export function createDirect(
  boot: Boot,
  { h, icon, spinner, on, css }: Dom,
  transport: Transport,
  overlays: Overlays,
  { iconButton }: Likes,
  { ids, isNarrow }: ScreenParts,
) {
  const { texts, traits, drawings, interruptions, trouble } = boot;
  type News = { type: string; otid: string; reason?: string; status?: number; body?: Record<string, unknown>; thread?: string };

  const navigate = (path: string): void => void dispatchEvent(new CustomEvent('site:navigate', { detail: path }));

  /** Called with what the network says about a message, by the number of the message. */
  const waiting = new Map<string, (news: News) => void>();
  /** Threads that are shown, with what loads them again. */
  const shown = new Map<string, () => void>();
  let connection: Promise<WebSocket> | null = null;

  /** Makes the bytes of a frame unreadable, and readable again. */
  const mix = (key: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(bytes, (byte, place) => byte ^ (((key[place % key.length] ?? 0) + place) % 256));

  const connect = (): Promise<WebSocket> =>
    (connection ??= new Promise((resolve, reject) => {
      const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/realtime`);
      socket.binaryType = 'arraybuffer';
      const lost = (): void => {
        connection = null;
        reject(new Error('no connection'));
      };
      socket.addEventListener('open', () => resolve(socket));
      socket.addEventListener('error', lost);
      socket.addEventListener('close', lost);
      socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
        const bytes = new Uint8Array(data);
        const news = JSON.parse(new TextDecoder().decode(mix(bytes.subarray(0, 16), bytes.subarray(16)))) as News;
        if (news.type === 'message') shown.get(news.thread ?? '')?.();
        else waiting.get(news.otid)?.(news);
      });
    }));

  const send = async (thread: string, text: string, heard: (news: News) => void): Promise<void> => {
    const otid = `${Date.now()}${Math.floor(Math.random() * 1e6)}`;
    waiting.set(otid, heard);
    try {
      const socket = await connect();
      const message = { type: 'send', lsd: boot.lsd, dtsg: boot.dtsg, language: boot.language, thread, text, otid };
      const key = crypto.getRandomValues(new Uint8Array(16));
      const body = mix(key, new TextEncoder().encode(JSON.stringify(message)));
      socket.send(Uint8Array.from([...key, ...body]));
    } catch {
      heard({ type: 'failed', otid, reason: 'failed' });
    }
  };

  /** The dialogs that the network wants over the first direct screen. */
  let hasInterrupted = false;
  const interrupt = (): void => {
    if (hasInterrupted) return;
    hasInterrupted = true;
    if (interruptions.includes('direct_pin'))
      overlays.ask(texts.pinTitle, texts.pinHint, [{ word: texts.createPin }, { word: texts.notNow }]);
    if (interruptions.includes('direct_notifications'))
      overlays.ask(texts.notificationsTitle, texts.notificationsHint, [{ word: texts.turnOn }, { word: texts.notNow }]);
  };

  const picture = ({ profile_pic_url: src }: Person, size: number): HTMLElement =>
    h('img', { class: css('avatar'), alt: '', src, width: size, height: size });

  const threadOf = (answer: Answer): Thread | null => {
    if (answer.kind !== 'ok') return null;
    const [root] = Object.values(answer.data.data as Record<string, { as_ig_direct_thread: Thread } | null>);
    return root?.as_ig_direct_thread ?? null;
  };

  const bubble = (text: string, isOwn: boolean, other: Person): { row: HTMLElement; state: HTMLElement } => {
    const state = h('div', { class: css('second') });
    const row = h(
      'div',
      { class: isOwn ? css('bubbleRow', 'ownRow') : css('bubbleRow') },
      isOwn ? null : h('a', { href: `/${other.username}/` }, picture(other, 28)),
      h(
        'div',
        { class: css('bubble'), role: 'article' },
        h('h5', { class: css('unseen') }, isOwn ? texts.youSent : other.username),
        h('div', { dir: 'auto' }, text),
      ),
      state,
    );
    return { row, state };
  };

  /** The messages of a thread with their box; for the thread's page and for the small window. */
  const conversation = async (threadId: string): Promise<{ other: Person; content: HTMLElement } | null> => {
    const answer = await transport.graphql('IGDThreadDetailQuery', { thread_fbid: threadId, min_uq_seq_id: null });
    const thread = threadOf(answer);
    if (!thread) {
      overlays.showRefusal(answer);
      return null;
    }
    const [other] = thread.users;
    ids.set(other.username, other.pk);
    const own = thread.viewer.interop_messaging_user_fbid;
    // Newest first, because the box scrolls upwards.
    const bubbles = h('div', { class: css('bubbles') });
    const known = new Set<string>();
    let older = thread.slide_messages.page_info.end_cursor;
    let isLoading = false;
    const show = ({ slide_messages: { edges } }: Thread, place: 'start' | 'end'): void => {
      const rows = edges
        .filter(({ node: { id } }) => !known.has(id))
        .map(({ node: { id, sender_fbid: sender, text_body: text } }) => {
          known.add(id);
          return bubble(text, sender === own, other).row;
        });
      if (place === 'end') bubbles.append(...rows);
      else bubbles.prepend(...rows);
    };
    show(thread, 'end');
    bubbles.addEventListener('scroll', () => void loadOlder(), { passive: true });
    const loadOlder = async (): Promise<void> => {
      const isNearTop = bubbles.scrollHeight - bubbles.clientHeight + bubbles.scrollTop < 80;
      if (!older || isLoading || !isNearTop) return;
      isLoading = true;
      const page = threadOf(await transport.graphql('IGDMessageListOffMsysQuery', { id: threadId, after: older, first: 20 }));
      isLoading = false;
      older = page?.slide_messages.page_info.end_cursor ?? null;
      if (page) show(page, 'end');
    };
    const foot = h('div');
    // A message of the other person arrives while the thread is open; they may have accepted the invitation by it.
    shown.set(threadId, () => {
      if (!bubbles.isConnected) return void shown.delete(threadId);
      void transport.graphql('IGDMessageListOffMsysQuery', { id: threadId, after: null, first: 20 }).then((fresh) => {
        const page = threadOf(fresh);
        if (!page) return;
        const incoming = page.slide_messages.edges.filter(({ node }) => node.sender_fbid !== own);
        show({ ...page, slide_messages: { ...page.slide_messages, edges: incoming } }, 'start');
        drawFoot(page.input_mode, page.is_new_request);
      });
    });

    const drawFoot = (mode: Thread['input_mode'], isNewRequest: boolean): void => {
      if (trouble === 'broken' || trouble === 'buttonless') return foot.replaceChildren();
      if (mode === 'open') return foot.replaceChildren(composer(isNewRequest));
      const name = other.username;
      const words = {
        blocked: texts.cannotMessage,
        not_allowed: overlays.text('notAllowed', { name }),
        invite_pending: texts.invitePending,
      };
      foot.replaceChildren(h('div', { class: css('message') }, h('span', {}, words[mode])));
    };

    const composer = (isNewRequest: boolean): HTMLElement => {
      const box = h('div', {
        class: css('composer'),
        contenteditable: 'true',
        role: 'textbox',
        tabindex: 0,
        'aria-label': texts.messageBoxLabel,
        'aria-placeholder': texts.messageBox,
        'data-lexical-editor': 'true',
      });
      const button = h('div', { class: css('button'), role: 'button', tabindex: 0 }, texts.sendMessage);
      const buttonHolder = h('div');
      const post = (): void => {
        const text = box.innerText.trim();
        if (!text) return;
        box.replaceChildren();
        buttonHolder.replaceChildren();
        const own = bubble(text, true, other);
        const fail = (reason: string | undefined): void => {
          if (!own.row.isConnected) bubbles.prepend(own.row);
          own.state.replaceChildren(icon(texts.sendFailed, drawings.warning, 12), h('span', {}, texts.sendFailed));
          if (reason === 'not_allowed') drawFoot('not_allowed', true);
        };
        void send(threadId, text, ({ type, reason, status, body }) => {
          if (type === 'accepted') {
            own.state.replaceChildren(icon(texts.sending, drawings.clock, 12), h('span', {}, texts.sending));
            bubbles.prepend(own.row);
          } else if (type === 'delivered') {
            own.state.replaceChildren();
            if (isNewRequest) drawFoot('invite_pending', false);
          } else if (type === 'refused' && typeof body?.location === 'string') location.assign(body.location);
          else if (type === 'refused') overlays.showRefusal({ kind: 'failed', status: status ?? 0, body: body ?? null });
          else fail(reason);
        });
      };
      on(box, 'input', () => buttonHolder.replaceChildren(...(box.innerText.trim() ? [button] : [])));
      on(button, 'click', post);
      on(box, 'keydown', (event) => {
        const { key, shiftKey, isComposing } = event as KeyboardEvent;
        if (key !== 'Enter' || shiftKey || isComposing) return;
        event.preventDefault();
        post();
      });
      return h(
        'div',
        {},
        isNewRequest ? h('div', { class: css('second') }, h('span', {}, overlays.text('toRequests', { name: other.username }))) : null,
        h('div', { class: css('row') }, box, buttonHolder),
      );
    };

    drawFoot(thread.input_mode, thread.is_new_request);
    void connect().catch(() => undefined);
    const content = h(
      'div',
      { class: css('thread') },
      h(
        'div',
        { class: css('row') },
        h(
          'a',
          { class: css('row'), href: `/${other.username}/`, role: 'link', tabindex: 0 },
          picture(other, 44),
          h('span', { class: css('name') }, other.full_name || other.username),
          h('span', { class: css('second') }, other.username),
        ),
      ),
      h('div', { 'data-pagelet': 'IGDMessagesList' }, bubbles),
      foot,
    );
    return { other, content };
  };

  /** The rows of a folder, which are buttons and not links. */
  const inbox = async (folder: 'inbox' | 'requests'): Promise<{ list: HTMLElement; unread: number } | null> => {
    const answer = await transport.graphql('PolarisDirectInboxQuery', { folder: folder === 'requests' ? 'PENDING' : 'INBOX' });
    const root =
      answer.kind === 'ok'
        ? (answer.data.data as Record<string, { threads_by_folder: { edges: { node: { as_ig_direct_thread: Thread } }[] } } | null>)
            .get_slide_mailbox_for_iris_subscription
        : null;
    if (!root) {
      overlays.showRefusal(answer);
      return null;
    }
    const threads = root.threads_by_folder.edges.map(({ node }) => node.as_ig_direct_thread);
    const rows = threads.map(({ thread_fbid: id, users: [other], slide_messages: messages, marked_as_unread: isUnread }) => {
      ids.set(other.username, other.pk);
      return on(
        h(
          'div',
          { class: css('row'), role: 'button', tabindex: 0 },
          picture(other, 56),
          h(
            'div',
            {},
            h('div', {}, h('span', { class: isUnread ? css('name') : css('second') }, other.full_name || other.username)),
            h('span', { class: css('second') }, messages.edges[0]?.node.text_body ?? ''),
          ),
        ),
        'click',
        () => navigate(`/direct/t/${id}/`),
      );
    });
    const list = h(
      'div',
      { class: css('inbox') },
      h(
        'div',
        { class: css('row') },
        h('h1', { class: css('name') }, folder === 'inbox' ? boot.viewer.username : texts.requests),
        iconButton(texts.newMessage, drawings.plus, () => navigate('/direct/new/')),
        h('a', { href: folder === 'inbox' ? '/direct/requests/' : '/direct/inbox/' }, folder === 'inbox' ? texts.requests : texts.back),
      ),
      ...(rows.length > 0 ? rows : [h('div', { class: css('second') }, texts.noMessages)]),
    );
    return { list, unread: threads.filter(({ marked_as_unread: isUnread }) => isUnread).length };
  };

  /** Opens the thread with a person, which the network creates at its first use. @returns null when it refused. */
  const threadWith = async (pk: string): Promise<string | null> => {
    const answer = await transport.rest('POST', '/api/v1/direct_v2/create_group_thread/', { recipient_users: JSON.stringify([pk]) });
    if (answer.kind === 'ok') return String(answer.data.thread_v2_id);
    overlays.showRefusal(answer);
    return null;
  };

  let closeWindow: (() => void) | null = null;
  let closeDialog: (() => void) | null = null;
  addEventListener('popstate', () => closeDialog?.());

  /** The message button of a profile. */
  const write = async ({ pk }: { pk: string; username: string }): Promise<void> => {
    const id = await threadWith(pk);
    if (id === null) return;
    if (traits.messageOpens === 'thread') return navigate(`/direct/t/${id}/`);
    const found = await conversation(id);
    if (!found) return;
    closeWindow?.();
    const chat = h('div', { class: css('window'), 'aria-label': overlays.text('chatWith', { name: found.other.username }) });
    closeWindow = () => chat.remove();
    chat.append(
      overlays.closeButton(() => closeWindow?.()),
      found.content,
    );
    overlays.layer.append(chat);
    interrupt();
  };

  /** The dialog in which a recipient is searched and chosen. */
  const newMessage = (): void => {
    let chosen: Person | null = null;
    const input = h('input', { name: 'queryBox', type: 'text', placeholder: texts.searchPeople, autocomplete: 'off' });
    const results = h('div', { class: css('box') });
    const go = h(
      'div',
      { class: css('button', 'primary'), role: 'button', tabindex: 0, 'aria-disabled': 'true' },
      traits.isDrift ? texts.chat : texts.next,
    );
    const label = h('div', { class: css('row') }, h('span', {}, texts.recipient), input);
    const content = h('div', {}, h('div', { class: css('title') }, h('h1', {}, texts.newMessage)), label, results, go);
    const close = overlays.openDialog(texts.newMessage, content, () => {
      closeDialog = null;
      if (location.pathname === '/direct/new/') navigate('/direct/inbox/');
    });
    closeDialog = close;
    content.prepend(overlays.closeButton(close));
    const search = async (): Promise<void> => {
      const typed = input.value.trim();
      const query = new URLSearchParams({ mode: 'universal', query: typed, show_threads: 'true' });
      const answer = await transport.rest('GET', `/api/v1/direct_v2/ranked_recipients/?${query.toString()}`);
      if (input.value.trim() !== typed) return;
      if (answer.kind !== 'ok') return overlays.showRefusal(answer);
      const people = (answer.data.ranked_recipients as { user: Person }[]).map(({ user }) => user);
      results.replaceChildren(
        ...people.map((person) => {
          const mark = h('input', { type: 'checkbox', 'aria-label': person.username, tabindex: -1 });
          const row = h(
            'div',
            { class: css('row'), role: 'button', tabindex: 0 },
            picture(person, 44),
            h(
              'div',
              {},
              h('div', {}, h('span', { class: css('name') }, person.full_name)),
              h('div', {}, h('span', { class: css('second') }, person.username)),
            ),
            mark,
          );
          return on(row, 'click', () => {
            chosen = person;
            for (const other of results.querySelectorAll('input')) other.checked = other === mark;
            go.removeAttribute('aria-disabled');
          });
        }),
      );
      if (people.length === 0) results.replaceChildren(h('div', { class: css('second') }, texts.nothingFound));
    };
    let pause: ReturnType<typeof setTimeout> | undefined;
    on(input, 'input', () => {
      clearTimeout(pause);
      pause = setTimeout(() => void search(), 300);
    });
    on(go, 'click', () => {
      if (!chosen) return;
      void threadWith(chosen.pk).then((id) => {
        if (id === null) return;
        navigate(`/direct/t/${id}/`);
        close();
      });
    });
    input.focus();
  };

  const show = async (screen: HTMLElement, section: string, threadId: string): Promise<void> => {
    document.title = `Instagram • ${texts.messages}`;
    const isThread = section === 't' && threadId !== '';
    const pane = h('div', { class: css('thread') }, isThread ? spinner() : h('div', { class: css('message') }, texts.messages));
    const rows = h('div', {}, spinner());
    screen.replaceChildren(h('div', { class: css('page') }, isThread && isNarrow() ? null : rows, isNarrow() && !isThread ? null : pane));
    interrupt();
    if (section === 'new') newMessage();
    const folder = section === 'requests' ? 'requests' : 'inbox';
    const listed = isThread && isNarrow() ? Promise.resolve(null) : inbox(folder);
    if (isThread) {
      const found = await conversation(threadId);
      if (found) pane.replaceWith(found.content);
    }
    const box = await listed;
    if (!box || !screen.isConnected) return;
    rows.replaceWith(box.list);
    if (!isThread && box.unread > 0) document.title = `(${box.unread}) Instagram • ${texts.messages}`;
  };

  return { show, write };
}

export type Direct = ReturnType<typeof createDirect>;
