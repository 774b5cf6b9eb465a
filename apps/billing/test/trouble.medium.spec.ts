import { randomUUID } from 'node:crypto';
import { eventually, ownBroker, publishTestEvent, ServiceProcess } from '@decola/testing';
import { userDeleted } from '@decola/contracts';
import { BillingBench } from './support.js';

const patience = { timeoutMs: 60_000 };

interface Logged {
  method: string;
  path: string;
}

describe('billing in trouble', () => {
  describe('as a process', () => {
    let bench: BillingBench;
    let billing: ServiceProcess;

    beforeAll(async () => {
      bench = await BillingBench.start({ withoutService: true, environment: { LOG_LEVEL: 'trace' } });
      await bench.control('settings', { webhook_retries_ms: [200, 500, 1_000, 2_000, 4_000, 8_000] });
      billing = await ServiceProcess.start('billing', bench.environment);
    });
    afterAll(async () => {
      await billing.stop();
      await bench.stop();
    });

    const asked = async () => (await (await fetch(`${bench.sandboxUrl}/_emulator/api/requests`)).json()) as Logged[];

    it('is killed between fetch and commit: the event is worked through by the next process, once', async () => {
      const { userId, subscriptionId } = await bench.customer('pro');
      await bench.settled();
      const told = bench.messagesOf(userId).length;
      const before = (await asked()).length;
      const holder = bench.dataSource.createQueryRunner();
      await holder.connect();
      await holder.startTransaction();
      // What billing fetched cannot be stored while somebody else holds the row.
      await holder.query('select 1 from billing_subscriptions where stripe_subscription_id = $1 for update', [subscriptionId]);
      await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
      await eventually(async () => {
        const waiting = await bench.dataSource.query<unknown[]>(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into billing_subscriptions%'`,
        );
        expect(waiting).toHaveLength(1);
      }, patience);
      const fetched = (await asked()).slice(before).filter(({ path }) => path === `/v1/subscriptions/${subscriptionId}`);
      expect(fetched.map(({ method }) => method)).toContain('GET');
      await billing.kill();
      await holder.rollbackTransaction();
      await holder.release();
      expect(bench.messagesOf(userId)).toHaveLength(told);
      billing = await ServiceProcess.start('billing', bench.environment);
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ is_canceled: true }), patience);
      await bench.settled();
      expect(bench.messagesOf(userId).slice(told)).toMatchObject([{ cause: 'cancel_scheduled', state: { will_renew: false } }]);
    });

    it('is away: Stripe delivers again until it is back', async () => {
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

    it('is killed while an account ends: the next process ends it', async () => {
      const { userId, customerId } = await bench.customer('pro');
      await bench.settled();
      await bench.control('faults', { method: 'DELETE', path: `/v1/customers/${customerId}`, times: 1, when: 'after', latency_ms: 60_000 });
      const before = (await asked()).length;
      await publishTestEvent(bench.broker.url, userDeleted, { userId, deletedAt: new Date().toISOString() }, { subject: userId });
      await eventually(async () => {
        const subscriptions = await bench.stripe.subscriptions.list({ customer: customerId, status: 'all' });
        expect(subscriptions.data.map(({ status }) => status)).toEqual(['canceled']);
        expect((await asked()).slice(before).some(({ path }) => path.endsWith('/detach'))).toBe(true);
      }, patience);
      await billing.kill();
      await fetch(`${bench.sandboxUrl}/_emulator/api/faults`, { method: 'DELETE' });
      billing = await ServiceProcess.start('billing', bench.environment);
      await eventually(async () => expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true }), patience);
      await eventually(() => expect(bench.messagesOf(userId).filter(({ cause }) => cause === 'account_deleted')).toHaveLength(1), patience);
    });

    it('writes nothing secret into its log or its messages', async () => {
      const email = 'confidencial@example.com';
      const userId = randomUUID();
      const checkout = await bench.openCheckout(userId, 'pro', email);
      await bench.pay(checkout, '4000000000000002');
      await bench.pay(checkout);
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: true }), patience);
      const portal = String((await bench.call(userId, 'customer-portal')).body['url']);
      const [row] = await bench.dataSource.query<{ customer: string; id: string }[]>(
        'select stripe_customer_id as customer, stripe_subscription_id as id from billing_subscriptions where user_id = $1',
        [userId],
      );
      await bench.control(`customers/${row!.customer}/default-card`, { number: 'chargeCustomerFail' });
      await bench.call(userId, 'change-plan', { new_price_id: await bench.priceOf('premium') });
      await bench.control(`customers/${row!.customer}/default-card`, { number: 'authenticationRequired' });
      const bank = String((await bench.call(userId, 'change-plan', { new_price_id: await bench.priceOf('premium') })).body['url']);
      await fetch(`${bench.url}/webhooks/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': 't=1,v1=x' },
        body: `{"email":"${email}"}`,
      });
      // Stripe repeats what was wrong with a call in its sentence.
      await bench.control('faults', {
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
        expect({ name, isTold: JSON.stringify(bench.events).includes(String(secret)) }).toEqual({ name, isTold: false });
      }
      expect(billing.log).toContain('Stripe refused a call of billing');
      expect(billing.log).not.toMatch(/cs_test_\w{20}|whsec_|4242|[\w.]+@example\.com/);
      const told = JSON.stringify(bench.events.filter(({ type }) => type === 'subscription.changed'));
      expect(told).not.toMatch(/(cus|sub|in|pm|si|price|cs|pi)_\w{8}|@/);
    });
  });

  it('takes events while the broker is away, and ends in Stripe’s state when it is back', async () => {
    const broker = await ownBroker();
    const bench = await BillingBench.start({ brokerUrl: broker.url });
    try {
      const userId = randomUUID();
      const checkout = await bench.openCheckout(userId, 'pro');
      const deliveries = async () =>
        (await (await fetch(`${bench.sandboxUrl}/_emulator/api/deliveries`)).json()) as { attempt: number; status: number | null }[];
      const statuses = async () => new Set((await deliveries()).map(({ status }) => status));
      broker.kill();
      await bench.pay(checkout);
      const stored = async () =>
        (await bench.dataSource.query<{ type: string; status: string }[]>('select type, status from stripe_events')).filter(({ type }) =>
          ['customer.subscription.created', 'checkout.session.completed'].includes(type),
        );
      await eventually(async () => expect((await stored()).map(({ status }) => status)).toEqual(['received', 'received']), patience);
      await eventually(async () => expect(await statuses()).toEqual(new Set([200])), patience);
      // The story goes on: twice each, out of order, at first with a wrong signature.
      await bench.control('webhooks/policy', { duplicate: 2, shuffle: true, delay_ms: 300, bad_signature: true });
      const [subscription] = (await bench.stripe.subscriptions.list({ limit: 1 })).data;
      const [item] = subscription!.items.data;
      await bench.stripe.subscriptions.update(subscription!.id, {
        items: [{ id: item!.id, price: await bench.priceOf('premium') }],
        proration_behavior: 'always_invoice',
      });
      await eventually(async () => expect(await statuses()).toEqual(new Set([200, 400])), patience);
      await bench.control('webhooks/policy', { bad_signature: false });
      broker.start();
      await bench.stripe.subscriptions.update(subscription!.id, { cancel_at_period_end: true });
      await bench.settled(patience);
      await eventually(async () => {
        const [row] = await bench.dataSource.query<{ published: object }[]>('select published from billing_accounts where user_id = $1', [
          userId,
        ]);
        expect(row).toMatchObject({ published: { subscribed: true, plan_key: 'premium', is_canceled: true, will_renew: false } });
        expect(await bench.dataSource.query<unknown[]>('select 1 from outbox where sent_at is null')).toEqual([]);
      }, patience);
    } finally {
      await bench.stop();
      broker.dispose();
    }
  });
});
