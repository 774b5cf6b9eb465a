import { randomUUID } from 'node:crypto';
import { automationTypes, slotCost } from '@decola/contracts';
import { collectEvents, eventually } from '@decola/testing';
import { usedSlots } from '../src/entitlements/entitlements.js';
import { Bench, blogRow, cookieOf, extractorRow, followConfiguration, networkId } from './support.js';

describe('automations over rest/v1', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench?.stop());

  it('lets only one of 20 simultaneous creations take the last slot', async () => {
    const userId = await bench.customer(1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => bench.create(userId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(400)]);
    for (const { status, body } of answers) {
      if (status === 400)
        expect(body).toMatchObject({ code: 'P0001', message: 'Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).' });
    }
    expect((await bench.call('POST', 'rpc/get_available_slots', userId, { p_user_id: userId })).body).toBe(0);
  });

  it('refuses two rows of one request that need more slots than there are', async () => {
    const userId = await bench.customer(1);
    const row = () => ({
      user_id: userId,
      name: 'x',
      type: 'auto-like',
      configuration: { ...followConfiguration(), action: 'like', method: 'feed' },
      is_draft: false,
      is_active: true,
    });
    expect((await bench.call('POST', 'automations', userId, [row(), row()])).status).toBe(400);
    expect((await bench.call('GET', 'automations', userId)).body).toEqual([]);
  });

  it('charges two slots for the DM sender, and nothing for a draft until it is published', async () => {
    const userId = await bench.customer(2);
    const slots = async () => (await bench.call('POST', 'rpc/get_available_slots', userId, { p_user_id: userId })).body as number;
    const draft = await bench.made(userId, { is_draft: true, is_active: false, configuration: {} });
    expect(await slots()).toBe(2);
    const dm = {
      action: 'send_dm',
      method: 'comments',
      targets: 'https://www.instagram.com/p/C1a2b3D4/',
      targetKeyword: 'eu',
      dmMessage: 'Oi',
      sessionCookie: cookieOf(networkId()),
    };
    const sender = await bench.made(userId, { type: 'auto-dm-sender', configuration: dm });
    expect(await slots()).toBe(0);
    const publish = { is_draft: false, is_active: true, configuration: followConfiguration() };
    const refused = await bench.call('PATCH', `automations?id=eq.${draft}`, userId, publish);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).' },
    });
    // Switching off frees nothing; deleting does.
    await bench.call('PATCH', `automations?id=eq.${sender}`, userId, { is_active: false });
    expect(await slots()).toBe(0);
    await bench.call('DELETE', `automations?id=eq.${sender}`, userId);
    expect(await slots()).toBe(2);
    expect((await bench.call('PATCH', `automations?id=eq.${draft}`, userId, publish)).status).toBe(204);
    expect(await slots()).toBe(1);
  });

  it('counts each published tool as its facts say, also one that only a newer replica knows', async () => {
    for (const type of automationTypes) {
      const userId = await bench.customer(9);
      await bench.db.query(`insert into automations (user_id, name, type, is_active) values ($1, 'x', $2, false)`, [userId, type]);
      expect([type, await usedSlots(bench.db.manager, userId)]).toEqual([type, slotCost(type)]);
    }
    const userId = await bench.customer(9);
    await bench.db.query(`insert into automations (user_id, name, type, is_active) values ($1, 'x', 'a-ninth-tool', false)`, [userId]);
    expect(await usedSlots(bench.db.manager, userId)).toBe(1);
  });

  it('stores the feed as the target of a tool that finds its posts there', async () => {
    const userId = await bench.customer(1);
    const like = { ...followConfiguration(), action: 'like', method: 'feed', targets: '' };
    const id = await bench.made(userId, { type: 'auto-like', configuration: like });
    expect(await bench.automation(userId, id)).toMatchObject({ configuration: { method: 'feed', targets: 'feed' } });
    const tagged = { ...like, method: 'hashtag', targets: '#cafe' };
    expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, { configuration: tagged })).status).toBe(204);
    expect(await bench.automation(userId, id)).toMatchObject({ configuration: { method: 'hashtag', targets: '#cafe' } });
  });

  it('is due at once when published', async () => {
    const userId = await bench.customer(1);
    const id = await bench.made(userId);
    const row = await bench.automation(userId, id);
    expect(row).toMatchObject({ status: 'waiting', is_active: true, session_stored: true });
    expect(Date.parse(row.next_run_at as string)).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ['type', { type: 'auto-teleport' }, 'Tipo de automação inválido'],
    ['name', { name: '  ' }, 'O nome da automação não pode estar vazio.'],
    ['cookie', { configuration: { ...followConfiguration(), sessionCookie: '' } }, 'Cookie do Instagram é obrigatório'],
    ['target', { configuration: followConfiguration(networkId(), { targets: '' }) }, 'Digite uma hashtag'],
    ['frequency', { configuration: followConfiguration(networkId(), { frequency: '' }) }, 'Selecione a frequência de execução'],
  ])('refuses a wrong %s with the sentence for the person', async (_, row, message) => {
    const userId = await bench.customer(1);
    expect(await bench.create(userId, row)).toMatchObject({ status: 400, body: { code: 'P0001', message } });
    expect((await bench.call('GET', 'automations', userId)).body).toEqual([]);
  });

  it('keeps the session when the field stays empty on an edit, and shows for which account', async () => {
    const userId = await bench.customer(1);
    const account = networkId();
    const id = await bench.made(userId, { configuration: followConfiguration(account) });
    const edit = { ...followConfiguration(account), sessionCookie: '', targets: '#bolo' };
    expect(
      (
        await bench.call('PATCH', `automations?id=eq.${id}&user_id=eq.${userId}`, userId, {
          configuration: edit,
          is_draft: false,
          is_active: true,
        })
      ).status,
    ).toBe(204);
    const row = await bench.automation(userId, id);
    expect(row).toMatchObject({
      session_stored: true,
      session_account: account,
      configuration: { targets: '#bolo', sessionStored: true, sessionAccount: account },
    });
    expect(row.configuration).not.toHaveProperty('sessionCookie');
  });

  it('acts with the stored session that a configuration names, and may be moved to another', async () => {
    const userId = await bench.customer(1);
    const [first, second] = [networkId(), networkId()];
    for (const account of [first, second]) {
      const given = { user_id: userId, session_id: account, cookies: { raw_cookie: cookieOf(account) }, is_active: true };
      expect((await bench.call('POST', 'instagram_sessions', userId, given)).status).toBe(201);
    }
    const sessions = (await bench.call('GET', 'instagram_sessions?is_active=is.true', userId)).body as {
      id: string;
      network_user_id: string;
    }[];
    const sessionOf = (account: string) => sessions.find(({ network_user_id }) => network_user_id === account)?.id;
    const named = (account: string) => ({ ...followConfiguration(), sessionCookie: '', instagram_session_id: sessionOf(account) });
    const id = await bench.made(userId, { configuration: named(first) });
    const created = await bench.automation(userId, id);
    expect(created).toMatchObject({ status: 'waiting', session_stored: true, session_account: first });
    expect(created.configuration).not.toHaveProperty('instagram_session_id');
    const moved = await bench.call('PATCH', `automations?id=eq.${id}`, userId, {
      configuration: named(second),
      is_draft: false,
      is_active: true,
    });
    expect(moved.status).toBe(204);
    expect(await bench.automation(userId, id)).toMatchObject({ session_account: second, configuration: { sessionAccount: second } });
  });

  it('refuses the session of another customer, and one that does not exist', async () => {
    const [owner, thief] = await Promise.all([bench.customer(1), bench.customer(1)]);
    await bench.made(owner);
    const [{ id }] = (await bench.call('GET', 'instagram_sessions', owner)).body as [{ id: string }];
    for (const instagram_session_id of [id, randomUUID(), 'nenhuma']) {
      const configuration = { ...followConfiguration(), sessionCookie: '', instagram_session_id };
      expect(await bench.create(thief, { configuration, is_draft: true, is_active: false })).toMatchObject({
        status: 403,
        body: { code: '42501' },
      });
    }
    expect((await bench.call('GET', 'automations', thief)).body).toEqual([]);
  });

  it('does not lend a session to somebody who only names its account', async () => {
    const [owner, thief] = await Promise.all([bench.customer(1), bench.customer(1)]);
    const account = networkId();
    await bench.made(owner, { configuration: followConfiguration(account) });
    const stolen = { ...followConfiguration(), sessionCookie: '', sessionAccount: account, sessionStored: true };
    expect(await bench.create(thief, { configuration: stolen })).toMatchObject({
      status: 400,
      body: { message: 'Cookie do Instagram é obrigatório' },
    });
  });

  it('makes the wheel’s token itself, keeps it over edits, and takes none from a client', async () => {
    const userId = await bench.customer(1);
    const prizes = [{ id: '1', name: 'Brinde', quantity: 3, type: 'digital', message: '' }];
    const leadFields = [{ id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true, enabled: true }];
    const configuration = { action: 'extract_leads', method: 'prize_wheel', prizes, leadFields, totalParticipants: 0, publicToken: 'mine' };
    const id = await bench.made(userId, { type: 'prize-extractor', configuration });
    const token = (await bench.automation(userId, id)).configuration.publicToken as string;
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    await bench.call('PATCH', `automations?id=eq.${id}`, userId, { configuration: { ...configuration, publicToken: 'other' } });
    expect((await bench.automation(userId, id)).configuration.publicToken).toBe(token);
  });

  it('tells its changes with growing revisions, and the slots with a growing sequence', async () => {
    const heard = await collectEvents(bench.broker.url, '#');
    const userId = await bench.customer(2);
    const id = await bench.made(userId);
    await bench.call('PATCH', `automations?id=eq.${id}`, userId, { name: ' Novo nome ' });
    await bench.call('DELETE', `automations?id=eq.${id}`, userId);
    await eventually(() => {
      const own = heard.events.filter(({ type, payload }) => type.startsWith('automation.') && payload['automationId'] === id);
      expect(own.map(({ type }) => type)).toEqual(['automation.created', 'automation.updated', 'automation.deleted']);
      expect(own[0]?.payload).toMatchObject({ userId, revision: 1, isActive: true });
      expect(own[1]?.payload).toMatchObject({ name: 'Novo nome', revision: 2 });
      const slots = heard.events.filter(({ type, payload }) => type === 'slots.changed' && payload['userId'] === userId);
      expect(slots.map(({ payload }) => [payload['used'], payload['sequence']])).toEqual([
        [1, 1],
        [0, 2],
      ]);
    });
    await heard.dispose();
  });

  it('switches the newest off when the plan shrinks, says why, and brings them back when it grows', async () => {
    const userId = await bench.customer(3);
    const ids = [await bench.made(userId), await bench.made(userId), await bench.made(userId)];
    const states = async () =>
      (await Promise.all(ids.map((id) => bench.automation(userId, id)))).map(({ is_active }) => is_active as boolean);
    await bench.plan(userId, 1, 2);
    expect(await states()).toEqual([true, false, false]);
    const newest = await bench.automation(userId, ids[2] ?? '');
    expect(newest).toMatchObject({
      status: 'paused',
      status_reason: expect.stringContaining('Seu plano tem menos slots'),
      next_run_at: null,
    });
    const refused = await bench.call('PATCH', `automations?id=eq.${ids[2]}`, userId, { is_active: true });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).' },
    });
    await bench.plan(userId, 2, 3);
    expect(await states()).toEqual([true, true, false]);
  });

  it('lets a creation and a shrinking plan meet: whoever is first, what is on fits, and what went off says why', async () => {
    for (let round = 0; round < 5; round += 1) {
      const userId = await bench.customer(2);
      const old = await bench.made(userId);
      const [created] = await Promise.all([bench.made(userId).catch(() => undefined), bench.plan(userId, 1, 2)]);
      await eventually(async () => expect(await bench.automation(userId, old)).toMatchObject({ is_active: true }));
      if (created !== undefined)
        await eventually(async () =>
          expect(await bench.automation(userId, created)).toMatchObject({
            is_active: false,
            status_reason: expect.stringContaining('Seu plano tem menos slots'),
          }),
        );
    }
  });

  it('applies an older subscription message no more', async () => {
    const userId = await bench.customer(3);
    await bench.plan(userId, 2, 5);
    const { publishTestEvent } = await import('@decola/testing');
    const { subscriptionChanged } = await import('@decola/contracts');
    const { subscription } = await import('./support.js');
    await publishTestEvent(bench.broker.url, subscriptionChanged, subscription(userId, 6, 4), { subject: userId });
    await bench.plan(userId, 1, 6);
    expect((await bench.call('POST', 'rpc/get_available_slots', userId, { p_user_id: userId })).body).toBe(1);
  });

  it('holds a pasted session nowhere in the clear', async () => {
    const secret = `planted${randomUUID().replaceAll('-', '')}`;
    const userId = await bench.customer(6);
    const account = networkId();
    const cookie = cookieOf(account, secret);
    await bench.made(userId, {
      configuration: { ...followConfiguration(account), sessionCookie: `sessionid=${cookie}; csrftoken=${secret}` },
    });
    await bench.made(userId, {
      ...extractorRow(),
      configuration: { ...(extractorRow().configuration as object), sessionCookie: JSON.stringify({ sessionid: cookie }) },
    });
    await bench.made(userId, {
      is_draft: true,
      is_active: false,
      configuration: { sessionCookie: cookie, cookies: { sessionid: cookie }, targets: '#cafe' },
    });
    const stored = await bench.call('POST', 'instagram_sessions', userId, {
      user_id: userId,
      session_id: 's1',
      cookies: { raw_cookie: cookie },
      username: account,
      is_active: true,
    });
    expect(stored.status).toBe(201);
    await bench.tick();

    const tables: { name: string }[] = await bench.db.query(`select tablename as name from pg_tables where schemaname = current_schema()`);
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['outbox', 'automations', 'instagram_sessions', 'runs']));
    for (const { name } of tables) {
      const found: unknown[] = await bench.db.query(`select 1 from "${name}" t where t::text like $1`, [`%${secret}%`]);
      expect([name, found]).toEqual([name, []]);
    }
    const rows = await bench.call('GET', 'instagram_sessions', userId);
    expect(JSON.stringify(rows.body)).not.toContain(secret);
    expect(rows.body.filter(({ is_active }: { is_active: boolean }) => is_active)).toHaveLength(1);
    expect(rows.body.every(({ cookies }: { cookies: unknown }) => cookies === null)).toBe(true);
  });

  it('forgets an erased customer, and keeps what an account did only while somebody else uses it', async () => {
    const { publishTestEvent } = await import('@decola/testing');
    const { userDeleted } = await import('@decola/contracts');
    const userId = await bench.customer(2);
    await bench.made(userId);
    await publishTestEvent(bench.broker.url, userDeleted, { userId, deletedAt: new Date().toISOString() });
    await eventually(async () => {
      for (const table of ['automations', 'instagram_sessions', 'blog_automations', 'runs', 'run_diary']) {
        expect([table, await bench.db.query(`select 1 from ${table} where user_id = $1`, [userId])]).toEqual([table, []]);
      }
    });
  });
});

