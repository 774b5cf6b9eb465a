import { authenticated } from '@decola/testing';
import { Bench } from './support.js';

/** The server checks what the wizard and the dashboard check, for clients other than our pages. */
describe('rules of blog automations', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
    // A Friday, 08:30 in Brasília.
    bench.setTime(new Date('2026-11-20T11:30:00Z'));
  });
  afterAll(() => bench?.stop());

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
      // A draft may have no webhook, but cannot be switched on without one; an active automation cannot lose it.
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

  it('holds the product’s own blog to the specification’s keywords, each of a list', async () => {
    const userId = await bench.customer(0);
    const post = (keyword: string, more: Record<string, unknown> = {}) =>
      bench.call(
        'POST',
        'blog_automations',
        userId,
        { user_id: userId, keyword, schedule_type: 'weekly', schedule_time: '09:00', schedule_days: [1], ...more },
        asEditor(userId),
      );
    expect(await post('marketing digital, política')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Esta palavra-chave não é permitida.') },
    });
    expect(await post('jardinagem')).toMatchObject({
      body: { message: expect.stringContaining('Por favor, use palavras-chave relacionadas') },
    });
    expect(await post('seo', { schedule_days: [] })).toMatchObject({ body: { message: 'Selecione pelo menos um dia da semana' } });
    expect((await post('seo, tráfego orgânico,')).status).toBe(201);
    const { id } = await only(userId);
    const patch = (body: unknown, headers?: Record<string, string>) =>
      bench.call('PATCH', `blog_automations?id=eq.${id}`, userId, body, headers);
    expect(await patch({ keyword: 'armas' }, asEditor(userId))).toMatchObject({ status: 400 });
    expect(await only(userId)).toMatchObject({ keyword: 'seo, tráfego orgânico,', origin: 'editorial' });
    // Whoever lost the role writes nothing for our blog any more, and may stop what they began.
    expect(await patch({ keyword: 'leads' })).toMatchObject({ status: 403, body: { code: '42501' } });
    expect((await patch({ is_active: false })).status).toBe(204);
    expect((await patch({ is_active: true })).status).toBe(403);
    expect((await bench.call('DELETE', `blog_automations?id=eq.${id}`, userId)).status).toBe(204);
  });

  it('stores settings of the articles, and names the one that is wrong', async () => {
    const userId = await bench.customer(2);
    const settings = { length: { min: 600, max: 900 }, tone: 'leve', approval: 'always' };
    expect((await bench.call('POST', 'blog_automations', userId, row(userId, { settings, is_active: false }))).status).toBe(201);
    expect(await only(userId)).toMatchObject({ settings, is_draft: true });
    const { id } = await only(userId);
    const patch = (body: unknown) => bench.call('PATCH', `blog_automations?id=eq.${id}`, userId, body);
    expect(await patch({ settings: { sources: [{ title: 'x', url: 'http://10.0.0.1' }] } })).toMatchObject({
      status: 400,
      body: { code: 'P0001', message: 'As configurações dos artigos não são válidas: confira as fontes.' },
    });
    expect((await patch({ is_active: true })).status).toBe(204);
    expect(await only(userId)).toMatchObject({ settings, is_draft: false });
    expect((await patch({ problem_reason: 'x' })).status).toBe(403);
  });

  it('refuses an empty keyword of any form with the sentence for the customer', async () => {
    const userId = await bench.customer(2);
    await bench.call('POST', 'blog_automations', userId, row(userId));
    for (const keyword of [null, '', '  '])
      expect(await bench.call('PATCH', `blog_automations?user_id=eq.${userId}`, userId, { keyword })).toMatchObject({
        status: 400,
        body: { code: 'P0001', message: 'Palavra-chave é obrigatória para criar automação' },
      });
    expect(await only(userId)).toMatchObject({ keyword: 'bolos' });
  });

  it('is scheduled at its next time when the plan grows again, not at a missed one', async () => {
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
