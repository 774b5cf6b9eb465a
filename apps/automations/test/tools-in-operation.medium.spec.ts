import { toolsInOperation, type ToolType } from '@decola/contracts';
import { Bench, blogRow, cookieOf, followConfiguration, networkId } from './support.js';

const withdrawn: readonly ToolType[] = ['auto-like', 'prize-extractor', 'blog-automation'];
const sentence = 'Esta ferramenta ainda não está em operação. Salve como rascunho: rascunhos não usam slots.';

describe('a tool that does not run yet', () => {
  let bench: Bench;
  beforeAll(async () => {
    // An operator may take tools out of operation that this release runs.
    bench = await Bench.start({ TOOLS_IN_OPERATION: toolsInOperation.filter((type) => !withdrawn.includes(type)).join(',') });
  });
  afterAll(() => bench?.stop());

  const refused = { status: 400, body: expect.objectContaining({ code: 'P0001', message: sentence }) };
  const slots = async (userId: string) =>
    (await bench.call('POST', 'rpc/get_available_slots', userId, { p_user_id: userId })).body as number;
  const like = (account = networkId()) => ({
    name: 'Curtir',
    type: 'auto-like',
    configuration: { ...followConfiguration(account), action: 'like', method: 'feed' },
  });

  it('can be saved as a draft without a slot, and cannot be published', async () => {
    const userId = await bench.customer(1);
    expect(await bench.create(userId, like())).toEqual(refused);
    const id = await bench.made(userId, { ...like(), is_draft: true, is_active: false });
    for (const publish of [{ is_active: true }, { is_draft: false }, { ...like(), is_draft: false, is_active: true }])
      expect(await bench.call('PATCH', `automations?id=eq.${id}`, userId, publish)).toEqual(refused);
    expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, { name: 'Curtir à noite' })).status).toBe(204);
    expect(await bench.automation(userId, id)).toMatchObject({ status: 'draft', is_draft: true, name: 'Curtir à noite' });
    expect(await slots(userId)).toBe(1);
  });

  it('is refused before a session or a slot is asked for', async () => {
    const userId = await bench.customer(0);
    const wheel = { type: 'prize-extractor', configuration: {} };
    expect(await bench.create(userId, wheel)).toEqual(refused);
    expect(await bench.create(userId, { ...like(), configuration: { sessionCookie: cookieOf(networkId()) } })).toEqual(refused);
  });

  it('stores a customer’s blog automation switched off, unless it asks to be switched on', async () => {
    const userId = await bench.customer(6);
    const blog = { user_id: userId, ...blogRow };
    expect(await bench.call('POST', 'blog_automations', userId, { ...blog, is_active: true })).toEqual(refused);
    expect((await bench.call('POST', 'blog_automations', userId, blog)).status).toBe(201);
    const [row] = (await bench.call('GET', 'blog_automations', userId)).body;
    expect(row.is_active).toBe(false);
    expect(await bench.call('PATCH', `blog_automations?id=eq.${row.id}`, userId, { is_active: true })).toEqual(refused);
    expect(await slots(userId)).toBe(6);
  });

  it('does not prevent other tools from being published', async () => {
    const userId = await bench.customer(1);
    await bench.made(userId);
    expect(await slots(userId)).toBe(0);
  });
});
