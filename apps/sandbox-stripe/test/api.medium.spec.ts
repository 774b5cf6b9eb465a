import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { answerProblem } from '../src/objects/schema.js';
import { testStripe, type TestStripe } from './support/stripe.js';

const day = 86_400;

describe('the sandbox Stripe, driven by the official package', () => {
  let sandbox: TestStripe;
  let stripe: Stripe;
  let control: TestStripe['control'];
  let receiver: Server;
  const received: { body: string; signature: string }[] = [];
  let secret = '';
  let refuse = 0;

  const shift = (customer: string, seconds: number) => control('POST', `customers/${customer}/shift`, { seconds });
  const types = () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  const until = async (check: () => void | Promise<void>) => {
    const deadline = Date.now() + 30_000;
    for (;;) {
      try {
        await check();
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    }
  };

  beforeAll(async () => {
    sandbox = await testStripe();
    ({ stripe, control } = sandbox);
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (refuse > 0) {
          refuse -= 1;
          response.writeHead(503).end();
          return;
        }
        received.push({ body: Buffer.concat(chunks).toString('utf8'), signature: String(request.headers['stripe-signature']) });
        response.writeHead(200).end('{}');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const endpoint = await stripe.webhookEndpoints.create({
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      enabled_events: ['*'],
      api_version: '2026-10-28.endive',
    });
    secret = endpoint.secret ?? '';
    await control('POST', 'settings', { webhook_retries_ms: [50, 50, 50] });
    for (const [id, name, amount] of [
      ['starter', 'Plano Starter', 4900],
      ['pro', 'Pro', 8900],
      ['premium', 'Premium', 14900],
    ] as const) {
      await stripe.products.create({ id: `decola_${id}`, name });
      await stripe.prices.create({
        product: `decola_${id}`,
        currency: 'brl',
        unit_amount: amount,
        recurring: { interval: 'month' },
        lookup_key: `${id}_brl_month_v1`,
        tax_behavior: 'inclusive',
      });
    }
  });
  afterAll(async () => {
    await sandbox?.stop();
    await new Promise((resolve) => receiver.close(resolve));
  });
  // What the test before caused is delivered first.
  beforeEach(async () => {
    await until(async () => expect((await stripe.events.list({ delivery_success: false, limit: 100 })).data).toEqual([]));
    received.length = 0;
  });

  const priceOf = async (plan: string) => {
    const { data } = await stripe.prices.list({ lookup_keys: [`${plan}_brl_month_v1`] });
    return data[0]!.id;
  };

  async function openSession(plan: string, trialDays?: number) {
    const customer = await stripe.customers.create({ email: 'ana@example.com', metadata: { user_id: 'u1' } });
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: await priceOf(plan), quantity: 1 }],
      allowed_payment_method_types: ['card'],
      success_url: 'https://app.example.com/adm?success=true&cs={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://app.example.com/adm?canceled=true',
      subscription_data: {
        billing_mode: { type: 'flexible' },
        metadata: { user_id: 'u1' },
        ...(trialDays ? { trial_period_days: trialDays, trial_settings: { end_behavior: { missing_payment_method: 'cancel' } } } : {}),
      },
    });
    return { customer, session };
  }

  const fill = (url: string, card: string) =>
    fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ email: 'ana@example.com', cardNumber: card, cardExpiry: '12/34', cardCvc: '123', billingName: 'Ana' }),
      redirect: 'manual',
    });

  async function bought(plan: string, { trialDays, card = '4242424242424242' }: { trialDays?: number; card?: string } = {}) {
    const { customer, session } = await openSession(plan, trialDays);
    const answer = await fill(session.url!, card);
    expect(answer.status).toBe(303);
    const complete = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.default_payment_method', 'subscription.latest_invoice.payments'],
    });
    return {
      customer,
      session: complete,
      subscription: complete.subscription as Stripe.Subscription,
      location: answer.headers.get('location'),
    };
  }

  it('sells a plan with a trial: page, redirect, events, states', async () => {
    const { session: open } = await openSession('starter', 7);
    const html = await (await fetch(open.url!)).text();
    expect(html).toMatch(/Teste grátis por 7 dias, depois R\$\s49,00 por mês/);
    expect(html).toContain('Iniciar teste');
    const { session, subscription, location, customer } = await bought('starter', { trialDays: 7 });
    expect(location).toBe(`https://app.example.com/adm?success=true&cs=${session.id}`);
    expect(session).toMatchObject({ status: 'complete', payment_status: 'no_payment_required' });
    expect(subscription).toMatchObject({ status: 'trialing', cancel_at: null, metadata: { user_id: 'u1' } });
    expect(subscription.items.data[0]!.current_period_end).toBe(subscription.trial_end);
    expect((subscription.default_payment_method as Stripe.PaymentMethod).card!.fingerprint).toMatch(/^\w{16}$/);
    await until(() => {
      expect(types()).toEqual(
        expect.arrayContaining([
          'setup_intent.succeeded',
          'payment_method.attached',
          'customer.subscription.created',
          'invoice.created',
          'invoice.finalized',
          'invoice.paid',
          'checkout.session.completed',
        ]),
      );
    });
    for (const { body, signature } of received) expect(stripe.webhooks.constructEvent(body, signature, secret).object).toBe('event');
    await shift(customer.id, 7 * day + 2 * 3600);
    const paid = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(paid.status).toBe('active');
    expect(paid.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 4900 });
  });

  it('keeps the session open when the card refuses, and sells once however often the form is posted', async () => {
    const { session, customer } = await openSession('pro');
    const refused = await fill(session.url!, '4000000000009995');
    expect(refused.status).toBe(402);
    expect(await refused.text()).toContain('Saldo ou limite insuficiente no cartão.');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    const answers = await Promise.all([fill(session.url!, '4242424242424242'), fill(session.url!, '4242424242424242')]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(1);
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 });
  });

  it('asks for 3-D Secure on a separate page', async () => {
    const { session } = await openSession('pro');
    const answer = await fill(session.url!, '4000002760003184');
    const page = new URL(answer.headers.get('location')!, sandbox.url);
    expect(page.pathname).toMatch(/^\/3ds\/pi_/);
    expect(await (await fetch(page)).text()).toContain('data-testid="3ds-complete"');
    const failed = await fetch(page, { method: 'POST', body: new URLSearchParams({ result: 'fail' }), redirect: 'manual' });
    expect(await failed.text()).toContain('role="alert"');
    const again = new URL((await fill(session.url!, '4000002760003184')).headers.get('location')!, sandbox.url);
    const passed = await fetch(again, { method: 'POST', body: new URLSearchParams({ result: 'complete' }), redirect: 'manual' });
    expect(passed.headers.get('location')).toContain('success=true');
    expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
  });

  it('prorates an upgrade to the centavo and changes nothing when the card fails', async () => {
    const { customer, subscription } = await bought('starter');
    const item = subscription.items.data[0]!;
    const length = item.current_period_end - item.current_period_start;
    await shift(customer.id, Math.floor(length / 3));
    const now = await stripe.subscriptions.retrieve(subscription.id);
    const { current_period_start: start, current_period_end: end } = now.items.data[0]!;
    const moment = start + Math.floor(length / 3);
    const upgrade = {
      items: [{ id: item.id, price: await priceOf('pro') }],
      proration_behavior: 'always_invoice' as const,
      payment_behavior: 'error_if_incomplete' as const,
      proration_date: moment,
    };
    await control('POST', `customers/${customer.id}/default-card`, { number: 'chargeCustomerFail' });
    await expect(stripe.subscriptions.update(subscription.id, upgrade)).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' });
    expect((await stripe.subscriptions.retrieve(subscription.id)).items.data[0]!.price.unit_amount).toBe(4900);
    await control('POST', `customers/${customer.id}/default-card`, { number: 'visa' });
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items: upgrade.items, proration_behavior: 'always_invoice', proration_date: moment },
    });
    const updated = await stripe.subscriptions.update(subscription.id, { ...upgrade, expand: ['latest_invoice'] });
    const invoice = updated.latest_invoice as Stripe.Invoice;
    const share = (amount: number) => Math.floor((amount * (end - moment)) / (end - start) + 0.5);
    expect(invoice.lines.data.map(({ amount }) => amount)).toEqual([-share(4900), share(8900)]);
    expect(invoice).toMatchObject({ status: 'paid', amount_paid: share(8900) - share(4900) });
    expect(preview.amount_due).toBe(invoice.amount_paid);
    expect(updated.items.data[0]!.current_period_end).toBe(end);
  });

  it('carries the credit of a downgrade to the next invoice', async () => {
    const { customer, subscription } = await bought('premium');
    const item = subscription.items.data[0]!;
    const half = (item.current_period_end - item.current_period_start) / 2;
    await shift(customer.id, half);
    const { items } = await stripe.subscriptions.retrieve(subscription.id);
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: await priceOf('starter') }],
      proration_behavior: 'create_prorations',
      proration_date: items.data[0]!.current_period_start + half,
    });
    await shift(customer.id, half + 2 * 3600);
    const renewed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(renewed.latest_invoice).toMatchObject({ status: 'paid', amount_due: 0, total: -7450 + 2450 + 4900, ending_balance: -100 });
  });

  it('cancels in both encodings, and undoes both', async () => {
    const { subscription } = await bought('pro');
    const end = subscription.items.data[0]!.current_period_end;
    expect(await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })).toMatchObject({
      cancel_at: end,
      cancel_at_period_end: true,
    });
    expect(await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
    });
    expect(await stripe.subscriptions.update(subscription.id, { cancel_at: end })).toMatchObject({
      cancel_at: end,
      cancel_at_period_end: false,
    });
    expect(await stripe.subscriptions.update(subscription.id, { cancel_at: '' })).toMatchObject({ cancel_at: null });
    expect(await stripe.subscriptions.cancel(subscription.id)).toMatchObject({ status: 'canceled' });
    await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.subscriptions.update(subscription.id, { cancel_at: '' })).rejects.toMatchObject({ statusCode: 400 });
  });

  it('lets a renewal fail, tries again, and recovers at the hosted invoice', async () => {
    const { customer, subscription } = await bought('pro');
    await control('POST', `customers/${customer.id}/default-card`, { number: 'chargeCustomerFail' });
    await shift(customer.id, 32 * day);
    const failed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(failed.status).toBe('past_due');
    const invoice = failed.latest_invoice as Stripe.Invoice;
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 1 });
    const page = await fetch(invoice.hosted_invoice_url!, {
      method: 'POST',
      body: new URLSearchParams({ card: 'new', cardNumber: '4242424242424242', cardExpiry: '12/34', cardCvc: '123' }),
      redirect: 'manual',
    });
    expect(page.status).toBe(303);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  it('ends a subscription whose retries all failed', async () => {
    const { customer, subscription } = await bought('starter', { trialDays: 7, card: '4000000000000341' });
    await shift(customer.id, 7 * day + 7200);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    await shift(customer.id, 8 * day);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
  });

  it('shows the portal: cancel with a reason, undo, new card', async () => {
    const { customer, subscription } = await bought('starter');
    await expect(stripe.billingPortal.sessions.create({ customer: customer.id })).rejects.toThrow(/No configuration provided/);
    const configuration = await stripe.billingPortal.configurations.create({
      features: {
        customer_update: { enabled: true, allowed_updates: ['name'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: {
          enabled: true,
          mode: 'at_period_end',
          cancellation_reason: { enabled: true, options: ['too_expensive', 'other'] },
        },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          proration_behavior: 'always_invoice',
          products: [{ product: 'decola_pro', prices: [await priceOf('pro')] }],
        },
      },
    });
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      configuration: configuration.id,
      return_url: 'https://app.example.com/adm',
    });
    const post = (path: string, fields: Record<string, string>) =>
      fetch(`${portal.url}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    expect(await (await fetch(portal.url)).text()).toContain('Plano Starter');
    await post('/cancel', { feedback: 'too_expensive' });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      cancel_at: subscription.items.data[0]!.current_period_end,
      cancel_at_period_end: false,
      cancellation_details: { feedback: 'too_expensive' },
    });
    expect(await (await post('/renew', {})).text()).toContain('Sua assinatura foi renovada.');
    expect((await stripe.subscriptions.retrieve(subscription.id)).cancel_at).toBeNull();
    expect((await post('/card', { cardNumber: '4000000000000002', cardExpiry: '12/34', cardCvc: '1' })).status).toBe(402);
    expect((await post('/card', { cardNumber: '5555555555554444', cardExpiry: '12/34', cardCvc: '123' })).status).toBe(200);
    expect((await post('/plan', { price: await priceOf('premium') })).status).toBe(403);
    await post('/plan', { price: await priceOf('pro') });
    expect((await stripe.subscriptions.retrieve(subscription.id)).items.data[0]!.price.unit_amount).toBe(8900);
  });

  it('refuses as Stripe does', async () => {
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
    await expect(stripe.subscriptions.list({ customer: 'cus_none' })).resolves.toMatchObject({ data: [] });
    const price = await priceOf('pro');
    const wrong = {
      mode: 'subscription',
      success_url: 'https://a.example',
      line_items: [{ price, quantity: 1 }],
      payment_method_types: ['card'],
    };
    await expect(stripe.checkout.sessions.create(wrong as never)).rejects.toMatchObject({
      code: 'parameter_unknown',
      param: 'payment_method_types',
    });
    await expect(stripe.rawRequest('GET', '/v1/unknown')).rejects.toThrow(/Unrecognized request URL/);
    const { hostname, port } = new URL(sandbox.url);
    const live = new Stripe('sk_live_x', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
    await expect(live.customers.list()).rejects.toMatchObject({ statusCode: 401 });
    const deleted = await stripe.customers.create({});
    await stripe.customers.del(deleted.id);
    await expect(stripe.customers.retrieve(deleted.id)).resolves.toMatchObject({ deleted: true });
  });

  it('remembers a request by its idempotency key, also when its answer was lost', async () => {
    const options = { idempotencyKey: `once-${Date.now()}` };
    await control('POST', 'faults', { method: 'POST', path: '/v1/customers', when: 'after', cut: true, times: 2 });
    await expect(stripe.customers.create({ email: 'once@example.com' }, options)).rejects.toMatchObject({ type: 'StripeConnectionError' });
    const [first, second] = [
      await stripe.customers.create({ email: 'once@example.com' }, options),
      await stripe.customers.create({ email: 'once@example.com' }, options),
    ];
    expect(second.id).toBe(first.id);
    expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1);
    await expect(stripe.customers.create({ email: 'other@example.com' }, options)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
  });

  const orderedFailures = new Set<string>();
  it('stores a failure under its idempotency key when a test orders it, as Stripe does', async () => {
    const options = { idempotencyKey: `kept-${Date.now()}`, maxNetworkRetries: 0 };
    const wanted = { email: 'kept@example.com' };
    await control('POST', 'faults', { method: 'POST', path: '/v1/customers', status: 500, kept: true });
    for (let time = 0; time < 2; time += 1)
      await expect(stripe.customers.create(wanted, options)).rejects.toMatchObject({ type: 'StripeAPIError', statusCode: 500 });
    await expect(stripe.customers.create(wanted)).resolves.toMatchObject(wanted);
    for (const { id, status } of await control<{ id: string; status: number }[]>('GET', 'requests'))
      if (status >= 500) orderedFailures.add(id);
    await expect(stripe.customers.create({ email: 'other@example.com' }, options)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
  });

  it('delivers events again until they are acknowledged, and out of order when a test orders it', async () => {
    refuse = 2;
    await stripe.customers.create({ email: 'retry@example.com' });
    await until(() => expect(types()).toEqual(['customer.created']));
    await control('POST', 'webhooks/policy', { paused: true });
    received.length = 0;
    const customer = await stripe.customers.create({});
    await stripe.customers.update(customer.id, { name: 'Bia' });
    await control('POST', 'webhooks/release', { order: 'lifo' });
    expect(types()).toEqual(['customer.updated', 'customer.created']);
    await control('POST', 'webhooks/policy', { paused: false, bad_signature: true });
    received.length = 0;
    await stripe.customers.update(customer.id, { name: 'Cris' });
    await until(() => expect(received).toHaveLength(1));
    expect(() => stripe.webhooks.constructEvent(received[0]!.body, received[0]!.signature, secret)).toThrow();
    await control('POST', 'webhooks/policy', { bad_signature: false });
  });

  it('signs with both secrets while one is rotated', async () => {
    const [endpoint] = (await stripe.webhookEndpoints.list()).data;
    const { secrets } = await control<{ secrets: string[] }>('POST', `webhook_endpoints/${endpoint!.id}/rotate`, {});
    await stripe.customers.create({});
    await until(() => expect(received).toHaveLength(1));
    const [{ body, signature }] = received as [{ body: string; signature: string }];
    expect(signature.match(/v1=/g)).toHaveLength(2);
    for (const each of secrets) expect(stripe.webhooks.constructEvent(body, signature, each).type).toBe('customer.created');
    await control('POST', `webhook_endpoints/${endpoint!.id}/rotate`, { finish: true });
  });

  it('is seeded in one call', async () => {
    const seeded = await control<{ prices: Record<string, string> }>('POST', 'seed', {
      catalogue: [{ id: 'seeded', name: 'Semeado', prices: [{ lookup_key: 'seeded_v1', unit_amount: 100 }] }],
    });
    expect(await stripe.prices.retrieve(seeded.prices['seeded_v1']!)).toMatchObject({ product: 'seeded', unit_amount: 100 });
  });

  it('follows a test clock', async () => {
    const start = Math.floor(Date.UTC(2027, 0, 31, 12) / 1000);
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
    const customer = await stripe.customers.create({ test_clock: clock.id, payment_method: 'pm_card_visa' });
    const { data: methods } = await stripe.customers.listPaymentMethods(customer.id);
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: await priceOf('pro') }],
      default_payment_method: methods[0]!.id,
    });
    expect(subscription.status).toBe('active');
    expect(new Date(subscription.items.data[0]!.current_period_end * 1000).toISOString()).toBe('2027-02-28T12:00:00.000Z');
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 29 * day });
    const renewed = await stripe.subscriptions.retrieve(subscription.id);
    expect(new Date(renewed.items.data[0]!.current_period_end * 1000).toISOString()).toBe('2027-03-31T12:00:00.000Z');
  });

  it('stores only objects that fit the strict schema', async () => {
    const { objects } = await control<{ objects: { object: string }[] }>('GET', 'state');
    const problems = objects.filter(({ object }) => !object.startsWith('deleted_')).flatMap((object) => answerProblem(object) ?? []);
    expect(problems).toEqual([]);
    const answers = await control<{ id: string; status: number; path: string }[]>('GET', 'requests');
    expect(answers.filter(({ id, status }) => status >= 500 && !orderedFailures.has(id))).toEqual([]);
  });
});
