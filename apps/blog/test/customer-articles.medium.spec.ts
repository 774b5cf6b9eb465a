import { randomUUID } from 'node:crypto';
import { blogAutomationDeleted, blogAutomationSaved, type CustomerArticle, userDeleted } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { authenticated, eventually, publishTestEvent, tracesOf } from '@decola/testing';
import { jest } from '@jest/globals';
import { approvalTexts } from '../src/texts/approval-texts.js';
import { customerDisclosure, customerTexts } from '../src/texts/customer-texts.js';
import { runTexts } from '../src/texts/writing-texts.js';
import { TopicPlanner } from '../src/writing/topic-planner.service.js';
import { WritingRetention } from '../src/writing/writing-retention.service.js';
import { WritingScopes } from '../src/writing/writing-scopes.service.js';
import { findAutomation } from '../src/blog-automations/automation-copy.js';
import { type CustomersUnderTest, customersUnderTest } from './support/customers.js';
import { noonInBrasilia } from './support/noon.js';

/** What the stand-in of the model writes when it invents figures, and sources that hold them. */
const statistics =
  'Segundo o Instituto Panorama, 73% das lojas dobraram as vendas em 2023. Uma pesquisa recente mostra que 3 em cada 4 clientes gastam R$ 250 por mês.';

describe('articles of customers', () => {
  let blog: CustomersUnderTest;
  const query = <Row>(statement: string, parameters: unknown[] = []) => blog.query<Row>(statement, parameters);

  beforeAll(async () => {
    blog = await customersUnderTest({ AI_PREVIEWS_PER_DAY: '2', AI_MANUAL_PER_DAY: '2' });
  });
  afterEach(() => blog.model.control('POST', 'reset'));
  afterAll(() => blog?.dispose());

  const inventoryOf = (userId: string, titles: readonly string[], host = 'padaria.example') =>
    query(
      `insert into sites (user_id, site_key, origin_url, host, inventory, capabilities) values ($1, 'padaria.example', 'https://padaria.example', $4, $2, $3)`,
      [
        userId,
        JSON.stringify([
          ...titles.map((title, index) => ({ slug: `pagina-${index}`, title, link: `https://www.${host}/pagina-${index}/` })),
          { slug: 'fora', title: 'Fora do site', link: 'https://outro.example/fora' },
          { title: 7 },
        ]),
        JSON.stringify({ categories: ['Do site', 'Outra'] }),
        host,
      ],
    );
  const rest = async (table: string, userId: string | null, select = '*') => {
    const response = await fetch(`${blog.service.url}/rest/v1/${table}?select=${select}`, { headers: userId ? authenticated(userId) : {} });
    return { status: response.status, body: (await response.json()) as CustomerArticle[] };
  };

  it('are written once for a due date, with links to the site’s own pages, and delivered without asking when their owner wants that', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'never', disclosure: true, publishMode: 'draft' } });
    await inventoryOf(automation.userId, [
      ...['Nossa história na padaria', 'Encomendas para festas', 'Cardápio de domingo', 'Cursos de confeitaria', 'Onde estamos'],
      'Perguntas de clientes',
    ]);
    await blog.announceDue(automation);
    await blog.announceDue(automation);
    const { article, run } = await blog.write(automation, 'approved');
    expect(await blog.runsOf(automation)).toHaveLength(1);
    expect(run).toMatchObject({ article_id: article.id, reason: null, reason_code: null });
    expect(article).toMatchObject({
      revision: 1,
      state: 'approved',
      publish_mode: 'draft',
      site_key: 'padaria.example',
      approval_until: null,
    });
    expect(['Receitas', 'Dicas']).toContain(article.category);
    expect(article.content_html).toContain('href="https://www.padaria.example/pagina-');
    expect(article.content_html).not.toMatch(/outro\.example|rel="nofollow|ref:/);
    expect(article.content_html).toContain(customerDisclosure);
    expect(article.image?.src).toMatch(/^\/storage\/v1\/object\/public\/blog-images\//);
    expect(await query('select user_id, site_key, state from topics where run_id = $1', [run.id])).toEqual([
      { user_id: automation.userId, site_key: 'padaria.example', state: 'written' },
    ]);
    expect(await query('select article_id, revision, state from deliveries where user_id = $1', [automation.userId])).toEqual([
      { article_id: article.id, revision: 1, state: 'pending' },
    ]);
    expect(await query('select 1 from blog_articles')).toEqual([]);
    await eventually(() => expect(blog.outcomesOf(automation)).toEqual([['article.written', undefined]]));
    // What the model was told of the site stands in its prompts as data.
    const prompts = JSON.stringify((await blog.requests()).map(({ body }) => body));
    expect(prompts).toContain('Encomendas para festas');
    expect(prompts).toContain('Padaria artesanal');
    expect(blog.mails).toEqual([]);
  });

  it('are seen by their owner alone, and stand at no public address', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'never' } });
    const { article } = await blog.write(automation, 'approved');
    const own = await rest('customer_articles', automation.userId);
    expect(own.body).toMatchObject([{ id: article.id, title: article.title, state: 'approved', revision: 1 }]);
    for (const hidden of ['quality', 'mail_due_at', 'decision']) {
      expect(own.body[0]).not.toHaveProperty(hidden);
      expect((await rest('customer_articles', automation.userId, `id,${hidden}`)).status).toBeGreaterThanOrEqual(400);
    }
    for (const stranger of [randomUUID(), null]) {
      const { status, body } = await rest('customer_articles', stranger);
      expect(status === 200 ? body : []).toEqual([]);
    }
    for (const table of ['article_runs', 'topics']) expect((await rest(table, randomUUID())).body).toEqual([]);
    const pages = await Promise.all(
      ['articles', 'feed', `articles/${(article as unknown as CustomerArticle).slug}`].map(async (path) =>
        (await fetch(`${blog.service.url}/internal/site/${path}`)).text(),
      ),
    );
    expect(pages.join()).not.toContain(article.title);
    for (const [name, body] of [
      ['decide-article', { articleId: article.id, decision: 'reject' }],
      ['update-article', { articleId: article.id, title: 'Meu' }],
    ] as const)
      expect((await blog.call(name, randomUUID(), body)).body).toEqual({ success: false, error: customerTexts.notFound });
    expect((await blog.call('retry-article', randomUUID(), { runId: article.run_id })).body).toMatchObject({ success: false });
    const anonymous = await fetch(`${blog.service.url}/functions/v1/decide-article`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ articleId: article.id, decision: 'approve' }),
    });
    expect(anonymous.status).toBe(401);
    expect(await blog.articleOf(automation)).toMatchObject({ state: 'approved', title: article.title });
  });

  it('wait for their owner when that is wanted, and when the review doubts a statement that the given facts hold', async () => {
    const settings = { approval: 'in_doubt' as const, sources: [{ title: 'Panorama', url: null, text: statistics }] };
    await blog.fault('invented-statistics', { call: 'chat', times: null });
    const doubted = await blog.write(blog.automationFacts({ settings }), 'waiting_approval');
    expect(doubted.article.claims.length).toBeGreaterThan(0);
    for (const { quote, verdict } of doubted.article.claims) {
      expect(statistics).toContain(quote);
      expect(verdict).not.toBe('ok');
    }
    expect(doubted.run.reason).toMatch(/^Aguardando sua aprovação até \d\d\/\d\d\/\d{4}$/);
    expect(doubted.article.reason).toBe(doubted.run.reason);
    await blog.model.control('DELETE', 'faults');
    // Without a doubt it is sent; who wants to see each one is asked anyway.
    const sure = await blog.write(blog.automationFacts({ settings: { approval: 'in_doubt' } }), 'approved');
    expect(sure.article.claims).toEqual([]);
    const always = blog.automationFacts({ settings: { approval: 'always' } });
    await blog.write(always, 'waiting_approval');
    expect(await query('select 1 from deliveries where user_id = $1', [always.userId])).toEqual([]);
    await eventually(() => expect(blog.outcomesOf(always)).toEqual([['article.written', undefined]]));
  });

  it('are held when the gate refuses them, and sent when their owner approves them', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'never' } });
    await blog.fault('invented-statistics', { call: 'chat', times: null });
    const { article, run } = await blog.write(automation, 'needs_review');
    expect(run.reason).toMatch(/^Precisa de você: /);
    await eventually(() => expect(blog.outcomesOf(automation)).toEqual([['article.failed', 'gate']]));
    // Nobody is asked by mail who never wants to be.
    expect(await query('select mail_due_at from customer_articles where id = $1', [article.id])).toEqual([{ mail_due_at: null }]);
    const approve = () => blog.call('decide-article', automation.userId, { articleId: article.id, decision: 'approve' });
    const answers = await Promise.all([approve(), approve(), approve()]);
    for (const { body } of answers) expect(body).toEqual({ success: true });
    expect(await blog.runsOf(automation)).toMatchObject([{ state: 'approved', reason: null, reason_code: null }]);
    expect(await query('select article_id from deliveries where user_id = $1', [automation.userId])).toEqual([{ article_id: article.id }]);
    await eventually(() =>
      expect(blog.outcomesOf(automation)).toEqual([
        ['article.failed', 'gate'],
        ['article.written', undefined],
      ]),
    );
    const late = await blog.call('decide-article', automation.userId, { articleId: article.id, decision: 'reject' });
    expect(late.body).toEqual({ success: false, error: approvalTexts.decided });
  });

  it('do not repeat the site’s own posts, nor the articles of another automation of the site', async () => {
    const first = blog.automationFacts({ settings: { approval: 'never' } });
    await inventoryOf(first.userId, ['Como conservar o fermento natural no calor']);
    const { article } = await blog.write(first, 'approved');
    const second = { ...blog.automationFacts({ userId: first.userId, webhookUrl: 'https://padaria.example/?decola-webhook=1' }) };
    await publishTestEvent(blog.service.broker.url, blogAutomationSaved, second);
    const copy = await eventually(async () => {
      const found = await findAutomation(blog.service.dataSource, second.blogAutomationId);
      expect(found).toBeDefined();
      return found!;
    });
    const scope = await blog.service.app.get(WritingScopes, { strict: false }).ofCustomer(copy);
    const { all } = await blog.service.app.get(TopicPlanner, { strict: false }).known(scope);
    const titles = all.map(({ title }) => title);
    expect(titles).toContain('Como conservar o fermento natural no calor');
    expect(titles).not.toContain('Fora do site');
    expect(titles).toContain(article.title);
    expect((await scope.compared()).map(({ title }) => title)).toEqual([article.title]);
    // Another person's articles of the same site are not theirs.
    const stranger = { ...copy, userId: randomUUID() };
    const theirs = await blog.service.app.get(WritingScopes, { strict: false }).ofCustomer(stranger);
    expect(await theirs.compared()).toEqual([]);
    expect(await theirs.pages()).toEqual([]);
    // Without categories of their own they get those of the site, and without any the site chooses.
    const without = { ...copy, categories: null };
    const categoriesOf = async (automation: typeof copy) => {
      const { categories, hasCategories } = await blog.service.app.get(WritingScopes, { strict: false }).ofCustomer(automation);
      return hasCategories ? categories : null;
    };
    expect(await categoriesOf(without)).toEqual(['Do site', 'Outra']);
    expect(await categoriesOf({ ...without, userId: randomUUID() })).toBeNull();
  });

  it('show their next five subjects with why, and are about the first of them', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'never' } });
    await publishTestEvent(blog.service.broker.url, blogAutomationSaved, automation);
    const preview = (userId = automation.userId) => blog.call('preview-topics', userId, { blogAutomationId: automation.blogAutomationId });
    await eventually(async () => expect(await findAutomation(blog.service.dataSource, automation.blogAutomationId)).toBeDefined());
    expect((await preview(randomUUID())).body).toEqual({ success: false, error: customerTexts.automationNotFound });
    const seen = (await preview()).body.topics as { id: string; title: string; focusKeyword: string; why: string }[];
    expect(seen).toHaveLength(5);
    for (const { title, focusKeyword, why } of seen) expect([title, focusKeyword, why].every((text) => text.length > 0)).toBe(true);
    const calls = (await blog.requests()).length;
    expect(calls).toBeGreaterThan(0);
    expect((await preview()).body.topics).toEqual(seen);
    expect(await blog.requests()).toHaveLength(calls);
    expect(await query('select kind, times from daily_requests where user_id = $1', [automation.userId])).toEqual([
      { kind: 'preview', times: 1 },
    ]);
    const { run } = await blog.write(automation, 'approved');
    expect(run.steps['topic']).toMatchObject({ id: seen[0]!.id, title: seen[0]!.title });
    // What is planned is shown also when no more may be proposed; without anything planned the limit is told.
    await preview();
    await query(`update topics set state = 'skipped' where user_id = $1 and state = 'planned'`, [automation.userId]);
    await query(`update daily_requests set times = 2 where user_id = $1`, [automation.userId]);
    expect((await preview()).body).toEqual({ success: false, error: customerTexts.previewsPerDay(2) });
  });

  it('have topics chosen for an automation that was only just saved, and others in their place', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'never' } });
    const { blogAutomationId, userId, keyword, theme, categories, webhookUrl } = automation;
    const draft = { keyword, theme, categories, webhook_url: webhookUrl, settings: {} };
    const preview = async (more: object = {}, who = userId) =>
      (await blog.call('preview-topics', who, { blogAutomationId, draft, ...more })).body as {
        success: boolean;
        error?: string;
        topics?: { id: string; title: string }[];
      };
    const seen = (await preview()).topics!;
    expect(seen).toHaveLength(5);
    // Nobody else's, although they name the same automation.
    const stranger = (await preview({}, randomUUID())).topics!;
    expect(stranger.filter(({ id }) => seen.some((topic) => topic.id === id))).toEqual([]);
    expect((await preview({ draft: { ...draft, keyword: ' ' } })).success).toBeUndefined();
    // A call that brings nothing takes nothing away.
    await blog.fault('refusal', { call: 'chat' });
    expect(await preview({ replace: true })).toMatchObject({ success: false, error: runTexts.policy });
    expect((await preview()).topics).toEqual(seen);
    await query(`update daily_requests set times = 0 where user_id = $1`, [userId]);
    await query(`update topics set state = 'locked' where id = $1`, [seen[1]!.id]);
    const others = (await preview({ replace: true })).topics!;
    expect(others.filter(({ id }) => seen.some((topic) => topic.id === id)).map(({ id }) => id)).toEqual([seen[1]!.id]);
    expect(others.length).toBeGreaterThanOrEqual(3);
    // What was shown is what is written.
    await publishTestEvent(blog.service.broker.url, blogAutomationSaved, automation);
    await eventually(async () => expect(await findAutomation(blog.service.dataSource, blogAutomationId)).toBeDefined());
    expect((await blog.call('preview-topics', randomUUID(), { blogAutomationId, draft })).body.error).toBe(
      customerTexts.automationNotFound,
    );
    const { run } = await blog.write(automation, 'approved');
    expect(run.steps['topic']).toMatchObject({ id: others[0]!.id, title: others[0]!.title });
  });

  it('say when the month is used up, wait while the provider refuses every call, and can be tried again', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'never' } });
    const month = `date_trunc('month', now() at time zone 'America/Sao_Paulo')::date`;
    await query(`insert into ai_months (user_id, month, tokens) values ($1, ${month}, 1499000)`, [automation.userId]);
    await blog.announceDue(automation);
    const run = await blog.inState(automation, 'skipped');
    expect(run.reason).toMatch(/^O limite de textos do mês foi atingido\. A escrita volta em \d\d\/\d\d\/\d{4}\.$/);
    expect(await blog.requests()).toEqual([]);
    await eventually(() => expect(blog.outcomesOf(automation)).toEqual([['article.failed', 'budget']]));
    const retry = () => blog.call('retry-article', automation.userId, { runId: run.id });
    await query('delete from ai_months where user_id = $1', [automation.userId]);
    await blog.fault('quota', { call: 'chat', times: null });
    expect((await retry()).body).toEqual({ success: true });
    expect((await blog.inState(automation, 'waiting_provider')).reason).toMatch(/^Pausado do nosso lado; nova tentativa às \d\d:\d\d$/);
    expect((await retry()).body).toEqual({ success: false, error: customerTexts.notRepeatable });
    await blog.model.control('DELETE', 'faults');
    await query('update article_runs set retry_at = now() where id = $1', [run.id]);
    await blog.inState(automation, 'approved');
    expect(await query('select 1 from customer_articles where run_id = $1', [run.id])).toHaveLength(1);
    await query(`update article_runs set state = 'failed' where id = $1`, [run.id]);
    await query(`update daily_requests set times = 2 where user_id = $1`, [automation.userId]);
    expect((await retry()).body).toEqual({ success: false, error: customerTexts.retriesPerDay(2) });
  });

  it('are not written for an automation that was deleted meanwhile', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'never' } });
    await blog.fault('silence', { call: 'chat', match: '"name":"outline"' });
    await blog.announceDue(automation);
    await eventually(async () => expect((await blog.runsOf(automation))[0]?.state).toBe('outlining'), { timeoutMs: 60_000 });
    const { blogAutomationId, userId } = automation;
    await publishTestEvent(blog.service.broker.url, blogAutomationDeleted, { blogAutomationId, userId });
    await eventually(async () => expect(await findAutomation(blog.service.dataSource, blogAutomationId)).toBeUndefined());
    await blog.model.control('POST', 'release');
    expect(await blog.inState(automation, 'skipped')).toMatchObject({ reason: runTexts.cancelled, article_id: null });
    expect(await blog.articleOf(automation)).toBeUndefined();
    expect(
      await query('select state from topics where blog_automation_id = $1 and state in ($2, $3)', [blogAutomationId, 'writing', 'written']),
    ).toEqual([]);
  });

  it('wait until there is room for them at their site', async () => {
    // All of them on one day.
    const offsetMs = noonInBrasilia() - Date.now();
    const clock = jest.spyOn(blog.service.app.get(Clock), 'now').mockImplementation(() => new Date(Date.now() + offsetMs));
    const automation = blog.automationFacts({ settings: { approval: 'never' } });
    for (const [written, daysAgo] of [0, -1, -2].entries()) {
      await blog.announceDue(automation, blog.occurrence(daysAgo));
      await eventually(
        async () => expect((await blog.runsOf(automation)).filter(({ state }) => state === 'approved')).toHaveLength(written + 1),
        {
          timeoutMs: 120_000,
        },
      );
    }
    const deliveries = await query<{ code: string | null; reason: string | null }>(
      'select code, reason from deliveries where user_id = $1 order by created_at',
      [automation.userId],
    );
    expect(deliveries).toEqual([
      { code: null, reason: null },
      { code: null, reason: null },
      { code: 'site_limit', reason: 'Este site já recebeu 2 artigos hoje. Envio amanhã às 09:00.' },
    ]);
    clock.mockRestore();
  });

  it('are changed by their owner: cleaned, with a new revision, the ones before kept, and sent again', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'never' } });
    const { article } = await blog.write(automation, 'approved');
    const update = (body: object) => blog.call('update-article', automation.userId, { articleId: article.id, ...body });
    const dirty = '<h2>Novo</h2><p onclick="x()">Olá <script>alert(1)</script><a href="https://padaria.example/loja">loja</a></p>';
    expect((await update({ title: '  Outro   título ', content_html: dirty, meta: { metaTitle: 'Título da busca' } })).body).toEqual({
      success: true,
    });
    const changed = (await blog.articleOf(automation))!;
    expect(changed).toMatchObject({
      revision: 2,
      title: 'Outro título',
      state: 'approved',
      claims: [],
      meta: { metaTitle: 'Título da busca' },
    });
    expect(changed.content_html).toContain('<a href="https://padaria.example/loja">loja</a>');
    expect(changed.content_html).not.toMatch(/script|onclick/);
    expect(await query('select revision from deliveries where article_id = $1', [article.id])).toEqual([{ revision: 2 }]);
    expect(
      await query(`select revision, origin, cause, content->>'title' as title from article_revisions where article_id = $1`, [article.id]),
    ).toEqual([{ revision: 1, origin: 'customer', cause: 'edited', title: article.title }]);
    // Nothing new is no revision.
    expect((await update({ title: 'Outro título' })).body).toEqual({ success: true });
    expect(await blog.articleOf(automation)).toMatchObject({ revision: 2 });
    for (const [body, error] of [
      [{ title: ' ' }, customerTexts.titleEmpty],
      [{ content_html: '<p> </p><script>x</script>' }, customerTexts.contentEmpty],
      [{ title: 'Onde comprar cocaína' }, customerTexts.words(['cocaína'])],
    ] as const)
      expect((await update(body)).body).toEqual({ success: false, error });
    expect(await blog.articleOf(automation)).toMatchObject({ revision: 2, title: 'Outro título' });
  });

  it('keep what a rewriting needs while they wait for their owner', async () => {
    const waiting = await blog.write(blog.automationFacts({ settings: { approval: 'always' } }), 'waiting_approval');
    const sent = await blog.write(blog.automationFacts({ settings: { approval: 'never' } }), 'approved');
    await query(`update article_runs set updated_at = now() - interval '31 days' where id = any($1)`, [[waiting.run.id, sent.run.id]]);
    await blog.service.app.get(WritingRetention, { strict: false }).deleteExpired();
    const rows = await query<{ id: string; kept: boolean }>(`select id, steps <> '{}' as kept from article_runs where id = any($1)`, [
      [waiting.run.id, sent.run.id],
    ]);
    expect(Object.fromEntries(rows.map(({ id, kept }) => [id, kept]))).toEqual({ [waiting.run.id]: true, [sent.run.id]: false });
  });

  it('are erased with their owner, their covers too', async () => {
    const automation = blog.automationFacts({ settings: { approval: 'always' } });
    const { article } = await blog.write(automation, 'waiting_approval');
    const cover = () => fetch(`${blog.service.url}${article.image!.src}`);
    expect((await cover()).status).toBe(200);
    await publishTestEvent(blog.service.broker.url, userDeleted, {
      userId: automation.userId,
      deletedAt: blog.service.app.get(Clock).now().toISOString(),
    });
    await eventually(async () => expect(await blog.articleOf(automation)).toBeUndefined());
    await eventually(async () =>
      expect(await tracesOf(blog.service.database.url, { id: automation.userId })).toEqual(['erased_users: id']),
    );
    expect((await cover()).status).toBe(404);
    expect(await query('select 1 from approvals where article_id = $1', [article.id])).toEqual([]);
  });
});
