import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Build, type OperationName, operations } from '../build/build.js';
import { jazoestOf } from '../build/tokens.js';
import type { Account } from '../population/accounts.js';
import type { CallName, ObjectionKind } from '../state/objections.js';
import { type LedgerAction, type LedgerEntry, type Verdict } from '../state/ledger.js';
import { newCsrfToken, type Session } from '../state/sessions.js';
import type { World } from '../state/world.js';
import { failedOperation } from './answers.js';
import { loginRequired, objectionAnswer, send, staleEnvelope } from './objecting.js';

export const appIds = { desktop: '936619743392459', mobile: '1217981644879628' } as const;
/** A page's tokens are good for a day. */
const tokenLifeMs = 24 * 3_600_000;
/** One answer in so many renews the csrf token; one in so many sends a new claim. */
const csrfRenewal = 60;
const claimRenewal = 25;

export interface Call {
  name: CallName;
  session: Session;
  viewer: Account;
  build: Build;
  /** GraphQL only. */
  operation: OperationName | null;
  variables: Record<string, unknown>;
  verdicts: Verdict[];
}

export type Form = Record<string, string | undefined>;

/** What a call is about, for the ledger and for scripts bound to one target. */
export interface Subject {
  action: LedgerAction;
  target: string | null;
  targetId: string | null;
}

/**
 * Stands before every call. It lets through only what the site's own page can have sent: a live session, the headers and
 * tokens that the page carries, the operation numbers of the build that it was loaded with. Anything else is recorded as forged.
 */
export class CallGuard {
  private answers = 0;
  /** Numbers already used by each page, so that a copied call is noticed. */
  private readonly usedNumbers = new Map<string, Set<string>>();
  /** Which browser spoke last for an account, and which spoke before. */
  private readonly browsers = new Map<string, { current: string; earlier: Set<string> }>();
  /** The token that was renewed last, by session: a call may have been under way with it. */
  private readonly replacedCsrf = new Map<string, string>();
  private readonly lastActionAt = new Map<string, number>();
  private readonly actionsInFlight = new Map<string, number>();

  constructor(private readonly world: World) {}

