import { randomUUID } from 'node:crypto';
import { slotsChanged, userDeleted, userRegistered, userUpdated } from '@decola/contracts';
import { accountExportOf, eventually, publishTestEvent, tracesOf } from '@decola/testing';
import { BillingBench } from './support.js';

describe('what billing holds about a person', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench.stop());

  const databaseUrl = () => bench.environment['DATABASE_URL']!;
  const tell = async (...[definition, payload]: Parameters<typeof publishTestEvent> extends [string, ...infer Rest] ? Rest : never) => {
    const id = await publishTestEvent(bench.broker.url, definition, payload, { subject: String((payload as { userId: string }).userId) });
    await eventually(async () => expect(await bench.dataSource.query('select 1 from inbox where message_id = $1', [id])).toHaveLength(1));
  };
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

  it('is given out to them, without hashes and without other people’s', async () => {
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
    const hashes = await bench.dataSource.query<{ hash: string }[]>(
      'select email_hash as hash from trial_grants where user_id = $1 union select card_hash from trial_grants where user_id = $1 union select email_hash from checkout_intents where user_id = $1',
      [ana.userId],
    );
    const text = JSON.stringify(files);
    for (const { hash } of hashes) if (hash) expect(text).not.toContain(hash);
    for (const foreign of [bia.userId, bia.customerId, bia.subscriptionId, bia.mark]) expect(text).not.toContain(foreign);
    expect((await fetch(`${bench.url}/internal/account-export`)).status).toBe(401);
  });

  it('goes when their account ends, but for what the law and the guard against second trials keep', async () => {
    const ana = await customer();
    // An event that nobody could work through yet still holds what Stripe knows of the person.
    const stuck = `evt_${randomUUID()}`;
    await bench.dataSource.query(
      `insert into stripe_events (event_id, type, created, livemode, body, status) values ($1, 'customer.updated', now(), false, $2, 'failed')`,
      [stuck, JSON.stringify({ data: { object: { id: ana.customerId, object: 'customer', email: ana.email, name: `Ana ${ana.mark}` } } })],
    );
    expect(await tracesOf(databaseUrl(), { mark: ana.mark })).toEqual(['billing_accounts: mark', 'notices: mark', 'stripe_events: mark']);
    for (let time = 0; time < 2; time += 1) await tell(userDeleted, { userId: ana.userId, deletedAt: new Date().toISOString() });
    await bench.settled();

    const left = [
      'billing_accounts: id', // that the id is gone
      'billing_subscriptions: customer', // amounts and ids, for the fiscal period
      'billing_subscriptions: id',
      'billing_subscriptions: subscription',
      'outbox: customer', // which of Stripe's events to look at: ids alone, for an hour
      'outbox: id', // subscription.changed, which tells the others that it ended
      'trial_grants: id', // hashes, for two years
    ];
    const values = { mark: ana.mark, email: ana.email, id: ana.userId, customer: ana.customerId, subscription: ana.subscriptionId };
    const traces = async () => (await tracesOf(databaseUrl(), values)).filter((trace) => !trace.startsWith('payments:'));
    await eventually(async () => expect(await traces()).toEqual(left));
    expect(await bench.dataSource.query(`select distinct payload->>'cause' as cause from outbox where subject = $1`, [ana.userId])).toEqual(
      [{ cause: 'account_deleted' }],
    );

    // What comes late brings nothing back.
    await tell(userRegistered, { userId: ana.userId, email: ana.email, registeredAt: new Date().toISOString() });
    await tell(userUpdated, { userId: ana.userId, email: ana.email, fullName: `Ana ${ana.mark}`, updatedAt: new Date().toISOString() });
    await tell(slotsChanged, { userId: ana.userId, used: 5, sequence: 9 });
    const [starter] = await bench.dataSource.query<{ id: string }[]>(
      `select stripe_price_id as id from plan_prices where plan_key = 'starter' and active`,
    );
    const customersBefore = (await bench.stripe.customers.list({ limit: 100 })).data.length;
    expect(await bench.call(ana.userId, 'create-checkout', { price_id: starter!.id }, ana.email)).toMatchObject({ status: 401 });
    expect((await bench.call(ana.userId, 'check-subscription')).body).toMatchObject({ subscribed: false, used_slots: 0 });
    expect((await bench.call(ana.userId, 'customer-portal')).status).toBe(404);
    expect((await bench.stripe.customers.list({ limit: 100 })).data).toHaveLength(customersBefore);
    await bench.settled();
    expect(await traces()).toEqual(left);
  });

  describe('by e-mail', () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
    const addressed = (userId: string) => ({ first: `${userId.slice(0, 8)}-a@example.com`, later: `${userId.slice(0, 8)}-b@example.com` });
    const emailOf = async (customerId: string) => {
      const customer = await bench.stripe.customers.retrieve(customerId);
      return customer.deleted ? null : customer.email;
    };

    it('goes to the latest address, although the change before it reached Stripe only after it', async () => {
      const { userId, customerId } = await bench.customer('pro');
      await bench.settled();
      const { first, later } = addressed(userId);
      const path = `/v1/customers/${customerId}`;
      await bench.control('faults', { method: 'POST', path, times: 3, status: 503 }); // the package asks three times
      const overtaken = await publishTestEvent(
        bench.broker.url,
        userUpdated,
        { userId, email: first, fullName: 'Ana A', updatedAt: at(1) },
        { subject: userId },
      );
      await eventually(async () => {
        const requests = (await (await fetch(`${bench.sandboxUrl}/_emulator/api/requests`)).json()) as { method: string; path: string }[];
        expect(requests.some((request) => request.method === 'POST' && request.path === path)).toBe(true);
      });
      await tell(userUpdated, { userId, email: later, fullName: 'Ana B', updatedAt: at(2) });
      expect(await emailOf(customerId)).toBe(later);
      await eventually(
        async () => expect(await bench.dataSource.query('select 1 from inbox where message_id = $1', [overtaken])).toHaveLength(1),
        { timeoutMs: 30_000 },
      );
      expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ email: later, name: 'Ana B' });
    });

    it('goes to the latest address from the first purchase on, whatever an older token says', async () => {
      const userId = randomUUID();
      const { first, later } = addressed(userId);
      await tell(userUpdated, { userId, email: later, fullName: null, updatedAt: at(2) });
      await tell(userRegistered, { userId, email: first, registeredAt: at(1) });
      await bench.openCheckout(userId, 'pro', first);
      const [account] = await bench.dataSource.query<{ id: string }[]>(
        'select stripe_customer_id as id from billing_accounts where user_id = $1',
        [userId],
      );
      expect(await emailOf(account!.id)).toBe(later);
    });
  });
});
