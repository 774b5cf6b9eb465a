import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { articleDue, articleWritten, type BlogAutomationFacts, blogAutomationSaved, nextScheduleOccurrence } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import {
  type CrashScenario,
  forEachCrashPoint,
  type Invariants,
  publishTestEvent,
  type SandboxModel,
  sandboxModel,
  sizeOf,
  testSigningKey,
  type World,
} from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';

/** Runs at once. Each has a model of its own: what it was asked belongs to one run. */
const lanes = 3;
/** Calls of an article that the gate accepts at once. Its cover is left out: pictures have tests of their own. */
const steps = ['topics', 'outline', 'draft', 'review'];
/** Long enough that nobody renews it meanwhile: how often would depend on the machine. */
const leaseMs = 600_000;

interface Facts {
  automation: BlogAutomationFacts;
  occurrenceAt: string;
}

interface ModelRequest {
  schemaName: string | null;
  isStreamed: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A schedule by which an article was due three hours ago, and is not again before tomorrow. */
function dueThreeHoursAgo() {
  const atMs = Date.now() - 3 * hourMs;
  const schedule = { type: 'daily' as const, time: new Date(atMs - 3 * hourMs).toISOString().slice(11, 16), days: null, dayOfMonth: null };
  return { schedule, occurrenceAt: nextScheduleOccurrence(schedule, new Date(atMs - minuteMs))!.toISOString() };
}

describe('blog that dies', () => {
  let models: SandboxModel[] = [];
  beforeAll(async () => {
    models = await Promise.all(Array.from({ length: lanes }, () => sandboxModel()));
  });
  afterAll(() => Promise.all(models.map((model) => model.stop())));

  /** How many instances of each lane have started in this run. */
  const instances = Array.from({ length: lanes }, () => 0);

  const scenario: CrashScenario<Facts> = {
    service: { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
    migrations,
    environment: (lane) => ({
      ...{ AI_BASE_URL: models[lane]!.baseUrl, AI_API_KEY: 'sandbox-test', AI_MODEL: 'sandbox-text', AI_STRUCTURED: 'json_schema' },
      ...{ ARTICLE_LEASE_SECONDS: String(leaseMs / 1_000), AI_RETRY_SECONDS: '0,0,0' },
      ...{ WEBHOOK_TOKEN_KEY_RING: `k1:${testSigningKey}`, IMAGES_DIR: path.join(tmpdir(), 'decola-test-images') },
      ...{ SITE_URL: 'https://decola.example', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_KEY_RING: `k1:${testSigningKey}` },
      MAIL_FROM: 'Decola <nao-responda@decola.example>',
      // Nothing is sent to a site here.
      DELIVERY_INTERVAL_MS: '600000',
    }),
    outside: ['AI_BASE_URL'],
    restoreOutside: async (lane) => {
      instances[lane] = 0;
      await models[lane]!.control('POST', 'reset');
    },
    // Each instance starts when the lease of the one before has run out, and need not wait for that.
    onStart: (app, lane) => {
      const aheadMs = 2 * leaseMs * instances[lane]!++;
      Object.assign(app.get(Clock), { now: () => new Date(Date.now() + aheadMs) });
    },
    prepare: () => {
      const { schedule, occurrenceAt } = dueThreeHoursAgo();
      const automation: BlogAutomationFacts = {
        ...{ blogAutomationId: randomUUID(), userId: randomUUID(), origin: 'customer', keyword: 'pão de fermentação natural' },
        ...{ theme: 'Padaria artesanal', categories: 'Receitas, Dicas', webhookUrl: 'https://www.padaria.example/' },
        ...{ settings: { approval: 'never', image: false }, schedule, isActive: true, revision: 1 },
      };
      return Promise.resolve({ automation, occurrenceAt });
    },
    drive: async (world, { automation, occurrenceAt }) => {
      const { blogAutomationId, userId, keyword, theme } = automation;
      const subject = { subject: blogAutomationId };
      await publishTestEvent(world.broker.url, blogAutomationSaved, automation, subject);
      await world.rest();
      await publishTestEvent(world.broker.url, articleDue, { blogAutomationId, userId, occurrenceAt, keyword, theme, automation }, subject);
    },
  };

  const asked = async ({ lane }: World) =>
    (await models[lane]!.control<{ requests: ModelRequest[] }>('GET', 'requests')).requests.map(({ schemaName, isStreamed }) =>
      isStreamed ? 'draft' : schemaName,
    );

  const invariants: Invariants<Facts> = {
    'one article is approved, and waits for its delivery once': async (world, { automation: { userId, blogAutomationId } }) => {
      expect(
        await world.query(
          `select r.state as run, a.state as article, a.revision, d.revision as delivered, t.state as due, topic.state as topic
           from article_runs r left join customer_articles a on a.id = r.article_id left join deliveries d on d.article_id = a.id
             left join due_articles t on t.run_id = r.id left join topics topic on topic.run_id = r.id
           where r.user_id = $1 and r.blog_automation_id = $2`,
          [userId, blogAutomationId],
        ),
      ).toEqual([{ run: 'approved', article: 'approved', revision: 1, delivered: 1, due: 'written', topic: 'written' }]);
    },
    'it is told once': (world, { automation: { blogAutomationId } }) => {
      const told = new Map(world.events.filter(({ type }) => type === articleWritten.type).map((event) => [event.id, event]));
      expect([...told.values()].map(({ payload }) => payload['blogAutomationId'])).toEqual([blogAutomationId]);
    },
    'no finished step is paid again: at most the one call is repeated in which the service died': async (world) => {
      const calls = await asked(world);
      expect(calls.filter((call, index) => call !== calls[index - 1])).toEqual(steps);
      expect(calls.length).toBeLessThanOrEqual(steps.length + 1);
    },
    'what was booked is what the calls used': async (world, { automation: { userId } }) => {
      const [sums] = await world.query<{ calls: number; run: number; month: number; open: number }>(
        `select (select sum(input_tokens + output_tokens)::int from ai_calls) as calls, (select sum(tokens)::int from article_runs) as run,
           (select sum(tokens)::int from ai_months where user_id = $1) as month, (select count(*)::int from ai_calls where outcome = 'open') as open`,
        [userId],
      );
      expect(sums).toEqual({ calls: sums!.run, run: sums!.run, month: sums!.run, open: 0 });
      expect(sums!.run).toBeGreaterThan(0);
    },
  };

  it('at any place writes one article, tells of it once, and pays for no finished step again', async () => {
    const report = await forEachCrashPoint(scenario, { invariants, points: sizeOf({ gate: 'own', long: 'all' }), parallel: lanes });
    expect(report.unmet).toEqual([]);
  }, 2_400_000);
});
