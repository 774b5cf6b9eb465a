import { misplacedSessionText } from '@decola/contracts';
import { tracesOf } from '@decola/testing';
import { Bench, cookieOf, followConfiguration, type Json, networkId } from './support.js';

describe('a session that was pasted into a field for something else', () => {
  let bench: Bench;
  let userId: string;
  beforeAll(async () => {
    bench = await Bench.start();
    userId = await bench.customer(20);
  });
  afterAll(() => bench?.stop());

  const secret = 'Kq7Zp2Wm9Xt4Rb6';
  const cookie = cookieOf('123456789', secret);
  const blog = { theme: 'Café', keyword: 'café', schedule_days: [1], schedule_time: '09:00', is_active: false };
  const configured = (more: Record<string, unknown>): Record<string, unknown> => ({
    name: 'Teste',
    type: 'auto-follow-unfollow',
    is_draft: true,
    is_active: false,
    configuration: followConfiguration(networkId(), more),
  });
  const row = (table: string, columns: Record<string, unknown>): [string, Record<string, unknown>] => [table, columns];

  it.each([
    row('automations', { ...configured({}), name: cookie }),
    row('automations', configured({ targets: `#cafe ${cookie}` })),
    row('automations', configured({ someNewKey: decodeURIComponent(cookie) })),
    row('automations', configured({ session_id: cookie })),
    row('automations', configured({ deep: [{ raw_cookie: encodeURIComponent(cookie) }] })),
    row('automations', configured({ [cookie]: true })),
    row('automations', configured({ note: btoa(`sessionid=${cookie}`) })),
    row('instagram_sessions', { session_id: cookie, cookies: { raw_cookie: cookieOf(networkId()) } }),
    row('instagram_sessions', { session_id: 's', username: cookie, cookies: { raw_cookie: cookieOf(networkId()) } }),
    row('blog_automations', { ...blog, theme: cookie }),
    row('blog_automations', { ...blog, keyword: cookie }),
    row('blog_automations', { ...blog, categories: `sessionid=${cookie}` }),
    row('blog_automations', { ...blog, webhook_url: `https://blog.example/hook?s=${cookie}` }),
  ])('is refused in %s: %j', async (table, columns) => {
    const answer = await bench.call('POST', table, userId, { user_id: userId, ...columns });
    expect(answer).toMatchObject({ status: 400, body: { code: 'P0001', message: misplacedSessionText } });
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    expect(await tracesOf(bench.database.url, { secret })).toEqual([]);
  });

  it.each([
    ['automations', configured({}), [{ name: cookie }, { configuration: followConfiguration(networkId(), { targets: cookie }) }]],
    ['instagram_sessions', { session_id: 's', cookies: { raw_cookie: cookieOf(networkId()) } }, [{ session_id: cookie }]],
    ['blog_automations', blog, [{ theme: cookie }, { keyword: cookie }, { categories: cookie }]],
  ] as const)('is refused in a change of %s', async (table, columns, patches) => {
    const made = await bench.call('POST', table, userId, { user_id: userId, ...columns }, { prefer: 'return=representation' });
    expect(made.status).toBe(201);
    const [{ id }] = made.body as [Json];
    for (const patch of patches)
      expect(await bench.call('PATCH', `${table}?id=eq.${id}`, userId, patch)).toMatchObject({
        status: 400,
        body: { message: misplacedSessionText },
      });
    if (table === 'instagram_sessions')
      expect(await bench.call('PATCH', `instagram_accounts?user_id=eq.${userId}`, userId, { keep_list: [cookie] })).toMatchObject({
        status: 400,
        body: { message: misplacedSessionText },
      });
    expect(await tracesOf(bench.database.url, { secret })).toEqual([]);
  });

  it('is accepted and sealed in the fields meant for it', async () => {
    const { sessionCookie: _session, ...configuration } = followConfiguration();
    for (const key of ['sessionCookie', 'cookies'])
      expect((await bench.create(userId, { configuration: { ...configuration, [key]: cookie } })).status).toBe(201);
    expect(await tracesOf(bench.database.url, { secret })).toEqual([]);
  });
});

describe('the webhook URL for articles', () => {
  const rowFor = (userId: string, webhook_url: string) => ({
    user_id: userId,
    theme: 'Café',
    keyword: 'café',
    webhook_url,
    schedule_type: 'weekly',
    schedule_days: [1],
    schedule_time: '09:00',
    is_active: false,
  });

  it('must be public and https, in whatever spelling', async () => {
    const bench = await Bench.start();
    try {
      const userId = await bench.customer(2);
      const put = (address: string) =>
        bench.call('POST', 'blog_automations', userId, rowFor(userId, address), { prefer: 'return=representation' });
      const made = await put('https://blog.example/wp-json/decola/v1/publish');
      expect(made.status).toBe(201);
      const refusals = new Map([
        ['file:///etc/passwd', /https:\/\//],
        ['http://blog.example/', /https:\/\//],
        ['nada', /não é válido/],
        ['https://a:b@blog.example/', /usuário e senha/],
        ['https://blog.example:25/', /porta/],
        ['https://localhost/', /não é público/],
        ['https://127.0.0.1/', /não é público/],
        ['https://2130706433/', /não é público/],
        ['https://0x7f.1/', /não é público/],
        ['https://[::ffff:169.254.169.254]/', /não é público/],
        ['https://169.254.169.254/latest/', /não é público/],
        ['https://10.0.0.1/', /não é público/],
      ]);
      for (const [address, message] of refusals) {
        const refused = { status: 400, body: { code: 'P0001', message: expect.stringMatching(message) as unknown } };
        expect(await put(address)).toMatchObject(refused);
        expect(await bench.call('PATCH', `blog_automations?id=eq.${made.body[0].id}`, userId, { webhook_url: address })).toMatchObject(
          refused,
        );
      }
      expect(await bench.call('GET', 'blog_automations?select=webhook_url', userId)).toMatchObject({
        body: [{ webhook_url: 'https://blog.example/wp-json/decola/v1/publish' }],
      });
    } finally {
      await bench.stop();
    }
  });

  it('may be a sandbox’s when the configuration allows it', async () => {
    const bench = await Bench.start({ WEBHOOK_PLAIN_HOSTS: '127.0.0.1:4999, sandbox' });
    try {
      const userId = await bench.customer(2);
      const statusOf = async (address: string) => (await bench.call('POST', 'blog_automations', userId, rowFor(userId, address))).status;
      expect(await statusOf('http://127.0.0.1:4999/hook')).toBe(201);
      expect(await statusOf('http://sandbox/hook')).toBe(201);
      expect(await statusOf('http://127.0.0.1:5000/hook')).toBe(400);
    } finally {
      await bench.stop();
    }
  });
});
