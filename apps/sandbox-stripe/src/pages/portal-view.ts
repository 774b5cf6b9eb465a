import type { Parts } from '../api/parts.js';
import type { SubscriptionChanges } from '../billing/subscription-changes.js';
import type {
  Customer,
  Invoice,
  PaymentMethod,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  Subscription,
} from '../objects/objects.js';
import { taxIdsOf } from '../objects/tax-ids.js';
import { alert, cardFields, document, escape, longDate, reais, shortDate } from './html.js';

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

/** What the portal shows: HTML of its pages, and the changes that they offer. */
export function portalView({ world, subscriptions }: Parts) {
  const subscriptionOf = (session: PortalSession) =>
    world.all<Subscription>(
      'subscription',
      ({ customer, status }) => customer === session.customer && status !== 'canceled' && status !== 'incomplete_expired',
    )[0];
  const featuresOf = (session: PortalSession) =>
    world.get<PortalConfiguration>('billing_portal.configuration', session.configuration).features;
  const nameOf = (price: Price) => world.find<Product>('product', price.product)?.name ?? price.id;

  /** Prices to which the configuration allows a change. */
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

  /** Form for the data on receipts. The e-mail is shown only: customers change it on the site. */
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

  return { subscriptionOf, featuresOf, nameOf, offered, changesTo, home, cancelPage, confirmPage };
}
