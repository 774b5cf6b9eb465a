import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { articleDue } from '@decola/contracts';
import {
  authenticated,
  collectEvents,
  eventually,
  freePort,
  publishTestEvent,
  type SandboxModel,
  sandboxModel,
  ServiceProcess,
  type TcpProxy,
  tcpProxy,
  testBroker,
  type TestBroker,
  testDatabase,
  type TestDatabase,
  testSigningKey,
} from '@decola/testing';
import { DataSource } from 'typeorm';
import { migrations } from '../src/migrations/index.js';

/** At how many moments of their own writers are killed. `npm run soak` kills more of them. */
const kills = Number(process.env['WRITING_KILLS'] ?? 3);
const seed = Number(process.env['WRITING_KILLS_SEED'] ?? Date.now() % 100_000);
/** Slow enough that each step lasts long enough to be interrupted. */
const tokensPerSecond = 2_500;

/** The calls of an article, in their order. */
const steps = ['topics', 'outline', 'draft', 'review', 'image'] as const;
type Step = (typeof steps)[number];

interface ModelRequest {
  call: string;
  schemaName: string | null;
  isStreamed: boolean;
  outcome: string;
}
const stepOf = ({ call, schemaName, isStreamed }: ModelRequest) => (call === 'image' ? 'image' : isStreamed ? 'draft' : schemaName);

