import { randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import { BillingBench } from './support/billing-bench.js';

describe('objects created at Stripe', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());
  beforeEach(() => bench.forgetTrialCards());
  afterEach(async () => {
    await bench.sandbox.clearFaults();
    await bench.sandbox.deliverNormally();
  });

  const refused = { status: 403, error: { type: 'invalid_request_error', message: 'This key may not do that.' } };
  const buy = async (userId: string, plan: string, email?: string) =>
    bench.call(userId, 'create-checkout', { price_id: await bench.priceOf(plan) }, email);
  const customersOf = async (userId: string) =>
    (await bench.stripe.customers.list({ limit: 100 })).data.filter(({ metadata }) => metadata['user_id'] === userId).map(({ id }) => id);
  const untilGone = (customer: string) =>
    eventually(async () => expect(await bench.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true }));

  describe('the customer of somebody who buys', () => {
    it.each([
      ['the pages cannot be listed', { method: 'GET', path: '/v1/checkout/sessions' }],
      ['the page is refused', { method: 'POST', path: '/v1/checkout/sessions' }],
      ['the subscriptions cannot be listed', { method: 'GET', path: '/v1/subscriptions' }],
    ])('is created once and linked to the account, although %s', async (_name, call) => {
      const userId = randomUUID();
      await bench.sandbox.fail({ ...call, ...refused });
      // The e-mail address changes in between: another request to Stripe for the same person.
      expect((await buy(userId, 'pro', `${userId}-a@example.com`)).status).toBe(500);
      expect((await buy(userId, 'pro', `${userId}-b@example.com`)).status).toBe(500);
      const customers = await customersOf(userId);
      expect(customers).toHaveLength(1);
      expect(await bench.customerIdOf(userId)).toBe(customers[0]);
      await bench.sandbox.clearFaults();
      expect((await buy(userId, 'pro')).status).toBe(200);
      expect(await customersOf(userId)).toEqual(customers);
      await bench.deleteAccount(userId);
      await untilGone(customers[0]!);
    });

    it('is the one that was created before and never linked', async () => {
      const userId = randomUUID();
      const email = `${userId}@example.com`;
      const { id } = await bench.stripe.customers.create({ email, metadata: { user_id: userId } });
      await bench.stripe.customers.create({ email, metadata: { user_id: randomUUID() } });
      expect((await buy(userId, 'pro', email)).status).toBe(200);
      expect(await bench.customerIdOf(userId)).toBe(id);
      expect(await customersOf(userId)).toEqual([id]);
    });

    it('keeps a purchase that turns out to be complete while another page is requested', async () => {
      const userId = randomUUID();
      const page = await bench.openCheckout(userId, 'pro');
      await bench.sandbox.deliver({ paused: true });
      const [open] = (await bench.stripe.checkout.sessions.list({ customer: (await bench.customerIdOf(userId))!, status: 'open' })).data;
      const answered = await bench.sandbox.pay(page);
      expect(answered.status).toBe(303);
      // Stripe's lists lag: the page seems open, and nothing seems bought.
      const empty = { object: 'list', data: [], has_more: false, url: '/v1/subscriptions' };
      await bench.sandbox.answer('/v1/subscriptions', empty, { times: 1 });
      await bench.sandbox.answer('/v1/checkout/sessions', { ...empty, data: [open] }, { times: 1 });
      expect(await buy(userId, 'premium')).toMatchObject({ status: 409, body: { code: 'already_subscribed' } });
      expect(await bench.rows('select plan_key, status from billing_subscriptions where user_id = $1', [userId])).toEqual([
        { plan_key: 'pro', status: 'active' },
      ]);
      await bench.sandbox.release('fifo');
    });

    it('has one open page, although two were requested at the same time', async () => {
      const userId = randomUUID();
      await bench.sandbox.fail({ method: 'POST', path: '/v1/checkout/sessions', times: 1, when: 'after', latency_ms: 2_000, cut: true });
      const first = buy(userId, 'starter');
      await eventually(async () =>
        expect(await bench.rows(`select 1 from checkout_intents where user_id = $1 and status = 'open'`, [userId])).toHaveLength(1),
      );
      // The first page is not created yet, so it cannot be expired.
      const second = await buy(userId, 'pro');
      expect(second.status).toBe(200);
      expect(await first).toMatchObject({ status: 409, body: { code: 'change_in_progress' } });
      const open = (await bench.stripe.checkout.sessions.list({ customer: (await bench.customerIdOf(userId))!, status: 'open' })).data;
      expect(open.map(({ url }) => url)).toEqual([second.body['url']]);
    });
  });

  describe('a trial', () => {
    /** A second page with a trial, as opened in a race with the one that billing knows. */
    const secondPage = async (userId: string) => {
      const session = await bench.stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: (await bench.customerIdOf(userId))!,
        line_items: [{ price: await bench.priceOf('starter'), quantity: 1 }],
        success_url: `${bench.url}/adm?success=true`,
        subscription_data: { trial_period_days: 7, metadata: { user_id: userId, plan_key: 'starter' } },
      });
      return String(session.url);
    };
    const trialsOf = async (...userIds: string[]) => {
      await bench.settled();
      const statuses: string[] = [];
      for (const userId of userIds) {
        const { data } = await bench.stripe.subscriptions.list({ customer: (await bench.customerIdOf(userId))!, status: 'all' });
        statuses.push(...data.map(({ status }) => status));
      }
      return statuses.sort();
    };

    it('is granted once to a person with two pages that were open before either was paid', async () => {
      const userId = randomUUID();
      const pages = [await bench.openCheckout(userId, 'starter'), ''];
      pages[1] = await secondPage(userId);
      await Promise.all(pages.map((page, index) => bench.sandbox.pay(page, ['4242424242424242', '5555555555554444'][index])));
      await eventually(async () => expect(await trialsOf(userId)).toEqual(['canceled', 'trialing']));
      expect(await bench.check(userId)).toMatchObject({ subscribed: true, is_trial: true });
    });

    it.each([
      ['and billing knows it', true],
      ['and billing does not know it yet', false],
    ])('is not granted a second time when the first has ended, %s, before the other page is paid', async (_name, isSeen) => {
      const userId = randomUUID();
      const first = await bench.openCheckout(userId, 'starter');
      const second = await secondPage(userId);
      await bench.sandbox.deliver({ paused: !isSeen });
      await bench.sandbox.pay(first);
      if (isSeen) await bench.untilState(userId, { is_trial: true });
      const [trial] = (await bench.stripe.subscriptions.list({ customer: (await bench.customerIdOf(userId))! })).data;
      await bench.stripe.subscriptions.cancel(trial!.id);
      await bench.sandbox.release('fifo');
      await bench.sandbox.deliver({ paused: false });
      await eventually(async () => {
        const rows = await bench.rows('select status from billing_subscriptions where user_id = $1', [userId]);
        expect(rows).toEqual([{ status: 'canceled' }]);
      });
      await bench.sandbox.pay(second, '5555555555554444');
      await eventually(async () => expect(await trialsOf(userId)).toEqual(['canceled', 'canceled']));
      expect(await bench.check(userId)).toMatchObject({ subscribed: false, is_trial: false });
      expect((await bench.stripe.charges.list({ customer: (await bench.customerIdOf(userId))! })).data).toEqual([]);
    });

    it.each([
      ['card', ['a@example.com', 'b@example.com'], ['4242424242424242', '4242424242424242']],
      ['mailbox', ['dois.testes@gmail.com', 'doistestes+2@gmail.com'], ['4242424242424242', '5555555555554444']],
    ])('is granted once per %s to two people whose pages were open before either was paid', async (_name, emails, cards) => {
      const people = [randomUUID(), randomUUID()];
      const pages = await Promise.all(people.map((userId, index) => bench.openCheckout(userId, 'starter', emails[index])));
      for (const page of pages) expect(await (await fetch(page)).text()).toContain('Teste grátis');
      await Promise.all(pages.map((page, index) => bench.sandbox.pay(page, cards[index])));
      await eventually(async () => expect(await trialsOf(...people)).toEqual(['canceled', 'trialing']));
    });
  });

  describe('a customer is deleted with the account', () => {
    it('although the account never linked to it', async () => {
      const userId = randomUUID();
      const made = await bench.stripe.customers.create({ email: `${userId}@example.com`, metadata: { user_id: userId } });
      const other = await bench.stripe.customers.create({ email: `${userId}@example.com`, metadata: { user_id: randomUUID() } });
      await bench.deleteAccount(userId);
      await untilGone(made.id);
      expect(await bench.stripe.customers.retrieve(other.id)).not.toHaveProperty('deleted');
    });

    it('although the account links to another one, and this Stripe account has no search', async () => {
      await bench.sandbox.fail({ method: 'GET', path: '/v1/customers/search', status: 404, error: { type: 'invalid_request_error' } });
      const { userId, customerId } = await bench.customer('pro');
      const orphan = await bench.stripe.customers.create({ email: 'antes@example.com', metadata: { user_id: userId } });
      await bench.deleteAccount(userId);
      await untilGone(orphan.id);
      await untilGone(customerId);
    });

    it.each([
      ['open pages', '/v1/checkout/sessions'],
      ['payment methods', '/payment_methods'],
    ])('although its %s cannot be listed', async (_name, path) => {
      const { userId, customerId } = await bench.customer('pro');
      await bench.settled();
      await bench.sandbox.fail({ method: 'GET', path, ...refused });
      await bench.deleteAccount(userId);
      await untilGone(customerId);
      await eventually(() => expect(bench.messagesOf(userId).at(-1)).toMatchObject({ cause: 'account_deleted' }));
    });
  });
});
