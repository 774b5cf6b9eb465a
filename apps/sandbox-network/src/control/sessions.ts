import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { cookiesOf, pasteForms } from '../state/session-cookies.js';
import type { Session } from '../state/sessions.js';
import type { World } from '../state/world.js';
import { languages } from '../texts/texts.js';
import { knownAccount, Refusal, username } from './requests.js';

const sessionRequest = z.strictObject({
  username,
  expiresInMs: z.number().int().positive().optional(),
  language: z.enum(languages).nullable().optional(),
});

/** Log-ins of accounts. */
export function sessionControl(app: FastifyInstance, world: World): void {
  app.post('/_sandbox/sessions', (request, reply) => {
    const { username: name, ...options } = sessionRequest.parse(request.body);
    const account = knownAccount(world, name);
    // A new log-in counts as having resolved the account's challenge.
    world.objections.forgive(account.username);
    const session = world.sessions.create(account.pk, account.username, options);
    world.changed();
    return reply.code(201).send(describeSession(session));
  });

  app.get('/_sandbox/sessions', () => ({ sessions: world.sessions.all().map(describeSession) }));

  app.delete<{ Params: { id: string } }>('/_sandbox/sessions/:id', (request) => {
    const session = world.sessions.find(request.params.id);
    if (!session) throw new Refusal(404, 'no such session');
    const { reason } = z.object({ reason: z.enum(['logout', 'password', 'challenge']).default('logout') }).parse(request.query);
    world.sessions.end(session, reason);
    world.changed();
    return { ended: true };
  });
}

function describeSession(session: Session) {
  return {
    id: session.id,
    username: session.username,
    accountId: session.pk,
    createdAt: new Date(session.createdAt).toISOString(),
    expiresAt: new Date(session.expiresAt).toISOString(),
    endedBecause: session.endedBecause,
    cookies: cookiesOf(session),
    forms: pasteForms(session),
  };
}
