import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { subscriptionChanged, subscriptionState } from '@decola/contracts';
import { eventually, publishTestEvent, testCaller } from '@decola/testing';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { call, freshEmail, type IdentityUnderTest, startIdentity, strongPassword } from './support.js';

const newKey = (kid: string) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid };
};
const signUp = async (at: IdentityUnderTest) => {
  const email = freshEmail();
  const { body } = await call(at, 'POST', 'signup', { body: { email, password: strongPassword } });
  const {
    access_token: access,
    refresh_token: refresh,
    user,
  } = body as { access_token: string; refresh_token: string; user: { id: string } };
  return { email, access, refresh, id: user.id };
};
const signIn = (at: IdentityUnderTest, email: string, password = strongPassword) =>
  call(at, 'POST', 'token?grant_type=password', { body: { email, password } });
const refresh = (at: IdentityUnderTest, token: string) =>
  call(at, 'POST', 'token?grant_type=refresh_token', { body: { refresh_token: token } });

describe('session settings', () => {
  it.each([
    ['SESSION_TIMEBOX_SECONDS', 'created_at', 'Invalid Refresh Token: Session Expired'],
    ['SESSION_INACTIVITY_SECONDS', 'refreshed_at', 'Invalid Refresh Token: Session Expired (Inactivity)'],
  ])('%s ends refreshes', async (setting, column, message) => {
    const identity = await startIdentity({ [setting]: '3600' });
    try {
      const person = await signUp(identity);
      const first = await refresh(identity, person.refresh);
      expect(first.status).toBe(200);
      const database = await new DataSource({ type: 'postgres', url: identity.database.url }).initialize();
      await database.query(`update sessions set ${column} = now() - interval '2 hours' where user_id = $1`, [person.id]);
      expect(await refresh(identity, String(first.body['refresh_token']))).toMatchObject({
        status: 400,
        body: { code: 'session_expired', message },
      });
      await database.destroy();
    } finally {
      await identity.stop();
    }
  });

  it('SINGLE_SESSION and SESSION_LOW_AAL_SECONDS end refreshes', async () => {
    const identity = await startIdentity({ SINGLE_SESSION: 'true', SESSION_LOW_AAL_SECONDS: '600' });
    try {
      const person = await signUp(identity);
      const newer = await signIn(identity, person.email);
      expect(await refresh(identity, person.refresh)).toMatchObject({
        status: 400,
        body: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)' },
      });
      const token = String(newer.body['refresh_token']);
      const database = await new DataSource({ type: 'postgres', url: identity.database.url }).initialize();
      await database.query(`update sessions set created_at = created_at - interval '1 hour' where user_id = $1`, [person.id]);
      const refreshed = await refresh(identity, token);
      expect(refreshed.status).toBe(200);
      await database.query(`insert into factors (id, user_id, status, sealed_secret) values ($1, $2, 'verified', 'x')`, [
        randomUUID(),
        person.id,
      ]);
      // The access token expires with the ten minutes that the session may stay at aal1.
      const capped = await signIn(identity, person.email);
      expect(capped.body['expires_in']).toBeLessThanOrEqual(600);
      const { iat, exp } = decodeJwt(String(capped.body['access_token']));
      expect(exp! - iat!).toBe(capped.body['expires_in']);
      expect(await refresh(identity, String(refreshed.body['refresh_token']))).toMatchObject({
        body: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)' },
      });
      await database.destroy();
    } finally {
      await identity.stop();
    }
  });
});