  /** @returns the call, or null after it was refused. */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, form }: { name: CallName | null; form: Form | null },
  ): Promise<Call | null> {
    const { world } = this;
    const cookies = request.cookies;
    const verdict = world.sessions.read(cookies);
    if (verdict.kind !== 'active') {
      const session = verdict.kind === 'refused' ? verdict.session : undefined;
      this.record(
        { session: session ?? null, build: world.build },
        { action: 'call', target: request.url.split('?')[0] ?? null, targetId: null },
        'refused',
        {
          detail: { reason: verdict.kind === 'refused' ? verdict.reason : 'anonymous' },
        },
      );
      await send(reply, { status: 403, body: loginRequired });
      return null;
    }
    const { session } = verdict;
    const viewer = world.accounts.byId(session.pk);
    if (!viewer) throw new Error(`session of an unknown account ${session.pk}`);
    const faults = this.faultsOfHeaders(request, session, form !== null);
    const graphql = form && name === null ? this.readForm(request, form, session, viewer) : null;
    faults.push(...(graphql?.faults ?? []));
    const call: Call = {
      name: name ?? graphql?.name ?? 'profile',
      session,
      viewer,
      build: graphql?.build ?? world.build,
      operation: graphql?.operation ?? null,
      variables: graphql?.variables ?? {},
      verdicts: this.interleaving(request, session),
    };
    if (faults.length > 0) {
      call.verdicts.push('forged_call');
      this.record(call, { action: 'call', target: graphql?.operation ?? request.url.split('?')[0] ?? null, targetId: null }, 'refused', {
        verdicts: call.verdicts,
        detail: { faults },
      });
      await this.refuseForged(reply, faults);
      return null;
    }
    if (graphql && world.clock.now() - graphql.loadedAt > tokenLifeMs) {
      await send(reply, { status: 200, body: staleEnvelope, type: 'application/x-javascript; charset=utf-8' });
      return null;
    }
    this.renew(request, reply, session);
    return call;
  }

  /** Lets the script object. @returns the objection that shapes the effect, or `answered` when the reply is already sent. */
  async object(call: Call, reply: FastifyReply, subject: Subject): Promise<ObjectionKind | 'answered' | null> {
    const { objection, delayMs } = this.world.objections.meet(call.viewer.username, call.name, subject.target);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (!objection) return null;
    this.world.changed();
    if (objection.kind === 'login_required' || objection.kind === 'login_redirect') this.world.sessions.end(call.session, 'logout');
    const answer = objectionAnswer(objection.kind, call.name);
    if (answer) {
      this.record(call, subject, 'objected', { objection: objection.kind, verdicts: call.verdicts });
      await send(reply, answer);
      return 'answered';
    }
    if (objection.kind === 'spinner_for_ever') {
      this.record(call, subject, 'objected', { objection: objection.kind, verdicts: call.verdicts });
      // Never answered; the connection ends with the page or with the network.
      reply.hijack();
      return 'answered';
    }
    return objection.kind;
  }

  /** What the network thinks of an action, before it objects or obeys. */
  judgeAction(call: Call, subject: Subject): void {
    const { world } = this;
    const { username } = call.viewer;
    const now = world.clock.now();
    const action = call.name === 'unfollow' ? 'unfollow' : 'follow';
    if (subject.targetId && world.ledger.hasDone(username, action, subject.targetId)) call.verdicts.push('double_action');
    if (world.objections.restOf(username)) call.verdicts.push('after_objection');
    const gap = now - (this.lastActionAt.get(username) ?? -Infinity);
    if ((this.actionsInFlight.get(username) ?? 0) > 1 || (gap >= 0 && gap < world.ceilings.sameMomentMs)) call.verdicts.push('same_moment');
    if (action === 'unfollow' && subject.targetId && !world.ledger.hasDone(username, 'follow', subject.targetId))
      call.verdicts.push('unfollow_of_stranger');
    if (this.exceeds(username, action, now)) call.verdicts.push('ceiling_exceeded');
    this.lastActionAt.set(username, now);
  }

  judgeListPage(call: Call): void {
    if (this.exceeds(call.viewer.username, 'list_page', this.world.clock.now())) call.verdicts.push('ceiling_exceeded');
  }

  async whileActing<Result>(call: Call, work: () => Promise<Result>): Promise<Result> {
    const { username } = call.viewer;
    this.actionsInFlight.set(username, (this.actionsInFlight.get(username) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.actionsInFlight.set(username, (this.actionsInFlight.get(username) ?? 1) - 1);
    }
  }

  record(
    { session, build }: { session: Session | null; build: Build },
    subject: Subject,
    result: LedgerEntry['result'],
    { objection = null, verdicts = [], detail = {} }: Partial<Pick<LedgerEntry, 'objection' | 'verdicts' | 'detail'>> = {},
  ): void {
    const { world } = this;
    world.ledger.add({
      at: world.clock.now(),
      account: session?.username ?? null,
      accountId: session?.pk ?? null,
      ...subject,
      result,
      objection,
      build: `${build.name}-${build.revision}`,
      verdicts,
      detail,
    });
    if (result !== 'read' || verdicts.length > 0) world.changed();
  }

  forget(): void {
    this.usedNumbers.clear();
    this.browsers.clear();
    this.lastActionAt.clear();
  }

  private exceeds(username: string, action: 'follow' | 'unfollow' | 'list_page', now: number): boolean {
    const { ceilings, ledger } = this.world;
    const [hour, day] = [ceilings.perHour[action], ceilings.perDay[action]];
    return (
      (hour !== undefined && ledger.countSince(username, action, now - 3_600_000) >= hour) ||
      (day !== undefined && ledger.countSince(username, action, now - 86_400_000) >= day)
    );
  }

  private faultsOfHeaders(request: FastifyRequest, session: Session, isForm: boolean): string[] {
    const { headers, cookies } = request;
    const faults: string[] = [];
    const appId = headers['x-ig-app-id'];
    if (appId !== appIds.desktop && appId !== appIds.mobile) faults.push('app_id');
    const csrf = headers['x-csrftoken'];
    if (!csrf || (csrf !== cookies.csrftoken && csrf !== this.replacedCsrf.get(session.id))) faults.push('csrf');
    if (headers['x-asbd-id'] !== this.world.build.asbdId) faults.push('asbd_id');
    const claim = headers['x-ig-www-claim'];
    if (!isForm && claim !== '0' && !session.claims.includes(String(claim))) faults.push('www_claim');
    if (!isForm && headers['x-requested-with'] !== 'XMLHttpRequest') faults.push('requested_with');
    if (!/^[a-z0-9]{6}:[a-z0-9]{6}:[a-z0-9]{6}$/.test(String(headers['x-web-session-id'] ?? ''))) faults.push('web_session_id');
    if (headers['sec-fetch-site'] !== 'same-origin' || headers['sec-fetch-mode'] !== 'cors') faults.push('not_from_the_page');
    if (request.method === 'POST' && headers.origin !== `${request.protocol}://${request.host}`) faults.push('origin');
    return faults;
  }

  private readForm(request: FastifyRequest, form: Form, session: Session, viewer: Account) {
    const { world } = this;
    const faults: string[] = [];
    const lsd = form.lsd ?? '';
    const ticket = world.tokens.readLsd(lsd);
    if (!ticket || ticket.sessionId !== session.id || request.headers['x-fb-lsd'] !== lsd) faults.push('lsd');
    if (!world.tokens.belongsTogether(lsd, form.fb_dtsg ?? '')) faults.push('dtsg');
    if (form.jazoest !== jazoestOf(form.fb_dtsg ?? '')) faults.push('jazoest');
    const build = (ticket && world.buildOf(ticket.revision)) ?? world.build;
    if (form.__rev !== build.revision) faults.push('revision');
    const friendlyName = form.fb_api_req_friendly_name ?? '';
    const operation = friendlyName in operations ? (friendlyName as OperationName) : null;
    if (!operation) faults.push('friendly_name');
    else {
      if (request.headers['x-fb-friendly-name'] !== operation) faults.push('friendly_name_header');
      if (form.doc_id !== build.docIds[operation])
        faults.push(world.buildOfDocument(form.doc_id ?? '') ? 'doc_id_of_another_build' : 'doc_id');
      if (request.headers['x-root-field-name'] !== operations[operation].root) faults.push('root_field_name');
    }
    if (form.av !== viewer.fbid || form.fb_api_caller_class !== 'RelayModern' || form.server_timestamps !== 'true') faults.push('envelope');
    if (ticket && !this.isNewNumber(ticket.nonce, form.__req ?? '')) faults.push('replayed');
    let variables: Record<string, unknown> = {};
    try {
      variables = JSON.parse(form.variables ?? '') as Record<string, unknown>;
    } catch {
      faults.push('variables');
    }
    const names: Record<OperationName, CallName> = {
      PolarisProfilePageContentQuery: 'profile',
      PolarisProfilePostsQuery: 'posts',
      PolarisPostRootQuery: 'post',
      PolarisKeywordSearchExplorePageRelayQuery: 'hashtag',
      PolarisKeywordSearchExplorePageRelayPaginationQuery: 'hashtag',
      PolarisProfileSuggestedUsersWithPreloadableQuery: 'suggestions',
      usePolarisFollowMutation: 'follow',
      usePolarisUnfollowMutation: 'unfollow',
    };
    return { faults, operation, build, variables, loadedAt: ticket?.loadedAt ?? 0, name: operation ? names[operation] : undefined };
  }

  private isNewNumber(page: string, number: string): boolean {
    if (!/^[0-9a-z]{1,4}$/.test(number)) return false;
    let used = this.usedNumbers.get(page);
    if (!used) {
      if (this.usedNumbers.size >= 2_000) this.usedNumbers.delete(this.usedNumbers.keys().next().value ?? '');
      this.usedNumbers.set(page, (used = new Set()));
    }
    if (used.has(number)) return false;
    used.add(number);
    return true;
  }

  /** Two browsers of one account taking turns: the first part of the web session id names the browser. */
  private interleaving(request: FastifyRequest, { username }: Session): Verdict[] {
    const browser = String(request.headers['x-web-session-id'] ?? '').split(':')[0] ?? '';
    if (!browser) return [];
    const known = this.browsers.get(username);
    if (!known) {
      this.browsers.set(username, { current: browser, earlier: new Set() });
      return [];
    }
    if (known.current === browser) return [];
    const returned = known.earlier.has(browser);
    known.earlier.add(known.current);
    known.current = browser;
    if (known.earlier.size > 50) known.earlier.delete(known.earlier.values().next().value ?? '');
    return returned ? ['two_at_once'] : [];
  }

  private renew(request: FastifyRequest, reply: FastifyReply, session: Session): void {
    this.answers++;
    if (this.answers % csrfRenewal === 0) {
      this.replacedCsrf.set(session.id, request.cookies.csrftoken ?? '');
      setCsrf(reply, newCsrfToken());
    }
    if (this.answers % claimRenewal === 1 || session.claims.length === 0) {
      const claim = `hmac.AR${newCsrfToken()}${newCsrfToken().slice(0, 14)}`;
      session.claims.push(claim);
      if (session.claims.length > 40) session.claims.shift();
      this.world.changed();
      void reply.header('x-ig-set-www-claim', claim);
    }
  }

  private async refuseForged(reply: FastifyReply, faults: string[]): Promise<void> {
    const has = (...names: string[]): boolean => names.some((name) => faults.includes(name));
    if (has('app_id')) await send(reply, { status: 400, body: { message: 'useragent mismatch', status: 'fail' } });
    else if (has('csrf')) await send(reply, { status: 403, body: { message: 'CSRF token missing or incorrect', status: 'fail' } });
    else if (has('lsd', 'dtsg', 'jazoest', 'revision', 'envelope', 'replayed'))
      await send(reply, { status: 200, body: staleEnvelope, type: 'application/x-javascript; charset=utf-8' });
    else if (has('doc_id', 'doc_id_of_another_build', 'friendly_name', 'friendly_name_header', 'root_field_name', 'variables'))
      await send(reply, { status: 200, body: failedOperation });
    else await send(reply, { status: 400, body: { message: '', status: 'fail' } });
  }
}

/** The page reads this cookie for every call, so the script may see it. */
export function setCsrf(reply: FastifyReply, token: string): void {
  void reply.setCookie('csrftoken', token, { path: '/', sameSite: 'lax', maxAge: 31_449_600 });
}
