import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Build } from '../build/build.js';
import { type CallName, rootOf } from '../build/operations.js';
import type { LedgerEntry } from '../state/ledger.js';
import type { ObjectionKind } from '../state/objection-kinds.js';
import type { Objection } from '../state/objections.js';
import type { Session } from '../state/sessions.js';
import type { WithheldForm } from '../state/withheld-lists.js';
import type { World } from '../state/world.js';
import type { Call, Form, Subject } from './call.js';
import { Judge } from './judge.js';
import { languageOf } from './language.js';
import { type Answer, loginRequired, objectionAnswer, partialErrors, refusedYetDone, send, staleEnvelope } from './objection-answers.js';
import { answerToForged, RequestCheck } from './request-check.js';

/** How long the tokens of a loaded page are valid. */
const tokenLifeMs = 24 * 3_600_000;
/** One GraphQL answer in this many is partial. */
const partialAnswers = 30;

/**
 * Admits a call only if the site's own page can have sent it: with a live session, the headers and tokens that the page carries,
 * and the operation numbers of the build that the page was loaded with. Anything else is recorded as forged. An admitted call may
 * still meet a scripted objection.
 */
export class CallGuard {
  readonly judge: Judge;
  private readonly check: RequestCheck;
  private graphqlAnswers = 0;

  constructor(private readonly world: World) {
    this.judge = new Judge(world);
    this.check = new RequestCheck(world);
  }

  /** @returns the call; null when it was refused and the reply is already sent. */
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
    const faults = this.check.faultsOfHeaders(request, session, form !== null);
    const graphql = form && name === null ? this.check.readForm(request, form, session, viewer) : null;
    faults.push(...(graphql?.faults ?? []));
    const call: Call = {
      name: name ?? graphql?.name ?? 'profile',
      session,
      viewer,
      build: graphql?.build ?? world.build,
      language: languageOf(request, session),
      operation: graphql?.operation ?? null,
      variables: graphql?.variables ?? {},
      verdicts: this.judge.browser(request, session),
      hasClaim: session.claims.includes(String(request.headers['x-ig-www-claim'])),
      refusedYetDone: null,
    };
    if (faults.length > 0) {
      call.verdicts.push('forged_call');
      this.record(call, { action: 'call', target: graphql?.operation ?? request.url.split('?')[0] ?? null, targetId: null }, 'refused', {
        verdicts: call.verdicts,
        detail: { faults },
      });
      await send(reply, answerToForged(faults));
      return null;
    }
    if (graphql && world.clock.now() - graphql.loadedAt > tokenLifeMs) {
      await send(reply, { status: 200, body: staleEnvelope, type: 'application/x-javascript; charset=utf-8' });
      return null;
    }
    this.check.renewTokens(request, reply, session);
    return call;
  }

  /**
   * Applies the scripted objections to a call.
   * @returns the objection that changes the call's effect, null when there is none, or `answered` when the reply is already sent.
   */
  async object(
    call: Call,
    reply: FastifyReply,
    subject: Subject,
    detail: LedgerEntry['detail'] = {},
  ): Promise<ObjectionKind | 'answered' | null> {
    const { objection, delayMs } = this.world.objections.apply(call.viewer.username, call.name, subject.target);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (!objection) return null;
    this.world.changed();
    if (objection.kind === 'login_required' || objection.kind === 'login_redirect') this.world.sessions.end(call.session, 'logout');
    const answer = this.answerOf(call, objection);
    if (answer && refusedYetDone.has(objection.kind)) call.refusedYetDone = answer;
    else if (answer) {
      this.record(call, subject, 'objected', { objection: objection.kind, verdicts: call.verdicts, detail });
      await send(reply, answer);
      return 'answered';
    }
    if (objection.kind === 'spinner_for_ever' || objection.kind === 'connection_lost') {
      this.record(call, subject, 'objected', { objection: objection.kind, verdicts: call.verdicts, detail });
      // The call is never answered: its connection ends now, or when the page or this server closes.
      reply.hijack();
      if (objection.kind === 'connection_lost') reply.raw.destroy();
      return 'answered';
    }
    return objection.kind;
  }

  /** @returns the answer of an objection; null when it shows in the call's effect or in the page instead. */
  answerOf({ name, language, operation, variables }: Call, { kind, status, blockMs }: Objection): Answer | null {
    const root = operation ? rootOf(operation, variables) : null;
    const answer = objectionAnswer(kind, { name, language, root, now: this.world.clock.now(), blockMs });
    return answer && status !== null ? { ...answer, status } : answer;
  }

  /** The answer of a GraphQL call that succeeded, with this value of its root field. */
  success({ operation, variables, viewer }: Call, value: unknown, effect: ObjectionKind | null): Record<string, unknown> {
    if (!operation) throw new Error('only GraphQL calls have a root field');
    const root = rootOf(operation, variables);
    return this.graphqlSuccess({ [root]: value, xdt_viewer: { user: { id: viewer.pk, pk: viewer.pk } } }, root, effect);
  }

  /** One answer in thirty lacks a part below the root and says so in `errors`; it is a success nevertheless. */
  private graphqlSuccess(data: Record<string, unknown>, root: string, effect: ObjectionKind | null): Record<string, unknown> {
    const isPartial = effect === 'partial_answer' || ++this.graphqlAnswers % partialAnswers === 0;
    return {
      data,
      ...(isPartial && data[root] ? { errors: partialErrors(root) } : {}),
      extensions: { is_final: true },
      status: 'ok',
    };
  }

  /** Row 18 of the fact sheet. @returns how a page of a list is withheld from the account; null when the account may read it. */
  withholdList(call: Call, subject: Subject): WithheldForm | null {
    const { form, restOwed } = this.world.withheldLists.countPage(call.viewer.username);
    if (restOwed) call.verdicts.push('after_objection');
    if (form) this.record(call, subject, 'objected', { objection: 'list_withheld', verdicts: call.verdicts, detail: { form } });
    this.world.changed();
    return form;
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

  /** A claim for the calls of a document that brings answers with it: they would have brought one as calls. */
  claimOfDocument(session: Session, build: Build): string | null {
    return build.traits.preloads ? (session.claims.at(-1) ?? this.check.newClaim(session)) : null;
  }

  forget(): void {
    this.judge.forget();
    this.check.forget();
  }
}
