import { randomUUID } from 'node:crypto';
import { BillingBench } from './support/billing-bench.js';

describe('request bodies of billing’s functions', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());

  it.each(['', 'price_\u0000x', 'price_\ud800', 'price x', 'x'.repeat(256), null, 7, {}])('are refused with %j as a price', async (id) => {
    for (const [name, body] of [
      ['create-checkout', { price_id: id }],
      ['change-plan', { new_price_id: id }],
    ] as const)
      expect(await bench.call(randomUUID(), name, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('are refused with a price that is not on sale', async () => {
    expect(await bench.call(randomUUID(), 'create-checkout', { price_id: 'price_nobody_sells', more: true })).toMatchObject({
      status: 400,
      body: { code: 'unknown_price' },
    });
  });
});
