import { randomUUID } from 'node:crypto';
import {
  automationDeleted,
  type BrowserRun,
  type EventDefinition,
  extractionCompleted,
  extractionDue,
  extractionPassEnded,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runPicture,
  runReserve,
  runStarted,
  subscriptionChanged,
  userDeleted,
  userUpdated,
} from '@decola/contracts';
import { connectBroker, Requester } from '@decola/messaging';
import { accountExportOf, collectEvents, eventually, publishTestEvent, tracesOf } from '@decola/testing';
import { forgetOld } from '../src/schedule/housekeeping.js';
import { Bench, cookieOf, extractorRow, followConfiguration, type Json, networkId, subscription } from './support.js';

describe('the erasure of a customer', () => {
  let bench: Bench;
  let connection: ReturnType<typeof connectBroker>;
  let requester: Requester;

  beforeAll(async () => {
    bench = await Bench.start();
    connection = connectBroker(bench.broker.url, 'test');
    requester = new Requester(connection, '/test');
  });
  afterAll(async () => {
    await requester?.close();
    await connection?.close();
    await bench?.stop();
  });

  const tell = async (definition: EventDefinition, payload: Record<string, unknown>) => {
    const id = await publishTestEvent(bench.broker.url, definition, payload);
    await eventually(async () => expect(await bench.db.query('select 1 from inbox where message_id = $1', [id])).toHaveLength(1));
  };
  const identityOf = (job: BrowserRun, fencingToken = 1) => ({
    runId: job.runId,
    automationId: job.automationId,
    userId: job.userId,
    accountKey: job.accountKey,
    fencingToken,
  });
  const at = () => new Date().toISOString();
  const action = (job: BrowserRun, target: { targetId: string; username: string }, more: Record<string, unknown> = {}) => ({
    ...identityOf(job),
    reservationId: null,
    action: 'follow',
    target,
    outcome: 'confirmed',
    skipReason: null,
    proof: { header: 'Seguindo' },
    settled: false,
    at: at(),
    ...more,
  });
  const page = (job: BrowserRun) => ({
    ...identityOf(job),
    extractedDataId: job.plan.kind === 'extract-list' ? job.plan.extractedDataId : randomUUID(),
    page: 0,
    pass: 1,
    rows: [],
    cursor: 'c1',
    profileTotal: 10,
    collectedAt: at(),
  });
  const picture = ({ runId, userId }: BrowserRun) => ({
    pictureId: randomUUID(),
    runId,
    userId,
    reservationId: null,
    jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64'),
    takenAt: at(),
  });
  const finished = (job: BrowserRun, more: Record<string, unknown> = {}) => ({
    ...identityOf(job),
    outcome: 'stopped',
    stop: { class: 'action_blocked', row: 1, action: 'follow', evidence: {} },
    tried: 1,
    confirmed: 0,
    skipped: 0,
    pages: 0,
    list: null,
    targetProblem: null,
    username: 'conta.da.ana',
    finishedAt: at(),
    ...more,
  });

  /** A customer with data in every table that can have any, and with a run in progress. */
  const fullCustomer = async (account = networkId()) => {
    const mark = randomUUID().slice(0, 8);
    const userId = await bench.customer(6);
    const follow = await bench.made(userId, {
      name: `Seguir ${mark}`,
      configuration: followConfiguration(account, { targets: `#tema${mark}` }),
    });
    await bench.tick();
    const job = await bench.lastJobOf(follow);
    const other = networkId();
    const extractor = await bench.made(userId, extractorRow(other, { targets: `@alvo_${mark}` }));
    await bench.tick();
    const list = await bench.lastJobOf(extractor);
    const blog = await bench.call('POST', 'blog_automations', userId, {
      user_id: userId,
      keyword: `palavra ${mark}`,
      theme: 'Marketing',
      webhook_url: `https://blog-${mark}.example/wp-json/decola/v1/publish`,
      schedule_type: 'weekly',
      schedule_days: [1, 2, 3],
      categories: '',
      schedule_time: '09:00',
    });
    expect(blog).toMatchObject({ status: 201 });
    await tell(runStarted, { ...identityOf(job), workerId: 'w1', startedAt: at() });
    await tell(runStarted, { ...identityOf(list), workerId: 'w2', startedAt: at() });
    const target = { targetId: networkId(), username: `pessoa_${mark}` };
    const { reserved } = await requester.ask(
      runReserve,
      { ...identityOf(job), action: 'follow', candidates: [target] },
      { timeoutMs: 10_000 },
    );
    await tell(runActionDone, action(job, target, { reservationId: reserved[0]!.reservationId }));
    await tell(runPage, page(list));
    await tell(runPicture, picture(job));
    // The account works: the preview says so, and had shown somebody before.
    const preview = await bench.call('POST', 'rpc/preview_automation', userId, { p_automation_id: follow });
    await bench.db.query('update previews set items = $2 where id = $1', [
      preview.body.id,
      JSON.stringify([{ target_username: target.username, post_code: null, text: null, why: '', would: true, reason: null }]),
    ]);
    await bench.call('PATCH', `instagram_accounts?network_user_id=eq.${account}`, userId, {
      keep_list: [`@${target.username}`, `amiga_${mark}`],
      quiet_from: '22:00',
      quiet_to: '06:00',
    });
    await tell(userUpdated, {
      userId,
      email: `${mark}@exemplo.com.br`,
      fullName: null,
      timeZone: 'America/Manaus',
      locale: 'pt-BR',
      updatedAt: at(),
    });
    return {
      userId,
      account,
      mark,
      job,
      list,
      follow,
      extractor,
      target,
      values: {
        id: userId,
        account,
        otherAccount: other,
        accountKey: job.accountKey,
        otherKey: list.accountKey,
        envelope: job.session.envelope,
        otherEnvelope: list.session.envelope,
        session: job.session.sessionId,
        runId: job.runId,
        mark,
        target: target.targetId,
        automation: follow,
        extractor,
      },
    };
  };
  const erase = (userId: string) => tell(userDeleted, { userId, deletedAt: at() });
  /** What remains of the id: its tombstone, and the messages that announce the deleted automations. */
  const tombstones = ['entitlements: id', 'outbox: automation', 'outbox: extractor', 'outbox: id'];
  /** What protects the accounts of the network, under keyed HMACs: people they met, pages they read, and since when they are known. */
  const protection = [
    'account_actions: accountKey',
    'account_pages: otherKey',
    'network_accounts: accountKey',
    'network_accounts: otherKey',
  ];
  const remains = [...protection, ...tombstones].sort();

  it('can be preceded by an export of all their data, without secrets and without data of others', async () => {
    const ana = await fullCustomer();
    const bia = await fullCustomer();
    const files = await accountExportOf(bench.url, ana.userId);
    const parsed = (name: string): Json[] => JSON.parse(files[name]!);
    expect(parsed('automacoes/automacoes.json').map(({ nome }) => nome)).toContain(`Seguir ${ana.mark}`);
    expect(parsed('automacoes/automacoes-de-blog.json')).toMatchObject([{ palavra_chave: `palavra ${ana.mark}` }]);
    expect(parsed('automacoes/contas-do-instagram.json').map(({ numero_da_conta }) => numero_da_conta)).toContain(ana.account);
    expect(parsed('automacoes/execucoes.json').map(({ id }) => id)).toContain(ana.job.runId);
    expect(parsed('automacoes/imagens-de-falhas.json')).toMatchObject([{ execucao: ana.job.runId, bytes: 4 }]);
    expect(parsed('automacoes/previas.json')).toMatchObject([{ automacao: ana.follow, alvos: [{ target_username: ana.target.username }] }]);
    expect(parsed('automacoes/diario.json')).toMatchObject([{ perfil: ana.target.username, prova: { header: 'Seguindo' } }]);
    expect(parsed('automacoes/acoes-registradas.json')).toMatchObject([{ perfil: ana.target.username, situacao: 'confirmed' }]);
    expect(parsed('automacoes/nunca-deixar-de-seguir.json')).toMatchObject([
      { perfil: `amiga_${ana.mark}`, numero_do_perfil: null },
      { perfil: ana.target.username, numero_do_perfil: ana.target.targetId },
    ]);
    expect(parsed('automacoes/ajustes-das-contas.json')).toEqual(
      expect.arrayContaining([expect.objectContaining({ numero_da_conta: ana.account, descanso_de: '22:00', descanso_ate: '06:00' })]),
    );
    expect(parsed('automacoes/fuso-e-idioma.json')).toMatchObject([{ fuso_horario: 'America/Manaus', idioma: 'pt-BR' }]);
    expect(parsed('automacoes/plano.json')).toEqual([{ vagas: 6 }]);
    const text = Object.values(files).join('\n');
    for (const secret of [ana.job.session.envelope, ana.list.session.envelope, ana.job.accountKey, 'sessionid', 'envelope'])
      expect(text).not.toContain(secret);
    for (const foreign of [bia.userId, bia.mark, bia.account, bia.target.targetId]) expect(text).not.toContain(foreign);
    expect((await fetch(`${bench.url}/internal/account-export`)).status).toBe(401);
    const stranger = await accountExportOf(bench.url, randomUUID());
    expect(Object.values(stranger).every((file) => file === '[]\n')).toBe(true);
  });

  it('leaves nothing about them in tables or messages, and publishes which automations were deleted', async () => {
    const ana = await fullCustomer();
    const before = await tracesOf(bench.database.url, ana.values);
    for (const table of [
      'account_actions',
      'account_pages',
      'automations',
      'blog_automations',
      'customers',
      'entitlements',
      'extraction_progress',
      'instagram_accounts',
      'instagram_sessions',
      'keep_list',
      'network_accounts',
      'outbox',
      'previews',
      'run_diary',
      'run_pictures',
      'runs',
    ])
      expect([table, before.some((trace) => trace.startsWith(`${table}:`))]).toEqual([table, true]);
    const heard = await collectEvents(bench.broker.url, automationDeleted.type);
    await erase(ana.userId);
    expect(await tracesOf(bench.database.url, ana.values)).toEqual(remains);
    await eventually(() =>
      expect(heard.events.map(({ payload }) => payload['automationId']).sort()).toEqual([ana.follow, ana.extractor].sort()),
    );
    await heard.dispose();
    const kept: { payload: object }[] = await bench.db.query(`select payload from outbox where payload->>'userId' = $1`, [ana.userId]);
    for (const { payload } of kept) expect(Object.keys(payload).sort()).toEqual(['automationId', 'type', 'userId']);
  });

  it('is idempotent', async () => {
    const ana = await fullCustomer();
    await erase(ana.userId);
    const [first] = await bench.db.query('select * from entitlements where user_id = $1', [ana.userId]);
    await erase(ana.userId);
    expect(await bench.db.query('select * from entitlements where user_id = $1', [ana.userId])).toEqual([first]);
    expect(await tracesOf(bench.database.url, ana.values)).toEqual(remains);
  });

  it('is not undone by late events', async () => {
    const ana = await fullCustomer();
    await erase(ana.userId);
    await tell(runStarted, { ...identityOf(ana.job, 7), workerId: 'w1', startedAt: at() });
    await tell(runActionDone, action(ana.job, ana.target));
    await tell(runActionDone, action(ana.job, ana.target, { outcome: 'skipped', skipReason: 'target_gone' }));
    await tell(runActionDone, action(ana.job, ana.target, { outcome: 'not_confirmed' }));
    await tell(runPage, page(ana.list));
    await tell(runPicture, picture(ana.job));
    await tell(runFinished, finished(ana.job));
    await tell(
      runFinished,
      finished(ana.list, {
        outcome: 'done',
        stop: null,
        pages: 3,
        list: {
          extractedDataId: page(ana.list).extractedDataId,
          profileTotal: 10,
          cursor: 'c2',
          pass: 1,
          nextPage: 3,
          state: 'more',
        },
      }),
    );
    const extraction = { extractedDataId: page(ana.list).extractedDataId, automationId: ana.extractor, userId: ana.userId };
    await tell(extractionDue, { ...extraction, runId: ana.list.runId, dueAt: at(), collected: 3, profileTotal: 10 });
    await tell(extractionPassEnded, { ...extraction, pass: 1, collected: 3, profileTotal: 10, complete: false });
    await tell(extractionCompleted, { ...extraction, dataType: 'followers', totalRecords: 3, profileTotal: 10, completedAt: at() });
    await tell(subscriptionChanged, subscription(ana.userId, 6, 50));
    await bench.tick();
    // The block that its last run met still protects the account.
    expect(await tracesOf(bench.database.url, ana.values)).toEqual(['account_stops: accountKey', ...remains].sort());
    expect(await bench.db.query('select paused_cause from network_accounts where account_key = $1', [ana.job.accountKey])).toEqual([
      { paused_cause: 'action_blocked' },
    ]);
    expect(await bench.db.query('select max_slots from entitlements where user_id = $1', [ana.userId])).toEqual([{ max_slots: 0 }]);
  });

  it('stops their runs: none may continue, and nothing more is reserved for them', async () => {
    const ana = await fullCustomer();
    const mayGoOn = async (job: BrowserRun, userId = job.userId) =>
      (await requester.ask(runMayGoOn, { ...identityOf(job), userId }, { timeoutMs: 10_000 })).goOn;
    expect(await Promise.all([ana.job, ana.list].map((job) => mayGoOn(job)))).toEqual([true, true]);
    expect(await mayGoOn(ana.list, randomUUID())).toBe(false);
    await bench.call('DELETE', `automations?id=eq.${ana.extractor}`, ana.userId);
    expect(await mayGoOn(ana.list)).toBe(false);
    await erase(ana.userId);
    expect(await mayGoOn(ana.job)).toBe(false);
    const answer = await requester.ask(
      runReserve,
      { ...identityOf(ana.job), action: 'follow', candidates: [{ targetId: networkId(), username: 'outra' }] },
      { timeoutMs: 10_000 },
    );
    expect(answer.reserved).toEqual([]);
    expect(answer.stop).not.toBeNull();
  });

  it('refuses writes with a token that is still valid for a few seconds', async () => {
    const ana = await fullCustomer();
    await erase(ana.userId);
    const refused = { status: 403, body: expect.objectContaining({ code: '42501' }) };
    expect(await bench.create(ana.userId, { is_draft: true, is_active: false })).toEqual(refused);
    expect(await bench.create(ana.userId)).toEqual(refused);
    const session = { user_id: ana.userId, cookies: { raw_cookie: cookieOf(ana.account) } };
    expect(await bench.call('POST', 'instagram_sessions', ana.userId, session)).toEqual(refused);
    const blog = { user_id: ana.userId, keyword: ana.mark, is_active: false };
    expect(await bench.call('POST', 'blog_automations', ana.userId, blog)).toEqual(refused);
    expect(await tracesOf(bench.database.url, ana.values)).toEqual(remains);
  });

  it('keeps what another customer of the same account needs, without identifying the erased one', async () => {
    const account = networkId();
    const ana = await fullCustomer(account);
    const bia = await bench.customer(2);
    await bench.made(bia, { configuration: followConfiguration(account) });
    await erase(ana.userId);
    const { id, envelope, session, mark, automation, extractor, target, runId } = ana.values;
    // The people whom the account met stay in the ledger, so that no action is repeated; the diary of the erased customer is deleted.
    expect(await tracesOf(bench.database.url, { id, envelope, session, automation, extractor })).toEqual(tombstones);
    expect(await tracesOf(bench.database.url, { mark, target, runId })).toEqual([]);
    expect(await met(ana.job.accountKey)).toBe(1);
    expect((await bench.call('GET', 'instagram_sessions', bia)).body).toHaveLength(1);
    expect((await bench.call('GET', 'automations', bia)).body).toHaveLength(1);
  });

  const met = async (accountKey: string): Promise<number> =>
    (await bench.db.query('select count(*)::int as met from account_actions where account_key = $1', [accountKey]))[0].met;

  describe('a customer who returns with the same account', () => {
    let now = new Date('2026-11-21T15:00:00Z');
    beforeEach(() => {
      now = new Date('2026-11-21T15:00:00Z');
      bench.setTime(now);
    });
    const later = (ms: number) => {
      now = new Date(now.getTime() + ms);
      bench.setTime(now);
    };
    const hourMs = 3_600_000;
    const reserve = (job: BrowserRun, candidates: { targetId: string; username: string }[], fencingToken = 1) =>
      requester.ask(runReserve, { ...identityOf(job, fencingToken), action: 'follow', candidates }, { timeoutMs: 10_000 });
    const people = (count: number) =>
      Array.from({ length: count }, () => ({ targetId: networkId(), username: `gente_${randomUUID().slice(0, 8)}` }));
    const cameBack = async (account: string) => {
      const userId = await bench.customer(2);
      const id = await bench.made(userId, { configuration: followConfiguration(account, { rowsPerLaunch: 5 }) });
      return { userId, id };
    };

    it('is still blocked, and has halved ceilings afterwards', async () => {
      const ana = await fullCustomer();
      await tell(runFinished, { ...finished(ana.job), finishedAt: now.toISOString() });
      later(hourMs);
      await erase(ana.userId);
      const { userId, id } = await cameBack(ana.account);
      await bench.tick();
      const row = await bench.automation(userId, id);
      expect(row).toMatchObject({ status: 'blocked', status_reason: expect.stringContaining('O Instagram bloqueou ações desta conta') });
      later(22.9 * hourMs);
      await bench.tick();
      expect((await bench.jobs()).filter((job) => job.automationId === id)).toEqual([]);
      later(0.2 * hourMs);
      await bench.tick();
      const job = await bench.lastJobOf(id);
      // Half of the ten follows a day of a new account; the one before the block was more than a day ago.
      const answers = [await reserve(job, people(5), 2), await reserve(job, people(5), 2)];
      expect(answers.flatMap(({ reserved }) => reserved)).toHaveLength(5);
    });

    it('has the usage of the last 24 hours counted', async () => {
      const ana = await fullCustomer();
      const strangers = people(2);
      await reserve(ana.job, strangers);
      await erase(ana.userId);
      const { id } = await cameBack(ana.account);
      await bench.db.query(
        `insert into account_actions (id, account_key, action, target_id, target_username, state, run_id, reserved_at, is_key)
         select gen_random_uuid(), $1, 'follow', 'key:' || n, '', 'kept', gen_random_uuid(), $2, true from generate_series(1, 6) n`,
        [ana.job.accountKey, now],
      );
      await bench.tick();
      const job = await bench.lastJobOf(id);
      // Three earlier reservations and six new ones, of ten an hour.
      const answer = await reserve(job, people(5), 2);
      expect([answer.reserved.length, answer.refused.map(({ reason }) => reason)]).toEqual([1, Array<string>(4).fill('ceiling')]);
    });

    it('cannot repeat an action on a person who was followed, requested or only reserved', async () => {
      const ana = await fullCustomer();
      const [reservedOnly, passed] = people(2) as [ReturnType<typeof people>[0], ReturnType<typeof people>[0]];
      await reserve(ana.job, [reservedOnly]);
      await tell(runActionDone, action(ana.job, passed, { outcome: 'skipped', skipReason: 'target_blocked_us' }));
      await erase(ana.userId);
      const { userId, id } = await cameBack(ana.account);
      await bench.tick();
      const job = await bench.lastJobOf(id);
      expect(job.unsettled).toEqual([]);
      const fresh = people(1)[0]!;
      const renamed = { ...ana.target, username: 'outro.nome' };
      const answer = await reserve(job, [renamed, reservedOnly, passed, fresh], 2);
      expect(answer.reserved.map(({ targetId }) => targetId)).toEqual([fresh.targetId]);
      expect(answer.refused.map(({ targetId, reason }) => [targetId, reason])).toEqual(
        [renamed, reservedOnly, passed].map(({ targetId }) => [targetId, 'already_in_ledger']),
      );
      // A second erasure gives the same people the same HMACs.
      const before = await met(job.accountKey);
      await erase(userId);
      expect(await met(job.accountKey)).toBe(before);
      expect(
        await tracesOf(bench.database.url, { a: ana.target.targetId, b: reservedOnly.targetId, c: passed.targetId, d: fresh.targetId }),
      ).toEqual([]);
    });

    it('still has an unresolved challenge', async () => {
      const ana = await fullCustomer();
      const challenge = { class: 'challenge', row: 3, action: null, evidence: {} };
      await tell(runFinished, { ...finished(ana.job, { stop: challenge }), finishedAt: now.toISOString() });
      await erase(ana.userId);
      expect(
        await bench.db.query('select session_needed_cause from network_accounts where account_key = $1', [ana.job.accountKey]),
      ).toEqual([{ session_needed_cause: 'challenge' }]);
    });

    it('reads nothing from before: neither the account’s name nor its age nor other people', async () => {
      const ana = await fullCustomer();
      await tell(runFinished, { ...finished(ana.job, { stop: null, outcome: 'done', username: `nome.${ana.mark}` }) });
      await erase(ana.userId);
      expect(await tracesOf(bench.database.url, { mark: ana.mark, account: ana.account })).toEqual([]);
      later(40 * 24 * hourMs);
      const { userId } = await cameBack(ana.account);
      const [row] = (await bench.call('GET', 'instagram_accounts', userId)).body;
      expect(row).toMatchObject({
        username: ana.account,
        created_at: expect.stringContaining('2026-12-31'),
        keep_list: [],
        quiet_from: null,
      });
    });

    it('is treated as new after 180 days', async () => {
      const ana = await fullCustomer();
      await erase(ana.userId);
      const days = (count: number) => new Date(Date.now() + count * 24 * hourMs);
      await forgetOld(bench.db.manager, days(150));
      expect(await met(ana.job.accountKey)).toBe(1);
      await forgetOld(bench.db.manager, days(400));
      expect(await met(ana.job.accountKey)).toBe(0);
      await forgetOld(bench.db.manager, days(400));
      const { accountKey, otherKey } = ana.values;
      expect(await tracesOf(bench.database.url, { accountKey, otherKey })).toEqual([]);
    });
  });
});
