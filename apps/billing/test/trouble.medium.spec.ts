import { randomUUID } from 'node:crypto';
import { eventually, ownBroker, ServiceProcess } from '@decola/testing';
import { BillingBench } from './support/billing-bench.js';

const patience = { timeoutMs: 60_000 };

describe('billing during failures', () => {
  describe('as a process', () => {
    let bench: BillingBench;
    let billing: ServiceProcess;

    beforeAll(async () => {
      bench = await BillingBench.start({ withoutService: true, environment: { LOG_LEVEL: 'trace' } });
      await bench.sandbox.control('settings', { webhook_retries_ms: [200, 500, 1_000, 2_000, 4_000, 8_000] });
      billing = await ServiceProcess.start('billing', bench.environment);
    });
    afterAll(async () => {
      await billing?.stop();
      await bench?.stop();
    });

    it('is killed between fetch and commit: the next process handles the event, once', async () => {
      const { userId, subscriptionId } = await bench.customer('pro');
      await bench.settled();
      const published = bench.messagesOf(userId).length;
      const before = (await bench.sandbox.requests()).length;
      const holder = bench.dataSource.createQueryRunner();
      await holder.connect();
      await holder.startTransaction();
      // Billing cannot store what it fetched while another transaction holds the row.
      await holder.query('select 1 from billing_subscriptions where stripe_subscription_id = $1 for update', [subscriptionId]);
      await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
      await eventually(async () => {
        const waiting = await bench.rows<unknown>(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into billing_subscriptions%'`,
        );
        expect(waiting).toHaveLength(1);
      }, patience);
      const fetched = (await bench.sandbox.requests()).slice(before).filter(({ path }) => path === `/v1/subscriptions/${subscriptionId}`);
      expect(fetched.map(({ method }) => method)).toContain('GET');
      await billing.kill();
      await holder.rollbackTransaction();
      await holder.release();
      expect(bench.messagesOf(userId)).toHaveLength(published);
      billing = await ServiceProcess.start('billing', bench.environment);
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ is_canceled: true }), patience);
      await bench.settled();
      expect(bench.messagesOf(userId).slice(published)).toMatchObject([{ cause: 'cancel_scheduled', state: { will_renew: false } }]);
    });

    it('is down: Stripe delivers again until it is up', async () => {
      const { userId, subscriptionId } = await bench.customer('pro');
      await bench.settled();
      await billing.kill();
      await bench.stripe.subscriptions.cancel(subscriptionId);
      billing = await ServiceProcess.start('billing', bench.environment);
      await eventually(
        () => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: false, subscription_status: 'canceled' }),
        patience,
      );
    });

    it('is down until Stripe gives up: the next process finds undelivered events when it starts, not a quarter of an hour later', async () => {
      const { userId, subscriptionId } = await bench.customer('pro');
      await bench.settled();
      await billing.kill();
      await bench.sandbox.withoutDeliveries(() => bench.stripe.subscriptions.cancel(subscriptionId));
      billing = await ServiceProcess.start('billing', bench.environment);
      await eventually(
        () => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: false, subscription_status: 'canceled' }),
        patience,
      );
    });

    it('is killed while it erases an account: the next process erases it', async () => {
      const { userId, customerId } = await bench.customer('pro');
      await bench.settled();
      await bench.sandbox.fail({ method: 'DELETE', path: `/v1/customers/${customerId}`, times: 1, when: 'after', latency_ms: 60_000 });
      const before = (await bench.sandbox.requests()).length;
      await bench.deleteAccount(userId);
      await eventually(async () => {
        const subscriptions = await bench.stripe.subscriptions.list({ customer: customerId, status: 'all' });
        expect(subscriptions.data.map(({ status }) => status)).toEqual(['canceled']);
        expect((await bench.sandbox.requests()).slice(before).some(({ path }) => path.endsWith('/detach'))).toBe(true);
      }, patience);
      await billing.kill();
      await bench.sandbox.clearFaults();
      billing = await ServiceProcess.start('billing', bench.environment);
      await eventually(async () => expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true }), patience);
      await eventually(() => expect(bench.messagesOf(userId).filter(({ cause }) => cause === 'account_deleted')).toHaveLength(1), patience);
    });

    it('writes no secret into its log or its messages', async () => {
      const email = 'confidencial@example.com';
      const userId = randomUUID();
      const checkout = await bench.openCheckout(userId, 'pro', email);
      await bench.sandbox.pay(checkout, '4000000000000002');
      await bench.sandbox.pay(checkout);
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: true }), patience);
      const portal = await bench.portalUrl(userId);
      const row = await bench.row<{ customer: string; id: string }>(
        'select stripe_customer_id as customer, stripe_subscription_id as id from billing_subscriptions where user_id = $1',
        [userId],
      );
      await bench.sandbox.useCard(row!.customer, 'chargeCustomerFail');
      await bench.changePlan(userId, 'premium');
      await bench.sandbox.useCard(row!.customer, 'authenticationRequired');
      const bank = String((await bench.changePlan(userId, 'premium')).body['url']);
      await fetch(`${bench.url}/webhooks/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': 't=1,v1=x' },
        body: `{"email":"${email}"}`,
      });
      // Stripe quotes wrong parameters in its message.
      await bench.sandbox.fail({
        method: 'POST',
        path: '/v1/customers',
        status: 400,
        error: { type: 'invalid_request_error', message: `Invalid email address: ${email}`, param: 'email' },
      });
      expect(await bench.call(randomUUID(), 'create-checkout', { price_id: await bench.priceOf('pro') }, email)).toMatchObject({
        status: 500,
        body: { error: '', code: 'billing_error' },
      });
      await bench.stripe.subscriptions.cancel(row!.id);
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: false }), patience);
      await bench.settled();

      const [method] = (await bench.stripe.paymentMethods.list({ customer: row!.customer })).data;
      const secrets = {
        key: bench.environment['STRIPE_SECRET_KEY'],
        webhook: bench.webhookSecret,
        pepper: bench.environment['TRIAL_PEPPER'],
        database: bench.environment['DATABASE_URL'],
        checkout: new URL(checkout).pathname,
        portal: new URL(portal).pathname,
        bank: new URL(bank).pathname,
        email,
        fingerprint: method!.card!.fingerprint,
        method: method!.id,
      };
      for (const [name, secret] of Object.entries(secrets)) {
        expect({ name, length: secret?.length }).not.toMatchObject({ length: 0 });
        expect({ name, isLogged: billing.log.includes(String(secret)) }).toEqual({ name, isLogged: false });
        expect({ name, isPublished: JSON.stringify(bench.events).includes(String(secret)) }).toEqual({ name, isPublished: false });
      }
      expect(billing.log).toContain('Stripe refused a call of billing');
      expect(billing.log).not.toMatch(/cs_test_\w{20}|whsec_|4242|[\w.]+@example\.com/);
      const published = JSON.stringify(bench.events.filter(({ type }) => type === 'subscription.changed'));
      expect(published).not.toMatch(/(cus|sub|in|pm|si|price|cs|pi)_\w{8}|@/);
    });
  });

  it('stores events while the broker is down, and reaches Stripe’s state when it is up', async () => {
    const broker = await ownBroker();
    const bench = await BillingBench.start({ brokerUrl: broker.url });
    try {
      const userId = randomUUID();
      const checkout = await bench.openCheckout(userId, 'pro');
      const statuses = async () => new Set((await bench.sandbox.deliveries()).map(({ status }) => status));
      broker.kill();
      await bench.sandbox.pay(checkout);
      const stored = async () =>
        (await bench.rows<{ type: string; status: string }>('select type, status from stripe_events')).filter(({ type }) =>
          ['customer.subscription.created', 'checkout.session.completed'].includes(type),
        );
      await eventually(async () => expect((await stored()).map(({ status }) => status)).toEqual(['received', 'received']), patience);
      await eventually(async () => expect(await statuses()).toEqual(new Set([200])), patience);
      // Further events, twice each, out of order, at first with a wrong signature.
      await bench.sandbox.deliver({ duplicate: 2, shuffle: true, delay_ms: 300, bad_signature: true });
      const [subscription] = (await bench.stripe.subscriptions.list({ limit: 1 })).data;
      const [item] = subscription!.items.data;
      await bench.stripe.subscriptions.update(subscription!.id, {
        items: [{ id: item!.id, price: await bench.priceOf('premium') }],
        proration_behavior: 'always_invoice',
      });
      await eventually(async () => expect(await statuses()).toEqual(new Set([200, 400])), patience);
      await bench.sandbox.deliver({ bad_signature: false });
      broker.start();
      await bench.stripe.subscriptions.update(subscription!.id, { cancel_at_period_end: true });
      await bench.settled(patience);
      await eventually(async () => {
        const row = await bench.row<{ published: object }>('select published from billing_accounts where user_id = $1', [userId]);
        expect(row).toMatchObject({ published: { subscribed: true, plan_key: 'premium', is_canceled: true, will_renew: false } });
        expect(await bench.rows<unknown>('select 1 from outbox where sent_at is null')).toEqual([]);
      }, patience);
    } finally {
      await bench.stop();
      broker.dispose();
    }
  });
});
