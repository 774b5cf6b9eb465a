import { randomUUID } from 'node:crypto';
import { connectMessaging } from '@decola/messaging';
import { resealColumn } from '@decola/database';
import { callerHeader, parseKeyRing, Sealer } from '@decola/service-kit';
import { authenticated, eventually, type ServiceUnderTest, serviceUnderTest, tracesOf } from '@decola/testing';
import { createClient } from '@supabase/supabase-js';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';
import { TokenSealing } from '../src/tokens/token-sealing.service.js';
import { SigningTokensService } from '../src/tokens/signing-tokens.service.js';
import { sealedTokens, TokenSeals } from '../src/tokens/token-seals.js';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');

describe('tokens of customers’ sites', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations, environment: { WEBHOOK_TOKEN_KEY_RING: `k2:${key(2)},k1:${key(1)}` } },
    );
  });
  afterAll(() => service?.dispose());

  const tokens = (userId: string) =>
    createClient(service.url, 'key', {
      auth: { persistSession: false },
      global: { headers: { [callerHeader]: authenticated(userId)[callerHeader] ?? '' } },
    }).from('user_tokens');
  const stored = async (userId: string) =>
    (await service.dataSource.query<{ token: string }[]>('select token from user_tokens where user_id = $1', [userId])).map(
      ({ token }) => token,
    );

  it('are sealed at rest and read by their owner', async () => {
    const ana = randomUUID();
    const token = `segredo-${randomUUID()}`;
    const saved = await tokens(ana)
      .upsert({ user_id: ana, token, token_type: 'webhook' }, { onConflict: 'user_id,token_type' })
      .select('token')
      .single();
    expect(saved).toMatchObject({ status: 201, data: { token } });
    const again = `outro-${randomUUID()}`;
    expect(
      (await tokens(ana).upsert({ user_id: ana, token: again, token_type: 'webhook' }, { onConflict: 'user_id,token_type' })).status,
    ).toBe(200);
    expect((await tokens(ana).select('token').eq('user_id', ana).eq('token_type', 'webhook')).data).toEqual([{ token: again }]);
    expect(await tracesOf(service.database.url, { token, again })).toEqual([]);
    expect((await stored(ana))[0]).toMatch(/^v1\.k2\./);
    // In somebody else's row it opens for nobody.
    const bia = randomUUID();
    await service.dataSource.query(
      `insert into user_tokens (user_id, token, token_type) select $2, token, 'webhook' from user_tokens where user_id = $1`,
      [ana, bia],
    );
    expect((await tokens(bia).select('token')).data).toEqual([{ token: null }]);
  });

  it('cannot be searched, ordered or upserted by', async () => {
    const ana = randomUUID();
    await tokens(ana).insert({ user_id: ana, token: 'segredo', token_type: 'webhook' });
    const refused = { code: '42501', hint: 'use o id' };
    expect((await tokens(ana).select('id').eq('token', 'segredo')).error).toMatchObject(refused);
    expect((await tokens(ana).select('id').like('token', 's%')).error).toMatchObject(refused);
    expect((await tokens(ana).select('id').order('token')).error).toMatchObject(refused);
    expect((await tokens(ana).update({ token_type: 'x' }).eq('token', 'segredo')).error).toMatchObject(refused);
    expect((await tokens(ana).upsert({ user_id: ana, token: 'segredo', token_type: 'x' }, { onConflict: 'token' })).error).toMatchObject(
      refused,
    );
  });

  it('are not empty', async () => {
    const ana = randomUUID();
    const refused = { code: 'P0001', message: 'O token não pode ficar vazio.' };
    expect((await tokens(ana).insert({ user_id: ana, token: '', token_type: 'webhook' })).error).toMatchObject(refused);
    await tokens(ana).insert({ user_id: ana, token: 'x'.repeat(1_000), token_type: 'webhook' });
    expect((await tokens(ana).update({ token: '' }).eq('user_id', ana)).error).toMatchObject(refused);
    expect(
      (
        await tokens(ana)
          .update({ token: 'x'.repeat(1_001) })
          .eq('user_id', ana)
      ).error,
    ).toMatchObject({ code: 'P0001' });
    expect((await tokens(ana).select('token')).data).toEqual([{ token: 'x'.repeat(1_000) }]);
  });

  it('of a version before are read, and sealed; those of an older key are sealed again', async () => {
    const people = [randomUUID(), randomUUID(), randomUUID()] as const;
    const lost = new TokenSeals(`k0:${key(9)}`).encode('perdido', people[2]);
    const lostPrevious = new TokenSeals(`k0:${key(9)}`).encode('perdido', people[1]);
    const rows = ['em claro', new TokenSeals(`k1:${key(1)}`).encode('de antes', people[1]), lost];
    for (const [index, userId] of people.entries())
      await service.dataSource.query(`insert into user_tokens (user_id, token, token_type) values ($1, $2, 'webhook')`, [
        userId,
        rows[index],
      ]);
    await service.dataSource.query('update user_tokens set previous_sealed = $2 where user_id = $1', [people[1], lostPrevious]);
    const read = async () =>
      (await Promise.all(people.map((userId) => tokens(userId).select('token').single()))).map(
        ({ data, status }) => (data?.token as unknown) ?? status,
      );
    // The key of the third one is missing here, which is our fault: the owner is told to come back, not that there is no token.
    expect(await read()).toEqual(['em claro', 'de antes', 503]);
    const sealing = service.app.get(TokenSealing);
    await eventually(async () => expect(await sealing.sealAll()).toBe(0));
    expect(await read()).toEqual(['em claro', 'de antes', 503]);
    expect((await tokens(people[2]).update({ token: 'outro' }).eq('user_id', people[2])).status).toBe(503);
    const [row] = await service.dataSource.query<{ previous_sealed: string }[]>(
      'select previous_sealed from user_tokens where user_id = $1',
      [people[1]],
    );
    expect(row).toEqual({ previous_sealed: lostPrevious });
    expect((await stored(people[0]))[0]).toMatch(/^v1\.k2\./);
    expect((await stored(people[1]))[0]).toMatch(/^v1\.k2\./);
    // Nothing that cannot be opened is changed.
    expect(await stored(people[2])).toEqual([lost]);
  });

  it('are sealed again by the command, and read as before', async () => {
    const ana = randomUUID();
    await tokens(ana).insert({ user_id: ana, token: 'de hoje', token_type: 'webhook' });
    await service.dataSource.query('update user_tokens set previous_sealed = token where user_id = $1', [ana]);
    const ring = parseKeyRing(`active=k1;k2:${key(2)},k1:${key(1)}`);
    for (const column of sealedTokens) {
      const { sealed, skipped } = await resealColumn(service.dataSource, column, { ring, sealer: new Sealer(ring) });
      expect([sealed > 0, skipped]).toEqual([true, 0]);
    }
    expect((await stored(ana))[0]).toMatch(/^v1\.k1\./);
    expect((await tokens(ana).select('token')).data).toEqual([{ token: 'de hoje' }]);
    expect((await service.app.get(SigningTokensService).of(service.dataSource.manager, ana))!.current).toBe('de hoje');
  });
});
