import type { FastifyInstance, FastifyReply } from 'fastify';
import { StripeRefusal } from './errors.js';
import { alert, cardFields, declineText, document, escape, longDate, notice, reais, shortDate } from './html.js';
import type { Customer, Invoice, PaymentMethod, PortalConfiguration, PortalSession, Price, Product, Subscription } from './objects.js';
import { cardOf, fieldsOf, show } from './pages.js';
import type { Parts } from './routes/shared.js';
import type { SubscriptionChanges } from './subscriptions.js';
import { kindOfTaxId, replaceTaxId, taxIdsOf } from './tax-ids.js';

const statusNames: Record<string, string> = {
  active: 'Ativa',
  trialing: 'Em período de teste',
  past_due: 'Pagamento pendente',
  unpaid: 'Não paga',
  canceled: 'Cancelada',
  paused: 'Pausada',
  incomplete: 'Incompleta',
  incomplete_expired: 'Expirada',
};

const lateStatuses = new Set(['past_due', 'unpaid', 'incomplete', 'paused']);

const brandNames: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', elo: 'Elo', amex: 'American Express' };

const reasons: Record<string, string> = {
  too_expensive: 'É caro demais',
  missing_features: 'Faltam recursos',
  switched_service: 'Vou usar outro serviço',
  unused: 'Não uso o suficiente',
  customer_service: 'O atendimento deixou a desejar',
  too_complex: 'É complicado demais',
  low_quality: 'A qualidade deixou a desejar',
  other: 'Outro motivo',
};

const ended = () => notice('Sessão encerrada', 'Este link expirou. Volte ao site e abra o portal novamente.');

