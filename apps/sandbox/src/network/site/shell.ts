import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Boot } from '../browser/types.js';
import { operations, type OperationName } from '../build/build.js';
import { setCsrf } from '../calls/guard.js';
import type { CallGuard } from '../calls/guard.js';
import { objectionAnswer, send } from '../calls/objecting.js';
import type { Account } from '../population/accounts.js';
import type { ObjectionKind } from '../state/objections.js';
import { newCsrfToken, type Session } from '../state/sessions.js';
import type { World } from '../state/world.js';
import { drawings } from './drawings.js';
import { languageOf } from './language.js';
import { avatar, photo } from './pictures.js';
import { pageScript } from './script.js';
import { styleSheet } from './styles.js';
import { type Language, texts } from './texts.js';

/** First parts of addresses that are no usernames. */
const reserved = new Set([
  'accounts',
  'about',
  'api',
  'challenge',
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

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
/** JSON inside a script element must not end the element. */
const inScript = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

/** The documents of the site: the shell of the one-page application, log-in, challenges. */
export function sitePages(app: FastifyInstance, world: World, guard: CallGuard): void {
  const script = pageScript();
  const forever = 'public, max-age=31536000, immutable';

  app.get<{ Params: { file: string } }>('/static/bundles/:file', (request, reply) => {
    const [revision = '', kind] = request.params.file.split('.');
    const build = world.buildOf(revision);
    if (!build) return reply.code(404).send();
    void reply.header('cache-control', forever);
    return kind === 'css'
      ? reply.type('text/css; charset=utf-8').send(styleSheet(build))
      : reply.type('text/javascript; charset=utf-8').send(script);
  });
  app.get<{ Params: { file: string } }>('/static/avatars/:file', (request, reply) => {
    const kind = parseInt(request.params.file);
    return reply
      .header('cache-control', forever)
      .type('image/svg+xml')
      .send(avatar(Number.isNaN(kind) ? null : kind));
  });
  app.get<{ Params: { file: string } }>('/static/media/:file', (request, reply) =>
    reply
      .header('cache-control', forever)
      .type('image/svg+xml')
      .send(photo(parseInt(request.params.file) || 0)),
  );
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send());

  app.get('/accounts/login/', (request, reply) => {
    if (world.sessions.read(request.cookies).kind === 'active') return reply.redirect('/');
    return loginPage(request, reply);
  });
  app.post('/accounts/login/', (request, reply) => loginPage(request, reply, true));
  app.get('/accounts/suspended/', (request, reply) => plainPage(request, reply, 'suspendedTitle', 'disabled'));
  app.get('/challenge/captcha/frame/', (request, reply) => plainPage(request, reply, 'confirmYou', 'confirmYou'));
  for (const path of ['/challenge/', '/challenge/*', '/auth_platform/*'])
    app.get(path, (request, reply) => plainPage(request, reply, 'suspiciousTitle', 'suspiciousText'));

  for (const path of ['/', '/*'])
    app.get(path, async (request, reply) => {
      const { pathname, search } = new URL(request.url, 'http://network');
      // The site's own addresses end in a slash.
      if (!pathname.endsWith('/') && !pathname.includes('.', pathname.lastIndexOf('/') + 1))
        return reply.redirect(`${pathname}/${search}`, 301);
      const verdict = world.sessions.read(request.cookies);
      if (verdict.kind !== 'active') {
        if (verdict.kind === 'refused') forgetLogin(reply);
        if (pathname === '/') return loginPage(request, reply);
        return reply.redirect(`/accounts/login/?next=${encodeURIComponent(pathname)}`);
      }
      return document(request, reply, verdict.session, pathname);
    });

  async function document(request: FastifyRequest, reply: FastifyReply, session: Session, pathname: string): Promise<FastifyReply> {
    const viewer = world.accounts.byId(session.pk);
    if (!viewer) throw new Error(`session of an unknown account ${session.pk}`);
    const first = pathname.split('/')[1] ?? '';
    const isProfile = first !== '' && !reserved.has(first);
    const subject = { action: 'page' as const, target: isProfile ? first : pathname, targetId: null };
    const { objection, delayMs } = world.objections.meet(viewer.username, 'page', isProfile ? first : pathname);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    guard.record({ session, build: world.build }, subject, objection ? 'objected' : 'read', { objection: objection?.kind ?? null });
    if (objection) {
      world.changed();
      const refused = await refusePage(reply, session, objection.kind);
      if (refused) return refused;
    }
    const account = isProfile ? world.accounts.byUsername(first) : undefined;
    const isThere =
      account &&
      account.presence !== 'gone_404' &&
      account.presence !== 'gone_200' &&
      !world.friendships.hasBlocked(account.index, viewer.index);
    const isMissing = isProfile && !isThere;
    // Deleted people answer in two ways; whoever blocked the visitor looks deleted, with status 200.
    if (isMissing && (!account || account.presence === 'gone_404')) void reply.code(404);
    if (!request.cookies.csrftoken) setCsrf(reply, newCsrfToken());
    if (!request.cookies.ds_user_id) void reply.setCookie('ds_user_id', session.pk, { path: '/', sameSite: 'lax', maxAge: 7_776_000 });
    const interruptions: Boot['interruptions'] = [...(world.interruptions.get(viewer.username) ?? [])];
    if (interruptions.length > 0) {
      world.interruptions.delete(viewer.username);
      world.changed();
    }
    if (objection && isDialog(objection.kind)) interruptions.push(objection.kind);
    const language = languageOf(request, session);
    return reply.type('text/html; charset=utf-8').send(
      shell(viewer, session, {
        language,
        interruptions,
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
      }),
    );
  }

  function shell(
    viewer: Account,
    session: Session,
    { language, interruptions, profileId, trouble }: Pick<Boot, 'language' | 'interruptions' | 'profileId' | 'trouble'>,
  ): string {
    const { build } = world;
    const { lsd, dtsg, jazoest } = world.tokens.issue({ sessionId: session.id, revision: build.revision, loadedAt: world.clock.now() });
    const { profileId: _, ...site }: Omit<Boot, 'lsd' | 'dtsg'> & { lsd: string; dtsg: string } = {
      language,
      texts: texts[language],
      classes: build.classes,
      drawings,
      docIds: build.docIds,
      roots: Object.fromEntries(Object.entries(operations).map(([name, { root }]) => [name, root])) as Record<OperationName, string>,
      revision: build.revision,
      bloksVersion: build.bloksVersion,
      asbdId: build.asbdId,
      lsd,
      dtsg,
      jazoest,
      viewer: { id: viewer.pk, fbid: viewer.fbid, username: viewer.username },
      profileId,
      interruptions,
      trouble,
      isDrift: build.name === 'drift',
    };
    const definitions = [
      ['LSD', [], { token: lsd }],
      ['DTSGInitialData', [], { token: dtsg }],
      ['PolarisViewer', [], { actorID: viewer.fbid, id: viewer.pk, username: viewer.username }],
      ['SiteData', [], { server_revision: Number(build.revision), site }],
      ['RouteProps', [], { ...(profileId ? { profile_id: profileId, site: { profileId } } : { site: { profileId: null } }) }],
    ];
    return `<!DOCTYPE html>
<html lang="${language}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Instagram</title><link rel="stylesheet" href="/static/bundles/${build.revision}.css"></head>
<body><div id="mount"></div>
<script type="application/json" id="boot" data-sjs>${inScript({ define: definitions })}</script>
<script src="/static/bundles/${build.revision}.js" defer></script></body></html>`;
  }

  /** @returns the reply when the objection takes the page's place. */
  async function refusePage(reply: FastifyReply, session: Session, kind: ObjectionKind): Promise<FastifyReply | null> {
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
      case 'masked_not_found': {
        const answer = objectionAnswer(kind, 'page');
        return answer ? send(reply, answer) : null;
      }
      default:
        return null;
    }
  }

  function loginPage(request: FastifyRequest, reply: FastifyReply, isWrong = false): FastifyReply {
    const language = languageOf(request, null);
    const words = texts[language];
    const { classes, name } = world.build;
    const [user, secret] = name === 'drift' ? ['email', 'pass'] : ['username', 'password'];
    if (!request.cookies.csrftoken) setCsrf(reply, newCsrfToken());
    return reply.type('text/html; charset=utf-8').send(
      bare(
        language,
        'Instagram',
        `<main role="main"><form class="${classes.form}" id="loginForm" method="post" action="/accounts/login/">
${isWrong ? `<div role="alert">${escapeHtml(words.loginWrong)}</div>` : ''}
<label>${escapeHtml(words.loginName)}<input class="${classes.field}" name="${user}" type="text" aria-label="${escapeHtml(words.loginName)}"></label>
<label>${escapeHtml(words.password)}<input class="${classes.field}" name="${secret}" type="password" aria-label="${escapeHtml(words.password)}"></label>
<button class="${classes.button} ${classes.primary}" type="submit"><div>${escapeHtml(words.logIn)}</div></button></form></main>`,
      ),
    );
  }

  function plainPage(
    request: FastifyRequest,
    reply: FastifyReply,
    title: keyof (typeof texts)['en'],
    text: keyof (typeof texts)['en'],
  ): FastifyReply {
    const language = languageOf(request, null);
    const words = texts[language];
    const { classes } = world.build;
    return reply
      .type('text/html; charset=utf-8')
      .send(
        bare(
          language,
          words[title],
          `<main role="main" class="${classes.message}"><h2>${escapeHtml(words[title])}</h2><p>${escapeHtml(words[text])}</p></main>`,
        ),
      );
  }

  function bare(language: Language, title: string, body: string): string {
    return `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/static/bundles/${world.build.revision}.css"></head><body>${body}</body></html>`;
  }
}

type DialogKind = Extract<ObjectionKind, Boot['interruptions'][number]>;
function isDialog(kind: ObjectionKind): kind is DialogKind {
  return ['captcha', 'automation_warning', 'feedback_required', 'action_blocked'].includes(kind);
}

function forgetLogin(reply: FastifyReply): void {
  void reply.clearCookie('sessionid', { path: '/' }).clearCookie('ds_user_id', { path: '/' });
}
