import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { CallGuard } from '../calls/guard.js';
import type { Account } from '../population/accounts.js';
import { callNames, objectionKinds } from '../state/objections.js';
import { cookiesOf, pasteForms, type Session } from '../state/sessions.js';
import { interruptionKinds, type World } from '../state/world.js';
import { watchPage } from './watch-page.js';

const username = z.string().regex(/^[a-z0-9._]{1,30}$/, 'a username: small letters, digits, dot, underscore, at most 30');
const count = z.number().int().nonnegative();

const namedAccount = z.strictObject({
  username,
  fullName: z.string().optional(),
  followers: count.optional(),
  following: count.optional(),
  posts: count.max(2_000).optional(),
  isPrivate: z.boolean().optional(),
  isVerified: z.boolean().optional(),
  presence: z.enum(['present', 'gone_404', 'gone_200', 'renamed']).optional(),
  renamedTo: username.optional(),
});
const sessionRequest = z.strictObject({
  username,
  expiresInMs: z.number().int().positive().optional(),
  language: z.enum(['pt', 'en']).nullable().optional(),
});
const objectionScript = z.strictObject({
  username: username.nullable().default(null),
  kind: z.enum(objectionKinds),
  call: z.enum([...callNames, 'any', 'action', 'read']).default('action'),
  target: z.string().nullable().default(null),
  afterCalls: count.default(0),
  times: z.number().int().positive().nullable().default(1),
  delayMs: count.max(600_000).default(0),
  blockMs: count.nullable().default(null),
});
const listSettings = z.strictObject({
  lossRate: z.number().min(0).max(0.9).optional(),
  stableOrder: z.boolean().optional(),
  pageDelayMs: count.max(600_000).optional(),
  limited: z.boolean().optional(),
});
const bounds = z.strictObject({ follow: count.optional(), unfollow: count.optional(), list_page: count.optional() });
const ceilings = z.strictObject({ perHour: bounds.optional(), perDay: bounds.optional(), sameMomentMs: count.optional() });
const clockChange = z.union([z.strictObject({ advanceMs: z.number().int() }), z.strictObject({ now: z.iso.datetime({ offset: true }) })]);
const ledgerQuery = z.object({
  account: z.string().optional(),
  action: z.string().optional(),
  target: z.string().optional(),
  verdict: z.string().optional(),
  verdicts: z.stringbool().optional(),
  since: z.coerce.number().optional(),
  after: z.coerce.number().int().optional(),
  limit: z.coerce.number().int().positive().max(200_000).optional(),
});
const tieChange = z.strictObject({ follower: username, followed: username, state: z.enum(['following', 'requested', 'blocking', 'none']) });

class NotFound extends Error {
  readonly statusCode = 404;
}

