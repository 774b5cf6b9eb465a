import { randomBytes } from 'node:crypto';
import { userDeleted } from '@decola/contracts';
import { keyUses, resealColumn } from '@decola/database';
import { parseKeyRing, Sealer } from '@decola/service-kit';
import { eventually, publishTestEvent } from '@decola/testing';
import { sealedSessions } from '../src/sessions/session-vault.service.js';
import { forgetOld } from '../src/schedule/housekeeping.js';
import { Bench, cookieOf, followConfiguration, networkId } from './support.js';

describe('sessions', () => {
  const key = () => randomBytes(32).toString('base64');
  const oldKey = key();
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start({ SESSION_KEY_RING: `old:${oldKey}` });
  });
  afterAll(() => bench?.stop());

  const give = (userId: string, cookies: unknown) =>
    bench.call('POST', 'instagram_sessions', userId, { user_id: userId, session_id: 's', cookies, username: 'x', is_active: true });

  it('open only for the job that carries them, with all cookies as they were pasted', async () => {
    const userId = await bench.customer(1);
    const account = networkId();
    const pasted = cookieOf(account);
    const id = await bench.made(userId, {
      configuration: { ...followConfiguration(account), sessionCookie: `sessionid=${pasted}; mid=abc; rur="CLN\\0541"` },
    });
    await bench.tick();
    const { session } = await bench.lastJobOf(id);
    const cookies = JSON.parse(new Sealer(parseKeyRing(`old:${oldKey}`)).open(session.envelope, session.sessionId)) as {
      name: string;
      value: string;
    }[];
    expect(Object.fromEntries(cookies.map(({ name, value }) => [name, value]))).toEqual({
      sessionid: pasted,
      ds_user_id: account,
      mid: 'abc',
      rur: '"CLN\\0541"',
    });
    expect(session.networkUserId).toBe(account);
  });

  it('replace the previous one, which is deleted', async () => {
    const userId = await bench.customer(1);
    const account = networkId();
    for (let turn = 0; turn < 3; turn += 1) expect((await give(userId, { raw_cookie: cookieOf(account) })).status).toBe(201);
    const rows = await bench.db.query(
      'select is_active, envelope is null as is_empty from instagram_sessions where user_id = $1 order by created_at',
      [userId],
    );
    expect(rows).toEqual([
      { is_active: false, is_empty: true },
      { is_active: false, is_empty: true },
      { is_active: true, is_empty: false },
    ]);
  });

  it('are refused with a clear sentence that repeats no part of them', async () => {
    const userId = await bench.customer(1);
    const answer = await give(userId, { raw_cookie: 'ds_user_id=5; csrftoken=segredo123456' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'P0001', message: expect.stringContaining('falta o sessionid') } });
    expect(JSON.stringify(answer.body)).not.toContain('segredo');
  });

  it('cannot be switched on again once they are deleted', async () => {
    const userId = await bench.customer(1);
    await give(userId, { raw_cookie: cookieOf(networkId()) });
    const [{ id }] = (await bench.call('GET', 'instagram_sessions', userId)).body;
    await bench.call('PATCH', `instagram_sessions?id=eq.${id}`, userId, { is_active: false });
    expect(await bench.db.query('select envelope from instagram_sessions where id = $1', [id])).toEqual([{ envelope: null }]);
    expect((await bench.call('PATCH', `instagram_sessions?id=eq.${id}`, userId, { is_active: true })).status).toBe(400);
  });

  it('are sealed again with the new key, and open without the old one', async () => {
    const userId = await bench.customer(1);
    await give(userId, { raw_cookie: cookieOf(networkId()) });
    const newKey = key();
    const ring = parseKeyRing(`active=new;old:${oldKey},new:${newKey}`);
    const reseal = () => resealColumn(bench.db, sealedSessions[0]!, { ring, sealer: new Sealer(ring) });
    const { sealed, unopened, skipped } = await reseal();
    expect([sealed > 0, unopened, skipped]).toEqual([true, 0, 0]);
    const rows: { id: string; envelope: string }[] = await bench.db.query(
      'select id, envelope from instagram_sessions where envelope is not null',
    );
    const onlyNew = new Sealer(parseKeyRing(`new:${newKey}`));
    for (const { id, envelope } of rows) expect(onlyNew.open(envelope, id)).toContain('sessionid');
    expect(await reseal()).toEqual({ sealed: 0, unopened: 0, skipped: 0 });
    expect((await keyUses(bench.db, sealedSessions)).filter(({ place }) => place === 'instagram_sessions.envelope')).toEqual([
      { keyId: 'new', place: 'instagram_sessions.envelope', rows: rows.length },
    ]);
  });

  it('are deleted with their customer, while another customer of the same account keeps theirs', async () => {
    const [gone, stays] = await Promise.all([bench.customer(1), bench.customer(1)]);
    const account = networkId();
    await give(gone, { raw_cookie: cookieOf(account) });
    await give(stays, { raw_cookie: cookieOf(account) });
    const alone = networkId();
    await give(gone, { raw_cookie: cookieOf(alone) });
    await publishTestEvent(bench.broker.url, userDeleted, { userId: gone, deletedAt: new Date().toISOString() });
    await eventually(async () => {
      expect(await bench.db.query('select 1 from instagram_sessions where user_id = $1', [gone])).toEqual([]);
    });
    expect((await bench.call('GET', 'instagram_sessions', stays)).body).toHaveLength(1);
    const keys: { network_user_id: string }[] = await bench.db.query(
      `select distinct s.network_user_id from network_accounts a join instagram_sessions s using (account_key) where s.network_user_id = any($1)`,
      [[account, alone]],
    );
    expect(keys).toEqual([{ network_user_id: account }]);
  });

  it('are deleted after their retention time, like diaries', async () => {
    const userId = await bench.customer(1);
    await give(userId, { raw_cookie: cookieOf(networkId()) });
    await give(userId, { raw_cookie: cookieOf(networkId()) });
    const [first] = (await bench.call('GET', 'instagram_sessions?order=created_at.asc', userId)).body;
    await bench.call('PATCH', `instagram_sessions?id=eq.${first.id}`, userId, { is_active: false });
    await bench.db.query(`update instagram_sessions set ended_at = now() - interval '91 days' where id = $1`, [first.id]);
    expect(await forgetOld(bench.db.manager, new Date())).toBeGreaterThan(0);
    expect((await bench.call('GET', 'instagram_sessions', userId)).body).toHaveLength(1);
  });
});
