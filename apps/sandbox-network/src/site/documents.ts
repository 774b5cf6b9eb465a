import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Boot } from '../browser/types.js';
import type { CallGuard } from '../calls/guard.js';
import { languageOf } from '../calls/language.js';
import { objectionAnswer, redirects, send } from '../calls/objection-answers.js';
import { setCsrf } from '../calls/request-check.js';
import type { Account } from '../population/accounts.js';
import type { ObjectionKind } from '../state/objection-kinds.js';
import type { Objection } from '../state/objections.js';
import { newCsrfToken, type Session } from '../state/sessions.js';
import type { World } from '../state/world.js';
import type { Language } from '../texts/texts.js';
import { PlainPages } from './plain-pages.js';
import { Preloads } from './preloads.js';
import { shell } from './shell.js';

/** First path segments that are not usernames. */
const reserved = new Set([
  'accounts',
  'about',
  'api',
  'challenge',
  'checkpoint',
  'consent',
  'integrity',
  'auth_platform',
  'developer',
  'direct',
  'directory',
  'emails',
  'explore',
  'graphql',
  'legal',
  'notifications',
  'p',
  'privacy',
  'reel',
  'reels',
  'settings',
  'static',
  'stories',
  'terms',
  'tv',
  'web',
]);

/** The documents of the site: the single-page application, log-in and challenges. */
export function documents(app: FastifyInstance, world: World, guard: CallGuard): void {
  const preloads = new Preloads(world);
  const plainPages = new PlainPages(world);

  app.get('/accounts/login/', (request, reply) => {
    if (world.sessions.read(request.cookies).kind === 'active') return reply.redirect('/');
    return plainPages.login(request, reply);
  });
  app.post('/accounts/login/', (request, reply) => plainPages.login(request, reply, true));
  app.get('/accounts/suspended/', (request, reply) => plainPages.message(request, reply, 'suspendedTitle', 'disabled'));
  app.get('/challenge/captcha/frame/', (request, reply) => plainPages.message(request, reply, 'confirmYou', 'confirmYou'));
  for (const path of ['/challenge/', '/challenge/*', '/checkpoint/*', '/integrity/checkpoint/'])
    app.get(path, (request, reply) => plainPages.message(request, reply, 'suspiciousTitle', 'suspiciousText'));
  // On the site this may be a single box to tick ("I'm human").
  app.get('/auth_platform/*', (request, reply) => plainPages.message(request, reply, 'confirmYou', 'confirmYou'));
  app.get('/consent/', (request, reply) => plainPages.message(request, reply, 'cookieTitle', 'unknownHint'));

  for (const path of ['/', '/*'])
    app.get(path, async (request, reply) => {
      const address = new URL(request.url, 'http://network');
      const { pathname, search } = address;
      // The site redirects to the address with a slash at its end.
      if (!pathname.endsWith('/') && !pathname.includes('.', pathname.lastIndexOf('/') + 1))
        return reply.redirect(`${pathname}/${search}`, 301);
      const verdict = world.sessions.read(request.cookies);
      if (verdict.kind !== 'active') {
        if (verdict.kind === 'refused') forgetLogin(reply);
        if (pathname === '/') return plainPages.login(request, reply);
        return reply.redirect(`/accounts/login/?next=${encodeURIComponent(pathname)}`);
      }
      return document(request, reply, verdict.session, address);
    });

  async function document(request: FastifyRequest, reply: FastifyReply, session: Session, address: URL): Promise<FastifyReply> {
    const { pathname } = address;
    const viewer = world.accounts.byId(session.pk);
    if (!viewer) throw new Error(`session of an unknown account ${session.pk}`);
    const first = pathname.split('/')[1] ?? '';
    const isProfile = first !== '' && !reserved.has(first);
    // `empty` is a call that was redirected here: it opens no page.
    const isOpened = request.headers['sec-fetch-dest'] !== 'empty';
    const objection = isOpened ? await pageView(session, viewer, isProfile ? first : pathname) : null;
    if (objection) {
      world.changed();
      const refused = await refusePage(reply, session, objection, languageOf(request, session));
      if (refused) return refused;
    }
    const account = isProfile ? world.accounts.byUsername(first) : undefined;
    const isThere =
      account &&
      account.presence !== 'gone_404' &&
      account.presence !== 'gone_200' &&
      !world.friendships.hasBlocked(account.index, viewer.index);
    const isMissing = isProfile && !isThere;
    // Deleted accounts answer with 404 or 200; an account that blocked the visitor looks deleted, with status 200.
    if (isMissing && (!account || account.presence === 'gone_404')) void reply.code(404);
    if (!request.cookies.csrftoken) setCsrf(reply, newCsrfToken());
    if (!request.cookies.ds_user_id) void reply.setCookie('ds_user_id', session.pk, { path: '/', sameSite: 'lax', maxAge: 7_776_000 });
    const interruptions: Boot['interruptions'] = isOpened ? [...(world.interruptions.get(viewer.username) ?? [])] : [];
    if (interruptions.length > 0) {
      world.interruptions.delete(viewer.username);
      world.changed();
    }
    if (objection && isDialog(objection.kind)) interruptions.push(objection.kind);
    const language = languageOf(request, session);
    return reply.type('text/html; charset=utf-8').send(
      shell(
        world,
        preloads,
        { viewer, session, address },
        {
          language,
          interruptions,
          claim: guard.claimOfDocument(session, world.build),
          profileId: isThere ? account.pk : null,
          trouble: isMissing
            ? 'missing'
            : objection?.kind === 'landmark_missing'
              ? 'broken'
              : objection?.kind === 'button_missing'
                ? 'buttonless'
                : objection?.kind === 'spinner_for_ever'
                  ? 'stuck'
                  : null,
        },
      ),
    );
  }

  /** Records the opening of a document. @returns the objection that applies to it. */
  async function pageView(session: Session, viewer: Account, target: string): Promise<Objection | null> {
    const { objection, delayMs } = world.objections.apply(viewer.username, 'page', target);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const subject = { action: 'page_view' as const, target, targetId: null };
    guard.record({ session, build: world.build }, subject, objection ? 'objected' : 'read', {
      objection: objection?.kind ?? null,
      verdicts: guard.judge.pageView(viewer.username),
    });
    return objection;
  }

  /** @returns the reply when the objection replaces the page; null when the page is shown nevertheless. */
  async function refusePage(
    reply: FastifyReply,
    session: Session,
    { kind, status, blockMs }: Objection,
    language: Language,
  ): Promise<FastifyReply | null> {
    const redirect = redirects[kind];
    if (redirect) return reply.redirect(redirect);
    if (kind === 'connection_lost') {
      reply.hijack();
      reply.raw.destroy();
      return reply;
    }
    switch (kind) {
      case 'login_required':
      case 'login_redirect':
        world.sessions.end(session, 'logout');
        forgetLogin(reply);
        return reply.redirect('/accounts/login/');
      case 'checkpoint_required':
      case 'challenge_required':
        return reply.redirect('/challenge/AXF2kd91/k7Qd0YbL/');
      case 'suspended':
      case 'inactive_user':
        return reply.redirect('/accounts/suspended/');
      case 'html_instead_of_json':
        return reply.redirect('/');
      case 'rate_limit':
      case 'http_560':
      case 'please_wait':
      case 'masked_not_found':
      case 'retired_operation_403': {
        const answer = objectionAnswer(kind, { name: 'page', language, root: null, now: world.clock.now(), blockMs });
        return answer ? send(reply, { ...answer, status: status ?? answer.status }) : null;
      }
      default:
        return null;
    }
  }
}

type DialogKind = Extract<ObjectionKind, Boot['interruptions'][number]>;
function isDialog(kind: ObjectionKind): kind is DialogKind {
  return ['captcha', 'automation_warning', 'feedback_required', 'action_blocked'].includes(kind);
}

function forgetLogin(reply: FastifyReply): void {
  void reply.clearCookie('sessionid', { path: '/' }).clearCookie('ds_user_id', { path: '/' });
}