/** The door for tests and for people who watch: everything under `/_sandbox`. See README.md beside this app. */
export function controlApi(app: FastifyInstance, world: World, guard: CallGuard): void {
  const known = (name: string): Account => {
    const account = world.accounts.byListedUsername(name) ?? world.accounts.byUsername(name);
    if (!account) throw new NotFound(`nobody is called ${name}`);
    return account;
  };

  app.get('/_sandbox/health', () => ({ ok: true, build: `${world.build.name}-${world.build.revision}` }));

  app.get('/_sandbox/', (_request, reply) => reply.type('text/html; charset=utf-8').send(watchPage()));

  app.post('/_sandbox/reset', (request) => {
    const { seed } = z.strictObject({ seed: z.string().min(1).optional() }).parse(request.body ?? {});
    world.reset(seed);
    guard.forget();
    return { seed: world.seed };
  });

  app.get('/_sandbox/accounts', (request) => {
    const { offset, limit } = z
      .object({ offset: z.coerce.number().int().min(0).default(0), limit: z.coerce.number().int().min(1).max(1_000).default(50) })
      .parse(request.query);
    const end = Math.min(world.accounts.count, offset + limit);
    return {
      total: world.accounts.count,
      accounts: Array.from({ length: Math.max(0, end - offset) }, (_, place) => describe(world.accounts.at(offset + place))),
    };
  });

  app.post('/_sandbox/accounts', (request) => {
    const wanted = namedAccount.parse(request.body);
    const computed = world.accounts.byUsername(wanted.username);
    if (computed && !world.accounts.isNamed(computed.index))
      throw Object.assign(new Error(`${wanted.username} is one of the computed people`), { statusCode: 409 });
    for (const each of [wanted.followers, wanted.following])
      if (each !== undefined && each > world.accounts.size)
        throw Object.assign(new Error(`at most ${world.accounts.size} people can be had`), { statusCode: 400 });
    return describe(world.accounts.at(world.ensureAccount(wanted)));
  });

  app.get<{ Params: { username: string } }>('/_sandbox/accounts/:username', (request) => describe(known(request.params.username)));

  for (const kind of ['followers', 'following'] as const)
    app.get<{ Params: { username: string } }>(`/_sandbox/accounts/:username/${kind}`, (request, reply) =>
      streamPeople(reply, known(request.params.username), kind),
    );

  app.post<{ Params: { username: string } }>('/_sandbox/accounts/:username/forgive', (request) => {
    world.objections.forgive(request.params.username);
    world.changed();
    return { forgiven: true };
  });

  app.put<{ Params: { username: string } }>('/_sandbox/accounts/:username/lists', (request) => {
    const name = known(request.params.username).username;
    world.lists.configure(name, listSettings.parse(request.body));
    world.changed();
    return world.lists.settingsOf(name);
  });

  app.put('/_sandbox/lists', (request) => {
    world.lists.defaults = { ...world.lists.defaults, ...listSettings.parse(request.body) };
    world.changed();
    return world.lists.defaults;
  });

  app.put<{ Params: { username: string } }>('/_sandbox/accounts/:username/interruptions', (request) => {
    const { kinds } = z.strictObject({ kinds: z.array(z.enum(interruptionKinds)) }).parse(request.body);
    world.interruptions.set(request.params.username, kinds);
    world.changed();
    return { kinds };
  });

  app.post('/_sandbox/ties', (request) => {
    const { follower, followed, state } = tieChange.parse(request.body);
    world.friendships.change(known(follower).index, known(followed).index, state);
    world.changed();
    return { follower, followed, state };
  });

  app.get('/_sandbox/ties', (request) => {
    const { follower, followed } = z.object({ follower: username, followed: username }).parse(request.query);
    return { follower, followed, state: world.friendships.state(known(follower).index, known(followed).index) };
  });

  app.post('/_sandbox/sessions', (request, reply) => {
    const { username: name, ...options } = sessionRequest.parse(request.body);
    const account = known(name);
    // A person who logs in again has done what was asked of them.
    world.objections.forgive(account.username);
    const session = world.sessions.create(account.pk, account.username, options);
    world.changed();
    return reply.code(201).send(describeSession(session));
  });

  app.get('/_sandbox/sessions', () => ({ sessions: world.sessions.all().map(describeSession) }));

  app.delete<{ Params: { id: string } }>('/_sandbox/sessions/:id', (request) => {
    const session = world.sessions.find(request.params.id);
    if (!session) throw new NotFound('no such session');
    const { reason } = z.object({ reason: z.enum(['logout', 'password', 'challenge']).default('logout') }).parse(request.query);
    world.sessions.end(session, reason);
    world.changed();
    return { ended: true };
  });

  app.post('/_sandbox/objections', (request, reply) => {
    const script = objectionScript.parse(request.body);
    if (script.username) known(script.username);
    const objection = world.objections.add(script);
    world.changed();
    return reply.code(201).send(objection);
  });

  app.get('/_sandbox/objections', () => ({ objections: world.objections.all() }));

  app.delete<{ Params: { id: string } }>('/_sandbox/objections/:id', (request) => {
    if (!world.objections.remove(request.params.id)) throw new NotFound('no such objection');
    world.changed();
    return { removed: true };
  });

  app.put('/_sandbox/ceilings', (request) => {
    world.ceilings = { ...world.ceilings, ...ceilings.parse(request.body) };
    world.changed();
    return world.ceilings;
  });

  app.get('/_sandbox/clock', () => ({ now: new Date(world.clock.now()).toISOString(), offsetMs: world.clock.offsetMs }));
  app.post('/_sandbox/clock', (request) => {
    const change = clockChange.parse(request.body);
    if ('advanceMs' in change) world.clock.advance(change.advanceMs);
    else world.clock.set(Date.parse(change.now));
    world.changed();
    return { now: new Date(world.clock.now()).toISOString(), offsetMs: world.clock.offsetMs };
  });

  app.post('/_sandbox/build', (request) => {
    const { name } = z.strictObject({ name: z.enum(['main', 'drift']).default('main') }).parse(request.body ?? {});
    world.rollOut(name);
    return { build: `${world.build.name}-${world.build.revision}` };
  });

  app.get('/_sandbox/ledger', (request) => {
    const { verdicts, ...filter } = ledgerQuery.parse(request.query);
    return { entries: world.ledger.find({ ...filter, ...(verdicts ? { verdicts } : {}) }) };
  });

  app.get('/_sandbox/ledger/stream', (request, reply) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' });
    raw.write(': here\n\n');
    const stop = world.ledger.listen((entry) => raw.write(`id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`));
    request.raw.on('close', stop);
  });

  app.get('/_sandbox/stats', () => {
    const { heapUsed, rss } = process.memoryUsage();
    return {
      seed: world.seed,
      build: `${world.build.name}-${world.build.revision}`,
      now: new Date(world.clock.now()).toISOString(),
      accounts: world.accounts.count,
      sessions: world.sessions.all().filter(({ endedBecause, expiresAt }) => !endedBecause && expiresAt > world.clock.now()).length,
      objections: world.objections.all().length,
      counts: Object.fromEntries(world.ledger.counts),
      memory: { heapUsed, rss },
    };
  });

  function describe(account: Account) {
    return {
      pk: account.pk,
      username: account.username,
      listedUsername: account.listedUsername,
      fullName: account.fullName,
      isPrivate: account.isPrivate,
      isVerified: account.isVerified,
      hasStory: account.hasStory,
      presence: account.presence,
      followers: world.friendships.followerCount(account.index),
      following: world.friendships.followingCount(account.index),
      posts: account.mediaCount,
    };
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

  /** The complete true list, one JSON object a line, as the site's lists name the people. */
  function streamPeople(reply: FastifyReply, account: Account, kind: 'followers' | 'following'): FastifyReply {
    const people = world.friendships.all(account.index, kind);
    function* lines(): Generator<string> {
      let part = '';
      for (const { pk, listedUsername, fullName, isPrivate, isVerified, hasStory, presence } of people) {
        part += `${JSON.stringify({ pk, username: listedUsername, fullName, isPrivate, isVerified, hasStory, presence })}\n`;
        if (part.length < 32_768) continue;
        yield part;
        part = '';
      }
      if (part) yield part;
    }
    return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(lines()));
  }
}
