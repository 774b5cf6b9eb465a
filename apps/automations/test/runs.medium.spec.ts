import { randomUUID } from 'node:crypto';
import {
  runDiaryRow,
  automationRow,
  automationRunRow,
  type BrowserRun,
  extractionCompleted,
  extractionDue,
  runActionDone,
  runMayGoOn,
  runPage,
} from '@decola/contracts';
import { z } from 'zod';
import { collectEvents, eventually } from '@decola/testing';
import { hourMs, person, RunKit } from './run-kit.js';
import { type Bench, cookieOf, extractorRow, followConfiguration, networkId } from './support.js';

describe('runs', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { later, identity, tell, reserve, begin, act, finish, stopped, followRun, extractorRun } = kit;

  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  it('dispatches a due automation once, and schedules it again by its frequency', async () => {
    const userId = await bench.customer(1);
    const id = await bench.made(userId);
    await Promise.all([bench.tick(), bench.tick(), bench.tick()]);
    const jobs = (await bench.jobs()).filter(({ automationId }) => automationId === id);
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({
      queue: 'browser.runs.interactive',
      plan: { kind: 'follow', source: { kind: 'hashtag', hashtag: 'cafe' }, budget: 3 },
    });
    const row = await bench.automation(userId, id);
    expect(row.status).toBe('running');
    expect(Date.parse(row.next_run_at as string)).toBeGreaterThan(kit.now.getTime());
    expect(Date.parse(row.next_run_at as string)).toBeLessThanOrEqual(kit.now.getTime() + hourMs);
  });

  it('never opens two runs of one account, also for two customers, and starts the second when the first has ended', async () => {
    const account = networkId();
    const [one, two] = await Promise.all([bench.customer(1), bench.customer(1)]);
    const ids = [
      await bench.made(one, { configuration: followConfiguration(account) }),
      await bench.made(two, { configuration: followConfiguration(account) }),
    ];
    await Promise.all([bench.tick(), bench.tick()]);
    const own = async () => (await bench.jobs()).filter(({ automationId }) => ids.includes(automationId ?? ''));
    const [first, ...more] = await own();
    expect(more).toEqual([]);
    if (!first) throw new Error('nothing was dispatched');
    const waitingId = ids.find((id) => id !== first.automationId) ?? '';
    expect(await bench.automation(waitingId === ids[0] ? one : two, waitingId)).toMatchObject({
      status_reason: expect.stringContaining('usando esta conta'),
    });
    await finish(first, await begin(first));
    await bench.tick();
    expect((await own()).map(({ automationId, accountKey }) => [automationId, accountKey])).toEqual([
      [first.automationId, first.accountKey],
      [waitingId, first.accountKey],
    ]);
  });

  describe('run.reserve', () => {
    it('reserves as many people as the budget allows, and nobody twice', async () => {
      const { job, fence } = await followRun();
      const people = [person(1), person(1), person(2), person(3), person(4)];
      const reply = await reserve(job, people, fence);
      expect(reply.reserved.map(({ targetId }) => targetId)).toEqual(['1', '2', '3']);
      expect(reply.refused).toEqual([{ ...person(4), reason: 'ceiling' }]);
      expect(await reserve(job, [person(5)], fence)).toMatchObject({ reserved: [], stop: 'run_over' });
      // A repeated request gets the same answer.
      expect((await reserve(job, [person(2)], fence)).reserved).toEqual(reply.reserved.filter(({ targetId }) => targetId === '2'));
    });

    it('answers simultaneous requests as if they came one after another', async () => {
      const { job, fence } = await followRun();
      const crowd = Array.from({ length: 12 }, (_, index) => person(100 + (index % 4)));
      const replies = await Promise.all(crowd.map((each) => reserve(job, [each], fence)));
      const ids = new Set(replies.flatMap(({ reserved }) => reserved.map(({ reservationId }) => reservationId)));
      expect(ids.size).toBe(3);
    });

    it('refuses people of the ledger in every later run of the account', async () => {
      const { job, fence, id } = await followRun();
      const [ana] = (await reserve(job, [person(7)], fence)).reserved;
      if (!ana) throw new Error('nobody was reserved');
      await act(job, fence, ana);
      await finish(job, fence);
      later(hourMs);
      await bench.tick();
      const next = await bench.lastJobOf(id);
      expect(next.runId).not.toBe(job.runId);
      expect(await reserve(next, [person(7)], await begin(next))).toEqual({
        reserved: [],
        refused: [{ ...person(7), reason: 'already_in_ledger' }],
        stop: null,
      });
    });

    it('enforces the ceilings over all automations of the account', async () => {
      const account = networkId();
      let granted = 0;
      const userId = await bench.customer(6);
      const ids: string[] = [];
      for (let index = 0; index < 3; index += 1)
        ids.push(await bench.made(userId, { configuration: followConfiguration(account, { rowsPerLaunch: 5 }) }));
      for (let round = 0; round < 3; round += 1) {
        await bench.tick();
        const job = (await bench.jobs()).filter(({ automationId }) => ids.includes(automationId ?? '')).at(-1);
        if (!job) throw new Error('nothing was dispatched');
        const fence = await begin(job).catch(() => 0);
        const people = Array.from({ length: 6 }, (_, index) => person(`${round + 1}00${index}`));
        granted += (await reserve(job, people, fence)).reserved.length;
        await finish(job, fence);
      }
      // The first row of the table: 10 an hour, 10 a day.
      expect(granted).toBe(10);
      const rows = await Promise.all(ids.map((id) => bench.automation(userId, id)));
      await bench.tick();
      expect(rows.some(({ status_reason }) => String(status_reason).includes('Limite de segurança'))).toBe(true);
    });

    it('refuses an older lease, a run that has ended, and an unknown run', async () => {
      const { job, fence, userId } = await followRun();
      expect((await reserve(job, [person()], fence - 1)).stop).toBe('lease_lost');
      expect((await reserve({ ...job, userId: randomUUID() }, [person()], fence)).stop).toBe('run_over');
      await bench.call('PATCH', `automations?id=eq.${job.automationId}`, userId, { is_active: false });
      expect((await reserve(job, [person()], fence)).stop).toBe('account_paused');
      await finish(job, fence);
      expect((await reserve(job, [person()], fence)).stop).toBe('run_over');
    });

    it('does not visit private people again, until requests are allowed', async () => {
      const { job, fence, id, userId, account } = await followRun();
      const [target] = (await reserve(job, [person(71)], fence)).reserved;
      if (!target) throw new Error('nobody was reserved');
      await act(job, fence, target, 'skipped', { skipReason: 'target_private' });
      // The person was skipped: the budget is unchanged, and the ledger has them.
      expect((await reserve(job, [person(71), person(72), person(73), person(74)], fence)).reserved).toHaveLength(3);
      await finish(job, fence);
      const edit = followConfiguration(account, { requestPrivate: true, sessionCookie: '' });
      await bench.call('PATCH', `automations?id=eq.${id}`, userId, { configuration: edit });
      await bench.tick();
      const next = await bench.lastJobOf(id);
      expect((await reserve(next, [person(71)], await begin(next))).reserved.map(({ targetId }) => targetId)).toEqual(['71']);
    });

    it('unfollows only people whom this product followed, confirmed, long enough ago and not kept', async () => {
      const { job, fence, account, userId } = await followRun();
      const { reserved } = await reserve(job, [person(41), person(42), person(43)], fence);
      for (const target of reserved) await act(job, fence, target, target.targetId === '43' ? 'requested' : 'confirmed');
      await finish(job, fence);
      await bench.db.query('insert into keep_list (account_key, target_id) values ($1, $2)', [job.accountKey, '42']);
      const unfollow = await bench.made(userId, { configuration: followConfiguration(account, { action: 'unfollow', method: '' }) });
      await bench.tick();
      expect(await bench.automation(userId, unfollow)).toMatchObject({
        status: 'waiting',
        status_reason: expect.stringContaining('Ninguém para deixar de seguir'),
      });
      later(5 * 24 * hourMs + 60_000);
      await bench.call('PATCH', `automations?id=eq.${job.automationId}`, userId, { is_active: false });
      await bench.tick();
      const next = await bench.lastJobOf(unfollow);
      expect(next.plan).toMatchObject({ kind: 'unfollow', targets: [person(41)] });
      const reply = await reserve(next, [person(41), person(42), person(43), person(44)], await begin(next), 'unfollow');
      expect(reply.reserved.map(({ targetId }) => targetId)).toEqual(['41']);
      expect(reply.refused.map(({ targetId, reason }) => [targetId, reason])).toEqual([
        ['42', 'keep_list'],
        ['43', 'not_ours'],
        ['44', 'not_ours'],
      ]);
    });
  });

  it('applies each report once, however often it is delivered', async () => {
    const { job, fence, userId, id } = await followRun();
    const [target] = (await reserve(job, [person()], fence)).reserved;
    if (!target) throw new Error('nobody was reserved');
    const messageId = await act(job, fence, target);
    const again = {
      ...identity(job, fence),
      reservationId: target.reservationId,
      action: 'follow',
      target: person(target.targetId),
      outcome: 'refused',
      skipReason: null,
      proof: {},
      settled: false,
      at: kit.now.toISOString(),
    };
    await tell(runActionDone, again, messageId);
    await finish(job, fence, { tried: 1, confirmed: 1 });
    const diary = (await bench.call('GET', `run_diary?automation_id=eq.${id}`, userId)).body;
    expect(z.array(runDiaryRow).parse(diary)).toHaveLength(1);
    expect(z.array(automationRunRow).parse((await bench.call('GET', `automation_runs?automation_id=eq.${id}`, userId)).body)).toHaveLength(
      1,
    );
    expect(automationRow.parse(await bench.automation(userId, id))).toMatchObject({ last_run: { run_id: job.runId } });
    expect(diary).toEqual([expect.objectContaining({ outcome: 'confirmed', target_id: target.targetId })]);
    expect(await bench.automation(userId, id)).toMatchObject({ status: 'waiting', last_run: { outcome: 'done', tried: 1, confirmed: 1 } });
  });

  it('continues at once after a worker died: tries without an outcome are looked at, and the rest of the budget is kept', async () => {
    const { job, fence, id } = await followRun();
    const { reserved } = await reserve(job, [person(61), person(62)], fence);
    if (reserved[0]) await act(job, fence, reserved[0]);
    await stopped(job, fence + 1, 'worker_stopped');
    kit.nextToken();
    await bench.tick();
    const next = await bench.lastJobOf(id);
    expect(next).toMatchObject({
      unsettled: [{ targetId: '62', reservationId: reserved[1]?.reservationId, action: 'follow' }],
      plan: { budget: 1 },
    });
  });

  it('does not count skipped people, even before the report about them arrives', async () => {
    const { job, fence, id } = await followRun();
    const { reserved } = await reserve(job, [person(91), person(92), person(93)], fence);
    const [gone, closed, done] = reserved;
    if (!gone || !closed || !done) throw new Error('the budget is three');
    const givenBack = [gone.reservationId];
    expect(await reserve(job, [person(94)], fence)).toMatchObject({ reserved: [], stop: 'run_over' });
    const fourth = await reserve(job, [person(94)], fence, 'follow', givenBack);
    expect(fourth).toMatchObject({ reserved: [{ targetId: '94' }], stop: null });
    expect(await reserve(job, [person(95)], fence, 'follow', givenBack)).toMatchObject({ reserved: [], stop: 'run_over' });
    await act(job, fence, gone, 'skipped', { skipReason: 'target_gone' });
    expect(await reserve(job, [person(95)], fence, 'follow', givenBack)).toMatchObject({ reserved: [], stop: 'run_over' });
    await act(job, fence, done);
    for (const each of fourth.reserved) await act(job, fence, each);
    // The end of the run arrives before the report about `closed`: one of three is left for the next run, and no try is open.
    await finish(job, fence, { outcome: 'partial', tried: 2, confirmed: 2, skipped: 2, givenBack: [...givenBack, closed.reservationId] });
    await act(job, fence, closed, 'skipped', { skipReason: 'target_private' });
    await bench.tick();
    expect(await bench.lastJobOf(id)).toMatchObject({ unsettled: [], plan: { budget: 1 } });
  });

  it('continues a run that went silent, and refuses later requests of the silent one', async () => {
    const { job, fence, id } = await followRun();
    later(16 * 60_000);
    await bench.tick();
    const next = await bench.lastJobOf(id);
    expect(next.runId).not.toBe(job.runId);
    expect((await reserve(job, [person()], fence)).stop).toBe('run_over');
  });

  it('extracts page by page, run after run, until extraction says that the list is over', async () => {
    const { userId, id, job, extractedDataId } = await extractorRun();
    expect(job).toMatchObject({ queue: 'browser.runs.interactive', plan: { username: 'padaria', maxPages: 60 } });
    expect((await bench.automation(userId, id)).configuration.extractedDataId).toBe(extractedDataId);
    const fence = await begin(job);
    const row = { userId: '1', username: 'ana', fullName: 'Ana', isPrivate: false, isVerified: false, hasStory: false };
    const page = {
      ...identity(job, fence),
      extractedDataId,
      page: 0,
      pass: 1,
      rows: [row],
      cursor: 'QVFE',
      profileTotal: 5000,
      collectedAt: kit.now.toISOString(),
    };
    const list = { extractedDataId, profileTotal: 5000, pass: 1 };
    await tell(runPage, page);
    await stopped(job, fence + 1, 'worker_stopped');
    kit.nextToken();
    await bench.tick();
    const second = await bench.lastJobOf(id);
    expect(second.plan).toMatchObject({ maxPages: 59, extractedDataId });
    const secondFence = await begin(second);
    await tell(runPage, { ...page, ...identity(second, secondFence), page: 1, cursor: null });
    await finish(second, secondFence, { pages: 1, list: { ...list, cursor: null, nextPage: 2, state: 'pass_ended' } });
    expect(await bench.tick()).toEqual({ dispatched: 0 });
    // Both pages showed the same person: extraction counts people.
    const word = { extractedDataId, automationId: id, userId, profileTotal: 5000 };
    await tell(extractionDue, { ...word, runId: second.runId, dueAt: kit.now.toISOString(), collected: 1 });
    expect(await bench.automation(userId, id)).toMatchObject({ progress: { collected: 1, profile_total: 5000 } });
    await bench.tick();
    const third = await bench.lastJobOf(id);
    expect(third.plan).toMatchObject({ maxPages: 58, extractedDataId });
    const thirdFence = await begin(third);
    // The word may arrive before the end of the run.
    await tell(extractionCompleted, {
      ...word,
      dataType: 'followers',
      totalRecords: 1,
      reason: 'nothing_new',
      completedAt: kit.now.toISOString(),
    });
    await finish(third, thirdFence, { list: { ...list, pass: 2, cursor: null, nextPage: 2, state: 'pass_ended' } });
    await bench.tick();
    expect(await bench.automation(userId, id)).toMatchObject({ status: 'done', next_run_at: null, is_active: true });
    expect((await bench.lastJobOf(id)).runId).toBe(third.runId);
  });

  it.each([
    ['was read to the end of a pass', { list: { state: 'pass_ended' } }],
    ['is private', { targetProblem: 'target_private', list: { state: 'private' } }],
    ['is gone', { targetProblem: 'target_gone', list: { state: 'pass_ended' } }],
  ])('reads the list that an edit named during the run, though the old one %s', async (_, { list, ...end }) => {
    const { userId, id, account, job, extractedDataId } = await extractorRun();
    const fence = await begin(job);
    const { configuration } = extractorRow(account, { targets: '@confeitaria', sessionCookie: '' });
    expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, { configuration })).status).toBe(204);
    await finish(job, fence, { ...end, list: { extractedDataId, profileTotal: 5, cursor: null, pass: 1, nextPage: 1, ...list } });
    expect(await bench.automation(userId, id)).toMatchObject({ is_active: true, status: 'waiting', status_reason: null });
    await bench.tick();
    const next = await bench.lastJobOf(id);
    expect(next.plan).toMatchObject({ username: 'confeitaria' });
    expect(next.plan).not.toMatchObject({ extractedDataId });
  });

  it('does not apply to a corrected target what a run found out about the previous one', async () => {
    const { userId, id, account, job, fence } = await followRun(networkId(), { method: 'list', targets: '@sumiu' });
    const configuration = followConfiguration(account, { method: 'list', targets: '@padaria', sessionCookie: '' });
    expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, { configuration })).status).toBe(204);
    await finish(job, fence, { targetProblem: 'target_gone' });
    expect(await bench.automation(userId, id)).toMatchObject({ is_active: true, status: 'waiting' });
    await bench.tick();
    const next = await bench.lastJobOf(id);
    expect(next.plan).toMatchObject({ source: { kind: 'list', username: 'padaria' }, budget: 3 });
    // A result about a target that the automation still has does apply.
    await finish(next, await begin(next), { targetProblem: 'target_gone' });
    expect(await bench.automation(userId, id)).toMatchObject({ is_active: false, status: 'blocked' });
  });

  describe('a slot', () => {
    const slotRun = async (extractedSlotId: string = randomUUID(), user?: { userId: string; account: string }) => {
      const userId = user?.userId ?? (await bench.customer(6));
      const account = user?.account ?? networkId();
      const slot = { method: 'slot', dataSource: 'extracted', extractedSlotId };
      const id = await bench.made(userId, { configuration: followConfiguration(account, slot) });
      const edit = async (more: Record<string, unknown>) => {
        const configuration = followConfiguration(account, { ...slot, sessionCookie: '', ...more });
        expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, { configuration })).status).toBe(204);
      };
      const next = async () => {
        await bench.tick();
        return bench.lastJobOf(id);
      };
      return { userId, id, edit, next };
    };

    it('is continued where the previous run stopped, only forward', async () => {
      const { next } = await slotRun();
      let job = await next();
      expect(job.plan).toMatchObject({ source: { kind: 'slot' }, sourceOffset: 0 });
      for (const [told, kept] of [
        [1_950, 1_950],
        [50, 1_950],
        [undefined, 1_950],
        [2_100, 2_100],
      ]) {
        await finish(job, await begin(job), told === undefined ? {} : { sourceOffset: told });
        later(hourMs);
        job = await next();
        expect(job.plan).toMatchObject({ sourceOffset: kept });
      }
      // An interrupted run too has decided about everybody before its place.
      await stopped(job, await begin(job), 'worker_stopped', { sourceOffset: 2_150 });
      expect((await next()).plan).toMatchObject({ sourceOffset: 2_150, budget: 3 });
    });

    it.each([
      ['another slot is chosen', { extractedSlotId: randomUUID() }],
      ['another account takes its people', { sessionCookie: cookieOf(networkId()) }],
      ['private people are no longer passed over', { requestPrivate: true }],
    ])('is read from its top when %s, also during a run', async (_, change) => {
      const { edit, next, userId, id } = await slotRun();
      const first = await next();
      await finish(first, await begin(first), { sourceOffset: 500 });
      await edit({ frequency: '2hours' });
      const second = await next();
      expect(second.plan).toMatchObject({ sourceOffset: 500 });
      const fence = await begin(second);
      await edit(change);
      await finish(second, fence, { sourceOffset: 900, targetProblem: 'already_in_ledger' });
      expect(await bench.automation(userId, id)).toMatchObject({ is_active: true, status: 'waiting' });
      expect((await next()).plan).toMatchObject({ sourceOffset: 0 });
    });

    it('without new people pauses its automation, and the customer reads why', async () => {
      const { next, userId, id, edit } = await slotRun();
      const job = await next();
      await finish(job, await begin(job), { sourceOffset: 100, targetProblem: 'already_in_ledger' });
      const row = await bench.automation(userId, id);
      expect(row).toMatchObject({ is_active: false, status: 'blocked', next_run_at: null });
      expect(row.status_reason).toContain('não tem mais ninguém novo para a sua conta');
      expect(row.status_reason).toContain('escolha outro slot');
      expect(row.last_run.reason).toBe(row.status_reason);
      await edit({ extractedSlotId: randomUUID() });
      await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: true });
      expect((await next()).plan).toMatchObject({ sourceOffset: 0 });
    });

    it('is waited for while its extraction continues', async () => {
      const userId = await bench.customer(6);
      const extraction = await bench.made(userId, extractorRow());
      const { extractedDataId } = (await bench.automation(userId, extraction)).configuration;
      const { next, id } = await slotRun(extractedDataId, { userId, account: networkId() });
      let job = await next();
      await finish(job, await begin(job), { sourceOffset: 50, targetProblem: 'already_in_ledger' });
      expect(await bench.automation(userId, id)).toMatchObject({ is_active: true, status: 'waiting', last_run: { reason: null } });
      await bench.db.query('update automations set completed_at = now(), next_run_at = null where id = $1', [extraction]);
      later(hourMs);
      job = await next();
      expect(job.plan).toMatchObject({ sourceOffset: 50 });
      await finish(job, await begin(job), { sourceOffset: 50, targetProblem: 'already_in_ledger' });
      expect(await bench.automation(userId, id)).toMatchObject({ is_active: false, status: 'blocked' });
    });
  });

  describe('run.may_go_on', () => {
    const mayGoOn = async (job: BrowserRun) =>
      (await kit.requester.ask(runMayGoOn, identity(job, kit.lastToken), { timeoutMs: 10_000 })).goOn;
    const sessionOf = (job: BrowserRun) => `instagram_sessions?id=eq.${job.session.sessionId}`;
    const reading = async () => {
      const userId = await bench.customer(2);
      const account = networkId();
      const id = await bench.made(userId, extractorRow(account));
      await bench.tick();
      const job = await bench.lastJobOf(id);
      expect(await mayGoOn(job)).toBe(true);
      await begin(job);
      expect(await mayGoOn(job)).toBe(true);
      return { userId, account, id, job };
    };

    it('is denied as soon as the customer switches the automation off', async () => {
      const { userId, id, job } = await reading();
      await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: false });
      expect(await mayGoOn(job)).toBe(false);
      // Switched on again before the worker asked: the run may continue.
      await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: true });
      expect(await mayGoOn(job)).toBe(true);
    });

    it.each([
      ['taken away', 'DELETE', undefined],
      ['switched off', 'PATCH', { is_active: false }],
    ])('is denied when the session is %s, whatever other session there is', async (_, method, body) => {
      const { userId, account, job } = await reading();
      expect((await bench.call(method, sessionOf(job), userId, body)).status).toBe(204);
      expect(await mayGoOn(job)).toBe(false);
      await bench.call('POST', 'instagram_sessions', userId, {
        user_id: userId,
        session_id: 'new',
        cookies: { raw_cookie: cookieOf(account) },
      });
      expect(await mayGoOn(job)).toBe(false);
    });

    it('lets the work continue with the new session when one replaces that of a run', async () => {
      const { userId, account, id, job } = await reading();
      await bench.call('POST', 'instagram_sessions', userId, {
        user_id: userId,
        session_id: 'new',
        cookies: { raw_cookie: cookieOf(account) },
      });
      expect(await mayGoOn(job)).toBe(false);
      await stopped(job, kit.lastToken, 'worker_stopped');
      await bench.tick();
      const next = await bench.lastJobOf(id);
      expect(next.session.sessionId).not.toBe(job.session.sessionId);
      expect(await mayGoOn(next)).toBe(true);
      // The same before the run began: the worker closes it without reading anything.
      await bench.call('PATCH', `automations?id=eq.${id}`, userId, { configuration: extractorRow(account).configuration });
      expect(await mayGoOn(next)).toBe(false);
      await finish(next, await begin(next), { outcome: 'partial' });
      await bench.tick();
      const last = await bench.lastJobOf(id);
      expect(last.runId).not.toBe(next.runId);
      expect(await mayGoOn(last)).toBe(true);
    });
  });

  describe('objections', () => {
    it('pauses only the blocked account, explains it, and resumes by itself with halved ceilings', async () => {
      const heard = await collectEvents(bench.broker.url, 'automation.paused');
      const blocked = await followRun();
      const sibling = await bench.made(blocked.userId, extractorRow(blocked.account));
      const other = await followRun();
      await stopped(blocked.job, blocked.fence, 'action_blocked');
      for (const id of [blocked.id, sibling]) {
        expect(await bench.automation(blocked.userId, id)).toMatchObject({
          is_active: false,
          status: 'blocked',
          next_run_at: null,
          status_reason: expect.stringMatching(/bloqueou ações desta conta .* Voltamos sozinhos em/),
        });
      }
      expect(await bench.automation(other.userId, other.id)).toMatchObject({ is_active: true, status: 'running' });
      await eventually(() =>
        expect(heard.events.map(({ payload }) => payload['automationId']).sort()).toEqual([blocked.id, sibling].sort()),
      );
      expect(heard.events[0]?.payload).toMatchObject({ reasonCode: 'action_blocked', userId: blocked.userId });
      await heard.dispose();

      const forced = await bench.call('PATCH', `automations?id=eq.${blocked.id}`, blocked.userId, { is_active: true });
      expect(forced).toMatchObject({ status: 400, body: { message: expect.stringContaining('bloqueou ações') } });
      await finish(other.job, other.fence);
      later(23 * hourMs);
      await bench.tick();
      expect((await bench.lastJobOf(blocked.id)).runId).toBe(blocked.job.runId);
      later(hourMs + 60_000);
      await bench.tick();
      expect(await bench.automation(blocked.userId, blocked.id)).toMatchObject({ is_active: true });
      const accounts = await bench.db.query(
        'select last_block_at is not null as was_blocked, paused_until from network_accounts where account_key = $1',
        [blocked.job.accountKey],
      );
      expect(accounts).toEqual([{ was_blocked: true, paused_until: null }]);
    });

    it('does not switch on what the customer switched off meanwhile', async () => {
      const blocked = await followRun();
      await stopped(blocked.job, blocked.fence, 'rate_limited');
      await bench.call('PATCH', `automations?id=eq.${blocked.id}`, blocked.userId, { is_active: false });
      later(30 * 24 * hourMs);
      await bench.tick();
      expect(await bench.automation(blocked.userId, blocked.id)).toMatchObject({ is_active: false, status: 'paused', status_reason: null });
    });

    it.each(['challenge', 'session_ended', 'suspended', 'wrong_account'] as const)(
      'waits after %s until a new session is given',
      async (stop) => {
        const run = await followRun();
        await stopped(run.job, run.fence, stop);
        expect(await bench.automation(run.userId, run.id)).toMatchObject({
          is_active: false,
          status: 'blocked',
          session_stored: false,
          status_reason: expect.stringMatching(/cole um novo cookie|Cole o cookie/),
        });
        later(60 * 24 * hourMs);
        await bench.tick();
        expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: false });
        const refused = await bench.call('PATCH', `automations?id=eq.${run.id}`, run.userId, { is_active: true });
        expect(refused).toMatchObject({ status: 400, body: { message: 'Cookie do Instagram é obrigatório' } });
        const given = {
          user_id: run.userId,
          session_id: 'new',
          cookies: { raw_cookie: cookieOf(run.account) },
          username: run.account,
          is_active: true,
        };
        expect((await bench.call('POST', 'instagram_sessions', run.userId, given)).status).toBe(201);
        expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: true, session_stored: true, status: 'waiting' });
        await bench.tick();
        expect((await bench.lastJobOf(run.id)).runId).not.toBe(run.job.runId);
      },
    );

    it('resumes all automations of the account when a new session comes with an edit of one', async () => {
      const run = await followRun();
      const sibling = await bench.made(run.userId, extractorRow(run.account));
      await stopped(run.job, run.fence, 'challenge');
      const edit = { configuration: followConfiguration(run.account, { targets: '#bolo' }), is_draft: false, is_active: true };
      expect((await bench.call('PATCH', `automations?id=eq.${run.id}&user_id=eq.${run.userId}`, run.userId, edit)).status).toBe(204);
      expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: true, status: 'waiting', status_reason: null });
      expect(await bench.automation(run.userId, sibling)).toMatchObject({ is_active: true, status: 'waiting' });
    });

    it('keeps an edit made during a block, and carries it out when the block is over', async () => {
      const run = await followRun();
      await stopped(run.job, run.fence, 'action_blocked');
      const edit = {
        configuration: followConfiguration(run.account, { targets: '#bolo', sessionCookie: '' }),
        is_draft: false,
        is_active: true,
      };
      expect((await bench.call('PATCH', `automations?id=eq.${run.id}`, run.userId, edit)).status).toBe(204);
      await bench.tick();
      expect(await bench.automation(run.userId, run.id)).toMatchObject({
        status: 'blocked',
        status_reason: expect.stringContaining('bloqueou ações'),
      });
      later(25 * hourMs);
      await bench.tick();
      expect((await bench.lastJobOf(run.id)).plan).toMatchObject({ source: { hashtag: 'bolo' } });
    });

    it('pauses only the action after two actions without effect in a row, not after one', async () => {
      const run = await followRun();
      const { reserved } = await reserve(run.job, [person(81), person(82)], run.fence);
      if (reserved[0]) await act(run.job, run.fence, reserved[0], 'not_confirmed');
      expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: true });
      if (reserved[1]) await act(run.job, run.fence, reserved[1], 'not_confirmed');
      expect(await bench.automation(run.userId, run.id)).toMatchObject({
        is_active: false,
        status: 'blocked',
        status_reason: expect.stringContaining('sem avisar'),
      });
      const extraction = await bench.made(run.userId, extractorRow(run.account));
      await finish(run.job, run.fence);
      await bench.tick();
      expect((await bench.lastJobOf(extraction)).plan.kind).toBe('extract-list');
    });
  });

  it('pauses an automation whose account follows as many people as the network allows, and says what to do', async () => {
    const { userId, id, job, fence } = await followRun();
    await finish(job, fence, { targetProblem: 'limit_of_network' });
    const row = await bench.automation(userId, id);
    expect(row).toMatchObject({ status: 'blocked', is_active: false, next_run_at: null });
    expect(row.status_reason).toContain('já segue quase 7.500 pessoas');
    expect(row.status_reason).toContain('Deixe de seguir algumas pessoas');
    later(24 * hourMs);
    await bench.tick();
    expect((await bench.jobs()).filter(({ automationId }) => automationId === id)).toHaveLength(1);
    expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: true })).status).toBe(204);
    await bench.tick();
    expect((await bench.jobs()).filter(({ automationId }) => automationId === id)).toHaveLength(2);
  });
});
