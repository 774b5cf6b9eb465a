import { collectEvents, eventually } from '@decola/testing';
import { BlogSchedule } from '../src/blog/blog-schedule.service.js';
import { Bench } from './support.js';

describe('blog automations over rest/v1', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
    // A Friday, 08:30 in Brasília.
    bench.setTime(new Date('2026-11-20T11:30:00Z'));
  });
  afterAll(() => bench?.stop());

  const wizardRow = (userId: string, more: Record<string, unknown> = {}) => ({
    user_id: userId,
    theme: 'Confeitaria',
    keyword: 'bolos',
    webhook_url: 'https://blog.example/wp-json/decola/v1/publish',
    schedule_type: 'weekly',
    schedule_time: '09:00',
    schedule_days: [1, 2, 3, 4, 5],
    categories: '',
    next_generation_at: '2001-01-01T00:00:00Z',
    is_active: true,
    ...more,
  });
  const slots = async (userId: string) =>
    (await bench.call('POST', 'rpc/get_available_slots', userId, { p_user_id: userId })).body as number;
  const only = async (userId: string) => (await bench.call('GET', 'blog_automations', userId)).body[0];

  it('costs two slots, and refuses with the sentence when there are fewer', async () => {
    const userId = await bench.customer(1);
    expect(await bench.call('POST', 'blog_automations', userId, wizardRow(userId))).toMatchObject({
      status: 400,
      body: { code: 'P0001', message: 'Esta automação requer 2 slots, mas você tem apenas 1 disponível(is).' },
    });
    expect((await bench.call('POST', 'blog_automations', userId, wizardRow(userId, { is_active: false }))).status).toBe(201);
    expect(await slots(userId)).toBe(1);
  });

  it('computes the next article in Brasília itself, and stores empty categories as null', async () => {
    const userId = await bench.customer(2);
    expect((await bench.call('POST', 'blog_automations', userId, wizardRow(userId))).status).toBe(201);
    expect(await slots(userId)).toBe(0);
    const row = await only(userId);
    expect(row).toMatchObject({ schedule_time: '09:00', schedule_days: [1, 2, 3, 4, 5], categories: null, origin: 'customer' });
    expect(new Date(row.next_generation_at as string).toISOString()).toBe('2026-11-20T12:00:00.000Z');
    await bench.call('PATCH', `blog_automations?id=eq.${row.id}`, userId, { schedule_time: '08:00' });
    expect(new Date((await only(userId)).next_generation_at as string).toISOString()).toBe('2026-11-23T11:00:00.000Z');
  });

  it.each([
    ['theme', { theme: ' ' }, 'Tema/Nicho do blog é obrigatório'],
    ['weekday', { schedule_days: [] }, 'Selecione pelo menos um dia da semana'],
    ['time', { schedule_time: '25:00' }, 'Horário é obrigatório'],
  ])('refuses a missing %s', async (_, change, message) => {
    const userId = await bench.customer(2);
    expect(await bench.call('POST', 'blog_automations', userId, wizardRow(userId, change))).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  it('publishes once that an article is due, and does not make up for missed ones', async () => {
    const heard = await collectEvents(bench.broker.url, 'article.due');
    const userId = await bench.customer(2);
    await bench.call('POST', 'blog_automations', userId, wizardRow(userId));
    const { id } = await only(userId);
    await bench.db.query(`update blog_automations set next_generation_at = '2026-11-16T12:00:00Z' where id = $1`, [id]);
    const schedule = bench.app.get(BlogSchedule);
    await Promise.all([schedule.publishDue(), schedule.publishDue()]);
    await schedule.publishDue();
    await eventually(() =>
      expect(heard.events.filter(({ payload }) => payload['blogAutomationId'] === id).map(({ payload }) => payload)).toEqual([
        {
          blogAutomationId: id,
          userId,
          occurrenceAt: '2026-11-16T12:00:00.000Z',
          keyword: 'bolos',
          theme: 'Confeitaria',
          automation: expect.objectContaining({ blogAutomationId: id, revision: 1 }),
        },
      ]),
    );
    expect(new Date((await only(userId)).next_generation_at as string).toISOString()).toBe('2026-11-20T12:00:00.000Z');
    await heard.dispose();
  });

  it('has no second article on a day that had one, when its time is moved', async () => {
    const userId = await bench.customer(2);
    await bench.call('POST', 'blog_automations', userId, wizardRow(userId));
    const { id } = await only(userId);
    const next = async () => new Date((await only(userId)).next_generation_at as string).toISOString();
    bench.setTime(new Date('2026-11-20T12:00:30Z'));
    await bench.app.get(BlogSchedule).publishDue();
    expect(await next()).toBe('2026-11-23T12:00:00.000Z');
    // Moved from 09:00 to 15:00 in the morning of the same Friday: Monday is next, also when it is switched off and on again.
    const patch = (body: unknown) => bench.call('PATCH', `blog_automations?id=eq.${id}`, userId, body);
    expect((await patch({ schedule_time: '15:00' })).status).toBe(204);
    expect(await next()).toBe('2026-11-23T18:00:00.000Z');
    await patch({ is_active: false });
    await patch({ is_active: true });
    expect(await next()).toBe('2026-11-23T18:00:00.000Z');
    bench.setTime(new Date('2026-11-20T11:30:00Z'));
  });

  it('is switched off when the plan shrinks, and on again when it grows', async () => {
    const userId = await bench.customer(2);
    await bench.call('POST', 'blog_automations', userId, wizardRow(userId));
    await bench.plan(userId, 1, 2);
    expect(await only(userId)).toMatchObject({ is_active: false, pause_reason: expect.stringContaining('Seu plano tem menos slots') });
    const { id } = await only(userId);
    expect((await bench.call('PATCH', `blog_automations?id=eq.${id}`, userId, { is_active: true })).status).toBe(400);
    await bench.plan(userId, 2, 3);
    expect(await only(userId)).toMatchObject({ is_active: true, pause_reason: null });
  });
});
