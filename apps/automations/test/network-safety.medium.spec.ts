import { extractionCompleted, runPage, type RunAction } from '@decola/contracts';
import { hourMs, person, RunKit } from './run-kit.js';
import { type Bench, extractorRow, followConfiguration, type Json, networkId } from './support.js';

const minuteMs = 60_000;

/** What protects an account when the network refuses actions, when pages are outdated, and when one account is in trouble. */
describe('safety of accounts on the network', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { later, identity, tell, reserve, reserveOne, begin, announce, act, look, finish, stopped, followRun, extractorRun, nextRun } = kit;

  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  const ledger = async (accountKey: string, targetId: string, action: RunAction = 'follow'): Promise<Json> =>
    (
      await bench.db.query('select * from account_actions where account_key = $1 and target_id = $2 and action = $3', [
        accountKey,
        targetId,
        action,
      ])
    )[0];

  describe('refusals', () => {
    it.each([
      ['refused twice', ['refused', 'refused'], 'recusou esta ação duas vezes seguidas'],
      ['refused, then without proof', ['refused', 'not_confirmed'], 'recusou esta ação duas vezes seguidas'],
      ['twice without proof', ['not_confirmed', 'not_confirmed'], 'sem avisar'],
    ])('stop an action that was %s, whatever the shape, and say so', async (_, outcomes, words) => {
      const run = await followRun();
      for (const outcome of outcomes) {
        expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: true });
        await act(run.job, run.fence, await reserveOne(run.job, person(), run.fence), outcome);
      }
      expect(await bench.automation(run.userId, run.id)).toMatchObject({
        is_active: false,
        status: 'blocked',
        status_reason: expect.stringContaining(words),
      });
      expect(await reserve(run.job, [person()], run.fence)).toMatchObject({ reserved: [], stop: 'account_paused' });
      // The account itself is not stopped: automations with other actions continue.
      await finish(run.job, run.fence);
      const extraction = await bench.made(run.userId, extractorRow(run.account));
      await bench.tick();
      expect((await bench.lastJobOf(extraction)).plan.kind).toBe('extract-list');
    });

    it('pause an action also when they are in different runs, but not when a success is between them', async () => {
      const run = await followRun();
      await act(run.job, run.fence, await reserveOne(run.job, person(), run.fence), 'refused');
      await act(run.job, run.fence, await reserveOne(run.job, person(), run.fence), 'confirmed');
      await act(run.job, run.fence, await reserveOne(run.job, person(), run.fence), 'refused');
      await finish(run.job, run.fence);
      expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: true });
      const next = await nextRun(run.id);
      await act(next.job, next.fence, await reserveOne(next.job, person(), next.fence), 'refused');
      expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: false, status: 'blocked' });
    });

    it('pause the action when the worker saw two in a row, longer each time', async () => {
      const run = await followRun();
      await stopped(run.job, run.fence, 'refused');
      expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: false, status: 'blocked' });
      later(24 * hourMs + minuteMs);
      await bench.tick();
      const job = await bench.lastJobOf(run.id);
      expect(job.runId).not.toBe(run.job.runId);
      await stopped(job, await begin(job), 'refused');
      later(25 * hourMs);
      await bench.tick();
      expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: false });
    });

    it('by people who review their followers skip the person once, and stop the account at the second in a row', async () => {
      const run = await followRun();
      const reviewed = async () =>
        act(run.job, run.fence, await reserveOne(run.job, person(), run.fence), 'skipped', { skipReason: 'target_reviewed' });
      await reviewed();
      expect(await bench.automation(run.userId, run.id)).toMatchObject({ is_active: true });
      await reviewed();
      expect(await bench.automation(run.userId, run.id)).toMatchObject({
        is_active: false,
        status_reason: expect.stringContaining('bloqueou ações desta conta'),
      });
    });

    it('that name an end last until then', async () => {
      const run = await followRun();
      const expiresAt = new Date(kit.now.getTime() + 5 * 24 * hourMs).toISOString();
      await finish(run.job, run.fence, {
        outcome: 'stopped',
        stop: { class: 'action_blocked', row: 1, action: 'follow', evidence: { expiresAt } },
      });
      const [account] = await bench.db.query('select paused_until from network_accounts where account_key = $1', [run.job.accountKey]);
      expect(account.paused_until.toISOString()).toBe(expiresAt);
    });
  });

  describe('a try whose worker died', () => {
    /** A run that reserved one person and died, before or after it announced the click. */
    const died = async (isAnnounced: boolean) => {
      const run = await followRun();
      const target = await reserveOne(run.job, person(), run.fence);
      if (isAnnounced) await announce(run.job, run.fence, target);
      await stopped(run.job, kit.nextToken(), 'worker_stopped');
      await bench.tick();
      const job = await bench.lastJobOf(run.id);
      expect(job.unsettled).toMatchObject([{ targetId: target.targetId, reservationId: target.reservationId }]);
      return { ...run, target, job, fence: await begin(job) };
    };

    it('is never repeated once the click was announced, however often the page shows no effect', async () => {
      const { id, job, fence, target } = await died(true);
      await look(job, fence, target, 'not_confirmed');
      await finish(job, fence);
      const second = await nextRun(id);
      expect(second.job.unsettled).toHaveLength(1);
      await look(second.job, second.fence, target, 'not_confirmed');
      expect(await ledger(job.accountKey, target.targetId)).toMatchObject({ state: 'not_confirmed' });
      const again = await reserve(second.job, [target], second.fence);
      expect(again).toMatchObject({ reserved: [], refused: [{ reason: 'already_in_ledger' }] });
    });

    it('may be repeated after a second negative look, minutes later, when the click was never announced', async () => {
      const { id, job, fence, target } = await died(false);
      await look(job, fence, target, 'not_confirmed');
      // One look may be an old page.
      expect(await reserve(job, [target], fence)).toMatchObject({ reserved: [], refused: [{ reason: 'already_in_ledger' }] });
      await finish(job, fence);
      const second = await nextRun(id);
      await look(second.job, second.fence, target, 'not_confirmed');
      expect((await reserve(second.job, [target], second.fence)).reserved).toMatchObject([{ targetId: target.targetId }]);
    });

    it('is kept when the page did not show the outcome, and settled by a later look', async () => {
      const { id, job, fence, target } = await died(true);
      await look(job, fence, target, 'unknown');
      expect(await ledger(job.accountKey, target.targetId)).toMatchObject({ state: 'reserved', looks: 1 });
      await finish(job, fence);
      const second = await nextRun(id);
      expect(second.job.unsettled).toHaveLength(1);
      await look(second.job, second.fence, target, 'confirmed');
      expect(await ledger(job.accountKey, target.targetId)).toMatchObject({ state: 'confirmed', next_look_at: null });
    });

    it('is not looked at by every run: the next look has a scheduled time', async () => {
      const { id, job, fence, target } = await died(true);
      await look(job, fence, target, 'unknown');
      const runs = (await bench.jobs()).length;
      await stopped(job, kit.nextToken(), 'worker_stopped');
      await bench.tick();
      const next = await bench.lastJobOf(id);
      expect((await bench.jobs()).length).toBe(runs + 1);
      // The rest of its budget is continued, without another look.
      expect(next.unsettled).toEqual([]);
    });
  });

  it('settles a try without proof by one more look', async () => {
    const run = await followRun();
    const target = await reserveOne(run.job, person(), run.fence);
    await act(run.job, run.fence, target, 'not_confirmed');
    await finish(run.job, run.fence);
    const next = await nextRun(run.id, 2 * hourMs);
    expect(next.job.unsettled).toMatchObject([{ reservationId: target.reservationId }]);
    await look(next.job, next.fence, target, 'confirmed');
    await finish(next.job, next.fence);
    expect(await ledger(run.job.accountKey, target.targetId)).toMatchObject({ state: 'confirmed' });
    expect((await nextRun(run.id, 2 * hourMs)).job.unsettled).toEqual([]);
  });

  it('unfollows people who accepted a request, and never those whom the customer follows by hand', async () => {
    const { job, fence, account, userId, id } = await followRun(networkId(), { requestPrivate: true });
    const accepted = await reserveOne(job, person(), fence);
    const pending = await reserveOne(job, person(), fence);
    const left = await reserveOne(job, person(), fence);
    await act(job, fence, accepted, 'requested');
    await act(job, fence, pending, 'requested');
    await act(job, fence, left, 'confirmed');
    await finish(job, fence);
    const second = await nextRun(id, 49 * hourMs);
    expect(second.job.unsettled.map(({ targetId }) => targetId).sort()).toEqual([accepted.targetId, pending.targetId].sort());
    await look(second.job, second.fence, accepted, 'confirmed');
    await look(second.job, second.fence, pending, 'requested');
    await finish(second.job, second.fence);
    await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: false });

    const unfollow = await bench.made(userId, { configuration: followConfiguration(account, { action: 'unfollow', method: '' }) });
    const third = await nextRun(unfollow, 5 * 24 * hourMs + minuteMs);
    const targets = third.job.plan.kind === 'unfollow' ? third.job.plan.targets.map(({ targetId }) => targetId) : [];
    expect(targets.sort()).toEqual([accepted.targetId, left.targetId].sort());
    // The customer had unfollowed this person by hand, so following them again is the customer's own choice.
    const gone = await reserveOne(third.job, left, third.fence, 'unfollow');
    await act(third.job, third.fence, gone, 'skipped', { action: 'unfollow', skipReason: 'already_so', proof: { header: 'follow' } });
    expect(await bench.db.query('select target_id from keep_list where account_key = $1', [job.accountKey])).toEqual([
      { target_id: left.targetId },
    ]);
    await bench.db.query(`delete from account_actions where account_key = $1 and action = 'unfollow'`, [job.accountKey]);
    expect((await reserve(third.job, [left], third.fence, 'unfollow')).refused).toMatchObject([{ reason: 'keep_list' }]);
  });

  describe('page views', () => {
    it('have a ceiling over all tools of the account, and are counted once however often they are reported', async () => {
      const run = await followRun();
      expect(run.job.mostPageViews).toBe(60);
      await reserve(run.job, [person()], run.fence, 'follow', [], 12);
      await reserve(run.job, [person()], run.fence, 'follow', [], 30);
      // An earlier report that comes late.
      await tell(runPage, {
        ...identity(run.job, run.fence, 20),
        extractedDataId: '0b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69',
        page: 0,
        pass: 1,
        rows: [],
        cursor: 'x',
        profileTotal: null,
        collectedAt: kit.now.toISOString(),
      });
      await finish(run.job, run.fence, { pageViews: 56 });
      const extraction = await bench.made(run.userId, extractorRow(run.account));
      await bench.tick();
      expect((await bench.lastJobOf(extraction)).mostPageViews).toBe(4);
      // Too few for a person and the proof.
      const follow = await bench.made(run.userId, { configuration: followConfiguration(run.account) });
      const reading = await bench.lastJobOf(extraction);
      await bench.call('PATCH', `automations?id=eq.${extraction}`, run.userId, { is_active: false });
      await finish(reading, await begin(reading));
      await bench.tick();
      expect(await bench.automation(run.userId, follow)).toMatchObject({
        status: 'waiting',
        status_reason: expect.stringContaining('60 páginas abertas por hora'),
      });
      later(hourMs + 6 * minuteMs);
      await bench.tick();
      expect((await bench.lastJobOf(follow)).mostPageViews).toBe(60);
    });

    it('end a run at the ceiling, and its rest continues when there is room again', async () => {
      const run = await followRun();
      await act(run.job, run.fence, await reserveOne(run.job, person(), run.fence));
      await finish(run.job, run.fence, { outcome: 'partial', targetProblem: 'page_views', pageViews: 60, tried: 1, confirmed: 1 });
      await bench.tick();
      expect(await bench.automation(run.userId, run.id)).toMatchObject({
        is_active: true,
        status_reason: expect.stringContaining('páginas abertas'),
      });
      expect((await nextRun(run.id, hourMs + 10 * minuteMs)).job.plan).toMatchObject({ budget: 2 });
    });
  });

  describe('one account in trouble', () => {
    const changed = (landmark: string) => ({
      outcome: 'stopped',
      stop: { class: 'site_changed', row: 16, action: null, evidence: { landmark, path: '/ana/' } },
    });

    it('is paused alone, and no other account is affected', async () => {
      const run = await followRun(networkId(), { frequency: '15min' });
      await finish(run.job, run.fence, changed('profile header'));
      const other = await followRun();
      expect(other.job.plan.kind).toBe('follow');
      await finish(other.job, other.fence);
      later(50 * minuteMs);
      await bench.tick();
      const row = await bench.automation(run.userId, run.id);
      expect(row.status_reason).toContain('página que não conhecemos');
      expect(row.status_reason).not.toContain('Nossa equipe');
      expect((await bench.lastJobOf(run.id)).runId).toBe(run.job.runId);
      expect((await nextRun(run.id, 30 * minuteMs)).job.runId).not.toBe(run.job.runId);
    });

    it('does not mean a changed site when the second sighting is by the same account or customer, of another page, or long ago', async () => {
      const first = await followRun();
      await finish(first.job, first.fence, changed('a'));
      const sibling = await bench.made(first.userId, { configuration: followConfiguration() });
      await bench.tick();
      const job = await bench.lastJobOf(sibling);
      await finish(job, await begin(job), changed('a'));
      const elsewhere = await followRun();
      await finish(elsewhere.job, elsewhere.fence, changed('b'));
      later(61 * minuteMs);
      const late = await followRun();
      await finish(late.job, late.fence, changed('a'));
      expect(await bench.db.query('select kind from kind_pauses')).toEqual([]);
    });

    it('and one of another customer mean a changed site: the kind of run is paused, one probe runs every fifteen minutes, and its success ends the pause', async () => {
      // The automations of other tests must not be the probe.
      await bench.db.query('update automations set is_active = false');
      const [one, two] = [await followRun(), await followRun()];
      await finish(one.job, one.fence, changed('button'));
      await finish(two.job, two.fence, changed('button'));
      const waiting = [await bench.customer(2), await bench.customer(2), await bench.customer(2)];
      const ids: string[] = [];
      for (const userId of waiting) ids.push(await bench.made(userId));
      const extraction = await bench.made(waiting[0]!, extractorRow());
      await bench.tick();
      expect((await bench.lastJobOf(extraction)).plan.kind).toBe('extract-list');
      expect(await bench.automation(waiting[0]!, ids[0]!)).toMatchObject({
        is_active: true,
        status: 'waiting',
        status_reason: expect.stringContaining('Nossa equipe já foi avisada'),
      });
      const sent = async () => (await bench.jobs()).filter(({ automationId }) => ids.includes(automationId ?? ''));
      expect(await sent()).toEqual([]);
      later(15 * minuteMs + 1_000);
      await Promise.all([bench.tick(), bench.tick()]);
      const probes = await sent();
      expect(probes).toHaveLength(1);
      // The probe meets the same page: the others wait for the next probe.
      await finish(probes[0]!, await begin(probes[0]!), changed('button'));
      await bench.tick();
      expect(await sent()).toHaveLength(1);
      later(15 * minuteMs + 1_000);
      await bench.tick();
      expect(await sent()).toHaveLength(2);
      const [, passing] = await sent();
      const fence = await begin(passing!);
      await act(passing!, fence, await reserveOne(passing!, person(), fence));
      await finish(passing!, fence, { tried: 1, confirmed: 1 });
      expect(await bench.db.query('select kind from kind_pauses')).toEqual([]);
      // The accounts page no longer shows it as lasting.
      const recorded = await bench.call('GET', 'account_pauses?select=cause,part,resolved_at', two.userId);
      expect(recorded.body).toEqual([{ cause: 'site_changed', part: 'run:follow', resolved_at: expect.any(String) }]);
      await bench.tick();
      expect(new Set((await sent()).map(({ automationId }) => automationId)).size).toBe(3);
    });

    it('pauses its lists when the network withholds them: the cursor is kept, everything else continues, and the pause doubles', async () => {
      const { userId, id, account, job, extractedDataId } = await extractorRun();
      const withheld = async (run: typeof job, nextPage: number) => {
        const fence = await begin(run);
        await finish(run, fence, {
          outcome: 'stopped',
          stop: { class: 'list_withheld', row: 18, action: null, evidence: {} },
          pages: 2,
          list: { extractedDataId, profileTotal: 900, cursor: 'QVFE', pass: 1, nextPage, state: 'more' },
        });
      };
      await withheld(job, 2);
      await bench.plan(userId, 6, 2);
      const follow = await bench.made(userId, { configuration: followConfiguration(account) });
      const fromList = await bench.made(userId, { configuration: followConfiguration(account, { method: 'list', targets: '@padaria' }) });
      expect(await bench.automation(userId, id)).toMatchObject({
        is_active: false,
        status: 'blocked',
        status_reason: expect.stringContaining('deixou de mostrar listas'),
      });
      await bench.tick();
      const followJob = await bench.lastJobOf(follow);
      await finish(followJob, await begin(followJob));
      await bench.tick();
      await expect(bench.lastJobOf(fromList)).rejects.toThrow('no run was dispatched');
      await bench.call('PATCH', `automations?id=eq.${follow}`, userId, { is_active: false });
      await bench.call('PATCH', `automations?id=eq.${fromList}`, userId, { is_active: false });
      const again = await nextRun(id, 24 * hourMs + minuteMs);
      expect(again.job.plan).toMatchObject({ kind: 'extract-list', extractedDataId });
      await withheld(again.job, 2);
      later(25 * hourMs);
      await bench.tick();
      expect((await bench.lastJobOf(id)).runId).toBe(again.job.runId);
    });

    it('whose access to one list is refused ends that extraction, and pauses nothing', async () => {
      const { userId, id, job, account, extractedDataId } = await extractorRun();
      await finish(job, await begin(job), { targetProblem: 'list_refused' });
      await tell(extractionCompleted, {
        extractedDataId,
        automationId: id,
        userId,
        dataType: 'followers',
        totalRecords: 0,
        profileTotal: 900,
        reason: 'refused',
        completedAt: kit.now.toISOString(),
      });
      const row = await bench.automation(userId, id);
      expect(row).toMatchObject({ status: 'done', status_reason: expect.stringContaining('não mostra esta lista') });
      const follow = await bench.made(await bench.customer(1), { configuration: followConfiguration(account) });
      await bench.tick();
      expect((await bench.lastJobOf(follow)).plan.kind).toBe('follow');
    });
  });

  it('does not blame the account for our own outage: the run is repeated after some minutes, which do not grow', async () => {
    const run = await followRun();
    let job = run.job;
    let fence = run.fence;
    for (let round = 0; round < 6; round += 1) {
      await stopped(job, fence, 'no_connection');
      expect(await bench.automation(run.userId, run.id)).toMatchObject({
        is_active: true,
        status: 'waiting',
        status_reason: expect.stringMatching(/sem conexão com o Instagram.*Tentamos de novo às \d\d:\d\d/),
      });
      ({ job, fence } = await nextRun(run.id, 5 * minuteMs + 1_000));
      expect(job.plan).toMatchObject({ budget: 3 });
    }
    expect(await bench.db.query('select 1 from account_stops where account_key = $1', [job.accountKey])).toEqual([]);
  });

  it('stops only the automation whose account has an unknown language, before any action, and asks the customer to change it', async () => {
    const run = await followRun();
    await stopped(run.job, run.fence, 'unknown_language');
    expect(await bench.automation(run.userId, run.id)).toMatchObject({
      is_active: false,
      status: 'blocked',
      status_reason: expect.stringContaining('mude o Instagram para português ou inglês'),
    });
    const extraction = await bench.made(run.userId, extractorRow(run.account));
    await bench.tick();
    expect((await bench.lastJobOf(extraction)).plan.kind).toBe('extract-list');
  });

  it('tells the customer when a source is empty, and tries again at the next regular time', async () => {
    const run = await followRun();
    await finish(run.job, run.fence, { targetProblem: 'source_empty' });
    expect(await bench.automation(run.userId, run.id)).toMatchObject({
      is_active: true,
      last_run: { reason: expect.stringContaining('não mostrou ninguém neste destino') },
    });
  });

  it('pauses an automation whose extracted list is empty and complete', async () => {
    const slot = { method: 'slot', dataSource: 'extracted', extractedSlotId: '4b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69' };
    const run = await followRun(networkId(), slot);
    await finish(run.job, run.fence, { targetProblem: 'source_empty' });
    expect(await bench.automation(run.userId, run.id)).toMatchObject({
      is_active: false,
      status: 'blocked',
      status_reason: expect.stringContaining('não tem mais ninguém novo'),
    });
  });

  it('runs again when the worker died after its last page, since only extraction knows that no page follows', async () => {
    const { id, job, extractedDataId } = await extractorRun();
    const fence = await begin(job);
    await tell(runPage, {
      ...identity(job, fence),
      extractedDataId,
      page: 0,
      pass: 1,
      rows: [],
      cursor: null,
      end: 'pass_ended',
      profileTotal: 3,
      collectedAt: kit.now.toISOString(),
    });
    await stopped(job, kit.nextToken(), 'worker_stopped');
    await bench.tick();
    expect((await bench.lastJobOf(id)).runId).not.toBe(job.runId);
  });

  describe('quiet hours', () => {
    it('are part of the job of a run that begins before them, and its reservations are refused afterwards', async () => {
      const userId = await bench.customer(2);
      const id = await bench.made(userId);
      await bench.tick();
      const first = await bench.lastJobOf(id);
      await finish(first, await begin(first));
      await bench.db.query(`update instagram_accounts set quiet_from = '20:00', quiet_to = '06:00' where user_id = $1`, [userId]);
      await bench.db.query(`insert into customers (user_id, time_zone, locale, updated_at) values ($1, 'America/Manaus', 'pt-BR', now())`, [
        userId,
      ]);
      // The next 18:30 in Manaus, which is four hours behind UTC.
      const evening = new Date(kit.now);
      evening.setUTCHours(22, 30, 0, 0);
      if (evening <= kit.now) evening.setUTCDate(evening.getUTCDate() + 1);
      later(evening.getTime() - kit.now.getTime());
      await bench.tick();
      const job = await bench.lastJobOf(id);
      const begins = new Date(evening.getTime() + 90 * minuteMs);
      expect(job).toMatchObject({ endsAt: begins.toISOString(), browser: { locale: 'pt-BR', timeZone: 'America/Manaus' } });
      const fence = await begin(job);
      expect((await reserve(job, [person()], fence)).reserved).toHaveLength(1);
      later(begins.getTime() - kit.now.getTime());
      expect(await reserve(job, [person()], fence)).toMatchObject({ reserved: [], stop: 'account_paused' });
      await finish(job, fence, { outcome: 'partial' });
      await bench.tick();
      expect(await bench.automation(userId, id)).toMatchObject({
        status: 'waiting',
        status_reason: expect.stringMatching(/Descanso noturno.*às 06:00/),
      });
    });
  });
});
