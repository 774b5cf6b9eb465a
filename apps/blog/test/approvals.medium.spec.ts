import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, DoneAnswer } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { eventually, tracesOf } from '@decola/testing';
import { ApprovalWatch } from '../src/approvals/approval-watch.service.js';
import { approvalTexts } from '../src/texts/approval-texts.js';
import { customerTexts } from '../src/texts/customer-texts.js';
import { type CustomersUnderTest, customersUnderTest } from './support/customers.js';

type OpenPage = Extract<ApprovalAnswer, { state: 'open' }>;

const dayMs = 86_400_000;

describe('approvals of articles', () => {
  let blog: CustomersUnderTest;
  const query = <Row>(statement: string, parameters: unknown[] = []) => blog.query<Row>(statement, parameters);

  beforeAll(async () => {
    blog = await customersUnderTest();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await blog.model.control('POST', 'reset');
  });
  afterAll(() => blog?.dispose());

  const mailsTo = (userId: string) => blog.mails.filter(({ to }) => to === `${userId}@cliente.example`);
  /** The token of the newest mail to a person, when they have got so many. */
  const tokenOf = async (userId: string, mails = 1) => {
    await eventually(() => expect(mailsTo(userId)).toHaveLength(mails), { timeoutMs: 60_000 });
    const [, token] = /https:\/\/decola\.example\/aprovar\/([\w-]{43})\b/.exec(mailsTo(userId).at(-1)!.text) ?? [];
    expect(token).toBeDefined();
    return token!;
  };
  const address = (token: string) => `${blog.service.url}/internal/site/approval/${token}`;
  const open = async (token: string) => (await (await fetch(address(token))).json()) as ApprovalAnswer;
  const post = async (token: string, body: object) => {
    const response = await fetch(address(token), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as DoneAnswer };
  };
  const waiting = async () => {
    const automation = blog.automationFacts({ settings: { approval: 'always' } });
    const written = await blog.write(automation, 'waiting_approval');
    return { automation, ...written, token: await tokenOf(automation.userId) };
  };
  const at = (ms: number) => jest.spyOn(blog.service.app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + ms));
  const watch = () => blog.service.app.get(ApprovalWatch, { strict: false });
  const everything = async () =>
    JSON.stringify(
      await Promise.all(
        ['customer_articles', 'approvals', 'article_runs', 'deliveries'].map((table) => query(`select * from ${table} order by id`)),
      ),
    );

  it('are asked for by one mail, whose link shows the article and changes nothing however often it is opened', async () => {
    const { token, article, automation } = await waiting();
    const [mail] = mailsTo(automation.userId);
    expect(mail!.subject).toContain(article.title);
    expect(await tracesOf(blog.service.database.url, { token })).toEqual([]);
    expect(await query('select mails, mail_due_at > now() as reminded from customer_articles where id = $1', [article.id])).toEqual([
      { mails: 1, reminded: true },
    ]);
    const before = await everything();
    for (let times = 0; times < 3; times += 1) expect((await fetch(address(token))).status).toBe(200);
    const page = (await open(token)) as OpenPage;
    expect(page).toMatchObject({ state: 'open', canChange: true, article: { title: article.title, siteKey: 'padaria.example' } });
    expect(page.article.contentHtml).toBe(article.content_html);
    // Scanners also press what they find, without the page's nonce.
    for (const nonce of ['', 'x', `1.${Date.now() + dayMs}.abc`, `${page.nonce}x`, page.nonce.replace(/^1\./, '2.')]) {
      expect((await post(token, { decision: 'approve', nonce })).body).toEqual({ success: false, error: approvalTexts.linkOld });
    }
    expect((await post(token, { decision: 'approve' })).status).toBe(400);
    expect(await everything()).toBe(before);
    for (const unknown of [randomUUID(), 'a'.repeat(43), `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`]) {
      expect(await open(unknown)).toEqual({ state: 'unknown' });
      expect((await post(unknown, { decision: 'approve', nonce: page.nonce })).body).toEqual({
        success: false,
        error: approvalTexts.linkUnknown,
      });
    }
  });

  it('decide once, however often they are pressed', async () => {
    const { token, article, automation } = await waiting();
    const { nonce } = (await open(token)) as OpenPage;
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(token, { decision: 'approve', nonce })));
    for (const { body } of answers) expect(body).toEqual({ success: true });
    expect(await query('select article_id from deliveries where user_id = $1', [automation.userId])).toEqual([{ article_id: article.id }]);
    expect((await post(token, { decision: 'reject', nonce })).body).toEqual({ success: false, error: approvalTexts.decided });
    expect(await open(token)).toEqual({ state: 'decided', title: article.title, decision: 'approve' });
    expect(await blog.runsOf(automation)).toMatchObject([{ state: 'approved' }]);
    // It was told when the article was written.
    expect(blog.outcomesOf(automation)).toEqual([['article.written', undefined]]);
  });

  it('of two decisions at the same time count one', async () => {
    const { token, automation } = await waiting();
    const { nonce } = (await open(token)) as OpenPage;
    const [approved, rejected] = await Promise.all([
      post(token, { decision: 'approve', nonce }),
      post(token, { decision: 'reject', nonce, note: 'Não quero' }),
    ]);
    expect([approved.body.success, rejected.body.success].filter(Boolean)).toHaveLength(1);
    const deliveries = await query('select 1 from deliveries where user_id = $1', [automation.userId]);
    expect(deliveries).toHaveLength(approved.body.success ? 1 : 0);
  });

  it('may ask for one rewriting, whose text waits again under a new link', async () => {
    const { token, article, automation } = await waiting();
    const { nonce } = (await open(token)) as OpenPage;
    expect((await post(token, { decision: 'change', nonce, note: '  ' })).body).toEqual({
      success: false,
      error: approvalTexts.noteMissing,
    });
    const note = 'Fale mais da farinha integral';
    const change = () => post(token, { decision: 'change', nonce, note });
    expect((await Promise.all([change(), change()])).map(({ body }) => body.success)).toEqual([true, true]);
    const second = await tokenOf(automation.userId, 2);
    const changed = (await blog.articleOf(automation))!;
    expect(changed).toMatchObject({ id: article.id, revision: 2, state: 'waiting_approval' });
    expect(await query(`select revision, cause from article_revisions where article_id = $1`, [article.id])).toEqual([
      { revision: 1, cause: 'rewritten' },
    ]);
    const rewritings = (await blog.requests()).filter(({ body }) => JSON.stringify(body).includes(note));
    expect(rewritings).toHaveLength(1);
    expect(await open(second)).toMatchObject({ state: 'open', canChange: false });
    // The page of the first link showed another text.
    expect((await post(token, { decision: 'approve', nonce })).body).toEqual({ success: false, error: approvalTexts.changed });
    const fresh = (await open(second)) as OpenPage;
    expect((await post(second, { decision: 'change', nonce: fresh.nonce, note })).body).toEqual({
      success: false,
      error: approvalTexts.rewrittenOnce,
    });
    expect((await post(second, { decision: 'approve', nonce: fresh.nonce })).body).toEqual({ success: true });
    expect(await query('select revision from deliveries where article_id = $1', [article.id])).toEqual([{ revision: 2 }]);
    expect(blog.outcomesOf(automation)).toEqual([['article.written', undefined]]);
  });

  it('leave the article as it was when it cannot be rewritten', async () => {
    const { article, automation } = await waiting();
    await blog.fault('refusal', { call: 'chat', times: null });
    const decide = (decision: string, note?: string) =>
      blog.call('decide-article', automation.userId, { articleId: article.id, decision, note });
    expect((await decide('change', 'Mude o tom')).body).toEqual({ success: true });
    await eventually(async () => expect((await blog.articleOf(automation))?.reason).toMatch(/^Não foi possível reescrever/), {
      timeoutMs: 60_000,
    });
    expect(await blog.articleOf(automation)).toMatchObject({ state: 'waiting_approval', revision: 1, content_html: article.content_html });
    expect(await blog.runsOf(automation)).toMatchObject([{ state: 'waiting_approval', article_id: article.id }]);
    expect(
      await query(`select state from topics where blog_automation_id = $1 and run_id is not null`, [automation.blogAutomationId]),
    ).toEqual([{ state: 'written' }]);
    expect(blog.outcomesOf(automation)).toEqual([['article.written', undefined]]);
    expect((await decide('approve')).body).toEqual({ success: true });
  });

  it('reject with a reason that is kept for the choice of subjects', async () => {
    const { token, article, automation, run } = await waiting();
    const { nonce } = (await open(token)) as OpenPage;
    const note = 'Não vendemos esse produto';
    expect((await post(token, { decision: 'reject', nonce, note })).body).toEqual({ success: true });
    expect(await query('select state, reason from topics where run_id = $1', [run.id])).toEqual([{ state: 'rejected', reason: note }]);
    expect(await blog.runsOf(automation)).toMatchObject([{ state: 'rejected', reason_code: 'rejected', reason: note }]);
    expect(await open(token)).toEqual({ state: 'decided', title: article.title, decision: 'reject' });
    expect(await query('select 1 from deliveries where user_id = $1', [automation.userId])).toEqual([]);
    for (const answer of [
      await blog.call('update-article', automation.userId, { articleId: article.id, title: 'Outro' }),
      await blog.call('retry-article', automation.userId, { runId: run.id }),
    ])
      expect([customerTexts.notEditable, customerTexts.notRepeatable]).toContain(answer.body.error);
    // The model is told why when it proposes the next ones.
    await query(`delete from topics where user_id = $1 and state = 'planned'`, [automation.userId]);
    await blog.call('preview-topics', automation.userId, { blogAutomationId: automation.blogAutomationId });
    expect(JSON.stringify((await blog.requests()).at(-1)!.body)).toContain(note);
  });

  it('are reminded of once after a day, and expire after seven', async () => {
    const { token, article, automation, run } = await waiting();
    const { nonce } = (await open(token)) as OpenPage;
    at(dayMs - 60_000);
    await watch().mailDue();
    expect(await query('select mails from customer_articles where id = $1', [article.id])).toEqual([{ mails: 1 }]);
    at(dayMs + 60_000);
    await Promise.all([watch().mailDue(), watch().mailDue()]);
    const second = await tokenOf(automation.userId, 2);
    expect(second).not.toBe(token);
    expect(mailsTo(automation.userId).at(-1)!.subject).toMatch(/^Lembrete: /);
    expect(await open(token)).toMatchObject({ state: 'open' });
    at(6 * dayMs);
    await watch().mailDue();
    await watch().expire();
    expect(await query('select mails, state from customer_articles where id = $1', [article.id])).toEqual([
      { mails: 2, state: 'waiting_approval' },
    ]);
    at(7 * dayMs + 60_000);
    await Promise.all([watch().expire(), watch().expire()]);
    for (const each of [token, second]) {
      expect(await open(each)).toEqual({ state: 'expired', title: article.title });
      expect((await post(each, { decision: 'approve', nonce })).body.success).toBe(false);
    }
    expect(await blog.runsOf(automation)).toMatchObject([{ state: 'expired', reason: approvalTexts.expired }]);
    await eventually(() =>
      expect(blog.outcomesOf(automation)).toEqual([
        ['article.written', undefined],
        ['article.failed', 'expired'],
      ]),
    );
    expect(await query('select 1 from deliveries where user_id = $1', [automation.userId])).toEqual([]);
    // Who comes late may have it wait again.
    expect((await blog.call('retry-article', automation.userId, { runId: run.id })).body).toEqual({ success: true });
    expect(await blog.articleOf(automation)).toMatchObject({ state: 'waiting_approval', revision: 1 });
    expect(await blog.runsOf(automation)).toMatchObject([{ state: 'waiting_approval' }]);
  });

  it('refuse an article that nobody may be sent, whoever wrote it', async () => {
    const { token, article } = await waiting();
    await query(`update customer_articles set title = 'Apostas online e cassinos' where id = $1`, [article.id]);
    const { nonce } = (await open(token)) as OpenPage;
    expect((await post(token, { decision: 'approve', nonce })).body).toEqual({
      success: false,
      error: expect.stringContaining('cassino') as unknown,
    });
    expect(await query('select state from customer_articles where id = $1', [article.id])).toEqual([{ state: 'waiting_approval' }]);
  });
});
