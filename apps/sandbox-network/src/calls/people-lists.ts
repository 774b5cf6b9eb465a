import type { FastifyReply } from 'fastify';
import type { Account } from '../population/accounts.js';
import { hash } from '../population/hashing.js';
import type { ListKind, ListPage } from '../state/lists.js';
import type { ObjectionKind } from '../state/objection-kinds.js';
import type { World } from '../state/world.js';
import { rowAnswer } from './answer-shapes.js';
import type { Call } from './call.js';
import type { CallGuard } from './guard.js';

/** A request for a page of a list, or for a search in it. */
export interface ListQuestion {
  kind: ListKind;
  /** `pk` of the list's owner. */
  id: string;
  cursor: string | null;
  /** Beginning of a name to search for; empty for the list itself. */
  query: string;
}

/** How a list is serialized: as REST or as GraphQL. */
interface ListForm {
  /** The answer when the visitor may not see the list: private accounts and withheld lists. */
  closed: Record<string, unknown>;
  found(rows: Account[], kind: ListKind, world: World): Record<string, unknown>;
  page(
    page: ListPage,
    about: { viewer: Account; target: Account; kind: ListKind; isFirst: boolean },
    world: World,
  ): Record<string, unknown>;
  /** Whether all cursors are long and random, not only those of the visitor's own followers. */
  hasLongCursors: boolean;
}

export const restList: ListForm = {
  closed: { users: [], has_more: false, use_clickable_see_more: false, status: 'ok' },
  hasLongCursors: false,
  found: (rows, kind, world) => ({
    users: rows.map((row) => rowAnswer(world, row, kind)),
    big_list: false,
    page_size: rows.length,
    has_more: false,
    use_clickable_see_more: false,
    status: 'ok',
  }),
  page: (page, { viewer, target, kind, isFirst }, world) => ({
    users: page.rows.map((row) => rowAnswer(world, row, kind)),
    big_list: page.nextCursor !== null,
    page_size: page.nextCursor === null ? page.rows.length : 12,
    ...(page.nextCursor !== null ? { next_max_id: page.nextCursor } : {}),
    has_more: page.nextCursor !== null,
    should_limit_list_of_followers: kind === 'followers' && page.limited,
    should_limit_list_of_followings: kind === 'following' && page.limited,
    use_clickable_see_more: false,
    show_spam_follow_request_tab: false,
    follow_ranking_token: `${hash(viewer.index, target.index).toString(16)}|${target.pk}|${page.pass}`,
    ...(kind === 'following' ? { hidden_following_account_count: 0 } : {}),
    // Only on the first page of the visitor's own followers.
    ...(kind === 'followers' && isFirst && viewer.index === target.index
      ? {
          groups: [{ group: 'least_interacted_with', title: 'Least Interacted With', context: '', facepile: [] }],
          more_groups_available: false,
        }
      : {}),
    status: 'ok',
  }),
};

const connection = (rows: Account[], kind: ListKind, world: World, end: string | null, isLimited: boolean) => ({
  edges: rows.map((row) => {
    // GraphQL rows have `id` but no `pk`.
    const { pk: _pk, pk_id: _pkId, strong_id__: _strongId, ...node } = rowAnswer(world, row, kind);
    return { node: { ...node, __typename: 'XDTUserDict' }, cursor: '' };
  }),
  page_info: { has_next_page: end !== null, end_cursor: end, has_previous_page: false, start_cursor: null },
  should_limit_list_of_followers: isLimited,
});

export const graphqlList: ListForm = {
  closed: {
    edges: [],
    page_info: { has_next_page: false, end_cursor: null, has_previous_page: false, start_cursor: null },
    should_limit_list_of_followers: false,
  },
  hasLongCursors: true,
  found: (rows, kind, world) => connection(rows, kind, world, null, false),
  page: (page, { kind }, world) => connection(page.rows, kind, world, page.nextCursor, page.limited),
};

/** Reads follower and following lists for REST and GraphQL calls. */
export class PeopleLists {
  constructor(
    private readonly world: World,
    private readonly guard: CallGuard,
  ) {}

  /** @returns the body of the answer, null when the owner does not exist; `answered` when the reply is already sent. */
  async read(
    call: Call,
    reply: FastifyReply,
    form: ListForm,
    { kind, id, cursor, query }: ListQuestion,
  ): Promise<{ body: Record<string, unknown> | null; effect: ObjectionKind | null } | 'answered'> {
    const { world, guard } = this;
    const target = world.accounts.byId(id);
    const subject = { action: 'list_page' as const, target: target?.listedUsername ?? null, targetId: id };
    guard.judge.listPage(call);
    const withheld = guard.withholdList(call, subject);
    if (withheld === 'redirect') {
      await reply.redirect('/');
      return 'answered';
    }
    if (withheld === 'empty') return { body: form.closed, effect: null };
    const effect = await guard.object(call, reply, subject);
    if (effect === 'answered') return effect;
    if (!target) return { body: null, effect };
    const { viewer } = call;
    if (!this.maySee(viewer, target)) {
      guard.record(call, subject, 'read', { verdicts: call.verdicts, detail: { kind, private: true } });
      return { body: form.closed, effect };
    }
    const { pageDelayMs } = world.lists.settingsOf(target.username);
    if (pageDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, pageDelayMs));
    if (query) {
      const found = world.lists.search(target, kind, query);
      guard.record(call, subject, 'read', { verdicts: call.verdicts, detail: { kind, query, rows: found.length } });
      return { body: form.found(found, kind, world), effect };
    }
    const page = world.lists.page(viewer, target, kind, cursor, form.hasLongCursors);
    if (page.cursorUnknown) call.verdicts.push('forged_call');
    guard.record(call, subject, 'read', {
      verdicts: call.verdicts,
      detail: {
        kind,
        pass: page.pass,
        offset: page.offset,
        rows: page.rows.length,
        ...(page.cursorUnknown ? { faults: ['cursor_never_given'], cursor } : {}),
      },
    });
    world.changed();
    return { body: form.page(page, { viewer, target, kind, isFirst: page.offset === 0 }, world), effect };
  }

  private maySee(viewer: Account, target: Account): boolean {
    const { friendships } = this.world;
    if (target.presence.startsWith('gone') || friendships.hasBlocked(target.index, viewer.index)) return false;
    return !target.isPrivate || target.index === viewer.index || friendships.follows(viewer.index, target.index);
  }
}
