import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Account } from '../population/accounts.js';
import { hash } from '../population/numbers.js';
import type { World } from '../state/world.js';
import { rowAnswer, shortStatus } from './answers.js';
import type { CallGuard, Form } from './guard.js';

/** The REST calls that the page still makes: lists, `show_many`, and the resolution of an address before it moves there. */
export function restCalls(app: FastifyInstance, world: World, guard: CallGuard): void {
  for (const kind of ['followers', 'following'] as const)
    app.get<{ Params: { id: string }; Querystring: { max_id?: string; count?: string; query?: string } }>(
      `/api/v1/friendships/:id/${kind}/`,
      async (request, reply) => {
        const call = await guard.admit(request, reply, { name: kind, form: null });
        if (!call) return reply;
        const target = world.accounts.byId(request.params.id);
        const cursor = request.query.max_id === undefined ? null : String(request.query.max_id);
        const subject = { action: 'list_page' as const, target: target?.listedUsername ?? null, targetId: request.params.id };
        guard.judgeListPage(call);
        const effect = await guard.object(call, reply, subject);
        if (effect === 'answered') return reply;
        if (!target) return reply.code(404).send({ message: 'Not Found', status: 'fail' });
        if (effect === 'done_with_status_500') void reply.code(500);
        const { viewer } = call;
        if (!maySeeList(viewer, target)) {
          guard.record(call, subject, 'read', { verdicts: call.verdicts, detail: { kind, private: true } });
          return reply.send({ users: [], has_more: false, use_clickable_see_more: false, status: 'ok' });
        }
        const { pageDelayMs } = world.lists.settingsOf(target.username);
        if (pageDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, pageDelayMs));
        const { query } = request.query;
        if (query) {
          const users = world.lists.search(target, kind, query).map((row) => rowAnswer(world, row, kind));
          guard.record(call, subject, 'read', { verdicts: call.verdicts, detail: { kind, query, rows: users.length } });
          return reply.send({ users, big_list: false, page_size: 12, has_more: false, use_clickable_see_more: false, status: 'ok' });
        }
        const page = world.lists.page(viewer, target, kind, cursor);
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
        return reply.send({
          users: page.rows.map((row) => rowAnswer(world, row, kind)),
          big_list: page.nextCursor !== null,
          page_size: 12,
          ...(page.nextCursor !== null ? { next_max_id: page.nextCursor } : {}),
          has_more: page.nextCursor !== null,
          should_limit_list_of_followers: kind === 'followers' && page.limited,
          should_limit_list_of_followings: kind === 'following' && page.limited,
          use_clickable_see_more: false,
          show_spam_follow_request_tab: false,
          follow_ranking_token: `${hash(viewer.index, target.index).toString(16)}|${target.pk}|${page.pass}`,
          hidden_following_account_count: 0,
          status: 'ok',
        });
      },
    );

  app.post('/api/v1/friendships/show_many/', async (request, reply) => {
    const call = await guard.admit(request, reply, { name: 'show_many', form: (request.body ?? {}) as Form });
    if (!call) return reply;
    const subject = { action: 'show_many' as const, target: null, targetId: null };
    if ((await guard.object(call, reply, subject)) === 'answered') return reply;
    const ids = String((request.body as Form).user_ids ?? '')
      .split(',')
      .slice(0, 100);
    const statuses: Record<string, Record<string, boolean>> = {};
    for (const id of ids) {
      const other = world.accounts.byId(id);
      if (other) statuses[id] = shortStatus(world.friendships.status(call.viewer.index, other.index), other.isPrivate);
    }
    guard.record(call, subject, 'read', { verdicts: call.verdicts, detail: { people: ids.length } });
    return reply.send({ friendship_statuses: statuses, status: 'ok', status_code: '200' });
  });

  // The page asks what stands at an address before it moves there without loading.
  app.post('/ajax/bulk-route-definitions/', async (request, reply) => {
    const form = (request.body ?? {}) as Form;
    const call = await guard.admit(request, reply, { name: 'route', form });
    if (!call) return reply;
    const path = form['route_urls[0]'] ?? '/';
    const username = /^\/([A-Za-z0-9._]{1,30})\//.exec(path)?.[1] ?? '';
    const subject = { action: 'route' as const, target: username || null, targetId: null };
    if ((await guard.object(call, reply, subject)) === 'answered') return reply;
    guard.record(call, subject, 'read', { verdicts: call.verdicts });
    const account = visibleByName(call.viewer, username);
    const result = account
      ? { error: false, result: { type: 'route_definition', exports: { rootView: { props: { id: account.pk, profile_id: account.pk } } } } }
      : { error: true, result: null };
    return sendPrefixed(reply, { payload: { payloads: { [path]: result } } });
  });

  function maySeeList(viewer: Account, target: Account): boolean {
    if (target.presence.startsWith('gone') || world.friendships.hasBlocked(target.index, viewer.index)) return false;
    return !target.isPrivate || target.index === viewer.index || world.friendships.follows(viewer.index, target.index);
  }

  function visibleByName(viewer: Account, username: string): Account | undefined {
    const account = world.accounts.byUsername(username);
    if (!account || account.presence.startsWith('gone')) return undefined;
    return world.friendships.hasBlocked(account.index, viewer.index) ? undefined : account;
  }
}

/** Answers of `/ajax` begin with a loop that keeps other sites from running them. */
function sendPrefixed(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.type('application/x-javascript; charset=utf-8').send(`for (;;);${JSON.stringify(body)}`);
}
