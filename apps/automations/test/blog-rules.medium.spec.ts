import { authenticated } from '@decola/testing';
import { Bench } from './support.js';

/** What the wizard and the panel check in the page, asked of the server by somebody who has no page. */
describe('rules of blog automations', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
    // A Friday, 08:30 in Brasília.
    bench.setTime(new Date('2026-11-20T11:30:00Z'));
  });
  afterAll(() => bench.stop());

  const row = (userId: string, more: Record<string, unknown> = {}) => ({
    user_id: userId,
    keyword: 'bolos',
    theme: 'Confeitaria',
    webhook_url: 'https://blog.example/wp-json/decola/v1/publish',
    schedule_type: 'weekly',
    schedule_time: '09:00',
    schedule_days: [1],
    ...more,
  });
  const only = async (userId: string) => (await bench.call('GET', 'blog_automations', userId)).body[0];
  const asEditor = (userId: string) => authenticated(userId, { roles: ['admin_master'] });

  it.each([{ webhook_url: '' }, { webhook_url: null }, { webhook_url: undefined }])(
    'needs a webhook from a customer: %j',
    async (change) => {
      const userId = await bench.customer(2);
      const refused = { status: 400, body: { code: 'P0001', message: 'URL do webhook é obrigatória' } };
      expect(await bench.call('POST', 'blog_automations', userId, row(userId, change))).toMatchObject(refused);
      // A draft may lack it, and cannot be switched on so; a running one cannot lose it.
      expect((await bench.call('POST', 'blog_automations', userId, row(userId, { ...change, is_active: false }))).status).toBe(201);
      const { id } = await only(userId);
      const patch = (body: unknown) => bench.call('PATCH', `blog_automations?id=eq.${id}`, userId, body);
      expect(await patch({ is_active: true })).toMatchObject(refused);
      expect((await patch({ is_active: true, webhook_url: 'https://blog.example/x' })).status).toBe(204);
      expect(await patch({ webhook_url: null })).toMatchObject(refused);
    },
  );

  it('needs no webhook for the product’s own blog, but a keyword', async () => {
    const userId = await bench.customer(0);
    const panel = { user_id: userId, schedule_type: 'daily', schedule_time: '09:00', schedule_day: null, schedule_days: null };
    const post = (body: unknown) => bench.call('POST', 'blog_automations', userId, body, asEditor(userId));
    for (const keyword of ['', ' ', null])
      expect(await post({ ...panel, keyword })).toMatchObject({
        status: 400,
        body: { code: 'P0001', message: 'Palavra-chave é obrigatória para criar automação' },
      });
    expect((await post({ ...panel, keyword: 'seo' })).status).toBe(201);
    const { id } = await only(userId);
    expect((await bench.call('PATCH', `blog_automations?id=eq.${id}`, userId, { is_active: false }, asEditor(userId))).status).toBe(204);
    expect((await bench.call('PATCH', `blog_automations?id=eq.${id}`, userId, { is_active: true }, asEditor(userId))).status).toBe(204);
  });

  it('refuses to lose its keyword with the sentence for the person, whatever is sent for one', async () => {
    const userId = await bench.customer(2);
    await bench.call('POST', 'blog_automations', userId, row(userId));
    for (const keyword of [null, '', '  '])
      expect(await bench.call('PATCH', `blog_automations?user_id=eq.${userId}`, userId, { keyword })).toMatchObject({
        status: 400,
        body: { code: 'P0001', message: 'Palavra-chave é obrigatória para criar automação' },
      });
    expect(await only(userId)).toMatchObject({ keyword: 'bolos' });
  });

  it('comes back with the plan at its next time, not at one that passed meanwhile', async () => {
    const userId = await bench.customer(2);
    await bench.call('POST', 'blog_automations', userId, row(userId));
    await bench.plan(userId, 0, 2);
    expect(await only(userId)).toMatchObject({ is_active: false });
    // Three Mondays went by.
    bench.setTime(new Date('2026-12-09T11:30:00Z'));
    await bench.plan(userId, 2, 3);
    const back = await only(userId);
    expect(back).toMatchObject({ is_active: true });
    expect(new Date(back.next_generation_at as string).toISOString()).toBe('2026-12-14T12:00:00.000Z');
  });
});
