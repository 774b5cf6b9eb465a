import { randomUUID } from 'node:crypto';
import { articleDelivered, articleFailed, articleSiteRefused, articleWritten } from '@decola/contracts';
import { authenticated, collectEvents, eventually, publishTestEvent } from '@decola/testing';
import { BlogSchedule } from '../src/blog/blog-schedule.service.js';
import { Bench, blogRow, type Json } from './support.js';

/** What automations and blog tell each other of blog automations and their articles. */
describe('blog automations and what became of their articles', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
    // A Friday, 08:30 in Brasília.
    bench.setTime(new Date('2026-11-20T11:30:00Z'));
  });
  afterAll(() => bench?.stop());

  const only = async (userId: string): Promise<Json> => (await bench.call('GET', 'blog_automations', userId)).body[0];
  const made = async (more: Record<string, unknown> = {}) => {
    const userId = await bench.customer(2);
    expect((await bench.call('POST', 'blog_automations', userId, { ...blogRow, user_id: userId, ...more })).status).toBe(201);
    const { id } = await only(userId);
    return { userId, id: id as string, patch: (body: unknown) => bench.call('PATCH', `blog_automations?id=eq.${id}`, userId, body) };
  };
  const messagesOf = async (id: string): Promise<{ type: string; payload: Json }[]> =>
    bench.db.query(`select type, payload from outbox where subject = $1 order by position`, [id]);

  it('publishes every change once, as it is at the end of its transaction', async () => {
    const { userId, id, patch } = await made({ settings: { tone: 'leve' } });
    await patch({ keyword: 'pães, bolos' });
    await patch({ keyword: 'pães, bolos' }); // changes nothing
    await patch({ is_active: false });
    expect((await bench.call('DELETE', `blog_automations?id=eq.${id}`, userId)).status).toBe(204);
    const facts = {
      blogAutomationId: id,
      userId,
      origin: 'customer',
      keyword: 'vendas',
      theme: 'Vendas',
      categories: null,
      webhookUrl: blogRow.webhook_url,
      schedule: { type: 'weekly', time: '09:00', days: [1], dayOfMonth: null },
      settings: { tone: 'leve' },
      isActive: true,
      revision: 1,
    };
    expect(await messagesOf(id)).toEqual([
      { type: 'blog-automation.saved', payload: facts },
      { type: 'blog-automation.saved', payload: { ...facts, keyword: 'pães, bolos', revision: 2 } },
      { type: 'blog-automation.saved', payload: { ...facts, keyword: 'pães, bolos', isActive: false, revision: 3 } },
      { type: 'blog-automation.deleted', payload: { blogAutomationId: id, userId } },
    ]);
  });

  it('publishes one of the product’s own blog as editorial', async () => {
    const userId = await bench.customer(0);
    const row = { user_id: userId, keyword: 'seo', schedule_type: 'daily', schedule_time: '09:00' };
    expect((await bench.call('POST', 'blog_automations', userId, row, authenticated(userId, { roles: ['admin_master'] }))).status).toBe(
      201,
    );
    const { id } = await only(userId);
    const messages = await messagesOf(id as string);
    expect(messages.map(({ payload }) => [payload.origin, payload.webhookUrl, payload.isActive])).toEqual([['editorial', null, true]]);
  });

  it('publishes old rows once, and every row again after a day', async () => {
    const { id } = await made();
    const schedule = bench.app.get(BlogSchedule);
    await bench.db.query(`update blog_automations set announced_at = null where id = $1`, [id]);
    await bench.db.query(`delete from outbox where subject = $1`, [id]);
    await Promise.all([schedule.publishAgain(), schedule.publishAgain()]);
    expect(await messagesOf(id)).toMatchObject([{ type: 'blog-automation.saved', payload: { blogAutomationId: id, revision: 1 } }]);
    bench.setTime(new Date('2026-11-21T11:30:01Z'));
    await schedule.publishAgain();
    await schedule.publishAgain();
    expect(await messagesOf(id)).toHaveLength(2);
    bench.setTime(new Date('2026-11-20T11:30:00Z'));
  });

  it('tells with a due article how the automation is now, and does not say yet that it was written', async () => {
    const heard = await collectEvents(bench.broker.url, 'article.due');
    const { userId, id } = await made();
    await bench.db.query(`update blog_automations set next_generation_at = '2026-11-16T12:00:00Z' where id = $1`, [id]);
    await bench.app.get(BlogSchedule).publishDue();
    await eventually(() =>
      expect(heard.events.find(({ payload }) => payload['blogAutomationId'] === id)?.payload).toMatchObject({
        userId,
        automation: { blogAutomationId: id, keyword: 'vendas', isActive: true, revision: 1 },
      }),
    );
    expect(await only(userId)).toMatchObject({ last_generated_at: null, problem_reason: null });
    await heard.dispose();
  });

  it('shows when the last article was written, and why the last one was not, in whichever order it hears of them', async () => {
    const { userId, id, patch } = await made();
    const occurrence = { blogAutomationId: id, userId, occurrenceAt: '2026-11-16T12:00:00.000Z' };
    const written = (at: string, owner = userId) =>
      publishTestEvent(bench.broker.url, articleWritten, { ...occurrence, userId: owner, at, articleId: randomUUID(), title: 'T' });
    const failed = (at: string, reason: string) =>
      publishTestEvent(bench.broker.url, articleFailed, { ...occurrence, at, code: 'no_topic', reason });
    const shown = async () => {
      const { last_generated_at: last, problem_reason: reason } = await only(userId);
      return [last === null ? null : new Date(last as string).toISOString(), reason];
    };

    await failed('2026-11-16T12:05:00.000Z', 'Seus assuntos se esgotaram.');
    await eventually(async () => expect(await shown()).toEqual([null, 'Seus assuntos se esgotaram.']));
    await written('2026-11-16T12:30:00.000Z');
    await eventually(async () => expect(await shown()).toEqual(['2026-11-16T12:30:00.000Z', null]));
    // Late news: an earlier problem, an earlier article, and an article that is said to be somebody else's.
    await failed('2026-11-16T12:10:00.000Z', 'Antigo.');
    await written('2026-11-16T12:01:00.000Z');
    await written('2026-11-18T12:00:00.000Z', randomUUID());
    await failed('2026-11-17T12:05:00.000Z', 'O provedor recusou o tema.');
    await eventually(async () => expect(await shown()).toEqual(['2026-11-16T12:30:00.000Z', 'O provedor recusou o tema.']));
    await written('2026-11-16T12:45:00.000Z');
    await eventually(async () => expect(await shown()).toEqual(['2026-11-16T12:45:00.000Z', 'O provedor recusou o tema.']));
    // What its owner changes may mend it.
    expect((await patch({ keyword: 'vendas, leads' })).status).toBe(204);
    expect(await shown()).toEqual(['2026-11-16T12:45:00.000Z', null]);
  });

  it('shows no problem any more once an article is on its site', async () => {
    const { userId, id } = await made();
    const about = { blogAutomationId: id, userId, occurrenceAt: '2026-11-16T12:00:00.000Z' };
    const delivered = (at: string, owner = userId) =>
      publishTestEvent(bench.broker.url, articleDelivered, {
        ...{ ...about, userId: owner, articleId: randomUUID(), siteHost: 'loja.example', publicUrl: null, seen: false, at },
      });
    const problem = async () => (await only(userId))['problem_reason'];
    await publishTestEvent(bench.broker.url, articleFailed, {
      ...about,
      at: '2026-11-16T12:05:00.000Z',
      code: 'token',
      reason: 'O token.',
    });
    await eventually(async () => expect(await problem()).toBe('O token.'));
    // An article that was delivered before, and somebody else's. Each automation's events arrive in their order.
    await delivered('2026-11-16T12:04:00.000Z');
    await delivered('2026-11-16T12:30:00.000Z', randomUUID());
    await publishTestEvent(bench.broker.url, articleFailed, {
      ...about,
      at: '2026-11-16T12:06:00.000Z',
      code: 'token',
      reason: 'Ainda o token.',
    });
    await eventually(async () => expect(await problem()).toBe('Ainda o token.'));
    await delivered('2026-11-16T12:07:00.000Z');
    await eventually(async () => expect(await problem()).toBeNull());
  });

  it('pauses an automation whose site wants no more articles, until its owner switches it on', async () => {
    const { userId, id, patch } = await made();
    const refused = (at: Date, owner = userId) =>
      publishTestEvent(bench.broker.url, articleSiteRefused, {
        ...{
          blogAutomationId: id,
          userId: owner,
          siteHost: 'loja.example',
          cause: 'gone' as const,
          reason: 'loja.example recusou.',
          at: at.toISOString(),
        },
      });
    const shown = async () => {
      const { is_active, pause_reason } = await only(userId);
      return { is_active, pause_reason };
    };
    const soon = () => new Date(Date.now() + 1_000);
    await refused(soon());
    await eventually(async () => expect(await shown()).toEqual({ is_active: false, pause_reason: 'loja.example recusou.' }));
    expect((await patch({ is_active: true })).status).toBe(204);
    expect(await shown()).toEqual({ is_active: true, pause_reason: null });
    // Late news from before that, and somebody else's; the next one that counts shows that both were heard.
    await refused(new Date(Date.now() - 3_600_000));
    await refused(soon(), randomUUID());
    await publishTestEvent(bench.broker.url, articleFailed, {
      ...{
        blogAutomationId: id,
        userId,
        occurrenceAt: '2026-11-16T12:00:00.000Z',
        at: soon().toISOString(),
        code: 'gone',
        reason: 'Depois.',
      },
    });
    await eventually(async () => expect(await only(userId)).toMatchObject({ problem_reason: 'Depois.' }));
    expect(await shown()).toEqual({ is_active: true, pause_reason: null });
  });

  it('announces to the owner’s open pages what they see, and not the exchange with blog', async () => {
    const { userId, id } = await made();
    const announced = async () =>
      (await bench.db.query<unknown[]>(`select 1 from outbox where type = 'customer.changed' and subject = $1`, [userId])).length;
    const before = await announced();
    await bench.db.query(`update blog_automations set announced_at = clock_timestamp() where id = $1`, [id]);
    expect(await announced()).toBe(before);
    await bench.db.query(`update blog_automations set problem_reason = 'x' where id = $1`, [id]);
    expect(await announced()).toBe(before + 1);
  });
});
