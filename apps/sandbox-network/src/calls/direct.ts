import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Account } from '../population/accounts.js';
import { interopIdOf, type Message } from '../state/direct.js';
import type { World } from '../state/world.js';
import { failedOperation, pictureOf } from './answer-shapes.js';
import type { Call, Form, Subject } from './call.js';
import type { CallGuard } from './guard.js';

/** Messages of an answer about one thread, and of each thread in the inbox. */
const messagesPerPage = 20;
const messagesInInbox = 5;
const recipientsShown = 8;

/** Inbox and threads, section 4.12 of the fact sheet. Messages themselves leave by `realtime.ts`. */
export class DirectCalls {
  constructor(
    private readonly world: World,
    private readonly guard: CallGuard,
  ) {}

  async inbox(call: Call, reply: FastifyReply): Promise<FastifyReply> {
    const folder = call.variables.folder === 'PENDING' ? 'requests' : 'inbox';
    const subject: Subject = { action: 'inbox', target: null, targetId: null };
    const effect = await this.guard.object(call, reply, subject);
    if (effect === 'answered') return reply;
    this.guard.record(call, subject, 'read', { verdicts: call.verdicts, detail: { folder } });
    if (effect === 'done_with_status_500') void reply.code(500);
    const edges = this.world.direct.threadsOf(call.viewer, folder).flatMap((id) => {
      const thread = this.thread(call.viewer, id, messagesInInbox, 0);
      return thread ? [{ node: { as_ig_direct_thread: thread }, cursor: '' }] : [];
    });
    return reply.send(
      this.guard.success(call, { threads_by_folder: { edges, page_info: { has_next_page: false, end_cursor: null } } }, effect),
    );
  }

  /** A thread with its newest messages, or a further page of its messages. */
  async read(call: Call, reply: FastifyReply): Promise<FastifyReply> {
    const { viewer, variables } = call;
    const id = String(variables.thread_fbid ?? variables.id);
    const other = this.world.direct.otherIn(id, viewer);
    const subject: Subject = { action: 'thread', target: other?.username ?? null, targetId: other?.pk ?? null };
    const effect = await this.guard.object(call, reply, subject);
    if (effect === 'answered') return reply;
    const start = typeof variables.after === 'string' && /^m\d{1,6}$/.test(variables.after) ? Number(variables.after.slice(1)) : 0;
    this.guard.record(call, subject, 'read', { verdicts: call.verdicts, detail: { thread: id, start } });
    if (effect === 'done_with_status_500') void reply.code(500);
    const thread = this.thread(viewer, id, messagesPerPage, start);
    if (!thread) return reply.send(failedOperation);
    this.world.direct.markRead(viewer, id);
    return reply.send(this.guard.success(call, { as_ig_direct_thread: thread }, effect));
  }

  private thread(viewer: Account, id: string, count: number, start: number): Record<string, unknown> | undefined {
    const { direct } = this.world;
    const other = direct.otherIn(id, viewer);
    if (!other) return undefined;
    const all = direct.messagesOf(id);
    const shown = all.slice(start, start + count);
    const hasMore = start + count < all.length;
    const isRequest = direct.folderFor(viewer, id) === 'requests' && all.length > 0;
    return {
      thread_fbid: id,
      thread_key: id,
      thread_id: `3402823668417103${id}`,
      thread_subtype: 'IG_ONLY_ONE_TO_ONE',
      is_group: false,
      users: [
        {
          id: other.pk,
          pk: other.pk,
          username: other.username,
          full_name: other.fullName,
          profile_pic_url: pictureOf(other),
          is_verified: other.isVerified,
          interop_messaging_user_fbid: interopIdOf(other),
        },
      ],
      slide_messages: {
        edges: shown.map((message, place) => ({ node: this.message(message), cursor: `m${start + place + 1}` })),
        page_info: {
          has_next_page: hasMore,
          end_cursor: hasMore ? `m${start + count}` : null,
          has_previous_page: false,
          start_cursor: null,
        },
      },
      folder: isRequest ? 'PENDING' : 'PRIMARY',
      system_folder: isRequest ? 'PENDING' : 'INBOX',
      messaging_folder_tag: isRequest ? 'PENDING' : 'INBOX',
      is_muted: false,
      marked_as_unread: direct.isUnread(viewer, id),
      // The recording does not show how the site says who may be written to; these two are the network's own.
      input_mode: this.inputMode(viewer, other),
      is_new_request: direct.folderOf(viewer, other) === 'requests',
      viewer: { id: viewer.pk, interop_messaging_user_fbid: interopIdOf(viewer) },
    };
  }

