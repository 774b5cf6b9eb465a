import { randomUUID } from 'node:crypto';
import { subscriptionChanged } from '@decola/contracts';
import { eventually, publishTestEvent, testCaller } from '@decola/testing';
import { type IdentityUnderTest, signUp, startIdentity } from './support.js';

describe('profiles', () => {
  let identity: IdentityUnderTest;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity.stop());

  it('keeps the profile’s copy of the subscription, newest last, and lets people write their name alone', async () => {
    const { user } = await signUp(identity);
    const planId = randomUUID();
    const state = (subscribed: boolean) => ({
      subscribed,
      plan_id: subscribed ? planId : null,
      plan_key: subscribed ? ('pro' as const) : null,
      plan_name: subscribed ? 'Pro' : null,
      max_slots: subscribed ? 3 : 0,
      subscription_status: subscribed ? 'active' : 'canceled',
      subscription_end: '2026-12-21T12:00:00.000Z',
      is_trial: false,
      trial_ends_at: null,
      is_canceled: !subscribed,
      is_past_due: false,
      will_renew: subscribed,
    });
    await publishTestEvent(
      identity.broker.url,
      subscriptionChanged,
      { user_id: user.id, sequence: 2, cause: 'subscribed', state: state(true), previous: null },
      { subject: user.id },
    );
    await publishTestEvent(
      identity.broker.url,
      subscriptionChanged,
      { user_id: user.id, sequence: 1, cause: 'ended', state: state(false), previous: null },
      { subject: user.id },
    );
    const own = identity.client(testCaller(user.id));
    await eventually(async () => {
      const { data } = await own
        .from('profiles')
        .select('subscription_status,subscription_plans(name,max_slots)')
        .eq('user_id', user.id)
        .single();
      expect(data).toEqual({ subscription_status: 'active', subscription_plans: { name: 'Pro', max_slots: 3 } });
    });
    expect((await own.from('profiles').update({ full_name: 'Ana Nova' }).eq('user_id', user.id)).status).toBe(204);
    expect((await own.from('profiles').update({ subscription_status: 'active' }).eq('user_id', user.id)).error).toMatchObject({
      code: '42501',
    });
    expect((await own.from('user_roles').insert({ user_id: user.id, role: 'admin_master' })).error).toMatchObject({ code: '42501' });
    expect((await identity.client(testCaller(randomUUID())).from('profiles').select('*')).data).toEqual([]);
    expect((await identity.client().from('profiles').select('*')).data ?? []).toEqual([]);
  });
});
