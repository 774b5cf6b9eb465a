import { randomUUID } from 'node:crypto';
import { tracesOf, unzip } from '@decola/testing';
import { type Client, newPerson, password, publishedClients, succeeding } from './clients.js';
import { ownSystem, type OwnSystem } from './own-system.js';

let system: OwnSystem;

beforeAll(async () => {
  system = await ownSystem({ identity: { MAIL_GAP_SECONDS: '0' } });
});
afterAll(() => system?.dispose());

/** Repeats the assertion until it passes; throws the last failure when the time is over. */
async function eventually(assertion: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + 20_000; ;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

describe.each(publishedClients)('a person’s own data, with supabase-js $version', ({ open }) => {
  /** A person with data in every service that people write to. */
  const somebody = async () => {
    const mark = randomUUID().slice(0, 8);
    const client: Client = open(system);
    const person = await newPerson(client, `Ana ${mark}`);
    const user_id = person.userId;
    const draft = { user_id, name: `Seguir ${mark}`, type: 'auto-follow-unfollow', configuration: {}, is_draft: true, is_active: false };
    for (const { error } of await Promise.all([
      client.from('automations').insert(draft),
      client.from('user_keywords').insert({ user_id, keyword: `palavra ${mark}` }),
      client.from('user_tokens').insert({ user_id, token: `segredo-${mark}`, token_type: 'webhook' }),
      client.from('blog_automations').insert({ user_id, theme: `Tema ${mark}`, keyword: 'pão', is_active: false }),
    ]))
      expect(error).toBeNull();
    await succeeding(client, 'check-subscription');
    return { ...person, client, mark };
  };

  it('is exported in one archive, which is complete and has nobody else’s data', async () => {
    const [ana, bia] = [await somebody(), await somebody()];
    const { data, error } = await ana.client.functions.invoke<Blob>('export-account');
    expect(error).toBeNull();
    expect(data).toBeInstanceOf(Blob);
    const files = await unzip(Buffer.from(await data!.arrayBuffer()));
    const parsed = (name: string) => JSON.parse(files.get(name)!.toString()) as Record<string, unknown>[];
    expect(parsed('conta/cadastro.json')).toMatchObject([{ id: ana.userId, email: ana.email, nome: `Ana ${ana.mark}` }]);
    expect(parsed('conta/sessoes.json')).toHaveLength(1);
    expect(parsed('conta/historico-de-seguranca.json').map(({ acontecimento }) => acontecimento)).toContain('account.exported');
    expect(parsed('automacoes/automacoes.json')).toMatchObject([{ nome: `Seguir ${ana.mark}`, rascunho: true }]);
    expect(parsed('automacoes/automacoes-de-blog.json')).toMatchObject([{ tema: `Tema ${ana.mark}`, origem: 'customer' }]);
    expect(parsed('blog/palavras-chave.json')).toMatchObject([{ palavra_chave: `palavra ${ana.mark}` }]);
    expect(parsed('assinatura/conta-de-cobranca.json')).toHaveLength(1);
    const letter = files.get('LEIA-ME.txt')!.toString();
    for (const name of files.keys()) if (name !== 'LEIA-ME.txt') expect(letter).toContain(name);
    for (const folder of ['conta', 'assinatura', 'automacoes', 'extracoes', 'roletas', 'blog'])
      expect([...files.keys()].some((name) => name.startsWith(`${folder}/`))).toBe(true);
    const text = [...files.values()].map((file) => file.toString()).join('\n');
    for (const foreign of [bia.userId, bia.email, bia.mark]) expect(text).not.toContain(foreign);
    for (const secret of [`segredo-${ana.mark}`, ana.session.refresh_token, ana.session.access_token, password, 'argon2'])
      expect(text).not.toContain(secret);
  });

  it('is deleted in all services at their request, with their sessions', async () => {
    const ana = await somebody();
    const second = open(system);
    expect((await second.auth.signInWithPassword({ email: ana.email, password })).error).toBeNull();
    // blog has a copy of the blog automation, too.
    await eventually(async () =>
      expect(await tracesOf(system.databaseUrls['blog']!, { mark: ana.mark })).toContain('blog_automation_copies: mark'),
    );
    const wrong = await ana.client.functions.invoke('delete-account', { body: { password: 'Errada!123' } });
    expect(wrong.data).toEqual({ success: false, error: 'Senha incorreta.' });
    const { data, error } = await ana.client.functions.invoke('delete-account', { body: { password } });
    expect(error).toBeNull();
    expect(data).toEqual({ success: true });
    // The session ends within seconds for all services, also for those that get no event about it.
    for (const client of [ana.client, second])
      await eventually(async () => expect((await client.from('user_keywords').select('id')).status).toBe(401));
    for (const [service, url] of Object.entries(system.databaseUrls))
      await eventually(async () => expect([service, await tracesOf(url, { mark: ana.mark })]).toEqual([service, []]));
    expect((await second.auth.refreshSession()).error).not.toBeNull();
    expect((await open(system).auth.signInWithPassword({ email: ana.email, password })).error).toMatchObject({
      code: 'invalid_credentials',
    });
  });

  it('includes a list of sessions, which can be ended one by one', async () => {
    const ana = await somebody();
    const second = open(system);
    await second.auth.signInWithPassword({ email: ana.email, password });
    const { data } = await ana.client.from('user_sessions').select('id,is_current').order('created_at');
    expect(data!.map(({ is_current }) => is_current as boolean)).toEqual([true, false]);
    expect((await ana.client.from('user_sessions').delete().eq('id', data![1]!.id)).error).toBeNull();
    await eventually(async () => expect((await second.from('profiles').select('user_id')).status).toBe(401));
    expect((await ana.client.from('profiles').select('user_id')).status).toBe(200);
  });
});

it('an export is refused completely while one service is down', async () => {
  const [published] = publishedClients;
  const client = published!.open(system);
  await newPerson(client);
  await system.order('stop', 'prize-wheel');
  try {
    const { error } = await client.functions.invoke('export-account');
    const answer = (error as { context: Response }).context;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'service_unavailable' });
  } finally {
    await system.order('start', 'prize-wheel');
  }
  await eventually(async () => expect((await client.functions.invoke('export-account')).error).toBeNull());
});
