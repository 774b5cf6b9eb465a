import { randomUUID } from 'node:crypto';
import { customerNeeded, type PayloadOf, subscriptionChanged, trialEnding, userUpdated } from '@decola/contracts';
import {
  authenticated,
  type CrashScenario,
  eventually,
  forEachCrashPoint,
  type Invariants,
  publishTestEvent,
  sizeOf,
  testMailServer,
  type TestMailServer,
  testRedis,
  type World,
} from '@decola/testing';
import { migrations } from '../src/migrations/index.js';
import { call, freshEmail, ownEnvironment, service, strongPassword } from './support.js';

/** Runs at once. Each has a mail server of its own: what it received belongs to one run. */
const lanes = 3;
const newName = 'Ana Nova';
/** Subjects of the mails. The second one takes the same steps as the first. */
const subjects = sizeOf({
  gate: ['Seu teste grátis termina em breve'],
  long: ['Seu teste grátis termina em breve', 'O Instagram pediu uma confirmação em @padaria'],
});

interface Facts {
  userId: string;
  email: string;
  /** What billing says one after another: the trial, and what was bought after it. */
  subscriptions: PayloadOf<typeof subscriptionChanged>[];
}

function subscriptionsOf(userId: string): Facts['subscriptions'] {
  const trial = {
    subscribed: true,
    plan_id: randomUUID(),
    plan_key: 'starter',
    plan_name: 'Starter',
    max_slots: 1,
    subscription_status: 'trialing',
    subscription_end: '2099-12-01T12:00:00.000Z',
    is_trial: true,
    trial_ends_at: '2099-12-01T12:00:00.000Z',
    is_canceled: false,
    is_past_due: false,
    will_renew: true,
  } as const;
  const bought = {
    ...trial,
    plan_id: randomUUID(),
    plan_key: 'pro',
    plan_name: 'Pro',
    max_slots: 3,
    subscription_status: 'active',
    subscription_end: '2100-01-01T12:00:00.000Z',
    is_trial: false,
    trial_ends_at: null,
  } as const;
  return [
    { user_id: userId, sequence: 1, cause: 'trial_started', state: trial, previous: null },
    { user_id: userId, sequence: 2, cause: 'subscribed', state: bought, previous: { subscribed: true, plan_key: 'starter', max_slots: 1 } },
  ];
}

/** Ids of the events that a run was told, in order. */
const told = new WeakMap<World, string[]>();

describe('identity that dies', () => {
  const redis = testRedis();
  const environment = ownEnvironment({ redis, smtpUrl: '' });
  let mailServers: TestMailServer[] = [];
  beforeAll(async () => {
    mailServers = await Promise.all(Array.from({ length: lanes }, () => testMailServer()));
  });
  afterAll(() => Promise.all([redis.dispose(), ...mailServers.map((server) => server.stop())]));

  /** `rest` knows nothing of mails: they wait in a table of their own. */
  const nothingQueued = (world: World) =>
    eventually(async () => expect(await world.query('select kind, tries from mail_outbox')).toEqual([]), { timeoutMs: 60_000 });

  const scenario: CrashScenario<Facts> = {
    service,
    migrations,
    environment: (lane) => ({ ...environment, SMTP_URL: mailServers[lane]!.url }),
    restoreOutside: (lane) => {
      mailServers[lane]!.mails.length = 0;
      return Promise.resolve();
    },
    prepare: async (world) => {
      const email = freshEmail();
      const { status } = await call(world, 'POST', 'signup', { body: { email, password: strongPassword } });
      if (status !== 200) throw new Error(`the sign-up was answered ${status}`);
      const [user] = await world.query<{ id: string }>('select id from users where email = $1', [email]);
      return { userId: user!.id, email, subscriptions: subscriptionsOf(user!.id) };
    },
    drive: async (world, { userId, subscriptions }) => {
      const ids: string[] = [];
      told.set(world, ids);
      const tell = async (publish: (subject: { subject: string }) => Promise<string>) => {
        ids.push(await publish({ subject: userId }));
        await world.rest();
        await nothingQueued(world);
      };
      const { url } = world.broker;
      const trial = { user_id: userId, plan_name: 'Starter', trial_ends_at: '2099-12-01T12:00:00.000Z', amount: 4900 };
      await tell((subject) => publishTestEvent(url, trialEnding, trial, subject));
      if (subjects.length > 1) {
        // A mail that its reader may switch off: whether it is wanted is read in the transaction that sends it.
        const stop = { userId, cause: 'blocked', stop: 'challenge', account: '@padaria', automations: 1, until: null } as const;
        await tell((subject) => publishTestEvent(url, customerNeeded, { ...stop, at: new Date().toISOString() }, subject));
      }
      for (const change of subscriptions) await tell((subject) => publishTestEvent(url, subscriptionChanged, change, subject));
      await world.attempt(async () => {
        const answer = await fetch(`${world.url}/rest/v1/profiles?user_id=eq.${userId}`, {
          method: 'PATCH',
          headers: { ...authenticated(userId), 'content-type': 'application/json' },
          body: JSON.stringify({ full_name: newName }),
        });
        if (!answer.ok) throw new Error(`the profile was answered ${answer.status} ${await answer.text()}`);
      });
    },
  };

  const invariants: Invariants<Facts> = {
    'each event is in the inbox': async (world) => {
      const rows = await world.query<{ id: string }>('select message_id as id from inbox');
      expect(rows.map(({ id }) => id).toSorted()).toEqual(told.get(world)!.toSorted());
    },
    // A mail may arrive twice, when its service died before it noted that it was sent. Its id is that of its row in the queue.
    'each notice is queued once, and sent': (world, { email }) => {
      const { mails } = mailServers[world.lane]!;
      const distinct = new Map(mails.map(({ messageId, to, subject }) => [messageId, { to, subject }]));
      expect([...distinct.values()]).toEqual(subjects.map((subject) => ({ to: email, subject })));
    },
    'no mail waits': async (world) => expect(await world.query('select kind from mail_outbox')).toEqual([]),
    'the profile says what was told last, and the new name': async (world, { userId, subscriptions }) => {
      const { state, sequence } = subscriptions.at(-1)!;
      expect(
        await world.query(
          `select full_name, subscription_status, subscription_end, current_plan_id, subscription_sequence::int as sequence
           from profiles where user_id = $1`,
          [userId],
        ),
      ).toEqual([
        {
          full_name: newName,
          subscription_status: state.subscription_status,
          subscription_end: new Date(state.subscription_end!),
          current_plan_id: state.plan_id,
          sequence,
        },
      ]);
    },
    'each plan is known': async (world, { subscriptions }) => {
      expect(await world.query('select id, key, name, max_slots from subscription_plans order by max_slots')).toEqual(
        subscriptions.map(({ state }) => ({ id: state.plan_id, key: state.plan_key, name: state.plan_name, max_slots: state.max_slots })),
      );
    },
    'the new name is told once': (world, { userId, email }) => {
      const updates = new Map(world.events.filter(({ type }) => type === userUpdated.type).map((event) => [event.id, event]));
      expect([...updates.values()].map(({ payload }) => payload)).toMatchObject([{ userId, email, fullName: newName }]);
    },
  };

  it('at any place queues each notice once and sends it, and its profiles follow billing', async () => {
    const report = await forEachCrashPoint(scenario, {
      invariants,
      points: sizeOf({ gate: 'own', long: 'all' }),
      parallel: lanes,
    });
    expect(report.unmet).toEqual([]);
  }, 1_200_000);
});
