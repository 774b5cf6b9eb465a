import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../build/build.js';
import { callOf, type OperationName, operations } from '../build/operations.js';
import { jazoestOf } from '../build/page-tokens.js';
import type { Account } from '../population/accounts.js';
import { newCsrfToken, type Session } from '../state/sessions.js';
import type { World } from '../state/world.js';
import { failedOperation } from './answer-shapes.js';
import type { Form } from './call.js';
import { type Answer, staleEnvelope } from './objection-answers.js';

const appIds = { desktop: '936619743392459', mobile: '1217981644879628' } as const;
/** One answer in this many sets a new csrf token, and one in this many sends a new claim. */
const csrfRenewal = 60;
const claimRenewal = 25;
/** Pages whose request numbers are remembered; the oldest are forgotten first. */
const rememberedPages = 2_000;
const maxClaims = 40;

/** Checks whether a request can have been sent by the site's own page, and renews the tokens that such requests carry. */
export class RequestCheck {
  private answers = 0;
  /** `__req` numbers that each page has used, so that a copied call is noticed. */
  private readonly usedNumbers = new Map<string, Set<string>>();
  /** The previous csrf token by session: a call that was already under way may still carry it. */
  private readonly replacedCsrf = new Map<string, string>();

  constructor(private readonly world: World) {}

  /** @returns the names of the headers that the page would not have sent so; README.md lists them. */
  faultsOfHeaders(request: FastifyRequest, session: Session, isForm: boolean): string[] {
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

  /** Reads the form of a GraphQL call. `faults` names every field that does not fit the page that the call claims to come from. */
  readForm(request: FastifyRequest, form: Form, session: Session, viewer: Account) {
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
      const { rootHeader } = addressOf(build, operation);
      if (request.headers['x-root-field-name'] !== (rootHeader ?? undefined)) faults.push('root_field_name');
      if (request.headers['x-bloks-version-id'] !== (rootHeader === null ? undefined : build.bloksVersion)) faults.push('bloks_version_id');
    }
    if (form.av !== viewer.fbid || form.fb_api_caller_class !== 'RelayModern' || form.server_timestamps !== 'true') faults.push('envelope');
    if (ticket && !this.isNewNumber(ticket.nonce, form.__req ?? '')) faults.push('replayed');
    let variables: Record<string, unknown> = {};
    try {
      variables = JSON.parse(form.variables ?? '') as Record<string, unknown>;
    } catch {
      faults.push('variables');
    }
    return {
      faults,
      operation,
      build,
      variables,
      loadedAt: ticket?.loadedAt ?? 0,
      name: operation ? callOf(operation, variables) : undefined,
    };
  }

  /** Sets a new csrf token or a new claim now and then, as the site does, and a claim for a page that has none yet. */
  renewTokens(request: FastifyRequest, reply: FastifyReply, session: Session): void {
    this.answers++;
    if (this.answers % csrfRenewal === 0) {
      this.replacedCsrf.set(session.id, request.cookies.csrftoken ?? '');
      setCsrf(reply, newCsrfToken());
    }
    if (this.answers % claimRenewal === 1 || request.headers['x-ig-www-claim'] === '0') {
      void reply.header('x-ig-set-www-claim', this.newClaim(session));
    }
  }

  newClaim(session: Session): string {
    const claim = `hmac.AR${newCsrfToken()}${newCsrfToken().slice(0, 14)}`;
    session.claims.push(claim);
    if (session.claims.length > maxClaims) session.claims.shift();
    this.world.changed();
    return claim;
  }

  forget(): void {
    this.usedNumbers.clear();
  }

  private isNewNumber(page: string, number: string): boolean {
    if (!/^[0-9a-z]{1,4}$/.test(number)) return false;
    let used = this.usedNumbers.get(page);
    if (!used) {
      if (this.usedNumbers.size >= rememberedPages) this.usedNumbers.delete(this.usedNumbers.keys().next().value ?? '');
      this.usedNumbers.set(page, (used = new Set()));
    }
    if (used.has(number)) return false;
    used.add(number);
    return true;
  }
}

/** The site's answer to a request with these faults. */
export function answerToForged(faults: string[]): Answer {
  const has = (...names: string[]): boolean => names.some((name) => faults.includes(name));
  if (has('app_id')) return { status: 400, body: { message: 'useragent mismatch', status: 'fail' } };
  if (has('csrf')) return { status: 403, body: { message: 'CSRF token missing or incorrect', status: 'fail' } };
  if (has('lsd', 'dtsg', 'jazoest', 'revision', 'envelope', 'replayed'))
    return { status: 200, body: staleEnvelope, type: 'application/x-javascript; charset=utf-8' };
  const ofOperation = ['doc_id', 'doc_id_of_another_build', 'friendly_name', 'friendly_name_header', 'root_field_name', 'bloks_version_id'];
  if (has(...ofOperation, 'variables')) return { status: 200, body: failedOperation };
  return { status: 400, body: { message: '', status: 'fail' } };
}

/** Not `httpOnly`: the page copies this cookie into a header of every call. */
export function setCsrf(reply: FastifyReply, token: string): void {
  void reply.setCookie('csrftoken', token, { path: '/', sameSite: 'lax', maxAge: 31_449_600 });
}
