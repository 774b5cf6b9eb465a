import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Account } from '../population/accounts.js';
import type { World } from '../state/world.js';
import { shortStatus } from './answer-shapes.js';
import type { Form } from './call.js';
import type { CallGuard } from './guard.js';
import { type PeopleLists, restList } from './people-lists.js';

/** The REST calls of the page: lists, `show_many`, and the look-up of a path before navigating to it. */
export function restCalls(app: FastifyInstance, world: World, guard: CallGuard, lists: PeopleLists): void {
  for (const kind of ['followers', 'following'] as const)
    app.get<{ Params: { id: string }; Querystring: { max_id?: string; count?: string; query?: string } }>(
      `/api/v1/friendships/:id/${kind}/`,
      async (request, reply) => {
        const call = await guard.admit(request, reply, { name: kind, form: null });
        if (!call) return reply;
        const { max_id: cursor, query = '' } = request.query;
        const answer = await lists.read(call, reply, restList, {
          kind,
          id: request.params.id,
          cursor: cursor === undefined ? null : String(cursor),
          query,
        });
        if (answer === 'answered') return reply;
        if (answer.body === null) return reply.code(404).send({ message: 'User not found', status: 'fail' });
        if (answer.effect === 'done_with_status_500') void reply.code(500);
        return reply.send(answer.body);
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

  // The page looks up a path before it navigates there without a load.
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

  function visibleByName(viewer: Account, username: string): Account | undefined {
    const account = world.accounts.byUsername(username);
    if (!account || account.presence.startsWith('gone')) return undefined;
    return world.friendships.hasBlocked(account.index, viewer.index) ? undefined : account;
  }
}

/** Answers of `/ajax` begin with an endless loop, which keeps other sites from executing them as a script. */
function sendPrefixed(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.type('application/x-javascript; charset=utf-8').send(`for (;;);${JSON.stringify(body)}`);
}