/** The customer portal. */
export function registerPortalPages(app: FastifyInstance, parts: Parts): void {
  const { world, portal, payments, subscriptions } = parts;

  const subscriptionOf = (session: PortalSession) =>
    world.all<Subscription>(
      'subscription',
      ({ customer, status }) => customer === session.customer && status !== 'canceled' && status !== 'incomplete_expired',
    )[0];
  const featuresOf = (session: PortalSession) =>
    world.get<PortalConfiguration>('billing_portal.configuration', session.configuration).features;
  const nameOf = (price: Price) => world.find<Product>('product', price.product)?.name ?? price.id;

  /** Prices that the configuration offers beside the current one. */
  function offered(session: PortalSession, subscription: Subscription): Price[] {
    const { subscription_update: update } = featuresOf(session);
    if (!update.enabled) return [];
    const current = subscriptions.item(subscription).price.id;
    return (update.products ?? [])
      .flatMap(({ prices }) => prices)
      .filter((id) => id !== current)
      .flatMap((id) => world.find<Price>('price', id) ?? []);
  }

  function changesTo(session: PortalSession, subscription: Subscription, price: string): SubscriptionChanges {
    const update = featuresOf(session).subscription_update;
    const undo: SubscriptionChanges = subscription.cancel_at_period_end
      ? { cancel_at_period_end: false }
      : subscription.cancel_at !== null
        ? { cancel_at: '' }
        : {};
    return {
      items: [{ id: subscriptions.item(subscription).id, price }],
      proration_behavior: update.proration_behavior,
      payment_behavior: 'error_if_incomplete',
      off_session: false,
      ...(subscription.status === 'trialing' && update.trial_update_behavior !== 'continue_trial'
        ? { trial_end: 'now' as const, proration_behavior: 'none' as const }
        : {}),
      ...undo,
    };
  }

  function home(session: PortalSession, { error, done }: { error?: string; done?: string } = {}): string {
    const base = new URL(session.url).pathname;
    const features = featuresOf(session);
    const customer = world.get<Customer>('customer', session.customer);
    const subscription = subscriptionOf(session);
    const message = `${alert(error)}${done ? `<div role="status">${escape(done)}</div>` : ''}`;
    const sections = [
      subscription
        ? planSection(session, subscription, base, features)
        : '<section><h2>Plano atual</h2><p>Você não tem uma assinatura ativa.</p></section>',
    ];
    if (features.payment_method_update.enabled) {
      const methods = world.all<PaymentMethod>('payment_method', (method) => method.customer === customer.id);
      const current = (subscription ? subscriptions.methodOf(subscription) : null) ?? customer.invoice_settings.default_payment_method;
      const cards = methods
        .map(
          (method) =>
            `<li><span>${escape(brandNames[method.card.brand] ?? method.card.brand)} final ${method.card.last4}, validade ${String(method.card.exp_month).padStart(2, '0')}/${method.card.exp_year}</span>${
              method.id === current
                ? '<span class="badge good">Padrão</span>'
                : `<form method="post" action="${base}/default"><input type="hidden" name="method" value="${method.id}"><button class="quiet">Usar como padrão</button></form>`
            }</li>`,
        )
        .join('');
      sections.push(
        `<section><h2>Forma de pagamento</h2>${cards ? `<ul class="cards">${cards}</ul>` : '<p>Nenhum cartão cadastrado.</p>'}<form method="post" action="${base}/card">${cardFields()}<div class="actions"><button data-testid="portal-card-submit">Adicionar cartão</button></div></form></section>`,
      );
    }
    if (features.customer_update.enabled) sections.push(detailsSection(customer, base, features.customer_update.allowed_updates));
    if (features.invoice_history.enabled) {
      const rows = world
        .all<Invoice>('invoice', (invoice) => invoice.customer === customer.id && invoice.status !== 'draft')
        .map(
          (invoice) =>
            `<tr><td class="number">${shortDate(invoice.created)}</td><td class="number">${reais(invoice.amount_due)}</td><td>${invoice.status === 'open' ? 'Em aberto' : invoice.status === 'paid' ? 'Paga' : 'Anulada'}</td><td class="number"><a href="/i/${invoice.id}"${invoice.status === 'open' ? ' data-testid="portal-pay-invoice"' : ''}>${invoice.status === 'open' ? 'Pagar' : 'Ver'}</a></td></tr>`,
        )
        .join('');
      sections.push(
        `<section><h2>Faturas</h2><table><thead><tr><th>Data</th><th class="number">Valor</th><th>Situação</th><th class="number">Ação</th></tr></thead><tbody>${rows}</tbody></table></section>`,
      );
    }
    const back = session.return_url ? `<p><a data-testid="portal-return" href="${escape(session.return_url)}">Voltar ao site</a></p>` : '';
    return document('Minha assinatura', `<h1>Minha assinatura</h1>${message}${sections.join('')}${back}`);
  }

  /** What goes onto receipts. The e-mail belongs to the site's log-in. */
  function detailsSection(customer: Customer, base: string, allowed: readonly string[]): string {
    const field = (name: string, label: string, value: unknown, attributes: string) =>
      `<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${escape(typeof value === 'string' ? value : '')}" ${attributes}></div>`;
    const address = (customer['address'] ?? {}) as Partial<Record<'line1' | 'city' | 'state' | 'postal_code', string | null>>;
    const [taxId] = taxIdsOf(world, customer.id);
    const fields = [
      allowed.includes('name') ? field('name', 'Nome', customer.name, 'autocomplete="name"') : '',
      allowed.includes('phone') ? field('phone', 'Telefone', customer['phone'], 'type="tel" autocomplete="tel"') : '',
      allowed.includes('address')
        ? `${field('line1', 'Endereço', address.line1, 'autocomplete="street-address"')}${field('city', 'Cidade', address.city, 'autocomplete="address-level2"')}
<div class="pair">${field('state', 'Estado', address.state, 'autocomplete="address-level1"')}${field('postal_code', 'CEP', address.postal_code, 'autocomplete="postal-code" inputmode="numeric"')}</div>`
        : '',
      allowed.includes('tax_id') ? field('taxId', 'CPF ou CNPJ', taxId?.value, 'inputmode="numeric"') : '',
    ].join('');
    return `<section><h2>Dados de cobrança</h2><p class="soft">E-mail: ${escape(customer.email ?? 'não informado')}</p><form method="post" action="${base}/details">${fields}<div class="actions"><button class="quiet" data-testid="portal-details-submit">Salvar dados</button></div></form></section>`;
  }

  function planSection(
    session: PortalSession,
    subscription: Subscription,
    base: string,
    features: PortalConfiguration['features'],
  ): string {
    const item = subscriptions.item(subscription);
    const stop = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null);
    const when =
      stop === null
        ? `Próxima cobrança em ${longDate(subscription.trial_end && subscription.status === 'trialing' ? subscription.trial_end : item.current_period_end)}: ${reais(item.price.unit_amount)}`
        : `Sua assinatura termina em ${longDate(stop)}`;
    const choices = offered(session, subscription)
      .map(
        (price) =>
          `<button class="quiet" name="price" value="${price.id}" data-testid="portal-plan">Mudar para ${escape(nameOf(price))} (${reais(price.unit_amount)} por mês)</button>`,
      )
      .join('');
    const cancel = features.subscription_cancel.enabled
      ? stop === null
        ? `<a class="button quiet" data-testid="portal-cancel" href="${base}/cancel">Cancelar assinatura</a>`
        : `<form method="post" action="${base}/renew"><button data-testid="portal-renew">Renovar assinatura</button></form>`
      : '';
    return `<section><h2>Plano atual</h2><p><strong>${escape(nameOf(item.price))}</strong>, ${reais(item.price.unit_amount)} por mês</p><p><span class="badge ${lateStatuses.has(subscription.status) ? 'late' : 'good'}" data-testid="portal-status">${statusNames[subscription.status] ?? subscription.status}</span></p><p class="soft" data-testid="portal-when">${when}</p>
<div class="actions">${choices ? `<form class="actions" method="get" action="${base}/plan">${choices}</form>` : ''}${cancel}</div></section>`;
  }

  function cancelPage(session: PortalSession): string {
    const base = new URL(session.url).pathname;
    const subscription = subscriptionOf(session);
    const { cancellation_reason: reason, mode } = featuresOf(session).subscription_cancel;
    const choices = reason.enabled
      ? `<fieldset><legend>Por que você quer cancelar?</legend>${reason.options
          .map(
            (option) =>
              `<label class="choice"><input type="radio" name="feedback" value="${option}">${escape(reasons[option] ?? option)}</label>`,
          )
          .join('')}</fieldset>`
      : '';
    const until =
      subscription && mode === 'at_period_end'
        ? `Você continua com acesso até ${longDate(subscriptions.item(subscription).current_period_end)}.`
        : 'O acesso termina imediatamente.';
    return document(
      'Cancelar assinatura',
      `<section><h1>Cancelar assinatura</h1><p>${until}</p><form method="post" action="${base}/cancel">${choices}<div class="actions"><button class="danger" data-testid="portal-cancel-confirm">Confirmar cancelamento</button><a class="button quiet" href="${base}">Voltar</a></div></form></section>`,
    );
  }

  function confirmPage(session: PortalSession, subscription: Subscription, price: Price, error?: string): string {
    const base = new URL(session.url).pathname;
    const changes = changesTo(session, subscription, price.id);
    const due = Math.max(subscriptions.preview(subscription, changes).amount_due, 0);
    return document(
      'Confirmar mudança de plano',
      `<section>${alert(error)}<h1>Mudar para ${escape(nameOf(price))}</h1><p>${reais(price.unit_amount)} por mês.</p><p>Valor a pagar agora: <strong data-testid="portal-due">${reais(due)}</strong></p><form method="post" action="${base}/plan"><input type="hidden" name="price" value="${price.id}"><div class="actions"><button data-testid="portal-plan-confirm">Confirmar</button><a class="button quiet" href="${base}">Voltar</a></div></form></section>`,
    );
  }

  type Request = { params: { token: string }; body?: unknown; query?: unknown };
  const withSession =
    (work: (session: PortalSession, fields: Record<string, string>, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>) =>
    async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
      const session = portal.byToken(request.params.token);
      if (!session || !world.find('customer', session.customer)) return show(reply, ended(), 410);
      try {
        return await work(session, { ...(request.query as Record<string, string>), ...fieldsOf(request.body) }, reply);
      } catch (error) {
        if (!(error instanceof StripeRefusal)) throw error;
        return show(
          reply,
          home(session, { error: error.status === 402 ? declineText(error.body) : 'Não foi possível concluir. Tente novamente.' }),
          error.status,
        );
      }
    };
  const path = '/p/session/:token';
  /** After the one step of a flow the customer goes back to the site. */
  const finished = (session: PortalSession, reply: FastifyReply, done: string) =>
    session.flow && session.return_url ? reply.redirect(session.return_url, 303) : show(reply, home(session, { done }));

  app.get(
    path,
    withSession((session, _fields, reply) => {
      const confirm = session.flow?.subscription_update_confirm;
      const subscription = subscriptionOf(session);
      if (confirm && subscription) {
        const [wanted] = confirm.items;
        if (wanted && subscriptions.item(subscription).price.id !== wanted.price)
          return show(reply, confirmPage(session, subscription, world.get<Price>('price', wanted.price)));
      }
      if (session.flow?.type === 'subscription_cancel' && subscription) return show(reply, cancelPage(session));
      return show(reply, home(session));
    }) as never,
  );
  app.get(`${path}/cancel`, withSession((session, _fields, reply) => show(reply, cancelPage(session))) as never);
  app.post(
    `${path}/cancel`,
    withSession((session, fields, reply) => {
      const subscription = subscriptionOf(session);
      const { enabled, mode } = featuresOf(session).subscription_cancel;
      if (!subscription || !enabled) return show(reply, home(session, { error: 'O cancelamento não está disponível.' }), 403);
      const details = fields['feedback'] ? { feedback: fields['feedback'] } : {};
      if (mode === 'immediately') subscriptions.cancel(subscription, 'cancellation_requested', details);
      else if (subscription['billing_mode'] && (subscription['billing_mode'] as { type: string }).type === 'classic')
        subscriptions.update(subscription, { cancel_at_period_end: true, cancellation_details: details });
      else
        subscriptions.update(subscription, {
          cancel_at:
            subscription.status === 'trialing' && subscription.trial_end
              ? subscription.trial_end
              : subscriptions.item(subscription).current_period_end,
          cancellation_details: details,
        });
      return finished(session, reply, 'Sua assinatura foi cancelada.');
    }) as never,
  );
  app.post(
    `${path}/renew`,
    withSession((session, _fields, reply) => {
      const subscription = subscriptionOf(session);
      if (!subscription) return show(reply, home(session, { error: 'Não há assinatura para renovar.' }), 409);
      subscriptions.update(subscription, subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' });
      return finished(session, reply, 'Sua assinatura foi renovada.');
    }) as never,
  );
  app.post(
    `${path}/card`,
    withSession((session, fields, reply) => {
      const customer = world.get<Customer>('customer', session.customer);
      const method = payments.attach(payments.newMethod(cardOf(fields)), customer);
      payments.setup(customer, method, 'succeeded');
      subscriptions.useMethod(customer, method);
      return finished(session, reply, 'Cartão salvo.');
    }) as never,
  );
  app.post(
    `${path}/details`,
    withSession((session, fields, reply) => {
      const { enabled, allowed_updates: allowed } = featuresOf(session).customer_update;
      if (!enabled) return show(reply, home(session, { error: 'Os dados de cobrança não podem ser alterados aqui.' }), 403);
      const { name = '', phone = '', line1 = '', city = '', state = '', postal_code: postalCode = '', taxId = '' } = fields;
      if (allowed.includes('tax_id') && taxId && !kindOfTaxId(taxId))
        return show(reply, home(session, { error: 'Confira o CPF (11 dígitos) ou CNPJ (14 dígitos).' }), 400);
      const customer = world.get<Customer>('customer', session.customer);
      const address = {
        city: city || null,
        country: 'BR',
        line1: line1 || null,
        line2: null,
        postal_code: postalCode || null,
        state: state || null,
      };
      world.change(
        customer,
        {
          ...(allowed.includes('name') ? { name: name || null } : {}),
          ...(allowed.includes('phone') ? { phone: phone || null } : {}),
          ...(allowed.includes('address') ? { address: line1 || city || state || postalCode ? address : null } : {}),
        },
        'customer.updated',
      );
      if (allowed.includes('tax_id')) replaceTaxId(world, customer, taxId);
      return finished(session, reply, 'Dados de cobrança salvos.');
    }) as never,
  );
  app.post(
    `${path}/default`,
    withSession((session, fields, reply) => {
      const method = world.get<PaymentMethod>('payment_method', fields['method'] ?? '');
      if (method.customer !== session.customer) return show(reply, home(session, { error: 'Cartão desconhecido.' }), 403);
      subscriptions.useMethod(world.get<Customer>('customer', session.customer), method);
      return finished(session, reply, 'Cartão padrão alterado.');
    }) as never,
  );
  const chosen = (session: PortalSession, fields: Record<string, string>) => {
    const subscription = subscriptionOf(session);
    const confirmed = session.flow?.subscription_update_confirm?.items[0]?.price;
    const price =
      subscription &&
      (offered(session, subscription).find(({ id }) => id === fields['price']) ??
        (confirmed === fields['price'] ? world.find<Price>('price', confirmed ?? '') : undefined));
    return subscription && price ? { subscription, price } : undefined;
  };
  app.get(
    `${path}/plan`,
    withSession((session, fields, reply) => {
      const choice = chosen(session, fields);
      return choice
        ? show(reply, confirmPage(session, choice.subscription, choice.price))
        : show(reply, home(session, { error: 'Este plano não está disponível.' }), 403);
    }) as never,
  );
  app.post(
    `${path}/plan`,
    withSession((session, fields, reply) => {
      const choice = chosen(session, fields);
      if (!choice) return show(reply, home(session, { error: 'Este plano não está disponível.' }), 403);
      const { subscription, price } = choice;
      const changes = changesTo(session, subscription, price.id);
      const methodId = subscriptions.methodOf(subscription);
      // The customer is here and may answer the bank: what an API call could not do, the page can.
      if (payments.foresee(methodId, { offSession: false }) === 'authenticate' && fields['authenticated'] !== 'yes') {
        const base = new URL(session.url).pathname;
        return show(
          reply,
          document(
            'Confirmação do banco',
            `<section><h1>Seu banco pede uma confirmação</h1><form method="post" action="${base}/plan"><input type="hidden" name="price" value="${price.id}"><div class="actions"><button name="authenticated" value="yes" data-testid="3ds-complete">Confirmar</button><a class="button quiet" data-testid="3ds-fail" href="${base}">Recusar</a></div></form></section>`,
          ),
        );
      }
      subscriptions.update(subscription, changes, { authenticated: fields['authenticated'] === 'yes' });
      return finished(session, reply, `Seu plano agora é ${nameOf(price)}.`);
    }) as never,
  );
}
