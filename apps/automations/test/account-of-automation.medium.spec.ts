import { automationRow, instagramAccountRow, runFinished, runStarted } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { Bench, followConfiguration, networkId } from './support.js';

describe('the account of an automation, as the dashboard reads it', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench?.stop());

  const accountsOf = async (userId: string) => (await bench.call('GET', 'instagram_accounts', userId)).body;

  it('is the customer’s own row, also when another customer uses the same account; a draft without a session has none', async () => {
    const [ana, bia] = await Promise.all([bench.customer(2), bench.customer(2)]);
    const account = networkId();
    const id = await bench.made(ana, { configuration: followConfiguration(account) });
    await bench.made(bia, { configuration: followConfiguration(account) });
    const draft = await bench.made(ana, { configuration: { targets: '#cafe' }, is_draft: true, is_active: false });
    const [own] = await accountsOf(ana);
    expect(await bench.automation(ana, id)).toMatchObject({ instagram_account_id: own.id, pause_cause: null });
    expect((await accountsOf(bia))[0].id).not.toBe(own.id);
    expect(await bench.automation(ana, draft)).toMatchObject({ instagram_account_id: null, pause_cause: null });
    for (const column of ['instagram_account_id', 'pause_cause'])
      expect((await bench.call('PATCH', `automations?id=eq.${id}`, ana, { [column]: null })).status).toBe(403);
  });

  it('can be chosen by naming a stored session of the customer instead of pasting one', async () => {
    const [ana, bia] = await Promise.all([bench.customer(3), bench.customer(3)]);
    const [first, second] = [networkId(), networkId()];
    const id = await bench.made(ana, { configuration: followConfiguration(first) });
    await bench.made(ana, { configuration: followConfiguration(second) });
    const sessionOf = async (account: string) => {
      const [row] = await bench.db.query(`select id from instagram_sessions where user_id = $1 and network_user_id = $2`, [ana, account]);
      return row.id as string;
    };
    const named = { ...followConfiguration(), sessionCookie: '', instagram_session_id: await sessionOf(second) };
    const made = await bench.automation(ana, await bench.made(ana, { configuration: named }));
    expect(made.configuration).toMatchObject({ sessionAccount: second, sessionStored: true });
    expect(made.configuration).not.toHaveProperty('instagram_session_id');
    // An edit may choose another account.
    const patch = (configuration: object) => bench.call('PATCH', `automations?id=eq.${id}`, ana, { configuration });
    expect((await patch(named)).status).toBe(204);
    expect((await bench.automation(ana, id)).configuration.sessionAccount).toBe(second);
    const accounts = await accountsOf(ana);
    const chosen = accounts.find(({ network_user_id }: { network_user_id: string }) => network_user_id === second);
    expect((await bench.automation(ana, id)).instagram_account_id).toBe(chosen.id);
    const refused = { status: 403, body: expect.objectContaining({ code: '42501' }) };
    expect(await bench.create(bia, { configuration: named })).toEqual(refused);
    expect(await bench.create(bia, { configuration: named, is_draft: true, is_active: false })).toEqual(refused);
    expect(await patch({ ...named, instagram_session_id: 'nenhuma' })).toEqual(refused);
    // A session that has ended cannot be chosen.
    await bench.db.query(`update instagram_sessions set is_active = false, ended_at = now(), ended_cause = 'session_ended' where id = $1`, [
      named.instagram_session_id,
    ]);
    expect(await patch(named)).toMatchObject({ status: 400, body: { message: 'Cookie do Instagram é obrigatório' } });
  });

  it('leads from a stopped automation to the account row in which the customer reports the stop as resolved', async () => {
    const userId = await bench.customer(2);
    const id = await bench.made(userId);
    await bench.db.query('update automations set next_run_at = now() where id = $1', [id]);
    await bench.tick();
    const { runId, accountKey } = await bench.lastJobOf(id);
    const identity = { runId, automationId: id, userId, accountKey, fencingToken: 1, pageViews: 1 };
    const at = new Date().toISOString();
    await publishTestEvent(bench.broker.url, runStarted, { ...identity, workerId: 'w', startedAt: at });
    await publishTestEvent(bench.broker.url, runFinished, {
      ...identity,
      outcome: 'stopped',
      stop: { class: 'challenge', row: 3, action: null, evidence: {} },
      tried: 0,
      confirmed: 0,
      skipped: 0,
      pages: 0,
      list: null,
      targetProblem: null,
      username: null,
      givenBack: [],
      finishedAt: at,
    });
    await eventually(async () =>
      expect(await bench.automation(userId, id)).toMatchObject({ status: 'blocked', is_active: false, pause_cause: 'challenge' }),
    );
    const row = automationRow.parse(await bench.automation(userId, id));
    const path = `instagram_accounts?id=eq.${row.instagram_account_id}`;
    const [account] = (await bench.call('GET', path, userId)).body;
    expect(instagramAccountRow.parse(account)).toMatchObject({ pause_cause: 'challenge', resolved_at: null });
    expect((await bench.call('PATCH', path, userId, { resolved_at: at })).status).toBe(204);
    const [told] = (await bench.call('GET', path, userId)).body;
    expect(instagramAccountRow.parse(told)).toMatchObject({
      pause_cause: 'challenge',
      resolved_at: expect.any(String) as string,
      next_check_at: expect.any(String) as string,
    });
    expect((await bench.automation(userId, id)).status_reason).toContain('Você avisou que já resolveu no Instagram');
  });
});
