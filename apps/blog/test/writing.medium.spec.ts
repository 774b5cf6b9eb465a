import { randomUUID } from 'node:crypto';
import {
  articleDue,
  articleWrite,
  type BlogAutomationFacts,
  keywordTexts,
  modelProviderDown,
  nextScheduleOccurrence,
  scheduledArticlesQueue,
  topicKey,
} from '@decola/contracts';
import { connectMessaging, Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import {
  authenticated,
  collectEvents,
  eventually,
  publishTestEvent,
  sandboxModel,
  type ServiceUnderTest,
  serviceUnderTest,
} from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';
import { usageOfRun } from '../src/model/spending.service.js';
import { generateTexts, runTexts } from '../src/texts/writing-texts.js';
import { ArticleRuns, FencedError } from '../src/writing/article-runs.service.js';
import { findRun } from '../src/runs/run-row.js';
import { WritingRetention } from '../src/writing/writing-retention.service.js';

interface Answer {
  success: boolean;
  error?: string;
  run_id?: string;
  reason?: string | null;
  article?: { id: string; title: string; slug: string; published: boolean };
}

interface ModelRequest {
  call: string;
  schemaName: string | null;
  isStreamed: boolean;
  outcome: string;
  idempotencyKey: string | null;
}

const prices = {
  'sandbox-text': { input: 10, output: 50 },
  'sandbox-review': { input: 1, output: 2 },
  'sandbox-image': { input: 0, output: 100 },
};

describe('writing articles', () => {
  let service: ServiceUnderTest;
  let model: Awaited<ReturnType<typeof sandboxModel>>;
  let events: Awaited<ReturnType<typeof collectEvents>>;
  let outages: Awaited<ReturnType<typeof collectEvents>>;
  const query = <Row>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Row[]>(statement, parameters);

  beforeAll(async () => {
    model = await sandboxModel();
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      {
        migrations,
        environment: {
          ...{ AI_BASE_URL: model.baseUrl, AI_API_KEY: 'sandbox-test', AI_MODEL: 'sandbox-text' },
          ...{ AI_REVIEW_MODEL: 'sandbox-review', AI_IMAGE_MODEL: 'sandbox-image', AI_RETRY_SECONDS: '0,0,0' },
          ...{ ARTICLE_RETRY_SECONDS: '1,1,1', ARTICLE_LEASE_SECONDS: '3', ARTICLE_WAIT_SECONDS: '40' },
          AI_PRICES: JSON.stringify(prices),
        },
      },
    );
    events = await collectEvents(service.broker.url, 'article.*');
    outages = await collectEvents(service.broker.url, modelProviderDown.type);
  });
  afterEach(async () => {
    await model.control('POST', 'reset');
    await query('delete from article_runs');
    for (const table of ['topics', 'ai_calls', 'ai_months', 'ai_days', 'ai_outages', 'blog_articles']) await query(`delete from ${table}`);
  });
  afterAll(async () => {
    await Promise.all([events?.dispose(), outages?.dispose()]);
    await service?.dispose();
    await model?.stop();
  });

  const generate = async (body: unknown, { userId = randomUUID(), roles = ['admin_master'] } = {}) => {
    const response = await fetch(`${service.url}/functions/v1/generate-blog-articles`, {
      method: 'POST',
      headers: { ...authenticated(userId, { roles }), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const fault = (kind: string, more: Record<string, unknown> = {}) => model.control('POST', 'faults', { kind, ...more });
  const requests = async () => (await model.control<{ requests: ModelRequest[] }>('GET', 'requests')).requests;
  const callsOf = async () =>
    (await requests()).map(({ call, schemaName, isStreamed }) => (call === 'image' ? 'image' : isStreamed ? 'text' : schemaName));
  const runOf = async (id: string) => (await query<Record<string, unknown>>('select * from article_runs where id = $1', [id]))[0]!;
  const topicStates = async () => (await query<{ state: string }>('select state from topics order by position')).map(({ state }) => state);

  const dailyAtNine = { type: 'daily' as const, time: '09:00', days: null, dayOfMonth: null };
  const automationFacts = (change: Partial<BlogAutomationFacts> = {}): BlogAutomationFacts => ({
    ...{ blogAutomationId: randomUUID(), userId: randomUUID(), origin: 'editorial', keyword: 'marketing digital, vendas no Instagram' },
    ...{ theme: 'Marketing digital', categories: null, webhookUrl: null, settings: {}, isActive: true, revision: 1 },
    schedule: dailyAtNine,
    ...change,
  });
  /** The last occurrence of the schedule, or one that is so many days older. */
  const occurrence = (daysAgo = 0) => nextScheduleOccurrence(dailyAtNine, new Date(Date.now() - (daysAgo + 1) * 86_400_000))!.toISOString();
  const announceDue = (automation: BlogAutomationFacts, occurrenceAt = occurrence()) =>
    publishTestEvent(service.broker.url, articleDue, {
      ...{ blogAutomationId: automation.blogAutomationId, userId: automation.userId, occurrenceAt },
      ...{ keyword: automation.keyword, theme: automation.theme, automation },
    });
  const runsOf = (automation: BlogAutomationFacts) =>
    query<{ id: string; state: string; reason: string | null; article_id: string | null }>(
      'select id, state, reason, article_id from article_runs where blog_automation_id = $1 order by occurrence_at',
      [automation.blogAutomationId],
    );

  const dueStates = async ({ blogAutomationId }: BlogAutomationFacts) =>
    (
      await query<{ state: string }>('select state from due_articles where blog_automation_id = $1 order by occurrence_at', [
        blogAutomationId,
      ])
    ).map(({ state }) => state);
  /** What automations was told of its articles: type and code of each event. */
  const outcomesOf = ({ blogAutomationId }: BlogAutomationFacts) =>
    events.events
      .filter(({ type, payload }) => type !== articleDue.type && payload['blogAutomationId'] === blogAutomationId)
      .map(({ type, payload }) => [type, payload['code']]);

  it('writes an article that an editor asks for, with cover and fields, and publishes it', async () => {
    const [runId, userId] = [randomUUID(), randomUUID()];
    const { body } = await generate({ keyword: 'marketing digital para lojas', run_id: runId }, { userId });
    expect(body).toMatchObject({ success: true, run_id: runId, reason: null, article: { published: true } });
    const [article] = await query<Record<string, string>>('select * from blog_articles where id = $1', [body.article!.id]);
    expect(article).toMatchObject({ slug: body.article!.slug, author: 'Equipe Decola', published: true });
    expect(article!['featured_image']).toMatch(/^\/storage\/v1\/object\/public\/blog-images\//);
    expect(article!['meta_description']!.length).toBeGreaterThanOrEqual(110);
    expect(article!['content']).not.toContain('ref:');
    expect(await callsOf()).toEqual(['outline', 'text', 'review', 'image']);
    expect(await runOf(runId)).toMatchObject({ state: 'published', user_id: userId, article_id: body.article!.id, lease_until: null });
    expect(await topicStates()).toEqual(['written']);
    const [spent] = await query<{ calls: number; months: number; open: number }>(
      `select sum(input_tokens + output_tokens)::int as calls, (select tokens::int from ai_months) as months,
         count(*) filter (where outcome <> 'ok')::int as open from ai_calls`,
    );
    expect(spent).toMatchObject({ open: 0, calls: spent!.months });
    expect((await runOf(runId))['tokens']).toBe(spent!.months);
  });

  it('refuses strangers, people without the role, and keywords that the blog does not allow', async () => {
    const anonymous = await fetch(`${service.url}/functions/v1/generate-blog-articles`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ keyword: 'marketing' }),
    });
    expect(anonymous.status).toBe(401);
    expect((await generate({ keyword: 'marketing' }, { roles: [] })).status).toBe(403);
    expect((await generate({ keyword: 'marketing' }, { roles: ['admin'] })).status).toBe(403);
    expect((await generate({ keyword: ' ' })).body).toEqual({ success: false, error: keywordTexts.empty });
    expect((await generate({ keyword: 'armas' })).body).toMatchObject({ success: false });
    expect(await requests()).toEqual([]);
    expect(await query('select 1 from article_runs')).toEqual([]);
  });

  it('lets the same request join its run, and shows runs to editors only', async () => {
    const [userId, runId] = [randomUUID(), randomUUID()];
    const asked = { keyword: 'funil de vendas', run_id: runId };
    const answers = await Promise.all([
      generate(asked, { userId }),
      generate(asked, { userId }),
      generate({ keyword: 'Funil de Vendas' }, { userId }),
    ]);
    expect(new Set(answers.map(({ body }) => body.article?.id)).size).toBe(1);
    expect(await callsOf()).toEqual(['outline', 'text', 'review', 'image']);
    const read = async (roles: string[]) => {
      const headers = authenticated(randomUUID(), { roles });
      const response = await fetch(`${service.url}/rest/v1/article_runs?select=*`, { headers });
      return (await response.json()) as Record<string, unknown>[];
    };
    expect(await read([])).toEqual([]);
    const [shown] = await read(['admin_master']);
    expect(shown).toMatchObject({ id: runId, state: 'published', keyword: 'funil de vendas' });
    expect(shown).not.toHaveProperty('steps');
  });

  it('holds an article with invented figures as a draft, after one revision', async () => {
    await fault('invented-statistics', { call: 'chat', times: null });
    const { body } = await generate({ keyword: 'tráfego orgânico' });
    expect(body).toMatchObject({
      success: true,
      article: { published: false },
      reason: expect.stringMatching(/^Precisa de você: /) as unknown,
    });
    expect((await runOf(body.run_id!))['quality']).toMatchObject({
      hard: expect.arrayContaining([
        expect.objectContaining({ rule: 'facts', severity: 'hard', quote: expect.any(String) as unknown }),
      ]) as unknown,
      soft: expect.any(Array) as unknown,
    });
    expect((await callsOf()).filter((call) => call === 'text')).toHaveLength(2);
  });

  it.each([
    ['a rate limit', 'rate-limit', 'answered'],
    ['an error of the server', 'server-error', 'answered'],
    ['a page with status 200', 'html-200', 'answered'],
    ['broken JSON', 'bad-json', 'answered'],
    ['JSON of another shape', 'wrong-json', 'answered'],
    ['an answer cut at its limit', 'length', 'answered'],
    ['an answer without usage', 'no-usage', 'answered'],
    ['a stream that breaks', 'cut-connection', 'answered'],
  ])('gets over %s', async (_, kind) => {
    await fault(kind, { call: 'chat', times: 1 });
    const { body } = await generate({ keyword: `estratégia de conteúdo ${randomUUID().slice(0, 4)}` });
    expect(body).toMatchObject({ success: true });
    expect(await query(`select 1 from ai_calls where outcome = 'open'`)).toEqual([]);
  });

  it('waits while the provider refuses every call, tells administrators once for each outage, and goes on when it works again', async () => {
    await fault('quota', { call: 'chat', times: null });
    const runIds = [randomUUID(), randomUUID()];
    const answers = await Promise.all(
      ['copywriting', 'marketing com fotografia de produto'].map((keyword, index) => generate({ keyword, run_id: runIds[index] })),
    );
    for (const { body } of answers) {
      expect(body).toMatchObject({
        success: false,
        error: expect.stringMatching(/^Pausado do nosso lado; nova tentativa às \d\d:\d\d$/) as unknown,
      });
    }
    for (const runId of runIds) expect(await runOf(runId)).toMatchObject({ state: 'waiting_provider', lease_until: null, waits: 0 });
    await eventually(async () => expect(await query('select cause from ai_outages')).toEqual([{ cause: 'quota' }]));
    // A try in vain is no other outage.
    await query('update article_runs set retry_at = now()');
    await eventually(async () => {
      for (const runId of runIds)
        expect(await runOf(runId)).toMatchObject({ attempt: 2, state: 'waiting_provider', retry_at: expect.any(Date) as unknown });
    });
    const told = () => outages.events.map(({ payload: { provider, cause } }) => [provider, cause]);
    const outage = [new URL(model.url).host, 'quota'];
    await eventually(() => expect(told()).toEqual([outage]));
    await model.control('DELETE', 'faults');
    await query('update article_runs set retry_at = now()');
    for (const runId of runIds) {
      await eventually(async () => expect(await runOf(runId)).toMatchObject({ state: 'published', attempt: 3 }), { timeoutMs: 60_000 });
    }
    await eventually(async () => expect(await query('select cause from ai_outages')).toEqual([]));
    await fault('quota', { call: 'chat', times: null });
    await generate({ keyword: 'vendas com atendimento ao cliente' });
    await eventually(() => expect(told()).toEqual([outage, outage]));
  });

  it('fails after as many pauses as the ladder has, and begins anew when it is asked to', async () => {
    await fault('server-error', { call: 'chat', times: null });
    const runId = randomUUID();
    await generate({ keyword: 'email marketing', run_id: runId });
    await eventually(async () => expect(await runOf(runId)).toMatchObject({ state: 'failed', reason: runTexts.provider }), {
      timeoutMs: 60_000,
    });
    expect(await topicStates()).toEqual(['planned']);
    await model.control('DELETE', 'faults');
    const again = await generate({ keyword: '', run_id: runId, retry: true });
    expect(again.body).toMatchObject({ success: true, run_id: runId, article: { published: true } });
    expect(await query('select 1 from blog_articles')).toHaveLength(1);
  });

  it('takes another topic when the provider refuses one', async () => {
    await fault('content-filter', { call: 'chat', match: '"name":"outline"', times: 1 });
    expect((await generate({ keyword: 'marketing na vitrine da loja' })).body).toMatchObject({
      success: true,
      article: { published: true },
    });
    expect((await topicStates()).filter((state) => state === 'blocked')).toHaveLength(1);
    expect((await topicStates()).filter((state) => state === 'written')).toHaveLength(1);
  });

  it.each(['refusal', 'content-filter', 'content-filter-400'])(
    'gives up after three topics that the provider refuses (%s)',
    async (kind) => {
      await fault(kind, { call: 'chat', match: '"name":"outline"', times: null });
      const { body } = await generate({ keyword: 'branding' });
      expect(body).toMatchObject({ success: false, error: 'O provedor recusou o tema. Ajuste a automação.' });
      expect((await topicStates()).filter((state) => state === 'blocked')).toHaveLength(3);
      expect(await query('select 1 from blog_articles')).toEqual([]);
    },
  );

  it('goes on from the finished steps of a replica that died, pays none of them twice, and shuts that replica out', async () => {
    const runId = randomUUID();
    await generate({ keyword: 'landing page', run_id: runId });
    const { steps } = (await runOf(runId)) as { steps: Record<string, unknown> };
    const { title } = (steps['outline'] ?? {}) as { title: string };
    await query('delete from blog_articles');
    await query(`update topics set state = 'writing'`);
    // As a replica leaves it that was killed while the review was under way.
    await query(
      `update article_runs set state = 'reviewing', article_id = null, fence = 7, attempt = 1, lease_until = now() + interval '2 seconds',
         steps = steps - 'review' - 'revision' - 'cover' where id = $1`,
      [runId],
    );
    await query(
      `insert into ai_calls (id, run_id, user_id, step, model, month, day, reserved) select gen_random_uuid(), $1, user_id, 'review', 'm', month, day, 500
       from ai_calls limit 1`,
      [runId],
    );
    const dead = (await findRun(service.dataSource, runId))!;
    await model.control('POST', 'reset');
    const outbox = service.app.get(Outbox, { strict: false });
    await service.dataSource.transaction((manager) =>
      outbox.enqueue(manager, articleWrite, { runId, attempt: 1 }, { subject: runId, queue: scheduledArticlesQueue }),
    );
    await eventually(async () => expect(await runOf(runId)).toMatchObject({ state: 'published', fence: 8 }), { timeoutMs: 60_000 });
    expect(await callsOf()).toEqual(['review', 'image']);
    expect(await query('select title from blog_articles')).toEqual([{ title }]);
    expect(await query(`select estimated, reserved from ai_calls where outcome = 'lost'`)).toEqual([{ estimated: true, reserved: 500 }]);
    const runs = service.app.get(ArticleRuns, { strict: false });
    await expect(runs.store(dead, () => ({ steps: { draft: 'x' } }))).rejects.toBeInstanceOf(FencedError);
    await expect(runs.end(dead, () => ({ state: 'failed', code: 'error', reason: 'x' }))).rejects.toBeInstanceOf(FencedError);
    expect(await runs.renewLease(dead)).toBe(false);
  });

  it('writes one article for a due date, however often it is announced, and tells automations', async () => {
    const automation = automationFacts();
    for (let times = 0; times < 3; times += 1) await announceDue(automation);
    await eventually(async () => expect(await runsOf(automation)).toMatchObject([{ state: 'published' }]), { timeoutMs: 60_000 });
    expect(await query('select 1 from blog_articles')).toHaveLength(1);
    expect((await callsOf())[0]).toBe('topics');
    const states = await topicStates();
    expect(states.filter((state) => state === 'written')).toHaveLength(1);
    expect(states.filter((state) => state === 'planned').length).toBeGreaterThan(0);
    const told = () => events.events.filter(({ payload }) => payload['blogAutomationId'] === automation.blogAutomationId);
    await eventually(() => expect(told().filter(({ type }) => type === 'article.written')).toHaveLength(1));
    expect(await query('select state from due_articles where blog_automation_id = $1', [automation.blogAutomationId])).toEqual([
      { state: 'written' },
    ]);
  });

  it('writes the newest of several articles that a queue kept, and skips the older ones as missed', async () => {
    const automation = automationFacts();
    for (const daysAgo of [2, 1, 0]) await announceDue(automation, occurrence(daysAgo));
    await eventually(
      async () =>
        expect(await runsOf(automation)).toMatchObject([
          { state: 'skipped', reason: runTexts.missed },
          { state: 'skipped', reason: runTexts.missed },
          { state: 'published' },
        ]),
      { timeoutMs: 60_000 },
    );
    expect(await query('select 1 from blog_articles')).toHaveLength(1);
    expect(await dueStates(automation)).toEqual(['skipped', 'skipped', 'written']);
    // Automations hears of the article only: nothing is wrong with the others.
    await eventually(() => expect(outcomesOf(automation)).toEqual([['article.written', undefined]]));
  });

  it('orders a run that waited for another one of its automation when that one ends', async () => {
    const automation = automationFacts();
    await fault('quota', { call: 'chat', times: null });
    await announceDue(automation, occurrence());
    await eventually(async () => expect(await runsOf(automation)).toMatchObject([{ state: 'waiting_provider' }]), { timeoutMs: 60_000 });
    await announceDue(automation, occurrence(-1));
    await eventually(async () => expect(await runsOf(automation)).toMatchObject([{}, { state: 'queued' }]));
    const orders = jest.spyOn(service.app.get(Outbox, { strict: false }), 'enqueue');
    await model.control('DELETE', 'faults');
    await query('update article_runs set retry_at = now() where retry_at is not null');
    await eventually(async () => expect(await runsOf(automation)).toMatchObject([{ state: 'published' }, { state: 'published' }]), {
      timeoutMs: 60_000,
    });
    const [first, second] = (await runsOf(automation)).map(({ id }) => id);
    expect(orders.mock.calls.map(([, , payload]) => payload)).toEqual([
      { runId: first, attempt: 2 },
      { runId: second, attempt: 1 },
    ]);
    orders.mockRestore();
  });

  it('skips an article when three calls bring no new topic, and suggests keywords', async () => {
    // So long that every topic about it has it as its keyword.
    const keyword = `superextraordinariamente${'bonito'.repeat(6)}`;
    const automation = automationFacts({ keyword });
    const suggestions = ['bolo de pote', 'torta salgada', 'doce de leite', 'pudim de padaria', 'brigadeiro de colher'];
    const topics = [[keyword, 'written'], ...['receita de sonho', ...suggestions.toReversed()].map((each) => [each, 'rejected'])];
    for (const [focus, state] of topics) {
      await query(
        `insert into topics (user_id, site_key, blog_automation_id, title, focus_keyword, topic_key, cluster, state)
         values ('00000000-0000-0000-0000-000000000000', 'editorial', $1, $2, $2, $3, $4, $5)`,
        [automation.blogAutomationId, focus, topicKey(focus!), keyword, state],
      );
    }
    await announceDue(automation);
    const reason = runTexts.noTopicWith(suggestions);
    expect(reason).toMatch(/^Seus assuntos se esgotaram. Acrescente palavras-chave. /);
    await eventually(async () => expect(await runsOf(automation)).toMatchObject([{ state: 'skipped', reason }]), { timeoutMs: 60_000 });
    expect(await callsOf()).toEqual(['topics', 'topics', 'topics']);
    expect(await dueStates(automation)).toEqual(['skipped']);
    await eventually(() => expect(outcomesOf(automation)).toEqual([['article.failed', 'no_topic']]));
  });

  it.each([
    ['of their owner in a month', 'month'],
    ['of everybody in a day', 'day'],
  ])('skips an article over the limit %s, without a call, and says until when', async (_, scope) => {
    const automation = automationFacts();
    const local = `(now() at time zone 'America/Sao_Paulo')::date`;
    if (scope === 'month') {
      await query(`insert into ai_months (user_id, month, tokens) values ($1, date_trunc('month', ${local})::date, 1499000)`, [
        automation.userId,
      ]);
    } else await query(`insert into ai_days (day, tokens) values (${local}, 9999000)`);
    const [ends] = await query<Record<string, string>>(
      `select to_char(date_trunc('month', ${local}) + interval '1 month', 'DD/MM/YYYY') as month, to_char(${local} + 1, 'DD/MM/YYYY') as day`,
    );
    await announceDue(automation);
    const reason = scope === 'month' ? runTexts.budgetMonth(ends!['month']!) : runTexts.budgetDay(ends!['day']!);
    await eventually(async () => expect(await runsOf(automation)).toMatchObject([{ state: 'skipped', reason }]), { timeoutMs: 60_000 });
    expect(await requests()).toEqual([]);
    expect(await query('select 1 from ai_calls')).toEqual([]);
    await eventually(() => expect(outcomesOf(automation)).toEqual([['article.failed', 'budget']]));
  });

  it('shows administrators, and nobody else, what an article cost and what its gate found', async () => {
    const runId = randomUUID();
    const userId = randomUUID();
    await generate({ keyword: 'vendas de embalagem de presente', run_id: runId }, { userId });
    const read = async (roles: string[], select = '*') => {
      const response = await fetch(`${service.url}/rest/v1/article_runs?select=${select}&id=eq.${runId}`, {
        headers: authenticated(userId, { roles }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown>[] };
    };
    const sum = Object.entries(prices)
      .map(([model, { input, output }]) => `when '${model}' then input_tokens * ${input} + output_tokens * ${output}`)
      .join(' ');
    const [spent] = await query<{ cost: string; models: number }>(
      `select sum(case model ${sum} end) / 1000000.0 as cost, count(distinct model)::int as models from ai_calls where run_id = $1`,
      [runId],
    );
    expect(spent!.models).toBe(3);
    const [shown] = (await read(['admin_master'])).body;
    expect(shown!['cost']).toBeCloseTo(Number(spent!.cost), 6);
    expect(shown!['cost']).toBeGreaterThan(0);
    const own = await read([]);
    expect(own.body).toMatchObject([{ id: runId, tokens: expect.any(Number) as unknown }]);
    expect(shown!['quality']).toMatchObject({ hard: [] });
    for (const column of ['cost', 'quality']) {
      expect(own.body[0]).not.toHaveProperty(column);
      expect((await read([], `id,${column}`)).status).toBeGreaterThanOrEqual(400);
    }
    // A call whose price nobody knows makes the sum unknown, not too small.
    await query(`update ai_calls set cost = null where run_id = $1 and step = 'review'`, [runId]);
    expect(await usageOfRun(service.dataSource, runId)).toMatchObject({ tokens: shown!['tokens'], cost: null });
  });

  it('deletes unfinished texts a month after a run ended, and single calls after three; runs keep what they used', async () => {
    const [ended, open] = [randomUUID(), randomUUID()];
    await generate({ keyword: 'marketing com cartão fidelidade', run_id: ended });
    await query(
      `insert into article_runs (id, user_id, origin, keyword, state, steps) values ($1, gen_random_uuid(), 'editorial', 'k', 'queued', '{"draft": "x"}')`,
      [open],
    );
    const retention = service.app.get(WritingRetention, { strict: false });
    const later = (days: number) => jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + days * 86_400_000));
    const left = async () => ({
      steps: Object.keys((await runOf(ended))['steps'] as object).length > 0,
      open: Object.keys((await runOf(open))['steps'] as object).length > 0,
      calls: (await query('select 1 from ai_calls')).length > 0,
      days: (await query('select 1 from ai_days')).length > 0,
      months: (await query('select 1 from ai_months')).length > 0,
    });
    const everything = { steps: true, open: true, calls: true, days: true, months: true };
    const { tokens } = await runOf(ended);
    try {
      for (const [days, gone] of [
        [29, {}],
        [31, { steps: false }],
        [92, { steps: false, calls: false, days: false }],
        [440, { steps: false, calls: false, days: false, months: false }],
      ] as const) {
        later(days);
        await retention.deleteExpired();
        expect([days, await left()]).toEqual([days, { ...everything, ...gone }]);
      }
    } finally {
      jest.restoreAllMocks();
    }
    expect(await runOf(ended)).toMatchObject({ state: 'published', tokens });
    expect(tokens).toBeGreaterThan(0);
  });

  it('skips the article of an automation that was switched off', async () => {
    const automation = automationFacts({ isActive: false });
    await announceDue(automation);
    await eventually(async () => expect(await runsOf(automation)).toMatchObject([{ state: 'skipped', reason: runTexts.cancelled }]));
    expect(await requests()).toEqual([]);
  });

  it('limits how many articles a person asks for in a day', async () => {
    const userId = randomUUID();
    await query(
      `insert into article_runs (user_id, origin, keyword, state) select $1, 'editorial', 'k' || n, 'failed' from generate_series(1, 20) n`,
      [userId],
    );
    expect((await generate({ keyword: 'leads' }, { userId })).body).toEqual({ success: false, error: generateTexts.manualPerDay(20) });
  });

  it('lets editors rename, move, lock and skip planned topics, and nothing else', async () => {
    const [row] = await query<{ id: string }>(
      `insert into topics (user_id, site_key, title, focus_keyword, topic_key, cluster, state)
       values ('00000000-0000-0000-0000-000000000000', 'editorial', 'Um título', 'um', 'um', 'um', 'planned') returning id`,
    );
    const patch = async (body: unknown, roles = ['admin_master']) =>
      (
        await fetch(`${service.url}/rest/v1/topics?id=eq.${row!.id}`, {
          method: 'PATCH',
          headers: { ...authenticated(randomUUID(), { roles }), 'content-type': 'application/json', prefer: 'return=representation' },
          body: JSON.stringify(body),
        })
      ).json();
    expect(await patch({ title: 'Outro título' }, [])).toEqual([]);
    expect(await patch({ title: 'Outro título', position: 5 })).toMatchObject([{ title: 'Outro título', position: 5 }]);
    expect(await patch({ state: 'locked' })).toMatchObject([{ state: 'locked' }]);
    expect(await patch({ state: 'written' })).toMatchObject({ code: 'P0001' });
    expect(await patch({ focus_keyword: 'x' })).toMatchObject({ code: '42501' });
    expect(await patch({ state: 'skipped' })).toMatchObject([{ state: 'skipped' }]);
  });
});
