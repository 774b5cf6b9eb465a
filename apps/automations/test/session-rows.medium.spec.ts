import { forgetOld } from '../src/schedule/housekeeping.js';
import { Bench, cookieOf, networkId } from './support.js';

const dayMs = 86_400_000;

describe('rows of sessions over rest/v1', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench?.stop());

  const give = (userId: string) =>
    bench.call('POST', 'instagram_sessions', userId, {
      user_id: userId,
      session_id: 's',
      cookies: { raw_cookie: cookieOf(networkId()) },
      username: 'x',
      is_active: true,
    });
  const rows = async (userId: string) => (await bench.call('GET', 'instagram_sessions', userId)).body;

  it('end when their owner switches them off, and are deleted after their retention time', async () => {
    const userId = await bench.customer(1);
    await give(userId);
    const [{ id }] = await rows(userId);
    const now = new Date('2026-11-21T12:00:00Z');
    bench.setTime(now);
    expect((await bench.call('PATCH', `instagram_sessions?id=eq.${id}`, userId, { is_active: false })).status).toBe(204);
    const [row] = await rows(userId);
    expect(new Date(row.ended_at as string)).toEqual(now);
    await forgetOld(bench.db.manager, new Date(now.getTime() + 89 * dayMs));
    expect(await rows(userId)).toHaveLength(1);
    await forgetOld(bench.db.manager, new Date(now.getTime() + 91 * dayMs));
    expect(await rows(userId)).toEqual([]);
  });

  it('that were kept after a stop are deleted only when their owner switches them off', async () => {
    const userId = await bench.customer(1);
    await give(userId);
    const [{ id }] = await rows(userId);
    await bench.db.query(
      `update instagram_sessions set is_active = false, ended_cause = 'challenge', ended_at = now(), envelope_until = now() + interval '14 days' where id = $1`,
      [id],
    );
    const isKept = async () =>
      (await bench.db.query('select envelope is not null as kept from instagram_sessions where id = $1', [id]))[0].kept;
    await bench.call('PATCH', `instagram_sessions?id=eq.${id}`, userId, { session_id: 'outro nome' });
    expect(await isKept()).toBe(true);
    await bench.call('PATCH', `instagram_sessions?id=eq.${id}`, userId, { is_active: false });
    expect(await isKept()).toBe(false);
  });

  it('accept an update that contains only a new cookie', async () => {
    const userId = await bench.customer(1);
    await give(userId);
    const [{ id }] = await rows(userId);
    const envelope = async () =>
      (await bench.db.query('select envelope from instagram_sessions where id = $1', [id]))[0].envelope as string;
    const before = await envelope();
    const patched = await bench.call('PATCH', `instagram_sessions?id=eq.${id}`, userId, { cookies: { raw_cookie: cookieOf(networkId()) } });
    expect(patched.status).toBe(204);
    expect(await envelope()).not.toBe(before);
  });

  it('show no part of the envelope in a refusal', async () => {
    const userId = await bench.customer(1);
    await give(userId);
    const refused = await bench.call('PATCH', `instagram_sessions?user_id=eq.${userId}`, userId, { session_id: null });
    expect(refused).toMatchObject({ status: 400, body: { code: '23502', details: null } });
    const [{ envelope, account_key }] = await bench.db.query('select envelope, account_key from instagram_sessions where user_id = $1', [
      userId,
    ]);
    expect(envelope).toEqual(expect.any(String));
    for (const secret of [envelope, account_key]) expect(JSON.stringify(refused.body)).not.toContain(secret);
  });
});