/** A seeded generator of numbers from 0 to 1, so that a failure can be repeated. */
function randomOf(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The writer in a process of its own, with a database and a broker that can be cut off. */
describe('a writer that is interrupted', () => {
  let database: TestDatabase;
  let broker: TestBroker;
  let model: SandboxModel;
  /** Not through the proxy. */
  let dataSource: DataSource;
  let databaseProxy: TcpProxy;
  let brokerProxy: TcpProxy;
  let writer: ServiceProcess;
  let address: string;
  let events: Awaited<ReturnType<typeof collectEvents>>;

  const start = async (): Promise<void> => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    writer = await ServiceProcess.start('blog', {
      ...{ PORT: String(port), LOG_LEVEL: 'warn', DATABASE_URL: databaseProxy.url, RABBITMQ_URL: brokerProxy.url },
      ...{
        INTERNAL_SIGNING_KEY: testSigningKey,
        WEBHOOK_TOKEN_KEY_RING: `k1:${testSigningKey}`,
        IMAGES_DIR: path.join(tmpdir(), 'decola-test-images'),
      },
      ...{ SITE_URL: 'https://decola.example', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_KEY_RING: `k1:${testSigningKey}` },
      MAIL_FROM: 'Decola <nao-responda@decola.example>',
      // Nothing is sent to a site here.
      DELIVERY_INTERVAL_MS: '600000',
      ...{ AI_BASE_URL: model.baseUrl, AI_API_KEY: 'sandbox-test', AI_MODEL: 'sandbox-text', AI_IMAGE_MODEL: 'sandbox-image' },
      ...{ AI_RETRY_SECONDS: '0,0,0', ARTICLE_LEASE_SECONDS: '1' },
    });
  };

  beforeAll(async () => {
    [database, broker, model] = await Promise.all([testDatabase({ migrations }), testBroker(), sandboxModel()]);
    [databaseProxy, brokerProxy] = await Promise.all([tcpProxy(database.url), tcpProxy(broker.url)]);
    dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    events = await collectEvents(broker.url, 'article.*');
    await start();
  });
  afterEach(async () => {
    await Promise.all([databaseProxy.restore(), brokerProxy.restore()]);
    await model.control('POST', 'reset');
  });
  afterAll(async () => {
    await writer.kill();
    await events?.dispose();
    await dataSource?.destroy();
    await Promise.all([databaseProxy?.dispose(), brokerProxy?.dispose()]);
    await Promise.all([database?.dispose(), broker?.dispose(), model?.stop()]);
  });

  /** Asks for an article as automations does. @param webhookUrl of a customer's site; null for our own blog */
  const announce = async (
    keyword: string,
    webhookUrl: string | null = null,
    approval: 'never' | 'always' = 'never',
    [id, userId] = [randomUUID(), randomUUID()],
  ): Promise<string> => {
    await publishTestEvent(broker.url, articleDue, {
      ...{ blogAutomationId: id, userId, occurrenceAt: new Date().toISOString(), keyword, theme: 'Marketing digital' },
      automation: {
        ...{
          blogAutomationId: id,
          userId,
          origin: webhookUrl === null ? ('editorial' as const) : ('customer' as const),
          keyword,
          theme: 'Marketing digital',
          categories: null,
        },
        ...{ webhookUrl, settings: { approval }, isActive: true, revision: 1 },
        schedule: { type: 'daily' as const, time: '09:00', days: null, dayOfMonth: null },
      },
    });
    return id;
  };
  const runOf = async (automationId: string) =>
    (
      await dataSource.query<
        { id: string; state: string; step: string; steps: Record<string, unknown>; user_id: string; tokens: number }[]
      >('select id, state, step, steps, user_id, tokens from article_runs where blog_automation_id = $1 and refreshes_run_id is null', [
        automationId,
      ])
    )[0];
  const requests = async () => (await model.control<{ requests: ModelRequest[] }>('GET', 'requests')).requests;
  const called = async () => (await requests()).map(stepOf);
  const lostCalls = async (automationId: string) =>
    (
      await dataSource.query<{ step: string }[]>(
        `select c.step from ai_calls c join article_runs r on r.id = c.run_id where r.blog_automation_id = $1 and c.outcome = 'lost' order by c.step`,
        [automationId],
      )
    ).map(({ step }) => step);
  const callsOf = async (automationId: string) =>
    (
      await dataSource.query<{ step: string }[]>(
        'select c.step from ai_calls c join article_runs r on r.id = c.run_id where r.blog_automation_id = $1 order by c.created_at',
        [automationId],
      )
    ).map(({ step }) => step);
  /** Waits until the call of a step is under way. */
  const underWay = (automationId: string, step: Step) => stepUnderWay(step, () => runOf(automationId));
  const stepUnderWay = (step: string, find: () => Promise<{ id: string; step: string } | undefined>) =>
    eventually(
      async () => {
        const run = await find();
        expect(run?.step).toBe(step);
        const open = `select 1 from ai_calls where run_id = $1 and step = $2 and outcome = 'open'`;
        expect(await dataSource.query(open, [run!.id, step])).toHaveLength(1);
        expect((await requests()).at(-1)).toMatchObject({ outcome: 'pending' });
      },
      { timeoutMs: 40_000, everyMs: 10 },
    );
  /** Waits for the end of a run, and checks that it brought one article and one event. */
  const expectOneArticle = async (automationId: string, state: 'published' | 'approved' = 'published') => {
    await eventually(async () => expect((await runOf(automationId))?.state).toBe(state), { timeoutMs: 60_000 });
    const run = (await runOf(automationId))!;
    const [made] = await dataSource.query<unknown[]>(
      `select (select count(*)::int from blog_articles a where a.id = r.article_id and a.published) as published,
         (select count(*)::int from customer_articles a where a.blog_automation_id = $1 and a.id = r.article_id and a.revision = 1) as of_customer,
         (select count(*)::int from deliveries d where d.user_id = r.user_id) as deliveries
       from article_runs r where r.blog_automation_id = $1`,
      [automationId],
    );
    expect(made).toEqual(
      state === 'published' ? { published: 1, of_customer: 0, deliveries: 0 } : { published: 0, of_customer: 1, deliveries: 1 },
    );
    expect(await dataSource.query(`select state from topics where run_id = $1`, [run.id])).toEqual([{ state: 'written' }]);
    const told = () => events.events.filter(({ payload }) => payload['blogAutomationId'] === automationId).map(({ type }) => type);
    await eventually(() => expect(told().filter((type) => type !== 'article.due')).toEqual(['article.written']), { timeoutMs: 30_000 });
    // What was booked is what the calls used, also those that were interrupted: the provider may charge them.
    const [sums] = await dataSource.query<unknown[]>(
      `select (select sum(input_tokens + output_tokens)::int from ai_calls where run_id = $1) as calls,
         (select tokens::int from ai_months where user_id = $2) as months, (select count(*)::int from ai_calls where outcome = 'open') as open`,
      [run.id, run.user_id],
    );
    expect(sums).toEqual({ calls: run.tokens, months: run.tokens, open: 0 });
    return run;
  };
  /** No article was made beside those of the runs. */
  afterEach(async () => {
    expect(
      await dataSource.query(
        'select 1 from blog_articles where id not in (select article_id from article_runs where article_id is not null)',
      ),
    ).toEqual([]);
  });

  /** The first call of each step is not answered before `release`. */
  const holdEachCall = async () => {
    for (const step of steps) {
      const match = step === 'image' ? {} : step === 'draft' ? { match: '"stream":true' } : { match: `"name":"${step}"` };
      await model.control('POST', 'faults', { kind: 'silence', call: step === 'image' ? 'image' : 'chat', ...match });
    }
  };
  const release = () => model.control('POST', 'release');

  it.each([
    ['of our own blog', null, 'published'],
    ['of a customer', 'https://padaria.example/', 'approved'],
  ] as const)('by a kill during each of its calls: one article %s, and no finished step is paid again', async (_, webhookUrl, state) => {
    // The call of each step is answered only after the writer that made it is dead.
    await holdEachCall();
    const automation = await announce('vendas pelo direct', webhookUrl);
    for (const step of steps) {
      await underWay(automation, step);
      await writer.kill();
      await start();
    }
    await expectOneArticle(automation, state);
    expect(await called()).toEqual(steps.flatMap((step) => [step, step]));
    expect(await lostCalls(automation)).toEqual([...steps].sort());
  });

  it('by a kill while it revises: one article, and neither the draft nor its review is paid again', async () => {
    // The gate refuses the draft; the call that revises it is answered only after its writer is dead.
    await model.control('POST', 'faults', { kind: 'invented-statistics', call: 'chat', match: '"stream":true' });
    await model.control('POST', 'faults', { kind: 'silence', call: 'chat', match: '"stream":true' });
    const automation = await announce('massa de pizza', 'https://pizzaria.example/');
    await stepUnderWay('revise', () => runOf(automation));
    await writer.kill();
    await start();
    await expectOneArticle(automation, 'approved');
    expect(await callsOf(automation)).toEqual(['topics', 'outline', 'draft', 'review', 'revise', 'revise', 'image']);
    expect(await lostCalls(automation)).toEqual(['revise']);
  });

  /** Calls a function of the writer as a person. */
  const call = async (name: string, userId: string, body: object) => {
    const response = await fetch(`${address}/functions/v1/${name}`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { success: boolean; error?: string };
  };
  const articleOf = async (automationId: string) =>
    (
      await dataSource.query<{ id: string; state: string; revision: number; content_html: string }[]>(
        'select id, state, revision, content_html from customer_articles where blog_automation_id = $1',
        [automationId],
      )
    )[0]!;

  it('by a kill while it makes the change that an owner asked for: asked for once, written once', async () => {
    const userId = randomUUID();
    const automation = await announce('café coado', 'https://cafeteria.example/', 'always', [randomUUID(), userId]);
    await eventually(async () => expect((await runOf(automation))?.state).toBe('waiting_approval'), { timeoutMs: 60_000 });
    const before = { ...(await articleOf(automation)), calls: await callsOf(automation) };
    const note = 'Fale mais do filtro de pano';
    await model.control('POST', 'faults', { kind: 'silence', call: 'chat', match: note });
    const change = () => call('decide-article', userId, { articleId: before.id, decision: 'change', note });
    expect(await change()).toEqual({ success: true });
    await stepUnderWay('rewrite', () => runOf(automation));
    await writer.kill();
    await start();
    // Its owner presses again, because the first answer may have been lost.
    await change();
    await eventually(async () => expect((await runOf(automation))?.state).toBe('waiting_approval'), { timeoutMs: 60_000 });
    const after = await articleOf(automation);
    expect(after).toMatchObject({ id: before.id, state: 'waiting_approval', revision: 2 });
    expect(after.content_html).not.toBe(before.content_html);
    expect((await callsOf(automation)).slice(before.calls.length)).toEqual(['rewrite', 'rewrite']);
    expect(await lostCalls(automation)).toEqual(['rewrite']);
    expect(await dataSource.query('select revision, cause from article_revisions where article_id = $1', [before.id])).toEqual([
      { revision: 1, cause: 'rewritten' },
    ]);
    expect(await call('decide-article', userId, { articleId: before.id, decision: 'approve' })).toEqual({ success: true });
    expect(await dataSource.query('select revision from deliveries where article_id = $1', [before.id])).toEqual([{ revision: 2 }]);
  });

  it('by a kill during each call for the new text of an article on its site: one new revision, one update of its post', async () => {
    const userId = randomUUID();
    const automation = await announce('chá gelado', 'https://casadecha.example/', 'never', [randomUUID(), userId]);
    await expectOneArticle(automation, 'approved');
    const { id } = await articleOf(automation);
    await dataSource.query(`update deliveries set state = 'seen', post_id = 7, next_attempt_at = null where article_id = $1`, [id]);
    await dataSource.query(`insert into refresh_proposals (user_id, article_id, reason) values ($1, $2, 'age')`, [userId, id]);
    await holdEachCall();
    expect(await call('refresh-article', userId, { articleId: id, decision: 'accept' })).toEqual({ success: true });
    const refreshing = async () =>
      (
        await dataSource.query<{ id: string; step: string; state: string }[]>(
          `select r.id, r.step, r.state from article_runs r join customer_articles a on a.run_id = r.refreshes_run_id where a.id = $1`,
          [id],
        )
      )[0];
    for (const step of ['outline', 'draft', 'review']) {
      await stepUnderWay(step, refreshing);
      await writer.kill();
      await start();
    }
    await eventually(async () => expect((await refreshing())?.state).toBe('approved'), { timeoutMs: 60_000 });
    const { id: runId } = (await refreshing())!;
    const steps = await dataSource.query<{ step: string }[]>('select step from ai_calls where run_id = $1 order by created_at', [runId]);
    expect(steps.map(({ step }) => step)).toEqual(['outline', 'outline', 'draft', 'draft', 'review', 'review']);
    expect(await articleOf(automation)).toMatchObject({ id, revision: 2, state: 'approved' });
    expect(await dataSource.query('select state, revision, post_id from deliveries where article_id = $1', [id])).toEqual([
      { state: 'pending', revision: 2, post_id: '7' },
    ]);
    expect(await dataSource.query('select state from article_refreshes where article_id = $1', [id])).toEqual([{ state: 'done' }]);
  });

  it('by an outage of its database while each call is answered: every answer is stored when the database is back', async () => {
    await holdEachCall();
    const automation = await announce('fotos de produtos');
    for (const step of steps) {
      await underWay(automation, step);
      await databaseProxy.cut();
      await release();
      const isAnswered = async () => (await requests()).some((request) => stepOf(request) === step && request.outcome !== 'pending');
      await eventually(async () => expect(await isAnswered()).toBe(true), { timeoutMs: 40_000 });
      await databaseProxy.restore();
    }
    await expectOneArticle(automation);
    expect(await called()).toEqual(steps);
    expect(await lostCalls(automation)).toEqual([]);
  });

  it('by an outage of its broker during each call: the job that comes back writes nothing again', async () => {
    await holdEachCall();
    const automation = await announce('calendário de posts');
    for (const step of steps) {
      await underWay(automation, step);
      await brokerProxy.cut();
      await brokerProxy.restore();
      await release();
    }
    await expectOneArticle(automation);
    expect(await called()).toEqual(steps);
    expect(await lostCalls(automation)).toEqual([]);
  });

  /** Steps whose result is stored, by the names of their calls. */
  const resultOf = { topicCalls: 'topics', outline: 'outline', draft: 'draft', review: 'review', revision: 'revise', cover: 'image' };
  const storedSteps = async (automationId: string) => {
    const stored = Object.entries((await runOf(automationId))!.steps).filter(([, value]) => value !== null);
    return stored.map(([name]) => resultOf[name as keyof typeof resultOf]);
  };

  it(
    `by ${kills} kills at any moment (seed ${seed}): one article each, and at most the call under way is made again`,
    async () => {
      await model.control('PATCH', 'settings', { tokensPerSecond });
      const random = randomOf(seed);
      for (let killed = 0; killed < kills; killed += 1) {
        const automation = await announce(`hashtags locais ${'abcdefghij'[killed % 10]}${killed}`);
        await eventually(async () => expect(await runOf(automation)).toBeDefined(), { everyMs: 10 });
        await sleep(random() * 4_000);
        await writer.kill();
        const [before, stored] = [await callsOf(automation), await storedSteps(automation)];
        await start();
        await expectOneArticle(automation);
        const after = (await callsOf(automation)).slice(before.length);
        expect([after, stored, after.filter((step) => stored.includes(step))]).toEqual([after, stored, []]);
        expect(after.filter((step) => before.includes(step)).length).toBeLessThanOrEqual(1);
      }
    },
    60_000 + kills * 60_000,
  );
});
