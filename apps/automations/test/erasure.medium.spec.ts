import { randomUUID } from 'node:crypto';
import {
  automationDeleted,
  type BrowserRun,
  type EventDefinition,
  extractionCompleted,
  extractionPassEnded,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runReserve,
  runStarted,
  subscriptionChanged,
  userDeleted,
} from '@decola/contracts';
import { connectBroker, Requester } from '@decola/messaging';
import { accountExportOf, collectEvents, eventually, publishTestEvent, tracesOf } from '@decola/testing';
import { Bench, cookieOf, extractorRow, followConfiguration, type Json, networkId, subscription } from './support.js';

describe('the end of a customer', () => {
  let bench: Bench;
  let connection: ReturnType<typeof connectBroker>;
  let requester: Requester;

  beforeAll(async () => {
    bench = await Bench.start();
    connection = connectBroker(bench.broker.url, 'test');
    requester = new Requester(connection, '/test');
  });
  afterAll(async () => {
    await requester.close();
    await connection.close();
    await bench.stop();
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

  /** A customer of whom every table that can holds something, with a run in progress. */
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
    await bench.db.query('insert into keep_list (account_key, target_id) values ($1, $2)', [job.accountKey, target.targetId]);
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
  /** The id that is gone, and the messages that tell which automations went with it. */
  const tombstones = ['entitlements: id', 'outbox: automation', 'outbox: extractor', 'outbox: id'];

  it('comes after a copy of everything that is held, without secrets and without other people’s', async () => {
    const ana = await fullCustomer();
    const bia = await fullCustomer();
    const files = await accountExportOf(bench.url, ana.userId);
    const parsed = (name: string): Json[] => JSON.parse(files[name]!);
    expect(parsed('automacoes/automacoes.json').map(({ nome }) => nome)).toContain(`Seguir ${ana.mark}`);
    expect(parsed('automacoes/automacoes-de-blog.json')).toMatchObject([{ palavra_chave: `palavra ${ana.mark}` }]);
    expect(parsed('automacoes/contas-do-instagram.json').map(({ numero_da_conta }) => numero_da_conta)).toContain(ana.account);
    expect(parsed('automacoes/execucoes.json').map(({ id }) => id)).toContain(ana.job.runId);
    expect(parsed('automacoes/diario.json')).toMatchObject([{ perfil: ana.target.username, prova: { header: 'Seguindo' } }]);
    expect(parsed('automacoes/acoes-registradas.json')).toMatchObject([{ perfil: ana.target.username, situacao: 'confirmed' }]);
    expect(parsed('automacoes/nunca-deixar-de-seguir.json')).toMatchObject([{ numero_do_perfil: ana.target.targetId }]);
    expect(parsed('automacoes/plano.json')).toEqual([{ vagas: 6 }]);
    const text = Object.values(files).join('\n');
    for (const secret of [ana.job.session.envelope, ana.list.session.envelope, ana.job.accountKey, 'sessionid', 'envelope'])
      expect(text).not.toContain(secret);
    for (const foreign of [bia.userId, bia.mark, bia.account, bia.target.targetId]) expect(text).not.toContain(foreign);
    expect((await fetch(`${bench.url}/internal/account-export`)).status).toBe(401);
    const stranger = await accountExportOf(bench.url, randomUUID());
    expect(Object.values(stranger).every((file) => file === '[]\n')).toBe(true);
  });

  it('leaves nothing of them in any table, nor in messages, and tells which automations are gone', async () => {
    const ana = await fullCustomer();
    const before = await tracesOf(bench.database.url, ana.values);
    for (const table of [
      'account_actions',
      'account_pages',
      'automations',
      'blog_automations',
      'entitlements',
      'extraction_progress',
      'instagram_sessions',
      'keep_list',
      'network_accounts',
      'outbox',
      'run_diary',
      'runs',
    ])
      expect([table, before.some((trace) => trace.startsWith(`${table}:`))]).toEqual([table, true]);
    const heard = await collectEvents(bench.broker.url, automationDeleted.type);
    await erase(ana.userId);
    expect(await tracesOf(bench.database.url, ana.values)).toEqual(tombstones);
    await eventually(() =>
      expect(heard.events.map(({ payload }) => payload['automationId']).sort()).toEqual([ana.follow, ana.extractor].sort()),
    );
    await heard.dispose();
    const kept: { payload: object }[] = await bench.db.query(`select payload from outbox where payload->>'userId' = $1`, [ana.userId]);
    for (const { payload } of kept) expect(Object.keys(payload).sort()).toEqual(['automationId', 'type', 'userId']);
  });

  it('is the same when it is told twice', async () => {
    const ana = await fullCustomer();
    await erase(ana.userId);
    const [first] = await bench.db.query('select * from entitlements where user_id = $1', [ana.userId]);
    await erase(ana.userId);
    expect(await bench.db.query('select * from entitlements where user_id = $1', [ana.userId])).toEqual([first]);
    expect(await tracesOf(bench.database.url, ana.values)).toEqual(tombstones);
  });

  it('is not undone by what was on its way', async () => {
    const ana = await fullCustomer();
    await erase(ana.userId);
    await tell(runStarted, { ...identityOf(ana.job, 7), workerId: 'w1', startedAt: at() });
    await tell(runActionDone, action(ana.job, ana.target));
    await tell(runActionDone, action(ana.job, ana.target, { outcome: 'skipped', skipReason: 'target_gone' }));
    await tell(runActionDone, action(ana.job, ana.target, { outcome: 'not_confirmed' }));
    await tell(runPage, page(ana.list));
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
    await tell(extractionPassEnded, { ...extraction, pass: 1, collected: 3, profileTotal: 10, complete: false });
    await tell(extractionCompleted, { ...extraction, dataType: 'followers', totalRecords: 3, profileTotal: 10, completedAt: at() });
    await tell(subscriptionChanged, subscription(ana.userId, 6, 50));
    await bench.tick();
    expect(await tracesOf(bench.database.url, ana.values)).toEqual(tombstones);
    expect(await bench.db.query('select max_slots from entitlements where user_id = $1', [ana.userId])).toEqual([{ max_slots: 0 }]);
  });

  it('stops what is in progress: no run of theirs may go on, and nothing more is reserved for them', async () => {
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

  it('takes nothing more from somebody whose token still lives for a moment', async () => {
    const ana = await fullCustomer();
    await erase(ana.userId);
    const refused = { status: 403, body: expect.objectContaining({ code: '42501' }) };
    expect(await bench.create(ana.userId, { is_draft: true, is_active: false })).toEqual(refused);
    expect(await bench.create(ana.userId)).toEqual(refused);
    const session = { user_id: ana.userId, cookies: { raw_cookie: cookieOf(ana.account) } };
    expect(await bench.call('POST', 'instagram_sessions', ana.userId, session)).toEqual(refused);
    const blog = { user_id: ana.userId, keyword: ana.mark, is_active: false };
    expect(await bench.call('POST', 'blog_automations', ana.userId, blog)).toEqual(refused);
    expect(await tracesOf(bench.database.url, ana.values)).toEqual(tombstones);
  });

  it('leaves what another customer of the same account needs, without a name for the one who left', async () => {
    const account = networkId();
    const ana = await fullCustomer(account);
    const bia = await bench.customer(2);
    await bench.made(bia, { configuration: followConfiguration(account) });
    await erase(ana.userId);
    const { id, envelope, session, mark, automation, extractor } = ana.values;
    // Whom the account met stays known, so that nobody is met twice; the diary of the one who left does not.
    expect(await tracesOf(bench.database.url, { id, envelope, session, automation, extractor })).toEqual(tombstones);
    expect(await tracesOf(bench.database.url, { mark })).toEqual(['account_actions: mark']);
    expect(await bench.db.query('select user_id, automation_id from account_actions where target_id = $1', [ana.target.targetId])).toEqual([
      { user_id: null, automation_id: null },
    ]);
    expect((await bench.call('GET', 'instagram_sessions', bia)).body).toHaveLength(1);
    expect((await bench.call('GET', 'automations', bia)).body).toHaveLength(1);
  });
});
