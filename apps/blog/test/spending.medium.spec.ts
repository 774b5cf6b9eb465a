import { randomUUID } from 'node:crypto';
import { connectMessaging } from '@decola/messaging';
import { type ServiceUnderTest, serviceUnderTest, tracesOf } from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';
import { BudgetReachedError } from '../src/model/model.errors.js';
import { settleLostCalls, Spending, tokensOfRun } from '../src/model/spending.service.js';

describe('spending on the model', () => {
  let service: ServiceUnderTest;
  let spending: Spending;
  const query = <Row>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Row[]>(statement, parameters);

  beforeAll(async () => {
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations, environment: { AI_OWNER_MONTHLY_TOKENS: '3500', AI_DAILY_TOKENS: '6000', AI_ARTICLE_TOKENS: '2000' } },
    );
    spending = service.app.get(Spending, { strict: false });
  });
  beforeEach(async () => {
    for (const table of ['ai_calls', 'ai_months', 'ai_days']) await query(`delete from ${table}`);
  });
  afterAll(() => service?.dispose());

  const purpose = (userId: string, runId: string | null = null) => ({ userId, runId, step: 'draft' });
  const booked = async (userId: string) =>
    Number((await query<{ tokens: string }>('select tokens from ai_months where user_id = $1', [userId]))[0]?.tokens ?? 0);

  it('lets calls at the same time never exceed the month of their owner together', async () => {
    const userId = randomUUID();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => spending.reserve(purpose(userId), 'm', 1_000)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const [refusal] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refusal).toBeInstanceOf(BudgetReachedError);
    expect(refusal).toMatchObject({ scope: 'month' });
    expect((refusal as BudgetReachedError).until!.getTime()).toBeGreaterThan(Date.now());
    expect(await booked(userId)).toBe(3_000);
    expect(await query('select 1 from ai_calls')).toHaveLength(3);
  });

  it('limits all people together in a day, and books nothing of a refused call', async () => {
    const [ana, bia, lia] = [randomUUID(), randomUUID(), randomUUID()];
    for (const userId of [ana, bia]) await spending.reserve(purpose(userId), 'm', 2_500);
    await expect(spending.reserve(purpose(lia), 'm', 2_000)).rejects.toMatchObject({ scope: 'day' });
    expect(await booked(lia)).toBe(0);
  });

  it('books a call of an erased person without saying whose it was', async () => {
    const userId = randomUUID();
    await query('insert into erased_users (user_id, erased_at) values ($1, now())', [userId]);
    const id = await spending.reserve(purpose(userId, randomUUID()), 'm', 1_000);
    await spending.settle(id, { inputTokens: 100, outputTokens: 200, isEstimated: false }, 'ok', 5);
    expect(await query('select user_id, input_tokens from ai_calls')).toEqual([{ user_id: null, input_tokens: 100 }]);
    expect(await query('select tokens::int from ai_days')).toEqual([{ tokens: 300 }]);
    expect(await tracesOf(service.database.url, { id: userId })).toEqual(['erased_users: id']);
  });

  it('limits one article', async () => {
    const [userId, runId] = [randomUUID(), randomUUID()];
    await spending.reserve(purpose(userId, runId), 'm', 1_500);
    await expect(spending.reserve(purpose(userId, runId), 'm', 600)).rejects.toMatchObject({ scope: 'article', until: null });
    expect(await booked(userId)).toBe(1_500);
  });

  it('replaces a booking by what the call used, once', async () => {
    const [userId, runId] = [randomUUID(), randomUUID()];
    const id = await spending.reserve(purpose(userId, runId), 'm', 1_000);
    await spending.settle(id, { inputTokens: 100, outputTokens: 200, isEstimated: false }, 'ok', 5);
    await spending.settle(id, { inputTokens: 0, outputTokens: 0, isEstimated: false }, 'error', 5);
    expect(await booked(userId)).toBe(300);
    expect(await tokensOfRun(service.dataSource, runId)).toBe(300);
    expect(await query('select tokens::int from ai_days')).toEqual([{ tokens: 300 }]);
    expect(await query('select outcome, input_tokens, output_tokens, estimated from ai_calls')).toEqual([
      { outcome: 'ok', input_tokens: 100, output_tokens: 200, estimated: false },
    ]);
  });

  it('keeps the booking of a call whose replica died', async () => {
    const [userId, runId] = [randomUUID(), randomUUID()];
    await spending.reserve(purpose(userId, runId), 'm', 1_000);
    await settleLostCalls(service.dataSource, runId);
    expect(await booked(userId)).toBe(1_000);
    expect(await query('select outcome, estimated from ai_calls')).toEqual([{ outcome: 'lost', estimated: true }]);
  });
});
