import { type BrowserRun, customerNeeded, type PayloadOf, stopClasses, type StopClass, subscriptionChanged } from '@decola/contracts';
import { hourMs, person, RunKit } from './run-kit.js';
import { type Bench, cookieOf, extractorRow, followConfiguration, networkId, subscription } from './support.js';

const minuteMs = 60_000;

/** When the service publishes that something needs a customer. */
describe('customer.needed', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { later, tell, begin, act, reserveOne, finish, stopped } = kit;
  beforeAll(async () => {
    bench = await kit.start({ SESSION_CHECK_WAIT_MS: '60000' });
  });
  afterAll(() => kit.stop());

  const published = async (userId: string): Promise<PayloadOf<typeof customerNeeded>[]> => {
    const rows = await bench.db.query(
      `select payload, subject from outbox where type = $1 and payload ->> 'userId' = $2 order by position`,
      [customerNeeded.type, userId],
    );
    return rows.map(({ payload, subject }: { payload: unknown; subject: string }) => {
      expect(subject).toBe(userId);
      return customerNeeded.schema.parse(payload);
    });
  };
  const visitsOf = async (userId: string) =>
    (await bench.jobs()).filter((job) => job.userId === userId && job.plan.kind === 'check-session');
  const lastVisitOf = async (userId: string): Promise<BrowserRun> => {
    const visit = (await visitsOf(userId)).pop();
    if (!visit) throw new Error('no visit was asked for');
    return visit;
  };
  const visited = async (userId: string, stop: StopClass | null = null, more: Record<string, unknown> = {}) => {
    const visit = await lastVisitOf(userId);
    if (stop) await stopped(visit, kit.nextToken(), stop, more);
    else await finish(visit, kit.nextToken(), more);
  };
  const give = (userId: string, account: string) =>
    bench.call('POST', 'instagram_sessions', userId, { user_id: userId, session_id: 's', cookies: { raw_cookie: cookieOf(account) } });
  const press = (userId: string) =>
    bench.call('PATCH', `instagram_accounts?user_id=eq.${userId}`, userId, { resolved_at: kit.now.toISOString() });

  /** A customer with a session that was found good, and a run under way. `more` further automations of the account. */
  const working = async (account = networkId(), more = 0) => {
    const userId = await bench.customer(6);
    const id = await bench.made(userId, { configuration: followConfiguration(account) });
    await visited(userId, null, { username: `dona_${account}` });
    await bench.tick();
    const job = await bench.lastJobOf(id);
    for (let each = 0; each < more; each += 1)
      await bench.made(userId, {
        ...extractorRow(account),
        configuration: {
          ...(extractorRow(account).configuration as object),
          sessionCookie: '',
          sessionAccount: account,
          targets: `@alvo${each}`,
        },
      });
    return { userId, id, account, job, fence: await begin(job) };
  };

  const expected: Partial<Record<StopClass, { cause: string; stop?: StopClass; untilHours: number | null }>> = {
    session_ended: { cause: 'session_ended', untilHours: null },
    wrong_account: { cause: 'session_ended', untilHours: null },
    challenge: { cause: 'blocked', untilHours: null },
    suspended: { cause: 'blocked', untilHours: null },
    action_blocked: { cause: 'blocked', untilHours: 24 },
    action_blocked_long: { cause: 'blocked', untilHours: 72 },
    // Told in words that every release of identity knows.
    unrecognised: { cause: 'blocked', stop: 'action_blocked_long', untilHours: 72 },
  };

  it.each(Object.keys(expected) as StopClass[])('is published once for %s, however many automations of the account stop', async (stop) => {
    const { userId, account, job, fence } = await working(networkId(), 2);
    await stopped(job, fence, stop);
    const { cause, untilHours, stop: named = stop } = expected[stop]!;
    const [notice, ...others] = await published(userId);
    expect(others).toEqual([]);
    expect(notice).toEqual({
      ...{ userId, cause, stop: named, account: `@dona_${account}`, automations: 3, at: kit.now.toISOString() },
      until: untilHours === null ? null : new Date(kit.now.getTime() + untilHours * hourMs).toISOString(),
    });
    // The same report in another message.
    await stopped(job, fence, stop);
    expect(await published(userId)).toHaveLength(1);
  });

  it.each(stopClasses.filter((stop) => !expected[stop]))(
    'is not published for %s, which needs nothing of the customer now',
    async (stop) => {
      const { userId, job, fence } = await working();
      await stopped(job, fence, stop);
      expect(await published(userId)).toEqual([]);
    },
  );

  it('is published when people who review their followers turn out to be a block of the account', async () => {
    const { userId, job, fence } = await working();
    for (let time = 0; time < 2; time += 1)
      await act(job, fence, await reserveOne(job, person(), fence), 'skipped', { skipReason: 'target_reviewed' });
    expect(await published(userId)).toMatchObject([{ cause: 'blocked', stop: 'action_blocked', automations: 1 }]);
  });

  it('is published again when a block comes back after it was over', async () => {
    const { userId, id, job, fence } = await working();
    await stopped(job, fence, 'action_blocked');
    later(24 * hourMs + minuteMs);
    await bench.tick();
    const again = await bench.lastJobOf(id);
    expect(again.runId).not.toBe(job.runId);
    expect(await published(userId)).toHaveLength(1);
    await stopped(again, await begin(again), 'action_blocked');
    expect((await published(userId)).map(({ stop, automations }) => ({ stop, automations }))).toEqual([
      { stop: 'action_blocked', automations: 1 },
      { stop: 'action_blocked', automations: 1 },
    ]);
  });

  it('tells all customers of a challenged account, and each once while it lasts', async () => {
    const [ana, bia] = [await working(), { userId: await bench.customer(3) }];
    await bench.made(bia.userId, { configuration: followConfiguration(ana.account) });
    await visited(bia.userId, null);
    await stopped(ana.job, ana.fence, 'challenge');
    for (const { userId } of [ana, bia])
      expect(await published(userId)).toMatchObject([{ cause: 'blocked', stop: 'challenge', automations: 1 }]);
    // Another session of Ana's meets the same challenge: it lasts.
    expect((await give(ana.userId, ana.account)).status).toBe(201);
    await visited(ana.userId, 'challenge');
    for (const { userId } of [ana, bia]) expect(await published(userId)).toHaveLength(1);
  });

  it('is published again when the network still objects after the customer said that they resolved it', async () => {
    const { userId, job, fence } = await working();
    await stopped(job, fence, 'challenge');
    await press(userId);
    later(hourMs + minuteMs);
    await bench.tick();
    await visited(userId, 'challenge');
    expect(await published(userId)).toMatchObject([{ stop: 'challenge' }, { stop: 'challenge' }]);
  });

  it('is published when a kept session turns out to have ended, an hour after the customer left', async () => {
    const { userId, job, fence } = await working();
    await stopped(job, fence, 'challenge');
    await press(userId);
    later(hourMs + minuteMs);
    await bench.tick();
    await visited(userId, 'session_ended');
    expect(await published(userId)).toMatchObject([
      { cause: 'blocked' },
      { cause: 'session_ended', stop: 'session_ended', automations: 1 },
    ]);
  });

  it('is not published for a session that the customer has just pasted and that does not work, but when it ends later', async () => {
    const userId = await bench.customer(3);
    const account = networkId();
    const id = await bench.made(userId, { configuration: followConfiguration(account) });
    await visited(userId, 'session_ended');
    expect(await bench.automation(userId, id)).toMatchObject({ is_active: false, pause_cause: 'session_ended' });
    expect(await published(userId)).toEqual([]);
    await give(userId, account);
    await visited(userId);
    await bench.tick();
    const job = await bench.lastJobOf(id);
    const fence = await begin(job);
    await stopped(job, fence, 'session_ended');
    expect(await published(userId)).toMatchObject([{ cause: 'session_ended', automations: 1 }]);
  });

  it('tells nothing of an account to customers who have not proven it', async () => {
    const owner = await working();
    const stranger = await bench.customer(3);
    await bench.made(stranger, { configuration: followConfiguration(owner.account) });
    await stopped(owner.job, owner.fence, 'action_blocked');
    expect(await published(owner.userId)).toHaveLength(1);
    expect(await published(stranger)).toEqual([]);
  });

  it('is not published for what the customer did: switched off, paused the account, deleted the session', async () => {
    const { userId, id, job, fence } = await working();
    await finish(job, fence);
    await bench.call('PATCH', `instagram_accounts?user_id=eq.${userId}`, userId, {
      paused_until: new Date(kit.now.getTime() + hourMs).toISOString(),
    });
    await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: false });
    await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: true });
    await bench.call('DELETE', `instagram_sessions?user_id=eq.${userId}`, userId);
    later(2 * hourMs);
    await bench.tick();
    expect(await bench.automation(userId, id)).toMatchObject({ is_active: false });
    expect(await published(userId)).toEqual([]);
  });

  it('is not published when nothing of the customer was on any more', async () => {
    const { userId, id, job, fence } = await working();
    await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: false });
    await stopped(job, fence, 'session_ended');
    expect(await published(userId)).toEqual([]);
  });

  it('is published once when a smaller plan switches automations off, again when it shrinks further, and not when it grows', async () => {
    const userId = await bench.customer(3);
    const account = networkId();
    for (let each = 0; each < 3; each += 1)
      await bench.made(userId, { configuration: followConfiguration(account, { targets: `#alvo${each}` }) });
    const message = await tell(subscriptionChanged, subscription(userId, 1, 2));
    const shrunk = { userId, cause: 'plan_shrank', stop: null, account: null, automations: 2, at: kit.now.toISOString(), until: null };
    expect(await published(userId)).toEqual([shrunk]);
    await tell(subscriptionChanged, subscription(userId, 1, 2), message);
    await tell(subscriptionChanged, subscription(userId, 1, 3));
    await tell(subscriptionChanged, subscription(userId, 2, 4));
    expect(await published(userId)).toEqual([shrunk]);
    await tell(subscriptionChanged, subscription(userId, 0, 5));
    expect(await published(userId)).toEqual([shrunk, { ...shrunk, automations: 2 }]);
  });
});
