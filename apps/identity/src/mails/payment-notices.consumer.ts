import { paymentFailed, type PayloadOf, trialEnding } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { MailQueue } from '@decola/mailer';
import { EventContext } from '@decola/messaging';
import { CONFIG } from '@decola/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { IdentityConfig } from '../config/config.js';
import { paymentNoticeTexts as texts } from '../texts/texts.js';
import type { IdentityMail } from './identity-mail.js';

const currency = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const longDate = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' });
const formatCents = (cents: number) => currency.format(cents / 100);
const formatDay = (instant: string) => longDate.format(new Date(instant));

/** Sends mails about payments. Billing publishes what happened; identity alone knows the addresses. */
@Controller()
export class PaymentNoticesConsumer {
  constructor(
    private readonly mails: MailQueue<IdentityMail>,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @EventPattern<string>(trialEnding.type)
  async onTrialEnding(@Payload() notice: PayloadOf<typeof trialEnding>, @Ctx() { manager }: EventContext): Promise<void> {
    const email = await emailOf(manager, notice.user_id);
    if (!email) return;
    await this.mails.add(manager, notice.user_id, {
      to: email,
      kind: 'trial_ending',
      link: new URL('/adm', this.config.SITE_URL).href,
      code: null,
      detail: texts.trialEnding(notice.plan_name, formatDay(notice.trial_ends_at), formatCents(notice.amount)),
    });
  }

  @EventPattern<string>(paymentFailed.type)
  async onPaymentFailed(@Payload() notice: PayloadOf<typeof paymentFailed>, @Ctx() { manager }: EventContext): Promise<void> {
    const email = await emailOf(manager, notice.user_id);
    if (!email) return;
    const access = notice.access_until ? texts.accessUntil(formatDay(notice.access_until)) : texts.accessAfterPayment;
    await this.mails.add(manager, notice.user_id, {
      to: email,
      kind: notice.action_required ? 'payment_confirmation' : 'payment_failed',
      link: notice.invoice_url ?? new URL('/adm', this.config.SITE_URL).href,
      code: null,
      detail: `${texts.amount(formatCents(notice.amount))} ${access}`,
    });
  }
}

/** Undefined when the account was erased. */
async function emailOf(db: Database, userId: string): Promise<string | undefined> {
  return (await rowOf<{ email: string }>(db, 'select email from users where id = $1', [userId]))?.email;
}
