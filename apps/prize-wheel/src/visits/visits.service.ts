import { createHash } from 'node:crypto';
import { formatPrizeCode, handleField, type SpinAnswer, type VisitRefusal, wheelSettings, type WheelSettings } from '@decola/contracts';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { PrizeWheelConfig } from '../config/config.js';
import { askedConsent, givenConsent } from '../consent/consents.js';
import { Draws } from '../draws/draws.service.js';
import type { Participation, SpinOutcome } from '../draws/spin.js';
import { VisitCounts } from '../figures/visit-counts.service.js';
import { WheelKeys } from '../keys/wheel-keys.service.js';
import { Admissions } from '../limits/admissions.service.js';
import { formTokenOf } from '../limits/form-token.js';
import type { Visit } from '../limits/visit-limits.service.js';
import { isThrowawayEmail } from '../options/throwaway-emails.js';
import { closedByDate, isEvent } from '../promotion/promotion-dates.js';
import { type FunctionRefusal, refused } from '../refusals/function-refusal.js';
import { tooMany } from '../refusals/too-many.js';
import { visitTexts } from '../texts/texts.js';
import { type FieldProblem, type LeadAnswers, readAnswers } from './lead-answers.js';
import { closedBecause, dateText, formOf, hasToken, wheelRow, type WheelRow, wheelState } from './public-wheel.js';
import { RecentWheels } from './recent-wheels.js';
import type { VisitBody } from './visit-body.js';

type Repeated = Extract<SpinOutcome, { kind: 'repeated' }>;

const refusedVisit = (code: keyof typeof visitTexts): FunctionRefusal => refused(visitTexts[code], code);

/**
 * What a visitor of a wheel may ask. Refusals come in an order that tells nothing to callers who lack the wheel's token, and a proof of work is asked for
 * before a handle is looked up: otherwise a program could find out who has played.
 */
@Injectable()
export class Visits {
  private readonly recent = new RecentWheels<WheelRow | undefined>();

  constructor(
    private readonly draws: Draws,
    private readonly admissions: Admissions,
    private readonly keys: WheelKeys,
    private readonly counts: VisitCounts,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: PrizeWheelConfig,
  ) {}

  /** @param address the visitor's; null for requests that did not come through the gateway @throws Refusal 429 */
  async answer(body: VisitBody, address: string | null) {
    const { automationId, token } = body;
    if (!automationId) return refusedVisit('automation_missing');
    if (!token) return refusedVisit('token_missing');
    const action = body.action ?? (body.leadData ? 'spin' : 'state');
    const wheel = z.uuid().safeParse(automationId).success ? await this.wheel(automationId.toLowerCase(), action) : undefined;
    if (!wheel) return refusedVisit('not_found');
    if (!hasToken(wheel, token)) return refusedVisit('wrong_token');
    const closed = closedBecause(wheel);
    if (closed !== null) return refusedVisit(closed);
    switch (action) {
      case 'state':
        return this.state(wheel, body);
      case 'check':
        return this.check(wheel, body, address);
      case 'spin':
        return this.spin(wheel, body, address);
    }
  }

  private wheel(automationId: string, action: 'state' | 'check' | 'spin'): Promise<WheelRow | undefined> {
    const read = () => wheelRow(this.dataSource.manager, automationId);
    return action === 'state' ? this.recent.get(automationId, this.clock.now().getTime(), read) : read();
  }

  private state(wheel: WheelRow, { view }: VisitBody) {
    const now = this.clock.now();
    if (view) this.counts.viewed(wheel.automation_id);
    return { success: true, wheel: wheelState(wheel, now), formToken: formTokenOf(this.keys, wheel.automation_id, now) };
  }

  /** Whether the handle has played, and what it won: the code and the message only for the key that drew. */
  private async check(wheel: WheelRow, body: VisitBody, address: string | null) {
    const settings = wheelSettings(wheel.configuration);
    const answers = readAnswers([handleField], body.leadData ?? {});
    if ('text' in answers) return fieldRefusal(answers);
    const earlier = await this.draws.earlier(wheel.automation_id, answers.handle, hashOf(body.spinKey));
    if (!earlier?.isOwn) {
      const visit = this.visitOf(wheel, settings, address);
      if (!(await this.admissions.ofCheck(visit, body))) return this.challenge(visit);
      this.counts.continued(wheel.automation_id);
    }
    if (!earlier) return { success: true, earlier: null };
    return isVoided(earlier)
      ? refusedVisit('voided')
      : { success: true, earlier: this.result(earlier.participation, { isOwn: earlier.isOwn, repeated: true }, settings) };
  }

