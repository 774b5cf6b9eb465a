import { randomUUID } from 'node:crypto';
import { clientAddressHeaders, parseKeyRing, Sealer } from '@decola/service-kit';
import { testCaller, testSigningKey } from '@decola/testing';
import type { SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { DataSource } from 'typeorm';
import { type IdentityUnderTest, markMailboxProven, startIdentity, strongPassword, waitForRow } from './support.js';

/** The code that the authenticator app shows, `steps` half minutes from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
const wrongCodeOf = (secret: string) => {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
};

describe('second factors, through the published client', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;

  beforeAll(async () => {
    identity = await startIdentity({ MAIL_GAP_SECONDS: '0' });
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  const newPerson = async () => {
    const email = `${randomUUID().slice(0, 8)}@example.com`;
    const client = identity.client();
    const { data, error } = await client.auth.signUp({ email, password: strongPassword });
    expect(error).toBeNull();
    await markMailboxProven(identity, email);
    return { client, email, userId: data.user!.id, session: data.session! };
  };
  const signIn = async (email: string) => {
    const client = identity.client();
    const { data, error } = await client.auth.signInWithPassword({ email, password: strongPassword });
    expect(error).toBeNull();
    return { client, session: data.session! };
  };
  const enrol = async (client: SupabaseClient, friendlyName = 'Celular') => {
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName });
    expect(error).toBeNull();
    return { id: data!.id, ...data!.totp };
  };
  const protect = async () => {
    const person = await newPerson();
    const factor = await enrol(person.client);
    const { data, error } = await person.client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.secret) });
    expect(error).toBeNull();
    return { ...person, factor, raised: data! };
  };
  const call = async (method: string, path: string, token: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${identity.url}/auth/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json;charset=UTF-8',
        'x-supabase-api-version': '2024-01-01',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const kindsOf = async (userId: string) =>
    (await database.query<{ kind: string }[]>('select kind from security_events where user_id = $1 order by id', [userId])).map(
      ({ kind }) => kind,
    );
  const stateOf = async (token: string) => {
    const answer = await fetch(`${identity.url}/internal/sessions/${String(decodeJwt(token)['session_id'])}`);
    return answer.status === 200 ? ((await answer.json()) as Record<string, unknown>) : answer.status;
  };

  it('returns secret, QR code and URI, and stores the secret encrypted', async () => {
    const { client, email, userId } = await newPerson();
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' });
    expect(error).toBeNull();
    expect(data).toMatchObject({ type: 'totp', friendly_name: 'Celular' });
    const { qr_code: picture, secret, uri } = data!.totp;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(
      `otpauth://totp/decola.test:${encodeURIComponent(email)}?algorithm=SHA1&digits=6&issuer=decola.test&period=30&secret=${secret}`,
    );
    expect(picture).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/);
    const [row] = await database.query<{ sealed_secret: string }[]>('select * from factors where id = $1', [data!.id]);
    expect(row!.sealed_secret).toMatch(/^v1\.k1\./);
    expect(JSON.stringify(row)).not.toContain(secret);
    const { data: listed } = await client.auth.mfa.listFactors();
    expect(listed!.all).toEqual([
      {
        id: data!.id,
        friendly_name: 'Celular',
        factor_type: 'totp',
        status: 'unverified',
        phone: '',
        last_challenged_at: null,
        created_at: expect.stringMatching(/Z$/) as unknown,
        updated_at: expect.stringMatching(/Z$/) as unknown,
      },
    ]);
    expect(listed!.totp).toEqual([]);
    expect(JSON.stringify(await client.auth.getUser())).not.toContain(secret);
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
    // An unverified factor protects nothing.
    expect((await client.auth.updateUser({ password: 'Outro!12345' })).error).toBeNull();
    expect(await kindsOf(userId)).not.toContain('factor.added');
  });

  it('raises the session with a code: same session, aal2, new tokens; other sessions end', async () => {
    const { client, email, userId, session } = await newPerson();
    const elsewhere = await signIn(email);
    const other = await enrol(client, 'Sem uso');
    const { id, secret } = await enrol(client);
    const { data: challenge } = await client.auth.mfa.challenge({ factorId: id });
    expect(challenge).toMatchObject({ id: expect.any(String) as unknown, type: 'totp' });
    expect(challenge!.expires_at * 1).toBeGreaterThan(Date.now() / 1000 + 290);
    // A wrong code does not use up the challenge.
    const wrong = await client.auth.mfa.verify({ factorId: id, challengeId: challenge!.id, code: wrongCodeOf(secret) });
    expect(wrong.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
    const { data: raised, error } = await client.auth.mfa.verify({ factorId: id, challengeId: challenge!.id, code: codeOf(secret) });
    expect(error).toBeNull();
    const claims = decodeJwt(raised!.access_token);
    expect(claims).toMatchObject({ aal: 'aal2', session_id: decodeJwt(session.access_token)['session_id'] });
    expect((claims['amr'] as { method: string }[]).map(({ method }) => method)).toEqual(['totp', 'password']);
    expect(raised!.refresh_token).not.toBe(session.refresh_token);
    expect(raised!.user.factors).toMatchObject([{ id, status: 'verified', last_challenged_at: expect.any(String) as unknown }]);
    expect((await client.auth.mfa.listFactors()).data!.totp.map((each) => each.id)).toEqual([id]);
    expect(other.id).not.toBe(id);
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    expect((await elsewhere.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
    expect(await kindsOf(userId)).toEqual(expect.arrayContaining(['factor.wrong_code', 'factor.added', 'session.ended']));
    // A refresh keeps the level.
    const { data: refreshed } = await client.auth.refreshSession();
    expect(decodeJwt(refreshed.session!.access_token)).toMatchObject({ aal: 'aal2', amr: claims['amr'] });
  });

  it('voids earlier refresh tokens, and ends the session when one is used later', async () => {
    const { client, session, raised } = await protect();
    const refresh = (token: string) => call('POST', 'token?grant_type=refresh_token', '-', { refresh_token: token });
    // Another tab with the earlier token: refused, but the session goes on.
    expect(await refresh(session.refresh_token)).toMatchObject({ status: 400, body: { code: 'refresh_token_already_used' } });
    expect(await stateOf(raised.access_token)).toMatchObject({ active: true });
    await database.query(`update sessions set refreshed_at = refreshed_at - interval '11 seconds' where id = $1`, [
      decodeJwt(raised.access_token)['session_id'],
    ]);
    expect(await refresh(session.refresh_token)).toMatchObject({ status: 400, body: { code: 'refresh_token_already_used' } });
    expect(await stateOf(raised.access_token)).toBe(404);
    expect((await client.auth.refreshSession()).error).not.toBeNull();
  });

  it('keeps a new sign-in at aal1 until the code, and accepts no code twice', async () => {
    const { email, userId, factor } = await protect();
    const { client, session } = await signIn(email);
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    expect(await stateOf(session.access_token)).toEqual({ active: true, secondFactor: true, secondFactorPending: true });
    expect((await client.auth.updateUser({ password: 'Outro!12345' })).error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    expect((await client.auth.updateUser({ email: 'x@example.com' })).error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    expect((await client.auth.updateUser({ data: { tema: 'escuro' } })).error).toBeNull();
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Outro' })).error).toMatchObject({
      status: 403,
      code: 'insufficient_aal',
    });
    expect((await client.auth.mfa.unenroll({ factorId: factor.id })).error).toMatchObject({ status: 422, code: 'insufficient_aal' });
    const erase = await identity
      .client(testCaller(userId, { aal: 'aal1' }))
      .functions.invoke('delete-account', { body: { password: strongPassword } });
    expect((erase.error as { context: Response }).context.status).toBe(403);
    expect(await (erase.error as { context: Response }).context.json()).toMatchObject({ code: 'insufficient_aal' });
    // The code of the enrollment, seen by somebody else.
    const again = await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.secret) });
    expect(again.error).toMatchObject({ code: 'mfa_verification_failed' });
    const next = codeOf(factor.secret, 1);
    const both = await Promise.all([1, 2].map(() => client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: next })));
    expect(both.filter(({ error }) => error === null)).toHaveLength(1);
    expect(await stateOf(session.access_token)).toEqual({ active: true, secondFactor: true, secondFactorPending: false });
    // The session is at aal2 now; its earlier token stays at aal1.
    expect(await call('PUT', 'user', session.access_token, { password: 'Outro!12345' })).toMatchObject({
      status: 401,
      body: { code: 'insufficient_aal' },
    });
    expect((await client.auth.updateUser({ password: 'Outro!12345' })).error).toBeNull();
    expect(await kindsOf(userId)).toContain('sign_in.second_factor');
  });

  it('refuses at aal1 to verify a factor that was created before another one was verified', async () => {
    const { email, userId, client: owner } = await protect();
    // Somebody who knows the password created it while the owner verified theirs.
    const [id, secret] = [randomUUID(), new Secret({ size: 20 }).base32];
    const ring = parseKeyRing(identity.environment['FACTOR_KEY_RING']!);
    await database.query(`insert into factors (id, user_id, friendly_name, sealed_secret) values ($1, $2, 'De outro', $3)`, [
      id,
      userId,
      new Sealer(ring).seal(secret, `factor:${id}`),
    ]);
    const { client, session } = await signIn(email);
    const finished = await client.auth.mfa.challengeAndVerify({ factorId: id, code: codeOf(secret) });
    expect(finished.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    expect(await stateOf(session.access_token)).toEqual({ active: true, secondFactor: true, secondFactorPending: true });
    expect((await owner.auth.getUser()).error).toBeNull();
    // At aal2 the owner may have two.
    expect((await owner.auth.mfa.challengeAndVerify({ factorId: id, code: codeOf(secret) })).error).toBeNull();
  });

  it('refuses an enrollment at aal1 that waited while the first factor was verified', async () => {
    const { userId, session } = await newPerson();
    const answer = await database.transaction(async (manager) => {
      await manager.query('select 1 from users where id = $1 for update', [userId]);
      await manager.query(`insert into factors (id, user_id, status, sealed_secret) values ($1, $2, 'verified', 'x')`, [
        randomUUID(),
        userId,
      ]);
      const asked = call('POST', 'factors', session.access_token, { factor_type: 'totp', friendly_name: 'De outro' });
      await waitForRow(database);
      return { asked };
    });
    expect(await answer.asked).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } });
    expect(await database.query('select 1 from factors where user_id = $1', [userId])).toHaveLength(1);
  });

  it('returns to aal1 when the factor is removed', async () => {
    const { client, factor, raised, userId } = await protect();
    const { data, error } = await client.auth.mfa.unenroll({ factorId: factor.id });
    expect(error).toBeNull();
    expect(data).toEqual({ id: factor.id });
    const { data: refreshed } = await client.auth.refreshSession();
    const claims = decodeJwt(refreshed.session!.access_token);
    expect(claims).toMatchObject({ aal: 'aal1', session_id: decodeJwt(raised.access_token)['session_id'] });
    expect((claims['amr'] as { method: string }[]).map(({ method }) => method)).toEqual(['password']);
    expect(refreshed.user).not.toHaveProperty('factors');
    expect(await stateOf(raised.access_token)).toEqual({ active: true, secondFactor: false, secondFactorPending: false });
    expect(await kindsOf(userId)).toContain('factor.removed');
    // An unverified factor may be removed at aal1.
    const unused = await enrol(client, 'Outro');
    expect((await client.auth.mfa.unenroll({ factorId: unused.id })).error).toBeNull();
  });

  it('refuses enrollments as the contract says', async () => {
    const { client, session } = await newPerson();
    const enrolRaw = (body: unknown) => call('POST', 'factors', session.access_token, body);
    expect(await enrolRaw({ factor_type: 'sms' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await enrolRaw({ factor_type: { $ne: null } })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await enrolRaw({ factor_type: 'totp', friendly_name: 'x'.repeat(101) })).toMatchObject({ status: 400 });
    expect(await enrolRaw({ factor_type: 'phone', phone: '5511999999999' })).toMatchObject({
      status: 422,
      body: { code: 'mfa_phone_enroll_not_enabled' },
    });
    expect(await enrolRaw({ factor_type: 'webauthn' })).toMatchObject({ status: 422, body: { code: 'mfa_webauthn_enroll_not_enabled' } });
    expect(await call('POST', 'factors', 'sb_publishable_key', { factor_type: 'totp' })).toMatchObject({
      status: 403,
      body: { code: 'bad_jwt' },
    });
    await enrol(client);
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' })).error).toMatchObject({
      status: 422,
      code: 'mfa_factor_name_conflict',
    });
    expect((await enrolRaw({ factor_type: 'totp' })).status).toBe(200);
    expect(await enrolRaw({ factor_type: 'totp', friendly_name: null })).toMatchObject({ body: { code: 'mfa_factor_name_conflict' } });
    const more = await Promise.all(Array.from({ length: 12 }, (_, index) => enrolRaw({ factor_type: 'totp', friendly_name: `f${index}` })));
    expect(more.filter(({ status }) => status === 200)).toHaveLength(8);
    expect(more.find(({ status }) => status !== 200)).toMatchObject({ status: 422, body: { code: 'too_many_enrolled_mfa_factors' } });
    // Old unverified factors are deleted and make room.
    await database.query(`update factors set created_at = created_at - interval '301 seconds' where user_id = $1`, [session.user.id]);
    expect((await enrolRaw({ factor_type: 'totp', issuer: 'Decola & Cia' })).body['totp']).toMatchObject({
      uri: expect.stringContaining('otpauth://totp/Decola%20%26%20Cia:') as unknown,
    });
    expect((await client.auth.mfa.listFactors()).data!.all).toHaveLength(1);
  });

  it('refuses challenges and codes as the contract says', async () => {
    const { client, session } = await newPerson();
    const { id, secret } = await enrol(client);
    const second = await enrol(client, 'Outro');
    const stranger = await newPerson();
    const token = session.access_token;
    for (const path of [`factors/${randomUUID()}/challenge`, `factors/${randomUUID()}/verify`])
      expect(await call('POST', path, token, { code: '1', challenge_id: randomUUID() })).toMatchObject({
        status: 404,
        body: { code: 'mfa_factor_not_found' },
      });
    expect(await call('POST', `factors/${id}/challenge`, stranger.session.access_token)).toMatchObject({
      status: 404,
      body: { code: 'mfa_factor_not_found' },
    });
    expect(await call('DELETE', `factors/${id}`, stranger.session.access_token)).toMatchObject({ status: 404 });
    expect(await call('POST', 'factors/nenhum/challenge', token)).toMatchObject({ status: 404, body: { code: 'validation_failed' } });
    const challenge = (await call('POST', `factors/${id}/challenge`, token)).body['id'] as string;
    const verify = (body: unknown, headers?: Record<string, string>, factorId = id) =>
      call('POST', `factors/${factorId}/verify`, token, body, headers);
    const code = codeOf(secret);
    expect(await verify({ challenge_id: challenge, code: '' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await verify({ challenge_id: challenge, code: 123456 })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    for (const [unknown, factorId] of [
      [randomUUID(), id],
      ['nenhum', id],
      [challenge, second.id],
    ] as const)
      expect(await verify({ challenge_id: unknown, code }, {}, factorId)).toMatchObject({
        status: 422,
        body: { code: 'mfa_factor_not_found' },
      });
    expect(await verify({ challenge_id: challenge, code }, clientAddressHeaders('198.51.100.9', testSigningKey))).toMatchObject({
      status: 422,
      body: { code: 'mfa_ip_address_mismatch' },
    });
    await database.query(`update factor_challenges set created_at = created_at - interval '301 seconds' where id = $1`, [challenge]);
    expect(await verify({ challenge_id: challenge, code })).toMatchObject({ status: 422, body: { code: 'mfa_challenge_expired' } });
    expect(await verify({ challenge_id: challenge, code })).toMatchObject({ status: 422, body: { code: 'mfa_factor_not_found' } });
    const fresh = (await call('POST', `factors/${id}/challenge`, token)).body['id'] as string;
    expect((await verify({ challenge_id: fresh, code })).status).toBe(200);
    expect(await verify({ challenge_id: fresh, code: codeOf(secret, 1) })).toMatchObject({
      status: 422,
      body: { code: 'mfa_ip_address_mismatch' },
    });
  });

  it('refuses every code after ten wrong ones, also the right one', async () => {
    const { client, session } = await newPerson();
    const { id, secret } = await enrol(client);
    const challenge = (await call('POST', `factors/${id}/challenge`, session.access_token)).body['id'] as string;
    const tryCode = (code: string) => call('POST', `factors/${id}/verify`, session.access_token, { challenge_id: challenge, code });
    const tries = await Promise.all(Array.from({ length: 14 }, () => tryCode(wrongCodeOf(secret))));
    expect(tries.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(4);
    expect(await tryCode(codeOf(secret))).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
    await database.query(`update security_events set at = at - interval '301 seconds' where user_id = $1`, [session.user.id]);
    expect((await tryCode(codeOf(secret))).status).toBe(200);
  });

  it('refuses codes after fifty wrong ones within a day, tells until when, and for no longer', async () => {
    const { email, factor } = await protect();
    const { session } = await signIn(email);
    const token = session.access_token;
    const challenge = (await call('POST', `factors/${factor.id}/challenge`, token)).body['id'] as string;
    const later = (seconds: number) =>
      database.query(`update security_events set at = at - make_interval(secs => $2) where user_id = $1`, [session.user.id, seconds]);
    const tryCode = (code: string) =>
      fetch(`${identity.url}/auth/v1/factors/${factor.id}/verify`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
        body: JSON.stringify({ challenge_id: challenge, code }),
      });
    for (let round = 0; round < 5; round += 1) {
      const tries = await Promise.all(Array.from({ length: 10 }, () => tryCode(wrongCodeOf(factor.secret))));
      expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 422));
      await later(301);
    }
    const refused = await tryCode(codeOf(factor.secret, 1));
    expect(refused.status).toBe(429);
    const [row] = await database.query<[{ until: Date }]>(
      `select wrong_codes_since + interval '1 day' as until from factors where id = $1`,
      [factor.id],
    );
    expect(await refused.json()).toEqual({
      code: 'over_request_rate_limit',
      message: `Too many wrong codes in one day: this factor takes no code before ${row.until.toISOString()}`,
    });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    // The next day.
    await database.query(`update factors set wrong_codes_since = wrong_codes_since - interval '1 day' where id = $1`, [factor.id]);
    expect((await tryCode(wrongCodeOf(factor.secret))).status).toBe(422);
    expect((await tryCode(codeOf(factor.secret, 1))).status).toBe(200);
  });
});

describe('the key ring of second factors', () => {
  it('encrypts a secret again with the first key when its code is accepted', async () => {
    const [old, fresh] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const identity = await startIdentity({ FACTOR_KEY_RING: `novo:${fresh},velho:${old}` });
    try {
      const client = identity.client();
      await client.auth.signUp({ email: 'chave@example.com', password: strongPassword });
      await markMailboxProven(identity, 'chave@example.com');
      const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
      const database = identity.app.get(DataSource);
      const sealedBefore = new Sealer(parseKeyRing(`velho:${old}`)).seal(data!.totp.secret, `factor:${data!.id}`);
      await database.query('update factors set sealed_secret = $2 where id = $1', [data!.id, sealedBefore]);
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId: data!.id, code: codeOf(data!.totp.secret) });
      expect(error).toBeNull();
      const [row] = await database.query<{ sealed_secret: string }[]>('select sealed_secret from factors');
      expect(row!.sealed_secret).toMatch(/^v1\.novo\./);
    } finally {
      await identity.stop();
    }
  });
});
