import { paymentFailed, type PayloadOf, trialEnding } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { CONFIG } from '@decola/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { IdentityConfig } from '../config.js';
import { MailQueue } from './mail-queue.js';

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' });
const reais = (centavos: number) => money.format(centavos / 100);
const dayOf = (moment: string) => day.format(new Date(moment));

/** Writes to people about their money: billing knows what happened, identity knows where they read. */
@Controller()
export class MoneyNoticesConsumer {
  constructor(
    private readonly mails: MailQueue,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @EventPattern<string>(trialEnding.type)
  async onTrialEnding(@Payload() notice: PayloadOf<typeof trialEnding>, @Ctx() { manager }: EventContext): Promise<void> {
    const email = await addressOf(manager, notice.user_id);
    if (!email) return;
    await this.mails.add(manager, notice.user_id, {
      to: email,
      kind: 'trial_ending',
      link: new URL('/adm', this.config.SITE_URL).href,
      code: null,
      detail: `Seu teste grátis (${notice.plan_name}) termina em ${dayOf(notice.trial_ends_at)}, e nesse dia cobraremos ${reais(notice.amount)} por mês no cartão cadastrado.`,
    });
  }

  @EventPattern<string>(paymentFailed.type)
  async onPaymentFailed(@Payload() notice: PayloadOf<typeof paymentFailed>, @Ctx() { manager }: EventContext): Promise<void> {
    const email = await addressOf(manager, notice.user_id);
    if (!email) return;
    const access = notice.access_until
      ? `Seu acesso continua até ${dayOf(notice.access_until)}.`
      : 'Seu acesso volta assim que o pagamento for feito.';
    await this.mails.add(manager, notice.user_id, {
      to: email,
      kind: notice.action_required ? 'payment_confirmation' : 'payment_failed',
      link: notice.invoice_url ?? new URL('/adm', this.config.SITE_URL).href,
      code: null,
      detail: `O valor é de ${reais(notice.amount)}. ${access}`,
    });
  }
}

async function addressOf(manager: EventContext['manager'], userId: string): Promise<string | undefined> {
  const [user] = await manager.query<{ email: string }[]>('select email from users where id = $1', [userId]);
  return user?.email;
}