  private async spin(wheel: WheelRow, body: VisitBody, address: string | null) {
    const { automation_id: automationId } = wheel;
    const settings = wheelSettings(wheel.configuration);
    const now = this.clock.now();
    const answers = readAnswers(formOf(wheel), body.leadData ?? {});
    if ('text' in answers) return fieldRefusal(answers);
    const asked = askedConsent(settings);
    const consent = asked && (await givenConsent(this.dataSource.manager, { automationId, asked, sent: body.consent, now }));
    if (consent === undefined) return { ...refusedVisit('consent'), field: 'consent' };

    const visit = this.visitOf(wheel, settings, address);
    const admission = await this.admissions.ofSpin(visit, body);
    const own = admission.kind === 'admitted' ? undefined : await this.ownRepeat(automationId, answers.handle, body);
    if (admission.kind === 'wait' && !own) throw tooMany(admission.seconds);
    if (admission.kind === 'proof' && !own) return this.challenge(visit);
    const outcome =
      own ??
      (await this.draws.spin({
        automationId,
        handle: answers.handle,
        spinKeyHash: hashOf(body.spinKey),
        fields: answers.fields,
        consent,
        closed: closedByDate(settings, now),
        networkKey: address === null ? null : visit.network,
        ...this.onceKeys(automationId, answers, settings),
      }));
    if (outcome.kind === 'repeated' && outcome.isOwn) await this.admissions.takeBack(visit, admission);
    return this.outcome(outcome, wheel, settings);
  }

  private visitOf({ automation_id: automationId }: WheelRow, settings: WheelSettings, address: string | null): Visit {
    return { automationId, network: this.keys.network(automationId, address ?? ''), isEvent: isEvent(settings, this.clock.now()) };
  }

  /** Digests by which the draw finds an e-mail address or a number that took part, where the owner allows one participation for each. */
  private onceKeys(automationId: string, { fields }: LeadAnswers, { options }: WheelSettings) {
    const email = fields['email'];
    const phone = fields['whatsapp'] ?? fields['telefone'];
    return {
      emailKey: options.oncePerEmail && email !== undefined ? this.keys.email(automationId, email) : null,
      phoneKey: options.oncePerPhone && phone !== undefined ? this.keys.phone(automationId, phone) : null,
      hasThrowawayEmail: options.noThrowawayEmails && email !== undefined && isThrowawayEmail(email),
    };
  }

  private async challenge(visit: Visit): Promise<VisitRefusal> {
    return { ...refusedVisit('challenge.required'), challenge: await this.admissions.challenge(visit) };
  }

  /** The earlier participation when the visitor's key drew it: a repeat needs no proof, and is never refused. */
  private async ownRepeat(automationId: string, handle: string, { spinKey }: VisitBody): Promise<Repeated | undefined> {
    if (!spinKey) return undefined;
    const earlier = await this.draws.earlier(automationId, handle, hashOf(spinKey));
    return earlier?.isOwn ? earlier : undefined;
  }

  private outcome(outcome: SpinOutcome, wheel: WheelRow, settings: WheelSettings): FunctionRefusal | SpinAnswer {
    switch (outcome.kind) {
      case 'gone':
        return refusedVisit('not_found');
      case 'none_left':
        return refusedVisit(wheel.is_ended ? 'round_closed' : 'exhausted');
      case 'not_started':
      case 'ended':
        return refused(dateText(outcome.kind, settings), outcome.kind);
      case 'erased':
        return refusedVisit('erased');
      case 'email_taken':
      case 'throwaway_email':
        return { ...refusedVisit(outcome.kind), field: 'email' };
      case 'phone_taken':
        return refusedVisit(outcome.kind);
      case 'drawn':
        return { success: true, ...this.result(outcome.participation, { isOwn: true, repeated: false }, settings) };
      case 'repeated':
        return isVoided(outcome)
          ? refusedVisit('voided')
          : { success: true, ...this.result(outcome.participation, { isOwn: outcome.isOwn, repeated: true }, settings) };
    }
  }

  private result(
    { number, drawnAt, state, prize, code, coupon }: Participation,
    { isOwn, repeated }: { isOwn: boolean; repeated: boolean },
    { options }: WheelSettings,
  ): Omit<SpinAnswer, 'success'> {
    const written = formatPrizeCode(code);
    const showsCode = isOwn && !options.codeByEmailOnly;
    return {
      winner: { id: prize.id, name: prize.name, type: prize.type, message: isOwn && prize.message !== '' ? prize.message : null },
      participation: {
        number,
        drawnAt,
        state,
        code: showsCode ? written : null,
        receiptUrl: showsCode ? new URL(`/comprovante/${written}`, this.config.SITE_URL).href : null,
        coupon: showsCode ? coupon : null,
        repeated,
      },
    };
  }
}

const isVoided = ({ participation }: Repeated): boolean => participation.state === 'voided';

const fieldRefusal = ({ field, text }: FieldProblem): FunctionRefusal => ({ ...refused(text, 'field'), field });

/** Only the key's hash is stored: whoever reads the table cannot pass as the visitor. */
const hashOf = (spinKey: string | null | undefined): Buffer | null => (spinKey ? createHash('sha256').update(spinKey).digest() : null);
