import { randomUUID } from 'node:crypto';
import { slotsChanged, userDeleted, userRegistered, userUpdated } from '@decola/contracts';
import { accountExportOf, eventually, tracesOf } from '@decola/testing';
import { BillingBench } from './support/billing-bench.js';

describe('what billing stores about a person', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());

  const databaseUrl = () => bench.environment['DATABASE_URL']!;
  const handled = (messageId: string) =>
    eventually(async () => expect(await bench.rows('select 1 from inbox where message_id = $1', [messageId])).toHaveLength(1));
  const tell: BillingBench['publish'] = async (definition, payload) => {
    const id = await bench.publish(definition, payload);
    await handled(id);
    return id;
  };
  /** Requests that changed a customer at Stripe. */
  const updatesOf = async (customerId: string) =>
    (await bench.sandbox.requests()).filter(({ method, path }) => method === 'POST' && path === `/v1/customers/${customerId}`);
  /** A paying customer, with an address that Stripe's events carry. */
  const customer = async () => {
    const mark = randomUUID().slice(0, 8);
    const email = `${mark}@example.com`;
    const made = await bench.customer('pro');
    const { userId } = made;
    await tell(slotsChanged, { userId, used: 2, sequence: 1 });
    await tell(userUpdated, { userId, email, fullName: `Ana ${mark}`, updatedAt: new Date().toISOString() });
    await bench.dataSource.query(
      `insert into change_intents (user_id, from_price, to_price, proration_date, status) values ($1, 'a', 'b', 1, 'applied')`,
      [userId],
    );
    await bench.dataSource.query('insert into notices (key, user_id) values ($1, $2)', [`trial:${mark}`, userId]);
    await bench.dataSource.query('insert into trial_grants (user_id, email_hash, card_hash) values ($1, $2, $3)', [
      userId,
      `e-${userId}`,
      `c-${userId}`,
    ]);
    await bench.settled();
    return { ...made, mark, email };
  };

  it('is in their data export, without hashes and without data of other people', async () => {
    const ana = await customer();
    const bia = await customer();
    const files = await accountExportOf(bench.url, ana.userId);
    const parsed = (name: string) => JSON.parse(files[name]!) as Record<string, unknown>[];
    expect(parsed('assinatura/conta-de-cobranca.json')).toMatchObject([
      { cliente_na_stripe: ana.customerId, email_dos_recibos: ana.email, vagas_em_uso: 2, direito_atual: { plan_key: 'pro' } },
    ]);
    expect(parsed('assinatura/assinaturas.json')).toMatchObject([{ assinatura_na_stripe: ana.subscriptionId }]);
    expect(
      parsed('assinatura/pedidos.json')
        .map(({ pedido }) => pedido)
        .sort(),
    ).toEqual(['assinatura', 'troca de plano']);
    expect(parsed('assinatura/avisos.json')).toMatchObject([{ aviso: `trial:${ana.mark}` }]);
    expect(Object.keys(files)).toContain('assinatura/pagamentos.json');
    const hashes = await bench.rows<{ hash: string }>(
      'select email_hash as hash from trial_grants where user_id = $1 union select card_hash from trial_grants where user_id = $1 union select email_hash from checkout_intents where user_id = $1',
      [ana.userId],
    );
    const text = JSON.stringify(files);
    for (const { hash } of hashes) if (hash) expect(text).not.toContain(hash);
    for (const foreign of [bia.userId, bia.customerId, bia.subscriptionId, bia.mark]) expect(text).not.toContain(foreign);
    expect((await fetch(`${bench.url}/internal/account-export`)).status).toBe(401);
  });

  it('is deleted with their account, except what the law and the check for second trials need', async () => {
    const ana = await customer();
    // An event that failed so far still holds the person's name and e-mail address.
    const stuck = `evt_${randomUUID()}`;
    await bench.dataSource.query(
      `insert into stripe_events (event_id, type, created, livemode, body, status) values ($1, 'customer.updated', now(), false, $2, 'failed')`,
      [stuck, JSON.stringify({ data: { object: { id: ana.customerId, object: 'customer', email: ana.email, name: `Ana ${ana.mark}` } } })],
    );
    expect(await tracesOf(databaseUrl(), { mark: ana.mark })).toEqual(['billing_accounts: mark', 'notices: mark', 'stripe_events: mark']);
    for (let time = 0; time < 2; time += 1) await tell(userDeleted, { userId: ana.userId, deletedAt: new Date().toISOString() });
    await bench.settled();

    const left = [
      'billing_accounts: id', // that the account was deleted
      'billing_subscriptions: customer', // amounts and ids, for the fiscal period
      'billing_subscriptions: id',
      'billing_subscriptions: subscription',
      'outbox: customer', // jobs for Stripe's events: ids alone, for an hour
      'outbox: id', // subscription.changed, which tells the other services
      'trial_grants: id', // hashes, for two years
    ];
    const values = { mark: ana.mark, email: ana.email, id: ana.userId, customer: ana.customerId, subscription: ana.subscriptionId };
    const traces = async () => (await tracesOf(databaseUrl(), values)).filter((trace) => !trace.startsWith('payments:'));
    await eventually(async () => expect(await traces()).toEqual(left));
    expect(await bench.rows(`select distinct payload->>'cause' as cause from outbox where subject = $1`, [ana.userId])).toEqual([
      { cause: 'account_deleted' },
    ]);

    // Late events store nothing.
    await tell(userRegistered, { userId: ana.userId, email: ana.email, registeredAt: new Date().toISOString() });
    await tell(userUpdated, { userId: ana.userId, email: ana.email, fullName: `Ana ${ana.mark}`, updatedAt: new Date().toISOString() });
    await tell(slotsChanged, { userId: ana.userId, used: 5, sequence: 9 });
    const starter = await bench.row<{ id: string }>(`select stripe_price_id as id from plan_prices where plan_key = 'starter' and active`);
    const customersBefore = (await bench.stripe.customers.list({ limit: 100 })).data.length;
    expect(await bench.call(ana.userId, 'create-checkout', { price_id: starter!.id }, ana.email)).toMatchObject({ status: 401 });
    expect((await bench.call(ana.userId, 'check-subscription')).body).toMatchObject({ subscribed: false, used_slots: 0 });
    expect((await bench.call(ana.userId, 'customer-portal')).status).toBe(404);
    expect((await bench.stripe.customers.list({ limit: 100 })).data).toHaveLength(customersBefore);
    await bench.settled();
    expect(await traces()).toEqual(left);
  });

  describe('their e-mail address', () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
    const addressed = (userId: string) => ({ first: `${userId.slice(0, 8)}-a@example.com`, later: `${userId.slice(0, 8)}-b@example.com` });
    const emailOf = async (customerId: string) => {
      const customer = await bench.stripe.customers.retrieve(customerId);
      return customer.deleted ? null : customer.email;
    };

    it('is the latest one at Stripe, although the request of the change before it was retried after it', async () => {
      const { userId, customerId } = await bench.customer('pro');
      await bench.settled();
      const { first, later } = addressed(userId);
      // The package tries three times.
      await bench.sandbox.fail({ method: 'POST', path: `/v1/customers/${customerId}`, times: 3, status: 503 });
      const overtaken = await bench.publish(userUpdated, { userId, email: first, fullName: 'Ana A', updatedAt: at(1) });
      await eventually(async () => expect(await updatesOf(customerId)).not.toEqual([]));
      await tell(userUpdated, { userId, email: later, fullName: 'Ana B', updatedAt: at(2) });
      expect(await emailOf(customerId)).toBe(later);
      await handled(overtaken);
      expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ email: later, name: 'Ana B' });
    });

    it('is sent to Stripe once with the name: changes of time zone or language are not sent', async () => {
      const { userId, customerId } = await bench.customer('pro');
      await bench.settled();
      const { first, later } = addressed(userId);
      const calls = async () => (await updatesOf(customerId)).length;
      const before = await calls();
      const ana = { userId, email: first, fullName: 'Ana A' };
      await tell(userUpdated, { ...ana, timeZone: null, updatedAt: at(1) });
      await tell(userUpdated, { ...ana, timeZone: 'America/Manaus', updatedAt: at(2) });
      await tell(userUpdated, { ...ana, timeZone: 'America/Manaus', locale: 'pt-BR', updatedAt: at(3) });
      expect(await calls()).toBe(before + 1);
      await tell(userUpdated, { ...ana, fullName: 'Ana B', updatedAt: at(4) });
      expect(await calls()).toBe(before + 2);
      await tell(userUpdated, { ...ana, email: later, fullName: 'Ana B', updatedAt: at(5) });
      expect(await calls()).toBe(before + 3);
      expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ email: later, name: 'Ana B' });
    });

    it('is the latest one from the first purchase on, even if the token carries an older one', async () => {
      const userId = randomUUID();
      const { first, later } = addressed(userId);
      await tell(userUpdated, { userId, email: later, fullName: null, updatedAt: at(2) });
      await tell(userRegistered, { userId, email: first, registeredAt: at(1) });
      await bench.openCheckout(userId, 'pro', first);
      expect(await emailOf((await bench.customerIdOf(userId))!)).toBe(later);
    });
  });
});
