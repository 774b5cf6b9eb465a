import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { userDeleted, type BlogAutomationFacts } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { authenticated, eventually, publishTestEvent, tracesOf } from '@decola/testing';
import { LinkChecks } from '../src/refreshes/link-checks.service.js';
import { RefreshWatch } from '../src/refreshes/refresh-watch.service.js';
import { customerTexts } from '../src/texts/customer-texts.js';
import { refreshTexts } from '../src/texts/refresh-texts.js';
import { type CustomersUnderTest, customersUnderTest } from './support/customers.js';

const dayMs = 86_400_000;

/** Pages of other sites. @returns what was asked for, and what each path answers */
async function otherSite() {
  const statuses = new Map<string, number>();
  const asked: string[] = [];
  const server: Server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(statuses.get(url) ?? 200).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, statuses, asked, stop: () => new Promise((done) => server.close(done)) };
}

describe('new texts of articles that are on their owners’ sites', () => {
  let blog: CustomersUnderTest;
  let other: Awaited<ReturnType<typeof otherSite>>;
  const query = <Row>(statement: string, parameters: unknown[] = []) => blog.query<Row>(statement, parameters);

  beforeAll(async () => {
    other = await otherSite();
    blog = await customersUnderTest({ OUTGOING_HTTP_HOSTS: other.host });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await blog.model.control('POST', 'reset');
  });
  afterAll(async () => {
    await blog?.dispose();
    await other?.stop();
  });

  const at = (ms: number) => jest.spyOn(blog.service.app.get(Clock), 'now').mockImplementation(() => new Date(Date.now() + ms));
  const watch = () => blog.service.app.get(RefreshWatch, { strict: false });
  const propose = async () => {
    await query('update customer_articles set refresh_checked_at = null');
    await watch().proposeDue();
  };
  /** An article that was written and published, as its site shows it. @param change of its row, besides the age of 200 days */
  const onSite = async (
    settings: BlogAutomationFacts['settings'] = { approval: 'never' },
    change: { title?: string; html?: string } = {},
  ) => {
    const automation = blog.automationFacts({ settings: { ...settings, approval: 'never' } });
    const { article } = await blog.write(automation, 'approved');
    await query(
      `update deliveries set state = 'seen', post_id = 12, delivered_revision = 1, next_attempt_at = null, published_at = now() where article_id = $1`,
      [article.id],
    );
    await query(`update blog_automation_copies set settings = $2 where id = $1`, [automation.blogAutomationId, JSON.stringify(settings)]);
    await query(
      `update customer_articles set created_at = now() - interval '200 days', updated_at = now() - interval '200 days', title = coalesce($2, title),
         content_html = coalesce($3, content_html) where id = $1`,
      [article.id, change.title ?? null, change.html ?? null],
    );
    return { automation, article: (await blog.articleOf(automation))! };
  };
  const decide = async ({ userId }: BlogAutomationFacts, articleId: string, decision: string) =>
    (await blog.call('refresh-article', userId, { articleId, decision })).body;
  const proposalsOf = (articleId: string) =>
    query<{ reason: string; state: string; detail: Record<string, unknown> }>(
      'select reason, state, detail from refresh_proposals where article_id = $1 order by reason',
      [articleId],
    );
  const refreshOf = async (articleId: string) =>
    (
      await query<{ state: string; run_id: string; problem: string | null; title: string | null }>(
        'select state, run_id, problem, title from article_refreshes where article_id = $1 order by created_at desc',
        [articleId],
      )
    )[0];
  const refreshIn = (articleId: string, state: string) =>
    eventually(
      async () => {
        const refresh = await refreshOf(articleId);
        expect([refresh?.state, refresh?.problem]).toEqual([state, refresh?.problem]);
        return refresh!;
      },
      { timeoutMs: 120_000 },
    );
  const callsOf = async (runId: string) =>
    (await query<{ step: string }>('select step from ai_calls where run_id = $1 order by created_at', [runId])).map(({ step }) => step);

  it('are proposed once after 180 days, written by the usual steps, and sent as an update of the same post', async () => {
    const { automation, article } = await onSite();
    await query(`update customer_articles set updated_at = now() - interval '179 days' where id = $1`, [article.id]);
    await propose();
    expect(await proposalsOf(article.id)).toEqual([]);
    expect(await decide(automation, article.id, 'accept')).toEqual({ success: false, error: refreshTexts.notProposed });
    await query(`update customer_articles set updated_at = now() - interval '181 days', refresh_checked_at = null where id = $1`, [
      article.id,
    ]);
    await Promise.all([watch().proposeDue(), watch().proposeDue()]);
    await propose();
    expect(await proposalsOf(article.id)).toEqual([{ reason: 'age', state: 'proposed', detail: { since: expect.any(String) as string } }]);

    const answers = await Promise.all([1, 2, 3].map(() => decide(automation, article.id, 'accept')));
    expect(answers).toEqual([{ success: true }, { success: true }, { success: true }]);
    const { run_id: runId } = await refreshIn(article.id, 'done');
    expect(await query('select 1 from article_refreshes where article_id = $1', [article.id])).toHaveLength(1);
    expect(await callsOf(runId)).toEqual(['outline', 'draft', 'review']);
    const changed = (await blog.articleOf(automation))!;
    expect(changed).toMatchObject({ id: article.id, run_id: article.run_id, revision: 2, state: 'approved', image: article.image });
    expect(changed.content_html).not.toBe(article.content_html);
    expect(await query('select revision, cause from article_revisions where article_id = $1', [article.id])).toEqual([
      { revision: 1, cause: 'rewritten' },
    ]);
    expect(
      await query('select state, revision, operation, is_forced, post_id from deliveries where article_id = $1', [article.id]),
    ).toEqual([{ state: 'pending', revision: 2, operation: 'deliver', is_forced: false, post_id: '12' }]);
    // The model saw the article as it was, and no topic or picture was made; nobody is told of another article.
    expect(JSON.stringify((await blog.requests()).at(-2)!.body)).toContain('refresh');
    expect(blog.outcomesOf(automation)).toEqual([['article.written', undefined]]);
    expect(await proposalsOf(article.id)).toMatchObject([{ reason: 'age', state: 'accepted' }]);
    await propose();
    expect(await proposalsOf(article.id)).toMatchObject([{ reason: 'age', state: 'accepted' }]);
    const retried = await blog.call('retry-article', automation.userId, { runId });
    expect(retried.body).toEqual({ success: false, error: customerTexts.notRepeatable });
  });

  it('wait for owners who want to see them; the article stays as it is until then', async () => {
    const { automation, article } = await onSite({ approval: 'always' }, { title: 'Guia de pães de 2025' });
    await query(`update customer_articles set created_at = '2025-06-01', updated_at = now() - interval '10 days' where id = $1`, [
      article.id,
    ]);
    at(Date.UTC(2026, 5, 1) - Date.now());
    await propose();
    expect(await proposalsOf(article.id)).toEqual([
      { reason: 'stale_year', state: 'proposed', detail: { year: 2025, quote: 'Guia de pães de 2025' } },
    ]);
    jest.restoreAllMocks();
    expect(await decide(automation, article.id, 'accept')).toEqual({ success: true });
    await refreshIn(article.id, 'waiting');
    expect(await blog.articleOf(automation)).toMatchObject({
      revision: 1,
      title: 'Guia de pães de 2025',
      content_html: article.content_html,
    });
    expect(await query('select state, revision from deliveries where article_id = $1', [article.id])).toEqual([
      { state: 'seen', revision: 1 },
    ]);
    await eventually(() => expect(blog.mails.filter(({ to }) => to === `${automation.userId}@cliente.example`)).toHaveLength(1), {
      timeoutMs: 60_000,
    });
    expect(blog.mails.at(-1)).toMatchObject({
      subject: 'Texto novo para “Guia de pães de 2025”',
      text: expect.stringContaining('/artigos') as string,
    });

    // Others see and decide nothing.
    const stranger = randomUUID();
    expect(await decide({ ...automation, userId: stranger }, article.id, 'publish')).toEqual({
      success: false,
      error: customerTexts.notFound,
    });
    for (const table of ['article_refreshes', 'refresh_proposals']) {
      const rows = async (userId: string) =>
        (await (await fetch(`${blog.service.url}/rest/v1/${table}?select=*`, { headers: authenticated(userId) })).json()) as unknown[];
      expect(await rows(stranger)).toEqual([]);
      expect(await rows(automation.userId)).toHaveLength(1);
      const hidden = await fetch(`${blog.service.url}/rest/v1/${table}?select=quality`, { headers: authenticated(automation.userId) });
      expect(hidden.status).toBeGreaterThanOrEqual(400);
    }

    const { title } = (await refreshOf(article.id))!;
    expect(await Promise.all([1, 2].map(() => decide(automation, article.id, 'publish')))).toEqual([{ success: true }, { success: true }]);
    expect(await blog.articleOf(automation)).toMatchObject({ revision: 2, title });
    expect(await decide(automation, article.id, 'discard')).toEqual({ success: false, error: refreshTexts.decided });
  });

  it('leave the article as it was when nobody wants them: dismissed reasons come back after 180 days', async () => {
    const { automation, article } = await onSite({ approval: 'always' });
    await propose();
    await decide(automation, article.id, 'accept');
    await refreshIn(article.id, 'waiting');
    at(7 * dayMs + 60_000);
    await Promise.all([watch().lookAfterWaiting(), watch().lookAfterWaiting()]);
    expect(await refreshOf(article.id)).toMatchObject({ state: 'discarded', problem: refreshTexts.expired });
    expect(await blog.articleOf(automation)).toMatchObject({ revision: 1, state: 'approved', content_html: article.content_html });
    expect(await proposalsOf(article.id)).toMatchObject([{ state: 'dismissed' }]);
    at(180 * dayMs);
    await propose();
    expect(await proposalsOf(article.id)).toMatchObject([{ state: 'dismissed' }]);
    at(188 * dayMs);
    await propose();
    expect(await proposalsOf(article.id)).toMatchObject([{ state: 'proposed' }]);
    expect(await decide(automation, article.id, 'dismiss')).toEqual({ success: true });
    await propose();
    expect(await proposalsOf(article.id)).toMatchObject([{ state: 'dismissed' }]);
  });

  it('never replace what the owner changed meanwhile, here or on the site', async () => {
    const { automation, article } = await onSite();
    await propose();
    await blog.fault('silence', { call: 'chat', match: '"name":"outline"' });
    await decide(automation, article.id, 'accept');
    // The first one is the article's own.
    await eventually(async () => expect((await blog.requests()).filter(({ schemaName }) => schemaName === 'outline')).toHaveLength(2), {
      timeoutMs: 60_000,
    });
    const edited = await blog.call('update-article', automation.userId, { articleId: article.id, title: 'Meu título' });
    expect(edited.body).toEqual({ success: true });
    await blog.model.control('POST', 'release');
    expect(await refreshIn(article.id, 'failed')).toMatchObject({ problem: refreshTexts.changed });
    expect(await blog.articleOf(automation)).toMatchObject({ revision: 2, title: 'Meu título', content_html: article.content_html });
    await query(`update deliveries set state = 'edited_by_owner' where article_id = $1`, [article.id]);
    expect(await decide(automation, article.id, 'accept')).toEqual({ success: false, error: refreshTexts.edited });
    await propose();
    expect(await proposalsOf(article.id)).toEqual([]);
  });

  it('are proposed for links that were gone on two days, and come without them', async () => {
    const link = (path: string) => `http://${other.host}${path}`;
    for (const [path, status] of [
      ['/gone', 404],
      ['/closed', 403],
      ['/broken', 500],
      ['/busy', 429],
      ['/back', 410],
    ] as const)
      other.statuses.set(path, status);
    const paths = ['/gone', '/closed', '/broken', '/busy', '/back', '/fine'];
    const html = `<h2>Pães</h2><p>${paths.map((path) => `<a href="${link(path)}">fonte ${path.slice(1)}</a>`).join(' ')}</p>`;
    const { automation, article } = await onSite({ approval: 'never' }, { html });
    await query('update customer_articles set updated_at = now() where id = $1', [article.id]);
    const checks = blog.service.app.get(LinkChecks, { strict: false });
    const check = async () => {
      while ((await checks.checkDue()) > 0);
      await propose();
    };
    await propose();
    await Promise.all([check(), check()]);
    expect(other.asked.toSorted()).toEqual(paths.toSorted());
    expect(await proposalsOf(article.id)).toEqual([]);
    // Once a week at most.
    at(6 * dayMs);
    await check();
    expect(other.asked).toHaveLength(paths.length);
    other.statuses.set('/back', 200);
    at(8 * dayMs);
    await check();
    expect(other.asked).toHaveLength(2 * paths.length);
    expect(await proposalsOf(article.id)).toEqual([{ reason: 'dead_links', state: 'proposed', detail: { links: [link('/gone')] } }]);
    jest.restoreAllMocks();
    await decide(automation, article.id, 'accept');
    await refreshIn(article.id, 'done');
    const outline = (await blog.requests()).findLast(({ schemaName }) => schemaName === 'outline')!;
    const links = JSON.stringify(outline.body);
    expect([links.includes('fonte gone'), links.includes('fonte fine')]).toEqual([true, true]);
    expect(
      await query(`select steps->'links' @> $2 as has_gone from article_runs where refreshes_run_id = $1`, [
        article.run_id,
        JSON.stringify([{ href: link('/gone') }]),
      ]),
    ).toEqual([{ has_gone: false }]);
    expect((await blog.articleOf(automation))!.content_html).not.toContain(link('/gone'));
  });

  it('check at most 20 links of a site on a day', async () => {
    other.asked.length = 0;
    await query('delete from article_links');
    const links = Array.from({ length: 25 }, (_, index) => `<a href="http://${other.host}/${index}">${index}</a>`);
    await onSite({ approval: 'never' }, { html: `<h2>Pães</h2><p>${links.join(' ')}</p>` });
    await propose();
    await query(`update article_links set next_check_at = now() + interval '1 year' where url not like $1`, [`http://${other.host}/%`]);
    const checks = blog.service.app.get(LinkChecks, { strict: false });
    while ((await checks.checkDue()) > 0);
    expect(other.asked.length).toBe(20);
    at(dayMs);
    while ((await checks.checkDue()) > 0);
    expect(other.asked.length).toBe(25);
  });

  it('are erased with their owner', async () => {
    const { automation, article } = await onSite(
      { approval: 'always' },
      { html: `<h2>Pães</h2><p><a href="http://${other.host}/x">x</a></p>` },
    );
    await propose();
    await decide(automation, article.id, 'accept');
    await refreshIn(article.id, 'waiting');
    expect(await query('select 1 from article_links where user_id = $1', [automation.userId])).toHaveLength(1);
    await publishTestEvent(blog.service.broker.url, userDeleted, { userId: automation.userId, deletedAt: new Date().toISOString() });
    await eventually(async () =>
      expect(await tracesOf(blog.service.database.url, { id: automation.userId })).toEqual(['erased_users: id']),
    );
    for (const table of ['refresh_proposals', 'article_refreshes', 'article_links'])
      expect(await query(`select 1 from ${table} where article_id = $1`, [article.id])).toEqual([]);
  });
});
