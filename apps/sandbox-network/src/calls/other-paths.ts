import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { World } from '../state/world.js';
import type { CallGuard } from './guard.js';
import { frontErrorPage, send } from './objection-answers.js';

const controlPath = /^\/_sandbox(\/|$)/;

/**
 * API paths that the site's page never requests: retired ones, which answer as on the site, and unknown ones. Only a foreign client requests
 * them, so each request is a forged call. All answers outside `/_sandbox` have the form of the site's own.
 */
export function otherPaths(app: FastifyInstance, world: World, guard: CallGuard): void {
  const note = (request: FastifyRequest): void => {
    const verdict = world.sessions.read(request.cookies);
    const session = verdict.kind === 'active' ? verdict.session : null;
    const subject = { action: 'call' as const, target: request.url.split('?')[0] ?? null, targetId: null };
    guard.record({ session, build: world.build }, subject, 'refused', {
      verdicts: session ? ['forged_call'] : [],
      detail: { faults: ['unknown_path'] },
    });
  };

  const missing = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | FastifyReply => {
    if (controlPath.test(request.url)) return reply.code(404).send({ error: 'no such control' });
    note(request);
    return send(reply, { status: 404, body: frontErrorPage('Page Not Found • Instagram'), type: 'text/html; charset=utf-8' });
  };

  // Retired: an empty 429, for business accounts a 400.
  app.get<{ Querystring: { username?: string } }>('/api/v1/users/web_profile_info/', (request, reply) => {
    note(request);
    const account = world.accounts.byUsername(String(request.query.username ?? ''));
    return account?.isBusiness
      ? send(reply, { status: 400, body: { message: '', status: 'fail' } })
      : send(reply, { status: 429, body: '' });
  });

  // Retired: redirected to the home page.
  for (const path of ['/api/v1/media/:id/info/', '/api/v1/feed/user/:id/', '/api/v1/feed/user/:name/username/'])
    app.get(path, (request, reply) => {
      note(request);
      return reply.redirect('/');
    });

  // Retired: queries by hash are answered without data.
  for (const path of ['/graphql/query', '/graphql/query/'])
    app.get(path, (request, reply) => {
      note(request);
      return send(reply, { status: 200, body: { data: { user: null }, extensions: { is_final: true }, status: 'ok' } });
    });

  for (const path of ['/api/*', '/graphql/*', '/ajax/*', '/web/*', '/_sandbox/*']) app.all(path, missing);
  app.setNotFoundHandler(missing);
}

/** Answers a request that cannot be parsed: JSON below `/_sandbox`, the site's error page elsewhere. */
export async function unreadable(request: FastifyRequest, reply: FastifyReply, status: number, message: string): Promise<FastifyReply> {
  return controlPath.test(request.url)
    ? reply.code(status).send({ error: message })
    : send(reply, { status, body: frontErrorPage('Error'), type: 'text/html; charset=utf-8' });
}