  private inputMode(viewer: Account, other: Account): 'open' | 'blocked' | 'not_allowed' | 'invite_pending' {
    const permission = this.world.direct.permission(viewer, other);
    // The rule of these people shows only after a message was tried.
    return permission === 'allowed' || permission === 'not_allowed_after_sending' ? 'open' : permission;
  }

  private message({ id, from, at, text }: Message): Record<string, unknown> {
    const sender = this.world.accounts.byId(from);
    return {
      id,
      message_id: id,
      sender_fbid: sender ? interopIdOf(sender) : null,
      timestamp_ms: String(at),
      content_type: 'TEXT',
      text_body: text,
      content: { __typename: 'SlideMessageText', text_body: text },
      __typename: 'SlideMessage',
    };
  }
}

/** The REST calls of direct: the search for a recipient, and the opening of a thread. */
export function directRestCalls(app: FastifyInstance, world: World, guard: CallGuard): void {
  app.get<{ Querystring: { query?: string } }>('/api/v1/direct_v2/ranked_recipients/', async (request, reply) => {
    const call = await guard.admit(request, reply, { name: 'recipients', form: null });
    if (!call) return reply;
    const query = String(request.query.query ?? '')
      .trim()
      .toLowerCase();
    const subject: Subject = { action: 'recipients', target: null, targetId: null };
    if ((await guard.object(call, reply, subject)) === 'answered') return reply;
    const found = query ? search(call.viewer, query) : [];
    guard.record(call, subject, 'read', { verdicts: call.verdicts, detail: { query, rows: found.length } });
    return reply.send({
      ranked_recipients: found.map((account) => ({
        user: {
          pk: account.pk,
          pk_id: account.pk,
          id: account.pk,
          username: account.username,
          full_name: account.fullName,
          is_private: account.isPrivate,
          is_verified: account.isVerified,
          profile_pic_url: pictureOf(account),
        },
      })),
      expires: 120,
      status: 'ok',
    });
  });

  app.post('/api/v1/direct_v2/create_group_thread/', async (request, reply) => {
    const form = (request.body ?? {}) as Form;
    const call = await guard.admit(request, reply, { name: 'thread', form });
    if (!call) return reply;
    const other = recipientOf(form.recipient_users ?? '');
    const subject: Subject = { action: 'thread', target: other?.username ?? null, targetId: other?.pk ?? null };
    if ((await guard.object(call, reply, subject)) === 'answered') return reply;
    guard.record(call, subject, 'read', { verdicts: call.verdicts });
    if (!other || other.index === call.viewer.index || !isVisible(call.viewer, other))
      return reply.code(404).send({ message: 'User not found', status: 'fail' });
    const id = world.direct.open(call.viewer, other);
    world.changed();
    return reply.send({ thread_id: `3402823668417103${id}`, thread_v2_id: id, is_group: false, status: 'ok' });
  });

  /** People with a similar name first: the person whose name was typed is not always the first row. */
  function search(viewer: Account, query: string): Account[] {
    const [, first = '', second = ''] = /^_?([a-z0-9]+)[._]([a-z0-9]+)_?$/.exec(query) ?? [];
    const similar = second
      ? [`${first}_${second}`, `${second}.${first}`, `_${first}.${second}_`, `${first}.${second}`, `${second}_${first}`]
      : [];
    const named = world.accounts.namedAccounts
      .filter(({ username }) => username.startsWith(query) && username !== query)
      .map(({ username }) => username);
    const names = [...new Set([...similar.filter((name) => name !== query), ...named.slice(0, recipientsShown), query])];
    return names
      .flatMap((name) => world.accounts.byUsername(name) ?? [])
      .filter((account) => account.index !== viewer.index && isVisible(viewer, account))
      .slice(-recipientsShown);
  }

  function isVisible(viewer: Account, account: Account): boolean {
    return !account.presence.startsWith('gone') && !world.friendships.hasBlocked(account.index, viewer.index);
  }

  function recipientOf(list: string): Account | undefined {
    const [, pk = ''] = /^\["?(\d{1,15})"?\]$/.exec(list) ?? [];
    return world.accounts.byId(pk);
  }
}
