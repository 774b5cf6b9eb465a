import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { maxLengths, quotas, quotaTexts } from '@decola/contracts';
import { type Client, makeAdministrator, newPerson, PageStorage, publishedClients } from './clients.js';
import { ensurePlan, ensureSlots, publishWheel, until } from '../../../scripts/lib/customer.mjs';
import type { OwnSystem } from './own-system.js';

const megabyte = 1024 * 1024;

/** Names of a kind in the gateway's routing, so that a new one is tested too. */
function servedNames(kind: 'tables' | 'serverFunctions' | 'databaseFunctions'): string[] {
  const routing = readFileSync(path.resolve(__dirname, '../../gateway/src/routing/routes.ts'), 'utf8');
  const block = new RegExp(`const ${kind} = byName\\(\\{([^}]*)\\}`).exec(routing)?.[1] ?? '';
  return [...block.matchAll(/^\s*'?([a-z_-]+)'?:/gm)].map(([, name]) => name!);
}

export const attackerSuite = (of: () => OwnSystem) =>
  describe('an attacker', () => {
    let system: OwnSystem;
    const [{ open }] = publishedClients as readonly [(typeof publishedClients)[0]];

    beforeAll(() => {
      system = of();
    });

    const person = async () => {
      const client = open(system, new PageStorage());
      return { client, ...(await newPerson(client)) };
    };
    const nobody = () => open(system, new PageStorage());

    const residentMb = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${system.pids['gateway']}/status`, 'utf8'))?.[1]) / 1024;

    /** Sends a whole request, whatever is answered meanwhile, until the server closes the connection. */
    const pour = (line: string, headers: string, bytes: number) =>
      new Promise<number>((resolve) => {
        const { hostname, port } = new URL(system.gateway);
        const piece = Buffer.alloc(64 * 1024, 'x');
        let [left, status] = [bytes, 0];
        const socket = net.connect(Number(port), hostname, () => {
          socket.write(`${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${headers}\r\n`);
          const more = () => {
            while (left > 0 && !socket.destroyed) {
              left -= piece.length;
              if (!socket.write(piece)) return void socket.once('drain', more);
            }
            // The request is complete: close the connection after the answer.
            if (status > 0) socket.destroy();
          };
          more();
        });
        socket.on('data', (chunk) => {
          status ||= Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 0);
          if (left <= 0) socket.destroy();
        });
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(status));
      });

    it('cannot fill the gateway’s memory with bodies', async () => {
      const key = `apikey: ${system.publishableKey}\r\n`;
      const attacks: [line: string, headers: string, answer: number][] = [
        ['POST /', '', 404],
        ['POST /rest/v1/blog_articles', '', 401],
        ['POST /rest/v1/extracted_data', key, 413],
        ['POST /auth/v1/token?grant_type=password', key, 413],
      ];
      for (const [line, headers] of attacks) await pour(line, headers, 128 * 1024);
      for (const [line, headers, answer] of attacks) {
        const before = residentMb();
        let most = before;
        const watch = setInterval(() => (most = Math.max(most, residentMb())), 20);
        // In all at least three times of what the gateway may take.
        const answers = await Promise.all(Array.from({ length: 40 }, () => pour(line, headers, 11 * megabyte)));
        clearInterval(watch);
        // The server may close a connection before the answer is read, but must serve none of the requests.
        expect([line, answers.filter((status) => status !== answer && status !== 0)]).toEqual([line, []]);
        expect(answers).toContain(answer);
        expect([line, Math.round(most - before) < 40 || [before, most]]).toEqual([line, true]);
      }
    });

    it('may still send ten megabytes of their own data', async () => {
      const { client, userId } = await person();
      const { data, error } = await client
        .from('automations')
        .insert({
          user_id: userId,
          name: 'Lista',
          type: 'followers-following-extractor',
          configuration: {},
          is_draft: true,
          is_active: false,
        })
        .select('id')
        .single();
      expect(error).toBeNull();
      const list = {
        user_id: userId,
        automation_id: data!.id as string,
        data_type: 'followers',
        csv_url: `data:text/csv,${'x'.repeat(10 * megabyte - 20)}`,
        file_name: 'lista.csv',
        total_records: 0,
      };
      expect(await client.from('extracted_data').insert(list)).toMatchObject({ error: null, status: 201 });
      expect(
        (
          await client
            .from('automations')
            .update({ configuration: { note: 'x'.repeat(megabyte) } })
            .eq('id', data!.id as string)
        ).status,
      ).toBe(413);
    });

    it('learns nothing about rows that they cannot read, whatever they write', async () => {
      const [ana, bia] = [await person(), await person()];
      const mine = async ({ client, userId }: { client: Client; userId: string }) => {
        const { data } = await client
          .from('automations')
          .insert({ user_id: userId, name: 'A', type: 'auto-like', configuration: {}, is_draft: true, is_active: false })
          .select('id')
          .single();
        await client.from('user_keywords').insert({ user_id: userId, keyword: 'padaria' });
        await client.from('user_tokens').insert({ user_id: userId, token: 'segredo', token_type: 'webhook' });
        await client.from('blog_automations').insert({ user_id: userId, keyword: 'pão', theme: 'Padaria', is_active: false });
        return String(data?.id);
      };
      const [anasAutomation, biasAutomation] = [await mine(ana), await mine(bia)];
      /** A row of a table for a person, with keys that exist or do not. */
      const rows: Record<string, (userId: string, automation: string) => Record<string, unknown>> = {
        user_keywords: (user_id) => ({ user_id, keyword: 'padaria' }),
        user_tokens: (user_id) => ({ user_id, token: 'x', token_type: 'webhook' }),
        automations: (user_id) => ({ user_id, name: 'X', type: 'auto-like', configuration: {}, is_draft: true, is_active: false }),
        blog_automations: (user_id) => ({ user_id, keyword: 'pão', theme: 'x', is_active: false }),
        instagram_sessions: (user_id) => ({
          user_id,
          session_id: 'x',
          cookies: 'sessionid=4242424242%3Aabc%3A1%3Adef; ds_user_id=4242424242',
        }),
        extracted_data: (user_id, automation_id) => ({
          user_id,
          automation_id,
          data_type: 'followers',
          csv_url: '',
          file_name: '',
          total_records: 0,
        }),
        blog_articles: () => ({ slug: 'um-artigo', title: 'x' }),
        article_runs: (user_id) => ({ user_id, origin: 'editorial', keyword: 'x', state: 'queued' }),
        topics: (user_id) => ({ user_id, site_key: 'editorial', title: 'x', focus_keyword: 'x', topic_key: 'x', state: 'planned' }),
        profiles: (user_id) => ({ user_id, full_name: 'X' }),
        user_roles: (user_id) => ({ user_id, role: 'admin_master' }),
      };
      const rowOf = (table: string) => rows[table] ?? ((user_id: string) => ({ user_id }));
      const told = ({ status, error }: { status: number; error: { code: string; message: string } | null }) => [
        status,
        error?.code,
        error?.message,
      ];
      const waysToWrite: ((client: Client, table: string, row: Record<string, unknown>) => PromiseLike<Parameters<typeof told>[0]>)[] = [
        (client, table, row) => client.from(table).insert(row),
        (client, table, row) => client.from(table).insert([row]),
        (client, table, row) => client.from(table).insert(row).select(),
        (client, table, row) => client.from(table).upsert(row, { ignoreDuplicates: true }),
        (client, table, row) => client.from(table).upsert(row),
      ];
      for (const table of servedNames('tables')) {
        const write = async (client: Client, row: Record<string, unknown>) => {
          const answers: ReturnType<typeof told>[] = [];
          for (const one of waysToWrite) answers.push(told(await one(client, table, row)));
          return answers;
        };
        const hers = await write(ana.client, rowOf(table)(bia.userId, biasAutomation));
        const nobodys = await write(ana.client, rowOf(table)(randomUUID(), randomUUID()));
        expect([table, hers]).toEqual([table, hers.map(() => [403, '42501', expect.any(String)])]);
        expect([table, nobodys]).toEqual([table, hers]);
        // Also with references to the victim's rows.
        if (table === 'extracted_data') {
          const under = await write(ana.client, rowOf(table)(ana.userId, biasAutomation));
          expect([table, under]).toEqual([table, await write(ana.client, rowOf(table)(ana.userId, randomUUID()))]);
          expect(under[0]!.slice(0, 2)).toEqual([403, '42501']);
        }
        for (const answer of await write(nobody(), rowOf(table)(bia.userId, biasAutomation)))
          expect([table, ...answer.slice(0, 2)]).toEqual([table, 401, '42501']);
      }
      // Changing the owner of one's own row gets the same refusal, and the victim's rows cannot be changed.
      for (const table of ['automations', 'blog_automations', 'user_tokens']) {
        const change = { user_id: bia.userId };
        expect([table, told(await ana.client.from(table).update(change).eq('user_id', ana.userId)).slice(0, 2)]).toEqual([
          table,
          [403, '42501'],
        ]);
        expect([table, (await ana.client.from(table).update({ user_id: ana.userId }).eq('user_id', bia.userId)).status]).toEqual([
          table,
          204,
        ]);
      }
      expect((await bia.client.from('automations').select('id')).data).toEqual([{ id: biasAutomation }]);
      expect((await ana.client.from('automations').select('id')).data).toEqual([{ id: anasAutomation }]);
      expect(told(await ana.client.from('user_keywords').insert({ user_id: ana.userId, keyword: 'padaria' })).slice(0, 2)).toEqual([
        409,
        '23505',
      ]);
    });

    it('is limited by the quotas, with the sentences that the page shows', async () => {
      const { client, userId } = await person();
      const refused = (message: string) => ({ status: 400, error: { code: 'P0001', message } });
      const keyword = (word: string) => client.from('user_keywords').insert({ user_id: userId, keyword: word });
      const words = Array.from({ length: quotas.keywords - 1 }, (_, index) => ({ user_id: userId, keyword: `palavra ${index}` }));
      expect((await client.from('user_keywords').insert(words)).error).toBeNull();
      const last = await Promise.all([keyword('a última'), keyword('outra última'), keyword('mais uma')]);
      expect(last.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
      expect(last.find(({ error }) => error)).toMatchObject(refused(quotaTexts.keywords));
      expect((await client.from('user_keywords').select('id', { count: 'exact', head: true })).count).toBe(quotas.keywords);
      expect(await keyword('x'.repeat(maxLengths.keyword + 1))).toMatchObject(refused(quotaTexts.keyword));

      const tokens = Array.from({ length: quotas.tokens }, (_, index) => ({ user_id: userId, token: 't', token_type: `tipo ${index}` }));
      expect((await client.from('user_tokens').insert(tokens)).error).toBeNull();
      const webhook = { user_id: userId, token: 'novo', token_type: 'tipo 3' };
      expect(await client.from('user_tokens').upsert(webhook, { onConflict: 'user_id,token_type' })).toMatchObject({
        status: 200,
        error: null,
      });
      expect(await client.from('user_tokens').insert({ ...webhook, token_type: 'mais um' })).toMatchObject(refused(quotaTexts.tokens));

      const draft = (name: string, configuration: Record<string, unknown> = {}) => ({
        user_id: userId,
        name,
        type: 'auto-like',
        configuration,
        is_draft: true,
        is_active: false,
      });
      for (let made = 0; made < quotas.drafts; made += 100)
        expect(
          (await client.from('automations').insert(Array.from({ length: 100 }, (_, index) => draft(`Rascunho ${made + index}`)))).error,
        ).toBeNull();
      expect(await client.from('automations').insert(draft('Mais um'))).toMatchObject(refused(quotaTexts.drafts));
      const one = client
        .from('automations')
        .update({ name: 'x'.repeat(maxLengths.name + 1) })
        .eq('name', 'Rascunho 1');
      expect(await one).toMatchObject(refused(quotaTexts.name));
      const large = draft('Grande', { note: 'x'.repeat(maxLengths.configurationBytes) }).configuration;
      expect(await client.from('automations').update({ configuration: large }).eq('name', 'Rascunho 1')).toMatchObject(
        refused(quotaTexts.configuration),
      );
      expect(
        await client
          .from('profiles')
          .update({ full_name: 'x'.repeat(maxLengths.name + 1) })
          .eq('user_id', userId),
      ).toMatchObject(refused(quotaTexts.name));
      const blog = { user_id: userId, theme: 't', keyword: 'x'.repeat(maxLengths.keyword + 1), is_active: false };
      expect(await client.from('blog_automations').insert(blog)).toMatchObject(refused(quotaTexts.keyword));
    });

    it('gets no quantity, token, message, code or lead of a wheel from any call or table, without an account or with another one', async () => {
      const owner = await person();
      await ensurePlan(owner.client, 'premium');
      await ensureSlots(owner.client, owner.userId);
      const mark = randomUUID().slice(0, 8);
      const quantity = 734_561;
      const { id: automationId, token } = await publishWheel(system, owner, {
        name: 'Roleta da Ana',
        prizes: [{ id: 'a', name: 'Caneca', quantity, type: 'digital', message: `Mensagem ${mark}` }],
        leadFields: ['instagram', 'nome', 'email', 'whatsapp'].map((name) => ({ name, label: name, required: true })),
      });
      const ask = async (client: Client, name: string, body: unknown): Promise<string> => {
        const { data, error } = await client.functions.invoke(name, { body: body as Record<string, unknown> });
        if (!error) return typeof data === 'string' ? data : JSON.stringify(data);
        const response = (error as { context?: Response }).context;
        expect([name, body, (response?.status ?? 0) < 500]).toEqual([name, body, true]);
        return (await response?.text()) ?? '';
      };
      const victim = {
        action: 'spin',
        automationId,
        token,
        leadData: { instagram: `@vitima.${mark}`, nome: `Nome ${mark}`, email: `${mark}@loja.com.br`, whatsapp: '(11) 91234-8765' },
        spinKey: 'f'.repeat(32),
      };
      const won = await until('the prize', async () => {
        const answer = JSON.parse(await ask(nobody(), 'prize-extractor', victim)) as { success: boolean; participation: { code: string } };
        return answer.success ? answer : undefined;
      });
      const { code } = won.participation;
      await until('the lead', async () => (await owner.client.from('leads').select('*')).data?.length === 1);
      const secrets = [token, mark, code, code.replaceAll('-', ''), String(quantity), String(quantity - 1), '91234', 'f'.repeat(32)];
      /** What an answer tells that its caller did not send. */
      const told = (text: string, sent: string) => secrets.filter((secret) => text.includes(secret) && !sent.includes(secret));

      const strangers = [nobody(), (await person()).client];
      for (const stranger of strangers) {
        for (const table of servedNames('tables')) {
          for (const filter of [{}, { automation_id: automationId }, { id: automationId }]) {
            const { data, error } = await stranger.from(table).select('*').match(filter);
            expect([table, filter, told(JSON.stringify([data, error]), '')]).toEqual([table, filter, []]);
          }
        }
        const bodies = [
          {},
          { automationId, token },
          { automationId },
          ...['state', 'check', 'spin'].map((action) => ({ action, automationId, token, leadData: { instagram: `@vitima.${mark}` } })),
          { action: 'check', automationId, token, leadData: { instagram: `@vitima.${mark}` }, spinKey: '0'.repeat(32) },
          ...['look', 'see', 'copy', 'list', 'get', 'close', 'open'].map((action) => ({
            action,
            automationId,
            prizeId: 'a',
            code: '0000-0000-000',
          })),
          { id: automationId, p_user_id: owner.userId, user_id: owner.userId },
        ];
        for (const body of bodies) {
          const sent = JSON.stringify(body);
          // Functions that would delete or buy something are not the strangers' to try here.
          for (const name of servedNames('serverFunctions').filter((each) => /prize|lead|wheel/.test(each)))
            expect([name, sent, told(await ask(stranger, name, body), sent)]).toEqual([name, sent, []]);
          for (const name of servedNames('databaseFunctions')) {
            const { data, error } = await stranger.rpc(name, body);
            expect([name, sent, told(JSON.stringify([data, error]), sent)]).toEqual([name, sent, []]);
          }
        }
      }
    });

    it('reads nothing of what editors prepare, changes nothing of it, and reaches no internal address', async () => {
      const editor = await person();
      await makeAdministrator(system, editor.client, editor.email);
      const mark = `zq${randomUUID().slice(0, 8)}`;
      const must = <Data>({ data, error }: { data: Data; error: { message: string } | null }, what: string): NonNullable<Data> => {
        if (error || data === null || data === undefined) throw new Error(`${what}: ${error?.message ?? 'nothing'}`);
        return data;
      };
      const article = (title: string, published: boolean) =>
        editor.client
          .from('blog_articles')
          .insert({ title, content: `<p>${title}</p>`, published })
          .select('id,slug')
          .single();
      const draft = must(await article(`Rascunho ${mark}`, false), 'the draft');
      const open = must(await article(`Aberto a todos ${randomUUID().slice(0, 8)}`, true), 'the article');
      const own = { user_id: editor.userId, keyword: `marketing digital ${mark}` };
      must(await editor.client.from('user_keywords').insert(own).select().single(), 'the keyword');
      const schedule = {
        schedule_type: 'daily',
        schedule_time: '09:00',
        next_generation_at: new Date(Date.now() + 86_400_000).toISOString(),
      };
      must(
        await editor.client
          .from('blog_automations')
          .insert({ ...own, ...schedule })
          .select()
          .single(),
        'the automation',
      );
      // Held back as a draft, so that nothing of it is public.
      const faults = `http://127.0.0.1:${system.ports['model']}/_sandbox/faults`;
      const fault = { kind: 'invented-statistics', call: 'chat', times: null };
      const scripted = await fetch(faults, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      expect(scripted.ok).toBe(true);
      const runId = randomUUID();
      await editor.client.functions.invoke('generate-blog-articles', {
        body: { keyword: `marketing para confeitarias ${mark}`, run_id: runId },
      });
      const run = await until('the article of the run', async () => {
        const { data } = await editor.client
          .from('article_runs')
          .select('state,article_id,title')
          .eq('id', runId)
          .single<{ state: string; article_id: string | null; title: string }>();
        return data?.article_id ? { ...data, article_id: data.article_id } : undefined;
      });
      await fetch(faults, { method: 'DELETE' });
      expect(run.state).toBe('needs_review');

      const watched = ['blog_articles', 'article_runs', 'topics', 'blog_automations', 'user_keywords'];
      const editorsRows = async () =>
        Object.fromEntries(
          await Promise.all(
            watched.map(async (table) => {
              const columns = table === 'blog_articles' ? 'id,slug,title,content,published,featured_image,category,updated_at' : '*';
              return [table, must(await editor.client.from(table).select(columns).order('id'), table)] as const;
            }),
          ),
        );
      const before = await editorsRows();
      for (const table of watched) expect([table, (before[table] as unknown[]).length > 0]).toEqual([table, true]);

      const secrets = [mark, draft.id, runId, run.article_id, run.title, editor.userId, editor.email];
      const told = (text: string, sent: string) => secrets.filter((secret) => text.includes(secret) && !sent.includes(secret));
      const bodies = [
        {},
        { keyword: 'padaria', run_id: runId, retry: true },
        { keyword: 'padaria', run_id: randomUUID() },
        { articleId: draft.id, title: 'x' },
        { articleId: open.id },
        { undo: randomUUID(), article_id: open.id },
      ];
      for (const [stranger, refusal] of [
        [nobody(), 401],
        [(await person()).client, 403],
      ] as const) {
        for (const table of servedNames('tables')) {
          for (const filter of [
            {},
            { id: draft.id },
            { id: runId },
            { user_id: editor.userId },
            { article_id: run.article_id },
            { slug: draft.slug },
          ]) {
            const { data, error } = await stranger.from(table).select('*').match(filter);
            expect([table, filter, told(JSON.stringify([data, error]), JSON.stringify(filter))]).toEqual([table, filter, []]);
          }
        }
        for (const name of ['generate-blog-articles', 'generate-article-image', 'migrate-blog-images', 'clean-blog-articles'])
          for (const body of bodies) {
            const { error } = await stranger.functions.invoke(name, { body });
            const answer = (error as { context?: Response } | null)?.context;
            expect([name, body, answer?.status]).toEqual([name, body, refusal]);
            expect(told((await answer?.text()) ?? '', JSON.stringify(body))).toEqual([]);
          }
        for (const [id, slug] of [
          [draft.id, draft.slug],
          [open.id, open.slug],
        ] as const) {
          const row = { id, slug, title: 'Meu', content: '<p>Meu</p>', published: true, author: 'Equipe Decola' };
          const answers = [
            await stranger.from('blog_articles').insert(row),
            await stranger.from('blog_articles').upsert(row),
            await stranger.from('blog_articles').upsert(row, { onConflict: 'slug' }),
            await stranger.from('blog_articles').update({ title: 'Meu', published: true }).eq('id', id).select(),
            await stranger.from('blog_articles').delete().eq('slug', slug).select(),
          ];
          for (const { data, error, status } of answers)
            expect([slug, status, error ? [401, 403].includes(status) : (data as unknown[]).length === 0]).toEqual([slug, status, true]);
          expect((await stranger.rpc('increment_article_views', { article_slug: slug })).status).toBe(204);
        }
        for (const table of ['topics', 'article_runs', 'blog_automations', 'user_keywords'])
          for (const change of [{ state: 'skipped' }, { title: 'Meu' }, { user_id: randomUUID() }, { is_active: false }]) {
            const changed = await stranger.from(table).update(change).not('id', 'is', null).select();
            const removed = await stranger.from(table).delete().not('id', 'is', null).select();
            for (const { data, error } of [changed, removed]) expect([table, error ? [] : data]).toEqual([table, []]);
          }
      }
      for (const address of ['/blog', `/blog?search=${mark}`, `/blog/${draft.slug}`, '/blog/rss.xml', '/sitemap.xml']) {
        const answer = await fetch(system.gateway + address, { redirect: 'manual' });
        expect([address, answer.status]).toEqual([address, address.includes(draft.slug) ? 404 : 200]);
        expect([address, told(await answer.text(), address)]).toEqual([address, []]);
      }
      expect(await editorsRows()).toEqual(before);
      const { data: views } = await editor.client.from('blog_articles').select('view_count').eq('id', draft.id).single();
      expect(views).toEqual({ view_count: 0 });

      /** Asks for a path exactly as it is written, which `fetch` would tidy up. */
      const raw = (address: string) =>
        new Promise<{ status: number; text: string }>((resolve, reject) => {
          const { hostname, port } = new URL(system.gateway);
          http
            .get({ hostname, port, path: address, headers: { apikey: system.publishableKey } }, (answer) => {
              let text = '';
              answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
              answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
            })
            .on('error', reject);
        });
      const known = '/storage/v1/object/public/blog-images';
      for (const name of ['internal/site/feed', 'internal/site/articles', `internal/site/articles/${open.slug}`, 'internal/account-export'])
        for (const address of [
          `/${name}`,
          `//${name}`,
          `/./${name}`,
          `/%69${name.slice(1)}`,
          `/rest/v1/../../${name}`,
          `/rest/v1/%2e%2e/%2e%2e/${name}`,
          `/functions/v1/..%2f..%2f${name.replaceAll('/', '%2f')}`,
          `${known}/../../../../../${name}`,
          `${known}/..%2f..%2f..%2f..%2f..%2f${name.replaceAll('/', '%2f')}`,
          `/blog/../${name}`,
          `/blog/..%2f..%2f..%2f${name.replaceAll('/', '%2f')}`,
          `/blog/%2e%2e%2f${name.split('/').slice(2).join('%2f') || 'feed'}`,
        ]) {
          const { status, text } = await raw(address);
          // The app's own page may answer, but no data of a service.
          const page = /^<!doctype html/i.test(text);
          expect([address, status, page || status >= 400]).toEqual([address, status, true]);
          expect([address, text.includes('"slugs"') || text.includes('"state":"found"') || text.includes('"articles":')]).toEqual([
            address,
            false,
          ]);
        }
    });
  });
