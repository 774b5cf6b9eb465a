import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Parts } from '../api/parts.js';
import type { Submission } from '../billing/checkout.js';
import { StripeRefusal } from '../objects/errors.js';
import type { CheckoutSession, Customer, Invoice, PaymentIntent, PaymentMethod, Price, Product, SetupIntent } from '../objects/objects.js';
import { alert, cardFields, declineText, document, escape, longDate, notice, reais } from './html.js';
import { cardOf, fieldsOf, show } from './requests.js';

/** The hosted pages: checkout, 3-D Secure, invoice and receipt. */
export function registerHostedPages(app: FastifyInstance, parts: Parts): void {
  const { world, checkout, payments, invoices, subscriptions } = parts;

  function checkoutPage(session: CheckoutSession, error?: string, values: Record<string, string> = {}): string {
    const { priceId = '', trialDays, quantity = 1 } = checkout.notes(session);
    const price = world.get<Price>('price', priceId);
    const product = world.find<Product>('product', price.product);
    const customer = session.customer ? world.find<Customer>('customer', session.customer) : undefined;
    const email = customer?.email ?? session.customer_email ?? '';
    const monthly = `${reais(price.unit_amount * quantity)} por mês`;
    const terms = trialDays ? `Teste grátis por ${trialDays} dias, depois ${monthly}` : monthly;
    const text = (name: string) => escape(values[name] ?? '');
    return document(
      `Assinar ${product?.name ?? ''}`,
      `<section><p class="soft">Assinatura</p><h1>${escape(product?.name ?? price.id)}</h1><p class="price" data-testid="checkout-price">${terms}</p>
<p class="soft">Renovação automática a cada mês. Cancele quando quiser em Minha Assinatura.</p></section>
<section>${alert(error)}<form method="post" action="/c/pay/${escape(session.id)}">
<div class="field"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="email" required value="${escape(email || (values['email'] ?? ''))}"${email ? ' readonly' : ''}></div>
${cardFields({ expiry: values['cardExpiry'] })}
<div class="field"><label for="billingName">Nome no cartão</label><input id="billingName" name="billingName" autocomplete="cc-name" required value="${text('billingName')}"></div>
<div class="field"><label for="taxId">CPF ou CNPJ (opcional)</label><input id="taxId" name="taxId" inputmode="numeric" value="${text('taxId')}"></div>
<div class="actions"><button type="submit" data-testid="checkout-submit">${trialDays ? 'Iniciar teste' : 'Assinar'}</button>
${session.cancel_url ? `<a class="button quiet" data-testid="checkout-cancel" href="${escape(session.cancel_url)}">Voltar sem assinar</a>` : ''}</div></form></section>`,
      'split',
    );
  }

  const closed = (session: CheckoutSession) =>
    session.status === 'complete'
      ? notice('Assinatura concluída', 'Este pagamento já foi concluído.', { href: checkout.successUrl(session), label: 'Continuar' })
      : notice(
          'Link expirado',
          'Este link de pagamento expirou. Volte ao site e escolha o plano novamente.',
          session.cancel_url ? { href: session.cancel_url, label: 'Voltar' } : undefined,
        );

  async function answer(
    reply: FastifyReply,
    session: CheckoutSession,
    submission: Submission,
    values: Record<string, string>,
  ): Promise<FastifyReply> {
    if (submission.outcome === 'refused') return show(reply, checkoutPage(session, declineText(submission.decline), values), 402);
    if (submission.outcome === 'authenticate') return reply.redirect(`/3ds/${submission.intentId}`, 303);
    const { redirect_delay_ms: delay } = world.settings;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    return reply.redirect(submission.url, 303);
  }

  app.get<{ Params: { id: string } }>('/c/pay/:id', async ({ params }, reply) => {
    const session = world.find<CheckoutSession>('checkout.session', params.id);
    if (!session) return show(reply, notice('Página não encontrada', 'Este link de pagamento não existe.'), 404);
    return show(reply, session.status === 'open' ? checkoutPage(session) : closed(session));
  });

  app.post<{ Params: { id: string } }>('/c/pay/:id', async ({ params, body }, reply) => {
    const session = world.find<CheckoutSession>('checkout.session', params.id);
    if (!session) return show(reply, notice('Página não encontrada', 'Este link de pagamento não existe.'), 404);
    if (session.status === 'expired') return show(reply, closed(session), 410);
    const fields = fieldsOf(body);
    const { email = '', billingName = '', taxId = '' } = fields;
    return answer(reply, session, checkout.submit(session, cardOf(fields), { email, name: billingName, taxId }), fields);
  });

  type Intent = PaymentIntent | SetupIntent;
  const intentOf = (id: string) => world.find<Intent>('payment_intent', id) ?? world.find<Intent>('setup_intent', id);
  interface IntentNotes {
    sessionId: string;
    invoiceId: string;
    returnTo: string;
  }

  app.get<{ Params: { id: string } }>('/3ds/:id', async ({ params }, reply) => {
    const intent = intentOf(params.id);
    if (!intent || intent.status !== 'requires_action')
      return show(reply, notice('Autenticação encerrada', 'Não há nada para confirmar aqui.'), intent ? 200 : 404);
    const amount =
      intent.object === 'payment_intent'
        ? `Confirme o pagamento de <strong>${reais((intent as PaymentIntent).amount)}</strong>.`
        : 'Confirme o cadastro do seu cartão.';
    return show(
      reply,
      document(
        'Confirmação do banco',
        `<section><h1>Seu banco pede uma confirmação</h1><p>${amount}</p><form method="post" action="/3ds/${escape(intent.id)}"><div class="actions">
<button name="result" value="complete" data-testid="3ds-complete">Confirmar</button><button class="quiet" name="result" value="fail" data-testid="3ds-fail">Recusar</button></div></form></section>`,
      ),
    );
  });

  app.post<{ Params: { id: string } }>('/3ds/:id', async ({ params, body }, reply) => {
    const intent = intentOf(params.id);
    if (!intent) return show(reply, notice('Autenticação encerrada', 'Não há nada para confirmar aqui.'), 404);
    const passed = fieldsOf(body)['result'] === 'complete';
    const notes = world.notes<IntentNotes>(intent.id);
    const session = notes.sessionId ? world.find<CheckoutSession>('checkout.session', notes.sessionId) : undefined;
    if (session) {
      if (session.status !== 'open') return show(reply, closed(session));
      if (!passed) {
        world.change(intent, { status: 'requires_payment_method', next_action: null });
        return show(reply, checkoutPage(session, declineText({ code: 'authentication_required' })), 402);
      }
      if (intent.status !== 'requires_action') return show(reply, checkoutPage(session, declineText({})), 402);
      return answer(reply, session, checkout.authenticated(session, intent), {});
    }
    const invoice = notes.invoiceId ? world.find<Invoice>('invoice', notes.invoiceId) : undefined;
    if (!invoice) return show(reply, notice('Autenticação encerrada', 'Não há nada para confirmar aqui.'), 404);
    if (!passed) {
      world.change(intent, { status: 'requires_payment_method', next_action: null });
      return show(reply, invoicePage(invoice, declineText({ code: 'authentication_required' })), 402);
    }
    if (invoice.status === 'open') {
      const { result, decline } = invoices.collect(invoice, { methodId: intent.payment_method, offSession: false, authenticated: true });
      if (result !== 'paid') return show(reply, invoicePage(invoice, declineText(decline ?? {})), 402);
    }
    return reply.redirect(notes.returnTo ?? `/i/${invoice.id}`, 303);
  });

  const statusNames: Record<Invoice['status'], string> = {
    draft: 'Em preparo',
    open: 'Em aberto',
    paid: 'Paga',
    uncollectible: 'Incobrável',
    void: 'Anulada',
  };

  /** The description of an invoice line in Portuguese: the API's descriptions are English, hosted pages are in the customer's language. */
  function describe({ amount, description, pricing, quantity, parent }: Invoice['lines']['data'][number]): string {
    const price = world.find<Price>('price', pricing?.price_details?.price ?? '');
    if (!price) return description ?? '';
    const name = world.find<Product>('product', price.product)?.name ?? price.id;
    if (!parent?.subscription_item_details?.proration) return `${quantity ?? 1} × ${name} (${reais(price.unit_amount)} por mês)`;
    return amount < 0 ? `Crédito pelo tempo não usado de ${name}` : `${name} pelo resto do período`;
  }

  function invoicePage(invoice: Invoice, error?: string): string {
    const rows = invoice.lines.data
      .map((line) => `<tr><td>${escape(describe(line))}</td><td class="number">${reais(line.amount)}</td></tr>`)
      .join('');
    const id = invoice.parent?.subscription_details.subscription;
    const subscription = id ? world.find<import('../objects/objects.js').Subscription>('subscription', id) : undefined;
    const methodId = subscription ? subscriptions.methodOf(subscription) : null;
    const method = methodId ? world.find<PaymentMethod>('payment_method', methodId) : undefined;
    const form = `<form method="post" action="/i/${escape(invoice.id)}">${
      method
        ? `<p>Cartão final ${method.card.last4}</p><div class="actions"><button name="card" value="saved" data-testid="invoice-pay">Pagar ${reais(invoice.amount_remaining)}</button></div></form><hr><h2>Usar outro cartão</h2><form method="post" action="/i/${escape(invoice.id)}">`
        : ''
    }${cardFields()}<div class="actions"><button class="quiet" name="card" value="new" data-testid="invoice-pay-new">Pagar com este cartão</button></div></form>`;
    return document(
      `Fatura ${invoice.number ?? ''}`,
      `<section>${alert(error)}<h1>Fatura ${escape(invoice.number ?? '')}</h1><p><span class="badge ${invoice.status === 'paid' ? 'good' : invoice.status === 'open' ? 'late' : ''}" data-testid="invoice-status">${statusNames[invoice.status]}</span></p><p class="soft">Emitida em ${longDate(invoice.created)}</p><table><thead><tr><th>Descrição</th><th class="number">Valor</th></tr></thead><tbody>${rows}</tbody><tfoot><tr><th>Total devido</th><th class="number">${reais(invoice.amount_due)}</th></tr></tfoot></table></section>
${invoice.status === 'open' ? `<section><h2>Pagamento</h2>${form}</section>` : ''}${invoice.status === 'paid' && invoice.status_transitions.paid_at ? `<p>Paga em ${longDate(invoice.status_transitions.paid_at)}. <a href="/i/${escape(invoice.id)}/pdf">Recibo para impressão</a></p>` : ''}`,
    );
  }

  app.get<{ Params: { id: string } }>('/i/:id', async ({ params }, reply) => {
    const invoice = world.find<Invoice>('invoice', params.id);
    return invoice ? show(reply, invoicePage(invoice)) : show(reply, notice('Fatura não encontrada', 'Este link não existe.'), 404);
  });

  app.post<{ Params: { id: string } }>('/i/:id', async ({ params, body }, reply) => {
    const invoice = world.find<Invoice>('invoice', params.id);
    if (!invoice) return show(reply, notice('Fatura não encontrada', 'Este link não existe.'), 404);
    if (invoice.status !== 'open') return reply.redirect(`/i/${invoice.id}`, 303);
    const fields = fieldsOf(body);
    const customer = world.get<Customer>('customer', invoice.customer);
    const subscriptionId = invoice.parent?.subscription_details.subscription;
    try {
      let methodId = subscriptionId ? subscriptions.methodOf(world.get('subscription', subscriptionId)) : null;
      if (fields['card'] === 'new') {
        const method = payments.attach(payments.newMethod(cardOf(fields)), customer);
        subscriptions.setDefaultMethod(customer, method);
        methodId = method.id;
      }
      const { result, decline, intent } = invoices.collect(invoice, { methodId, offSession: false });
      if (result === 'requires_action' && intent) {
        Object.assign(world.notes<IntentNotes>(intent.id), { invoiceId: invoice.id });
        return await reply.redirect(`/3ds/${intent.id}`, 303);
      }
      if (result === 'declined') return show(reply, invoicePage(invoice, declineText(decline ?? {})), 402);
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return show(reply, invoicePage(invoice, declineText(error.body)), 402);
    }
    return reply.redirect(`/i/${invoice.id}`, 303);
  });

  app.get<{ Params: { id: string } }>('/i/:id/pdf', async ({ params }, reply) => {
    const invoice = world.find<Invoice>('invoice', params.id);
    if (!invoice) return show(reply, notice('Recibo não encontrado', 'Este link não existe.'), 404);
    return show(
      reply,
      document(
        `Recibo ${invoice.number ?? ''}`,
        `<section><h1>Recibo ${escape(invoice.number ?? '')}</h1><table><tbody>
<tr><th scope="row">Cliente</th><td>${escape([invoice['customer_name'], invoice.customer_email].filter((part) => typeof part === 'string').join(', '))}</td></tr>
<tr><th scope="row">Emitido em</th><td>${longDate(invoice.created)}</td></tr>
<tr><th scope="row">Situação</th><td>${statusNames[invoice.status]}${invoice.status_transitions.paid_at ? ` em ${longDate(invoice.status_transitions.paid_at)}` : ''}</td></tr>
${invoice.lines.data.map((line) => `<tr><th scope="row">${escape(describe(line))}</th><td>${reais(line.amount)}</td></tr>`).join('')}
<tr><th scope="row">Valor pago</th><td><strong>${reais(invoice.amount_paid)}</strong></td></tr></tbody></table>
<p class="soft">Este recibo não é um documento fiscal.</p></section><p class="actions"><a href="/i/${escape(invoice.id)}">Voltar à fatura</a></p>`,
      ),
    );
  });
}
