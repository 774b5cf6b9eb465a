import { collectEvents } from '@decola/testing';
import { RunKit } from './run-kit.js';
import { type Bench, cookieOf, followConfiguration } from './support.js';

const kit = new RunKit();

describe('a finished extraction', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  const patch = (userId: string, id: string, body: Record<string, unknown>) =>
    bench.call('PATCH', `automations?id=eq.${id}&user_id=eq.${userId}`, userId, body);
  const slots = async (userId: string) =>
    (await bench.call('POST', 'rpc/get_available_slots', userId, { p_user_id: userId })).body as number;
  /** What the wizard sends when nothing was edited. */
  const unchanged = async (userId: string, id: string) => {
    const { name, type, configuration } = await bench.automation(userId, id);
    return { name, type, configuration: { ...configuration, sessionCookie: '' }, is_draft: false, is_active: true };
  };
  const jobs = async () => (await bench.jobs()).length;

  it('does not change when it is saved unchanged: no event, no slot, no run', async () => {
    const { userId, id } = await kit.finishedExtraction();
    const before = await bench.automation(userId, id);
    expect(before).toMatchObject({ status: 'done', is_active: true, next_run_at: null });
    const heard = await collectEvents(bench.broker.url, '#');
    const sent = await jobs();
    expect((await patch(userId, id, await unchanged(userId, id))).status).toBe(204);
    await bench.tick();
    expect(await bench.automation(userId, id)).toEqual(before);
    expect(await jobs()).toBe(sent);
    expect(await slots(userId)).toBe(0);
    expect(heard.events.filter(({ payload }) => payload['automationId'] === id)).toEqual([]);
    await heard.dispose();
  });

  it('stays finished when only its name or its session changes', async () => {
    const { userId, id, extractedDataId } = await kit.finishedExtraction();
    expect((await patch(userId, id, { ...(await unchanged(userId, id)), name: 'Outro nome' })).status).toBe(204);
    await bench.tick();
    expect(await bench.automation(userId, id)).toMatchObject({ name: 'Outro nome', status: 'done', configuration: { extractedDataId } });
  });

  it('is collected again, as a new list, when it is switched on without being saved', async () => {
    const { userId, id, extractedDataId } = await kit.finishedExtraction();
    expect((await patch(userId, id, { is_active: true })).status).toBe(204);
    const again = await bench.automation(userId, id);
    expect(again).toMatchObject({ status: 'waiting', is_active: true, progress: { collected: 0, profile_total: null } });
    expect(again.configuration.extractedDataId).not.toBe(extractedDataId);
    expect(await slots(userId)).toBe(0);
    // A second press changes nothing.
    expect((await patch(userId, id, { is_active: true })).status).toBe(204);
    expect((await bench.automation(userId, id)).configuration).toEqual(again.configuration);
    await bench.tick();
    expect((await bench.lastJobOf(id)).plan).toMatchObject({
      kind: 'extract-list',
      extractedDataId: again.configuration.extractedDataId,
    });
    expect(await bench.automation(userId, id)).toMatchObject({ status: 'running' });
  });

  it('is not collected again without a session, and collects another profile’s list when it is edited', async () => {
    const { userId, id, extractedDataId } = await kit.finishedExtraction();
    const edited = await unchanged(userId, id);
    await patch(userId, id, { ...edited, configuration: { ...edited.configuration, targets: '@outra.padaria' } });
    const other = await bench.automation(userId, id);
    expect(other.status).toBe('waiting');
    expect(other.configuration.extractedDataId).not.toBe(extractedDataId);
    const ended = await kit.finishedExtraction();
    await bench.db.query(
      `update instagram_sessions set is_active = false, ended_cause = 'session_ended', ended_at = now() where user_id = $1`,
      [ended.userId],
    );
    expect(await patch(ended.userId, ended.id, { is_active: true })).toMatchObject({
      status: 400,
      body: { message: 'Cookie do Instagram é obrigatório' },
    });
    expect(await bench.automation(ended.userId, ended.id)).toMatchObject({ status: 'done' });
  });

  it('stays finished when the account is stopped and gets a new session, which switches on only the other automations', async () => {
    const { userId, id, account } = await kit.finishedExtraction();
    await bench.plan(userId, 2, 2);
    const follow = await bench.made(userId, { name: 'Seguir', configuration: followConfiguration(account) });
    const only = async () => (await bench.call('GET', 'instagram_accounts', userId)).body[0];
    expect(await only()).toMatchObject({ state: 'active', revives: [] });
    await bench.tick();
    const job = await bench.lastJobOf(follow);
    await kit.stopped(job, await kit.begin(job), 'session_ended');
    expect(await bench.automation(userId, id)).toMatchObject({ status: 'done', is_active: true, pause_cause: null });
    expect(await bench.automation(userId, follow)).toMatchObject({ status: 'blocked', pause_cause: 'session_ended' });
    expect(await only()).toMatchObject({
      state: 'needs_session',
      pause_cause: 'session_ended',
      revives: [{ id: follow, name: 'Seguir', type: 'auto-follow-unfollow' }],
    });
    const sent = await jobs();
    await bench.call('POST', 'instagram_sessions', userId, {
      user_id: userId,
      session_id: 'nova',
      cookies: { raw_cookie: cookieOf(account) },
      username: account,
      is_active: true,
    });
    expect(await only()).toMatchObject({ state: 'active', revives: [] });
    await bench.tick();
    expect((await bench.jobs()).slice(sent).map(({ automationId }) => automationId)).toEqual([follow]);
    expect(await bench.automation(userId, id)).toMatchObject({ status: 'done' });
  });
});