describe('row rules', () => {
  let bench: Bench;
  let owner: string;
  let other: string;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    bench = await Bench.start();
    [owner, other] = await Promise.all([bench.customer(6), bench.customer(6)]);
    ids['automations'] = await bench.made(owner);
    await bench.call('POST', 'blog_automations', owner, { user_id: owner, ...blogRow });
    ids['blog_automations'] = (await bench.call('GET', 'blog_automations', owner)).body[0].id;
    ids['instagram_sessions'] = (await bench.call('GET', 'instagram_sessions', owner)).body[0].id;
    ids['instagram_accounts'] = (await bench.call('GET', 'instagram_accounts', owner)).body[0].id;
    ids['account_usage'] = (await bench.call('GET', 'account_usage', owner)).body[0].id;
    await bench.db.query(
      `insert into account_growth (user_id, instagram_account_id, day, followers, seen_at) values ($1, $2, current_date, 5, now())`,
      [owner, ids['instagram_accounts']],
    );
    ids['account_growth'] = (await bench.call('GET', 'account_growth', owner)).body[0].id;
    await bench.tick();
    ids['automation_runs'] = (await bench.call('GET', 'automation_runs', owner)).body[0].id;
    await bench.db.query(
      `insert into account_activity (user_id, instagram_account_id, day, action, confirmed) values ($1, $2, current_date, 'follow', 5)`,
      [owner, ids['instagram_accounts']],
    );
    await bench.db.query(
      `insert into account_pauses (user_id, instagram_account_id, cause, began_at, until) values ($1, $2, 'limited', now(), now() + interval '1 hour')`,
      [owner, ids['instagram_accounts']],
    );
    await bench.db.query(
      `insert into run_diary (automation_id, user_id, run_id, action, target_id, target_username, outcome, proof, settled, at)
       values ($1, $2, $3, 'follow', '1', 'bia', 'confirmed', '{}', false, now())`,
      [ids['automations'], owner, ids['automation_runs']],
    );
    await bench.call('POST', 'rpc/preview_automation', owner, { p_automation_id: ids['automations'] });
    for (const table of ['account_activity', 'account_pauses', 'follow_backs', 'run_diary', 'previews'])
      ids[table] = (await bench.call('GET', table, owner)).body[0].id;
  });
  afterAll(() => bench?.stop());

  const tables = [
    'automations',
    'blog_automations',
    'instagram_sessions',
    'instagram_accounts',
    'account_usage',
    'account_growth',
    'account_activity',
    'account_pauses',
    'follow_backs',
    'automation_runs',
    'run_diary',
    'previews',
  ] as const;
  const inserts: Record<string, (userId: string) => Record<string, unknown>> = {
    automations: (user_id) => ({
      user_id,
      name: 'x',
      type: 'auto-follow-unfollow',
      configuration: followConfiguration(),
      is_draft: true,
      is_active: false,
    }),
    blog_automations: (user_id) => ({ user_id, ...blogRow }),
    instagram_sessions: (user_id) => ({
      user_id,
      session_id: 'x',
      cookies: { raw_cookie: cookieOf(networkId()) },
      username: '1',
      is_active: true,
    }),
    instagram_accounts: (user_id) => ({ user_id, network_user_id: '1', quiet_from: '22:00', quiet_to: '06:00' }),
    account_usage: (user_id) => ({ user_id }),
    account_growth: (user_id) => ({ user_id, instagram_account_id: ids['instagram_accounts'], day: '2026-01-01', followers: 1 }),
    account_activity: (user_id) => ({ user_id, instagram_account_id: ids['instagram_accounts'], day: '2026-01-01', action: 'like' }),
    account_pauses: (user_id) => ({ user_id, instagram_account_id: ids['instagram_accounts'], cause: 'limited' }),
    follow_backs: (user_id) => ({ user_id, days: 3 }),
    automation_runs: (user_id) => ({ user_id }),
    run_diary: (user_id) => ({ user_id, automation_id: ids['automations'], target_username: 'bia' }),
    previews: (user_id) => ({ user_id, automation_id: ids['automations'], state: 'done' }),
  };
  const patches: Record<string, Record<string, unknown>> = {
    automations: { name: 'roubada' },
    blog_automations: { keyword: 'roubada' },
    instagram_sessions: { session_id: 'roubada' },
    instagram_accounts: { keep_list: ['roubada'] },
    account_usage: { day_used: 0 },
    account_growth: { followers: 1_000_000 },
    account_activity: { confirmed: 1_000_000 },
    account_pauses: { cause: 'roubada' },
    follow_backs: { followed: 1_000_000 },
    automation_runs: { reason: 'roubada' },
    run_diary: { target_username: 'roubada' },
    previews: { reason: 'roubada' },
  };
  const snapshot = async (table: string) => (await bench.call('GET', `${table}?id=eq.${ids[table]}`, owner)).body;

  describe.each(tables)('%s', (table) => {
    it('shows the owner their rows', async () => expect(await snapshot(table)).toHaveLength(1));

    it.each(['anonymous', 'other'] as const)('shows nothing to the %s', async (who) => {
      const as = who === 'other' ? other : null;
      for (const query of ['', `?id=eq.${ids[table]}`, `?or=(id.eq.${ids[table]},id.is.null)`, `?user_id=eq.${owner}`]) {
        const { status, body } = await bench.call('GET', `${table}${query}`, as);
        if (status !== 401) expect([status, body.filter(({ id }: { id: string }) => id === ids[table])]).toEqual([200, []]);
      }
    });

    it('lets nobody else change or delete a row', async () => {
      const before = await snapshot(table);
      for (const as of [null, other]) {
        const patched = await bench.call('PATCH', `${table}?id=eq.${ids[table]}`, as, patches[table]);
        const deleted = await bench.call('DELETE', `${table}?id=eq.${ids[table]}`, as);
        expect([204, 401, 403]).toContain(patched.status);
        expect([204, 401, 403]).toContain(deleted.status);
      }
      expect(await snapshot(table)).toEqual(before);
    });

    it('lets nobody insert for somebody else', async () => {
      expect((await bench.call('POST', table, null, inserts[table]?.(owner))).status).toBe(401);
      const answer = await bench.call('POST', table, other, inserts[table]?.(owner));
      expect([answer.status, answer.body.code]).toEqual([403, '42501']);
    });

    it('lets nobody give a row away', async () => {
      const answer = await bench.call('PATCH', `${table}?id=eq.${ids[table]}`, owner, { user_id: other });
      expect([answer.status, answer.body.code]).toEqual([403, '42501']);
    });
  });

  it('lets an owner write and delete what is theirs', async () => {
    for (const table of ['automations', 'blog_automations', 'instagram_sessions']) {
      const before = (await bench.call('GET', `${table}?select=id`, other)).body.length as number;
      expect((await bench.call('POST', table, other, inserts[table]?.(other))).status).toBe(201);
      const [row] = (await bench.call('GET', `${table}?order=created_at.desc&limit=1`, other)).body;
      expect((await bench.call('PATCH', `${table}?id=eq.${row.id}`, other, patches[table])).status).toBe(204);
      expect((await bench.call('GET', `${table}?id=eq.${row.id}`, other)).body[0]).toMatchObject(patches[table] ?? {});
      expect((await bench.call('DELETE', `${table}?id=eq.${row.id}`, other)).status).toBe(204);
      const after = (await bench.call('GET', `${table}?select=id`, other)).body.length as number;
      // A draft's session stays in the vault.
      expect(after - before).toBe(table === 'instagram_sessions' ? 0 : 0);
    }
  });

  it.each(['last_run_at', 'next_run_at', 'status', 'created_at', 'id'])('lets nobody write %s', async (column) => {
    const answer = await bench.call('PATCH', `automations?id=eq.${ids['automations']}`, owner, { [column]: null });
    expect([answer.status, answer.body.code]).toEqual([403, '42501']);
  });

  it.each(['username', 'state', 'pause_cause', 'pause_reason', 'time_zone', 'created_at', 'network_user_id', 'user_id', 'stop_cause'])(
    'lets nobody write %s of an account',
    async (column) => {
      const answer = await bench.call('PATCH', `instagram_accounts?id=eq.${ids['instagram_accounts']}`, owner, { [column]: null });
      expect([400, 403]).toContain(answer.status);
      expect(['42501', 'PGRST204']).toContain(answer.body.code);
    },
  );

  it('lets nobody make or delete an account, not even its owner', async () => {
    expect((await bench.call('POST', 'instagram_accounts', owner, inserts['instagram_accounts']?.(owner))).status).toBe(403);
    expect((await bench.call('DELETE', `instagram_accounts?id=eq.${ids['instagram_accounts']}`, owner)).status).toBe(403);
    expect(await snapshot('instagram_accounts')).toHaveLength(1);
  });

  it('answers the free slots of nobody else', async () => {
    expect((await bench.call('POST', 'rpc/get_available_slots', other, { p_user_id: owner })).status).toBe(403);
    expect((await bench.call('POST', 'rpc/get_available_slots', null, { p_user_id: owner })).status).toBe(401);
  });
});
