import { randomUUID } from 'node:crypto';
import {
  type BrowserRun,
  type LedgerTarget,
  type PlanOf,
  previewRow,
  type PreviewItem,
  type RunAction,
  type RunKind,
  runKinds,
  runMayGoOn,
  runPreview,
  type SkipReason,
  slotTargets,
} from '@decola/contracts';
import { connectBroker, requestQueueOf } from '@decola/messaging';
import type { ConfirmChannel } from 'amqplib';
import { kindsWithRows, rowsOfKind } from './rows-of-kinds.js';
import { hourMs, person, RunKit, targetFor } from './run-kit.js';
import { type Bench, followConfiguration, networkId } from './support.js';

const kit = new RunKit();
const minuteMs = 60_000;

describe('preview_automation', () => {
  let bench: Bench;
  let extraction: ReturnType<typeof connectBroker>;
  /** People of the extracted lists, by list. */
  const slots = new Map<string, LedgerTarget[]>();
  let areSlotsSilent = false;

  beforeAll(async () => {
    bench = await kit.start({ QUIET_HOURS: '{"from":"02:00","to":"08:00"}' });
    extraction = connectBroker(bench.broker.url, 'extraction');
    await extraction
      .createChannel({
        setup: async (raw: ConfirmChannel) => {
          const queue = requestQueueOf(slotTargets.type);
          await raw.assertQueue(queue);
          await raw.consume(queue, (message) => {
            if (!message) return;
            raw.ack(message);
            if (areSlotsSilent) return;
            const { extractedDataId, offset, limit } = slotTargets.request.parse(JSON.parse(message.content.toString('utf8')));
            const people = slots.get(extractedDataId) ?? [];
            const answer = {
              targets: people.slice(offset, offset + limit),
              nextOffset: offset + limit < people.length ? offset + limit : null,
            };
            const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
            raw.sendToQueue(replyTo, Buffer.from(JSON.stringify({ ok: true, answer })), { correlationId });
          });
        },
      })
      .waitForConnect();
  });
  afterAll(async () => {
    await extraction?.close();
    await kit.stop();
  });
  beforeEach(() => {
    areSlotsSilent = false;
  });

  const ask = (userId: string | null, id: string) => bench.call('POST', 'rpc/preview_automation', userId, { p_automation_id: id });
  /** @returns the row, which fits the contract */
  const asked = async (userId: string, id: string) => {
    const { status, body } = await ask(userId, id);
    expect(status).toBe(200);
    return previewRow.parse(body);
  };
  const stored = async (userId: string, id: string) =>
    previewRow.array().parse((await bench.call('GET', `previews?automation_id=eq.${id}&order=created_at.desc`, userId)).body);
  const proven = (userId: string) => bench.db.query('update instagram_accounts set proven_at = $2 where user_id = $1', [userId, kit.now]);
  const slotOf = (people: LedgerTarget[]) => {
    const id = randomUUID();
    slots.set(id, people);
    return id;
  };
  /** An automation of a new customer whose account is proven; a draft unless `more` says otherwise. */
  const automation = async (row: Record<string, unknown> = {}) => {
    const account = networkId();
    const userId = await bench.customer(6);
    const configuration = { ...followConfiguration(account), ...((row['configuration'] as object) ?? {}) };
    const id = await bench.made(userId, { is_draft: true, is_active: false, ...row, configuration });
    await proven(userId);
    const [{ account_key: accountKey }] = await bench.db.query('select account_key from automations where id = $1', [id]);
    return { userId, id, account, accountKey: accountKey as string };
  };
  const previewJobOf = async (id: string) => {
    const job = await bench.lastJobOf(id);
    if (job.plan.kind !== 'preview') throw new Error('no preview was sent');
    return job as BrowserRun & { queue: string; plan: PlanOf<'preview'> };
  };
  const found = (target: LedgerTarget, more: { action?: RunAction; skipReason?: SkipReason; said?: string } = {}) => ({
    action: 'follow' as RunAction,
    target,
    skipReason: null,
    ...more,
  });
  const tell = (job: BrowserRun, fence: number, targets: ReturnType<typeof found>[], more: Record<string, unknown> = {}, pageViews = 0) =>
    kit.requester.ask(runPreview, { ...kit.identity(job, fence, pageViews), targets, ...more }, { timeoutMs: 10_000 });
  const mayGoOn = async (job: BrowserRun, fence: number) =>
    (await kit.requester.ask(runMayGoOn, kit.identity(job, fence), { timeoutMs: 10_000 })).goOn;
  const met = (
    accountKey: string,
    action: RunAction,
    { targetId, username, authorId }: LedgerTarget,
    state = 'confirmed',
    daysAgo = 10,
  ) => {
    const at = new Date(kit.now.getTime() - daysAgo * 24 * hourMs);
    return bench.db.query(
      `insert into account_actions (id, account_key, action, target_id, target_username, author_id, state, run_id, reserved_at, settled_at)
       values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, gen_random_uuid(), $7, $7)`,
      [accountKey, action, targetId, username, authorId ?? null, state, at],
    );
  };
  const names = (items: PreviewItem[], would: boolean) => items.filter((item) => item.would === would).map((item) => item.target_username);
  const viewsOf = async (accountKey: string) =>
    (await bench.db.query('select coalesce(sum(views), 0)::int as views from account_pages where account_key = $1', [accountKey]))[0].views;

  it('sends a visit that reserves nothing and moves nothing, for a draft too, and shows what it found by the rules of reservations', async () => {
    const { userId, id, account, accountKey } = await automation();
    const before = await bench.db.query('select * from automations where id = $1', [id]);
    const people = Array.from({ length: 12 }, () => person());
    await met(accountKey, 'follow', people[1]!);
    expect(await asked(userId, id)).toMatchObject({ automation_id: id, state: 'waiting', reason: null, items: [], finished_at: null });
    const job = await previewJobOf(id);
    expect(job).toMatchObject({
      queue: 'browser.runs.interactive',
      plan: { kind: 'preview', of: { kind: 'follow', source: { kind: 'hashtag', hashtag: 'cafe' } } },
      unsettled: [],
      mostPageViews: 12,
    });
    const fence = await kit.begin(job);
    expect(await stored(userId, id)).toMatchObject([{ state: 'reading' }]);
    expect(await mayGoOn(job, fence)).toBe(true);
    const own = { targetId: account, username: 'eu' };
    const first = [people[0]!, people[1]!, own].map((target) => found(target));
    expect(await tell(job, fence, [...first, found(people[2]!, { skipReason: 'target_private' })], {}, 2)).toEqual({ wanted: 9 });
    // Told again, after the answer was lost.
    expect(await tell(job, fence, first, {}, 2)).toEqual({ wanted: 9 });
    expect(
      await tell(
        job,
        fence,
        people.slice(3).map((target) => found(target)),
        {},
        3,
      ),
    ).toEqual({ wanted: 0 });
    await kit.finish(job, fence, { pageViews: 3 });
    const [preview] = await stored(userId, id);
    expect(preview).toMatchObject({ state: 'done', reason: null, finished_at: expect.any(String) });
    expect(names(preview!.items, true)).toEqual([people[0]!, ...people.slice(3)].map(({ username }) => username));
    expect(preview!.items.filter(({ would }) => !would).map(({ target_username, reason }) => [target_username, reason])).toEqual([
      [people[1]!.username, 'Sua conta já fez isso antes.'],
      ['eu', 'É da sua própria conta.'],
      [people[2]!.username, 'O perfil é privado.'],
    ]);
    expect(preview!.items[0]).toMatchObject({ why: 'Post com #cafe.', post_code: null, text: null });

    expect(await bench.db.query('select * from automations where id = $1', [id])).toEqual(before);
    expect(await bench.db.query(`select state from account_actions where account_key = $1`, [accountKey])).toEqual([
      { state: 'confirmed' },
    ]);
    expect(await bench.db.query('select 1 from runs where automation_id = $1', [id])).toEqual([]);
    expect(await bench.db.query('select 1 from run_diary where automation_id = $1', [id])).toEqual([]);
    expect(await viewsOf(accountKey)).toBe(3);
    expect(await mayGoOn(job, fence)).toBe(false);
  });

  it('joins the visit under way, and answers the same preview for ten minutes, unless the automation has another target now', async () => {
    const { userId, id } = await automation();
    const jobs = async () => (await bench.jobs()).filter(({ automationId }) => automationId === id).length;
    const [one, other] = await Promise.all([asked(userId, id), asked(userId, id)]);
    expect(other.id).toBe(one.id);
    const job = await previewJobOf(id);
    const fence = await kit.begin(job);
    expect(await asked(userId, id)).toMatchObject({ id: one.id, state: 'reading' });
    await tell(job, fence, [found(person())]);
    await kit.finish(job, fence);
    kit.later(9 * minuteMs);
    expect(await asked(userId, id)).toMatchObject({ id: one.id, state: 'done' });
    await bench.call('PATCH', `automations?id=eq.${id}`, userId, {
      configuration: { ...followConfiguration(), targets: '#bolo', sessionCookie: undefined },
    });
    expect(await asked(userId, id)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^Você mudou esta automação depois da última prévia\. Uma nova pode ser pedida a partir de /),
    });
    expect(await jobs()).toBe(1);
    kit.later(2 * minuteMs);
    expect(await asked(userId, id)).toMatchObject({ state: 'waiting' });
    expect(await jobs()).toBe(2);
  });

  it('fails when its worker died, when no worker took it, and when it went silent; and may be asked for again at once', async () => {
    const { userId, id } = await automation();
    const interrupted = { state: 'failed', reason: 'A prévia foi interrompida. Peça de novo.' };
    await asked(userId, id);
    const dead = await previewJobOf(id);
    const fence = await kit.begin(dead);
    await tell(dead, fence, [found(person())], {}, 2);
    const stop = { class: 'worker_stopped', row: null, action: null, evidence: {} };
    await kit.finish(dead, await kit.begin(dead), { outcome: 'stopped', stop });
    expect((await stored(userId, id))[0]).toMatchObject(interrupted);

    kit.later(1_000);
    expect(await asked(userId, id)).toMatchObject({ state: 'waiting' });
    kit.later(12 * minuteMs);
    await bench.tick();
    expect((await stored(userId, id))[0]).toMatchObject(interrupted);

    expect(await asked(userId, id)).toMatchObject({ state: 'waiting' });
    const silent = await previewJobOf(id);
    const token = await kit.begin(silent);
    kit.later(hourMs);
    // Without a tick of the scheduler, too.
    expect(await asked(userId, id)).toMatchObject({ state: 'waiting' });
    expect((await stored(userId, id))[1]).toMatchObject(interrupted);
    expect(await tell(silent, token, [found(person())], {}, 4)).toEqual({ wanted: 0 });
  });

  it('stops the account for what the network objects to, as any run does', async () => {
    const { userId, id, accountKey } = await automation({ is_draft: false, is_active: true });
    await asked(userId, id);
    const job = await previewJobOf(id);
    const fence = await kit.begin(job);
    await kit.stopped(job, fence, 'rate_limited', { pageViews: 2 });
    const paused = /^O Instagram recebeu acessos demais desta conta/;
    expect((await stored(userId, id))[0]).toMatchObject({ state: 'failed', reason: expect.stringMatching(paused) });
    expect(await bench.db.query('select paused_cause from network_accounts where account_key = $1', [accountKey])).toEqual([
      { paused_cause: 'rate_limited' },
    ]);
    kit.later(minuteMs);
    expect(await asked(userId, id)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^Sem prévia agora\. O Instagram recebeu acessos demais desta conta/),
    });
    expect(await viewsOf(accountKey)).toBe(2);
  });

  it('sends nobody while the account works, rests, is paused or has spent its pages, and while its session is not proven', async () => {
    const sentence = async ({ userId, id }: { userId: string; id: string }) => {
      const { state, reason } = await asked(userId, id);
      expect([state, (await bench.jobs()).filter(({ automationId, plan }) => automationId === id && plan.kind === 'preview')]).toEqual([
        'failed',
        [],
      ]);
      return reason;
    };
    const busy = await automation({ is_draft: false, is_active: true });
    await bench.tick();
    expect(await sentence(busy)).toBe('Uma automação está usando esta conta agora. Peça a prévia de novo em alguns minutos.');

    const resting = await automation();
    const day = kit.now;
    kit.later(14 * hourMs);
    expect(await sentence(resting)).toMatch(/^Sem prévia agora\. Descanso noturno da conta\. Continua em /);
    kit.later(day.getTime() + 24 * hourMs - kit.now.getTime());

    const paused = await automation();
    await bench.call('PATCH', `instagram_accounts?user_id=eq.${paused.userId}`, paused.userId, {
      paused_until: new Date(kit.now.getTime() + hourMs).toISOString(),
    });
    expect(await sentence(paused)).toMatch(/^Sem prévia agora\. Você pausou esta conta\. Continua em /);

    const spent = await automation();
    await bench.db.query('insert into account_pages (account_key, bucket, pages, views) values ($1, $2, 0, 1000)', [
      spent.accountKey,
      kit.now,
    ]);
    expect(await sentence(spent)).toMatch(/páginas abertas/);

    const unproven = await automation();
    await bench.db.query('update instagram_accounts set proven_at = null where user_id = $1', [unproven.userId]);
    expect(await sentence(unproven)).toBe('Ainda não conferimos esta sessão do Instagram. A prévia abre assim que a conferência passar.');

    const bare = await automation({ configuration: { sessionCookie: undefined } });
    expect(await sentence(bare)).toBe('Conecte uma conta do Instagram a esta automação para ver a prévia.');

    const unfinished = await automation({ configuration: { targets: '' } });
    expect(await sentence(unfinished)).toBe('Termine a configuração para ver a prévia: falta escolher o destino.');

    const wheel = await automation({ type: 'prize-extractor', configuration: {} });
    expect(await sentence(wheel)).toBe('Esta ferramenta não tem prévia.');

    // What the account has done of its actions says nothing about who comes next.
    const tired = await automation();
    for (let done = 0; done < 30; done += 1) await met(tired.accountKey, 'follow', person(), 'confirmed', 0.01);
    expect(await asked(tired.userId, tired.id)).toMatchObject({ state: 'waiting' });
  });

  it('ends the visit of an automation that was deleted, or whose account was paused meanwhile', async () => {
    const [deleted, paused] = [await automation(), await automation()];
    const jobs: BrowserRun[] = [];
    const fences: number[] = [];
    for (const { userId, id } of [deleted, paused]) {
      await asked(userId, id);
      jobs.push(await previewJobOf(id));
      fences.push(await kit.begin(jobs.at(-1)!));
    }
    await bench.call('DELETE', `automations?id=eq.${deleted.id}`, deleted.userId);
    await bench.call('PATCH', `instagram_accounts?user_id=eq.${paused.userId}`, paused.userId, {
      paused_until: new Date(kit.now.getTime() + hourMs).toISOString(),
    });
    for (const [index, job] of jobs.entries()) {
      expect(await mayGoOn(job, fences[index]!)).toBe(false);
      expect(await tell(job, fences[index]!, [found(person())])).toEqual({ wanted: 0 });
    }
    // A lease that another worker has taken since.
    const { userId, id } = await automation();
    await asked(userId, id);
    const job = await previewJobOf(id);
    const old = await kit.begin(job);
    await kit.begin(job);
    expect(await tell(job, old, [found(person())])).toEqual({ wanted: 0 });
    expect((await stored(userId, id))[0]!.items).toEqual([]);
  });

  describe('without a page', () => {
    it('reads a list from its place, passes over whom the ledger knows, and leaves the place where it is', async () => {
      const people = Array.from({ length: 80 }, () => person());
      const slot = slotOf(people);
      const { userId, id, accountKey } = await automation({
        configuration: { method: 'slot', dataSource: 'extracted', extractedDataId: slot },
      });
      await bench.db.query('update automations set source_offset = 40 where id = $1', [id]);
      for (const one of people.slice(41, 44)) await met(accountKey, 'follow', one);
      const preview = await asked(userId, id);
      expect(preview).toMatchObject({ state: 'done', reason: null });
      expect(names(preview.items, true)).toEqual([people[40]!, ...people.slice(44, 53)].map(({ username }) => username));
      expect(names(preview.items, false)).toEqual(people.slice(41, 44).map(({ username }) => username));
      expect(preview.items[0]!.why).toBe('No slot escolhido.');
      expect(await bench.db.query('select source_offset from automations where id = $1', [id])).toEqual([{ source_offset: 40 }]);
      expect((await bench.jobs()).filter(({ automationId }) => automationId === id)).toEqual([]);
      expect(await viewsOf(accountKey)).toBe(0);
    });

    it('tells which text each post of a list gets, whose author got none within 30 days', async () => {
      const people = Array.from({ length: 4 }, () => person());
      const { type, configuration } = rowsOfKind('comment', slotOf(people))[1]!;
      const { userId, id, accountKey } = await automation({ type, configuration: { ...configuration, frequency: '1hour' } });
      await met(accountKey, 'comment', { ...targetFor('comment'), authorId: people[1]!.targetId });
      const { items } = await asked(userId, id);
      expect(items.map(({ target_username, text, would }) => [target_username, text, would])).toEqual([
        [people[0]!.username, 'Que lindo!', true],
        [people[1]!.username, null, false],
        [people[2]!.username, 'Amei', true],
        [people[3]!.username, 'Parabéns', true],
      ]);
    });

    it('shows the next ten whom our ledger lets unfollow, and says when there is nobody yet', async () => {
      const { userId, id, accountKey } = await automation({ configuration: { action: 'unfollow', method: '', targets: '' } });
      expect(await asked(userId, id)).toMatchObject({
        state: 'done',
        items: [],
        reason: expect.stringMatching(/^Ninguém para deixar de seguir ainda/),
      });
      const people = Array.from({ length: 12 }, () => person());
      for (const [index, one] of people.entries()) await met(accountKey, 'follow', one, 'confirmed', 40 - index);
      const { items, state } = await asked(userId, id);
      expect([state, names(items, true)]).toEqual(['done', people.slice(0, 10).map(({ username }) => username)]);
      expect(items[0]!.why).toMatch(/^Seguir feito por esta ferramenta há mais de \d+ dias\.$/);
    });

    it('says so when extraction does not answer, and when the list has nobody new', async () => {
      const slot = slotOf([]);
      const { userId, id } = await automation({ configuration: { method: 'slot', dataSource: 'extracted', extractedDataId: slot } });
      expect(await asked(userId, id)).toMatchObject({
        state: 'done',
        items: [],
        reason: expect.stringMatching(/^Não encontramos nenhum alvo novo/),
      });
      areSlotsSilent = true;
      expect(await asked(userId, id)).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(/^Não conseguimos ler o slot agora/),
      });
    });
  });

  it.each(kindsWithRows.flatMap((kind) => rowsOfKind(kind, randomUUID()).map((_, row) => [kind, row] as const)))(
    'shows what %s does (%d), for a draft and without an action',
    async (kind, row) => {
      const [action = null] = runKinds[kind].actions;
      const targets = action ? [targetFor(action), targetFor(action)] : [];
      const { type, configuration } = rowsOfKind(kind, slotOf(targets))[row]!;
      const made = await automation({ type, configuration: { frequency: '1hour', rowsPerLaunch: 5, ...configuration } });
      if (kind === 'unfollow') for (const target of targets) await met(made.accountKey, 'follow', target);
      const actions = () => bench.db.query('select * from account_actions where account_key = $1 order by reserved_at', [made.accountKey]);
      const before = await actions();
      let preview = await asked(made.userId, made.id);
      if (preview.state === 'waiting') {
        const job = await previewJobOf(made.id);
        expect(job.plan.of.kind).toBe(kind satisfies RunKind);
        const fence = await kit.begin(job);
        const list = { username: 'padaria', total: 1_240, problem: null };
        const told = targets.map((target) => found(target, { action: action!, said: 'Quero o cardápio' }));
        await tell(job, fence, told, action ? {} : { list });
        await kit.finish(job, fence);
        preview = (await stored(made.userId, made.id))[0]!;
      }
      expect(preview).toMatchObject({ state: 'done', reason: null });
      expect(preview.items).toHaveLength(action ? 2 : 1);
      for (const item of preview.items) expect(item).toMatchObject({ would: true, reason: null, why: expect.stringMatching(/\.$/) });
      if (kind === 'send-dm')
        expect(preview.items[0]).toMatchObject({ text: 'Oi! Segue o cardápio.', why: 'Comentou “Quero o cardápio” no seu post.' });
      if (kind === 'extract-list') {
        expect(preview.items[0]).toMatchObject({
          target_username: 'padaria',
          why: 'Seguidores de @padaria: o perfil mostra 1.240. O Instagram pode mostrar menos pessoas; entregamos todas as que ele mostrar.',
        });
      }
      expect(await actions()).toEqual(before);
      expect(await bench.db.query('select 1 from runs where automation_id = $1', [made.id])).toEqual([]);
    },
  );

  it('shows a preview to its owner alone', async () => {
    const [owner, other] = [await automation(), await automation()];
    await asked(owner.userId, owner.id);
    expect((await ask(other.userId, owner.id)).status).toBe(403);
    expect((await ask(other.userId, randomUUID())).status).toBe(403);
    expect((await ask(null, owner.id)).status).toBe(401);
    expect(await stored(other.userId, owner.id)).toEqual([]);
    for (const [method, body] of [
      ['POST', { automation_id: owner.id, user_id: owner.userId }],
      ['PATCH', { state: 'done' }],
      ['DELETE', undefined],
    ] as const)
      expect(
        (await bench.call(method, `previews${method === 'POST' ? '' : `?automation_id=eq.${owner.id}`}`, owner.userId, body)).status,
      ).toBe(403);
    expect(await stored(owner.userId, owner.id)).toMatchObject([{ state: 'waiting' }]);
  });
});
