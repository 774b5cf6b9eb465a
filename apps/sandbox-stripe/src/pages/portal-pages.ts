import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Parts } from '../api/parts.js';
import { StripeRefusal } from '../objects/errors.js';
import type { Customer, PaymentMethod, PortalSession, Price } from '../objects/objects.js';
import { kindOfTaxId, replaceTaxId } from '../objects/tax-ids.js';
import { declineText, document, notice } from './html.js';
import { portalView } from './portal-view.js';
import { cardOf, fieldsOf, show } from './requests.js';

const ended = () => notice('Sessão encerrada', 'Este link expirou. Volte ao site e abra o portal novamente.');

/** The pages of the customer portal. */
export function registerPortalPages(app: FastifyInstance, parts: Parts): void {
  const { world, portal, payments, subscriptions } = parts;

  const { subscriptionOf, featuresOf, nameOf, offered, changesTo, home, cancelPage, confirmPage } = portalView(parts);

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
  /** A session for one flow returns to the site after its step; others show the portal again. */
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
      subscriptions.setDefaultMethod(customer, method);
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
      subscriptions.setDefaultMethod(world.get<Customer>('customer', session.customer), method);
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
      // The customer is present and can complete 3-D Secure, which an API call cannot.
      if (payments.predict(methodId, { offSession: false }) === 'authenticate' && fields['authenticated'] !== 'yes') {
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