describe('keys of access tokens', () => {
  it('rotate without logging anybody out: published before they sign, accepted until they are removed', async () => {
    const [oldKey, newerKey] = [newKey('old'), newKey('newer')];
    const before = await startIdentity({ TOKEN_KEYS: JSON.stringify([oldKey]) });
    const same = { DATABASE_URL: before.database.url };
    const during = await startIdentity({ ...same, TOKEN_KEYS: JSON.stringify([newerKey, oldKey]) });
    const after = await startIdentity({ ...same, TOKEN_KEYS: JSON.stringify([newerKey]) });
    try {
      const person = await signUp(before);
      const published = await call(during, 'GET', '.well-known/jwks.json');
      expect((published.body['keys'] as { kid: string }[]).map(({ kid }) => kid)).toEqual(['newer', 'old']);
      expect(JSON.stringify(published.body)).not.toContain('"d"');
      expect((await call(during, 'GET', 'user', { token: person.access })).status).toBe(200);
      expect(await call(after, 'GET', 'user', { token: person.access })).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
      const renewed = await refresh(after, person.refresh);
      expect((await call(after, 'GET', 'user', { token: String(renewed.body['access_token']) })).status).toBe(200);
    } finally {
      await Promise.all([before.stop(), during.stop(), after.stop()]);
    }
  });
});

describe('other rules of auth/v1', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity?.stop());

  it('accepts an old password that breaks today’s rules, and reports the weakness', async () => {
    const person = await signUp(identity);
    expect((await call(identity, 'PUT', 'user', { body: { password: 'abcdef' }, token: person.access })).status).toBe(200);
    const { status, body } = await signIn(identity, person.email, 'abcdef');
    expect(status).toBe(200);
    expect(body['weak_password']).toMatchObject({
      reasons: ['length', 'characters'],
      message: expect.stringContaining('Mínimo 8') as string,
    });
    expect((await signUp(identity)).access).toBeTruthy();
  });

  it.each([
    ['GET', 'callback', 'bad_oauth_callback'],
    ['GET', 'callback?state=x', 'bad_oauth_state'],
    ['GET', 'callback?code=1&state=3c4b4b6e-8f43-4a6e-9a43-0b3c6f0a1b2c', 'bad_oauth_state'],
    ['POST', 'callback', 'bad_oauth_callback'],
  ])('%s %s leads back to the site with %s', async (method, path, code) => {
    const { status, headers } = await call(identity, method, path, method === 'POST' ? { body: {} } : {});
    expect(status).toBe(303);
    const target = new URL(headers.get('location')!);
    expect(target.origin).toBe('http://decola.test');
    expect(Object.fromEntries(target.searchParams)).toMatchObject({ error: 'invalid_request', error_code: code });
  });

  it('keeps the newest data of a plan, whichever person’s event carried it', async () => {
    const [ana, bia] = [await signUp(identity), await signUp(identity)];
    const planId = randomUUID();
    const tell = (userId: string, name: string, slots: number, time: string) =>
      publishTestEvent(
        identity.broker.url,
        subscriptionChanged,
        {
          user_id: userId,
          sequence: 1,
          cause: 'subscribed',
          previous: null,
          state: subscriptionState.parse({
            subscribed: true,
            subscription_status: 'active',
            plan_id: planId,
            plan_key: 'pro',
            plan_name: name,
            max_slots: slots,
            subscription_end: '2026-12-21T00:00:00.000Z',
            is_trial: false,
            trial_ends_at: null,
            is_canceled: false,
            is_past_due: false,
            will_renew: true,
          }),
        },
        { subject: userId, time },
      );
    const planOf = async (userId: string) =>
      (await identity.client(testCaller(userId)).from('profiles').select('subscription_status,subscription_plans(name,max_slots)').single())
        .data;
    await tell(ana.id, 'Pro', 3, '2026-11-21T12:00:00.000Z');
    await eventually(async () => expect(await planOf(ana.id)).toMatchObject({ subscription_plans: { name: 'Pro' } }));
    await tell(bia.id, 'Pro antigo', 2, '2026-11-20T12:00:00.000Z');
    await eventually(async () => expect(await planOf(bia.id)).toMatchObject({ subscription_status: 'active' }));
    expect(await planOf(ana.id)).toMatchObject({ subscription_plans: { name: 'Pro', max_slots: 3 } });
  });
});
