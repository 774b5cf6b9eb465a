import { exportQuery, type ExportSource } from '@decola/database';
import { accountExportTexts } from '../texts/texts.js';

/** Billing's part of a person's data export. Stripe alone stores cards. Trial hashes are left out: a reader cannot make anything of them. */
export const accountExport: readonly ExportSource[] = [
  exportQuery({
    name: 'assinatura/conta-de-cobranca.json',
    about: accountExportTexts.billingAccount,
    query: `select a.stripe_customer_id as cliente_na_stripe, a.contact_email as email_dos_recibos, a.contact_at as email_desde,
      a.created_at as criada_em, a.published as direito_atual, a.published_at as direito_desde, u.used as vagas_em_uso, g.granted_at as teste_gratis_em
      from billing_accounts a left join slot_usage u using (user_id) left join trial_grants g using (user_id) where a.user_id = $1`,
  }),
  exportQuery({
    name: 'assinatura/assinaturas.json',
    about: accountExportTexts.subscriptions,
    query: `select s.stripe_subscription_id as assinatura_na_stripe, p.name as plano, s.status as situacao, s.started_at as comecou_em,
      s.period_start as periodo_desde, s.period_end as periodo_ate, s.trial_end as fim_do_teste, s.cancel_at as cancela_em,
      s.cancel_at_period_end as cancela_no_fim_do_periodo, s.canceled_at as cancelada_em, s.ended_at as terminou_em, s.unpaid_since as sem_pagamento_desde,
      s.ever_paid as ja_foi_paga, s.latest_invoice_id as ultima_fatura
      from billing_subscriptions s join subscription_plans p on p.key = s.plan_key where s.user_id = $1 order by s.started_at, 1`,
  }),
  exportQuery({
    name: 'assinatura/pagamentos.json',
    about: accountExportTexts.payments,
    query: `select y.invoice_id as fatura, p.name as plano, y.amount as valor_em_centavos, y.period_start as periodo_desde, y.period_end as periodo_ate,
      y.paid_at as pago_em, y.refunded_at as devolvido_em
      from payments y join subscription_plans p on p.key = y.plan_key where y.user_id = $1 order by y.paid_at, 1`,
  }),
  exportQuery({
    name: 'assinatura/pedidos.json',
    about: accountExportTexts.orders,
    query: `select 'assinatura' as pedido, p.name as plano, trial as com_teste_gratis, status as situacao, created_at as em
      from checkout_intents i join subscription_plans p on p.key = i.plan_key where i.user_id = $1
      union all
      select 'troca de plano', coalesce((select p.name from plan_prices x join subscription_plans p on p.key = x.plan_key where x.stripe_price_id = c.to_price), c.to_price),
        null, status, created_at from change_intents c where c.user_id = $1
      order by 5`,
  }),
  exportQuery({
    name: 'assinatura/avisos.json',
    about: accountExportTexts.notices,
    query: `select key as aviso, told_at as em from notices where user_id = $1 order by told_at`,
  }),
];
