import { randomUUID } from 'node:crypto';
import {
  articleDue,
  type BlogAutomationFacts,
  type BlogSchedule,
  nextScheduleOccurrence,
  openStates,
  type PayloadOf,
  topicClash,
} from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import {
  collectEvents,
  eventually,
  type TestPublisher,
  testPublisher,
  type SandboxModel,
  sandboxModel,
  type ServiceUnderTest,
  serviceUnderTest,
} from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';

/** Days of the simulated calendar. `npm run soak` takes a year. */
const days = Number(process.env['WRITING_DAYS'] ?? 92);
const dayMs = 86_400_000;
/** 00:00 in Brasília. */
const firstDay = Date.parse('2026-12-01T03:00:00Z');

/** Days of a quarter on which something happens; they come again in the next one. */
const quarter = 92;
const providerDown = { from: 10, until: 14 };
const standstill = { from: 40, until: 43 };
const heldQueue = { from: 60, until: 62 };
const badDays: Readonly<Record<number, string>> = {
  20: 'server-error',
  21: 'cut-connection',
  22: 'rate-limit',
  23: 'bad-json',
  24: 'refusal',
};

interface Run {
  id: string;
  blog_automation_id: string;
  date: string;
  state: string;
  reason_code: string | null;
  article_id: string | null;
}

/** The test plays automations: it asks for the articles of two schedules, day by day, on a clock that it moves. */
describe(`the articles of ${days} days`, () => {
  let service: ServiceUnderTest;
  let model: SandboxModel;
  let automations: TestPublisher;
  let events: Awaited<ReturnType<typeof collectEvents>>;
  const query = <Row>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Row[]>(statement, parameters);
  let [base, setAt] = [firstDay, performance.now()];
  const now = () => new Date(base + performance.now() - setAt);
  const moveTo = (at: number) => ([base, setAt] = [at, performance.now()]);

  beforeAll(async () => {
    model = await sandboxModel();
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      {
        migrations,
        isDurable: false,
        environment: { AI_BASE_URL: model.baseUrl, AI_API_KEY: 'sandbox-test', AI_MODEL: 'sandbox-text', AI_RETRY_SECONDS: '0,0,0' },
      },
    );
    Object.assign(service.app.get(Clock), { now });
    events = await collectEvents(service.broker.url, 'article.*');
    automations = await testPublisher(service.broker.url);
  });
  afterAll(async () => {
    await Promise.all([events?.dispose(), automations?.close()]);
    await service?.dispose();
    await model?.stop();
  });

  const userId = randomUUID();
  const automation = (keyword: string, schedule: BlogSchedule): BlogAutomationFacts => ({
    ...{
      blogAutomationId: randomUUID(),
      userId,
      origin: 'editorial',
      keyword,
      theme: 'Marketing digital',
      categories: null,
      webhookUrl: null,
    },
    // Short ones without a picture, so that months take seconds.
    ...{ settings: { image: false, length: { min: 300, max: 450 } }, isActive: true, revision: 1 },
    schedule: { ...schedule, days: schedule.days ? [...schedule.days] : null },
  });
  const daily = automation('marketing digital, vendas no Instagram, conteúdo para redes', {
    ...{ type: 'daily', time: '09:00', days: null, dayOfMonth: null },
  });
  const weekly = automation('automação de mensagens, anúncios', { type: 'weekly', time: '15:00', days: [1, 4], dayOfMonth: null });

  const occurrenceOn = ({ schedule }: BlogAutomationFacts, day: number): Date | null => {
    const start = firstDay + day * dayMs;
    const next = nextScheduleOccurrence(schedule, new Date(start - 1));
    return next && next.getTime() < start + dayMs ? next : null;
  };
  /** Announces an article, twice, and once more as if its time of day had been moved after it was written. */
  const announce = async (facts: BlogAutomationFacts, at: Date): Promise<void> => {
    for (const laterMs of [0, 0, 3_600_000]) {
      const due: PayloadOf<typeof articleDue> = {
        ...{ blogAutomationId: facts.blogAutomationId, userId, keyword: facts.keyword, theme: facts.theme, automation: facts },
        occurrenceAt: new Date(at.getTime() + laterMs).toISOString(),
      };
      automations.publish(due, { type: articleDue.type, subject: facts.blogAutomationId });
    }
    const known = `select 1 from due_articles where blog_automation_id = $1 and local_date = ($2::timestamptz at time zone 'America/Sao_Paulo')::date`;
    await eventually(async () => expect(await query(known, [facts.blogAutomationId, at])).toHaveLength(1), { everyMs: 5 });
  };
  /** Waits until every run has ended, or waits for the provider until a later day. */
  const settled = () =>
    eventually(
      async () =>
        expect(
          await query(
            `select state from article_runs r where state = any($1) and not (state = 'waiting_provider' and retry_at > $2)
               and not (state = 'queued' and exists (
                 select 1 from article_runs o where o.blog_automation_id = r.blog_automation_id and o.state = 'waiting_provider' and o.retry_at > $2))`,
            [openStates, now()],
          ),
        ).toEqual([]),
      { timeoutMs: 90_000, everyMs: 10 },
    );

  it('are one for each date of each automation, whatever happens meanwhile, and no topic comes twice', async () => {
    const expected = new Set<string>();
    const troubled = new Set<string>();
    const keyOf = ({ blogAutomationId }: BlogAutomationFacts, at: Date) => `${blogAutomationId} ${at.toISOString().slice(0, 10)}`;
    const kept: [BlogAutomationFacts, Date][] = [];
    for (let day = 0; day < days; day += 1) {
      const place = day % quarter;
      const isIn = ({ from, until }: { from: number; until: number }) => place >= from && place <= until;
      moveTo(firstDay + day * dayMs + 16 * 3_600_000);
      if (place === providerDown.from) await model.control('POST', 'faults', { kind: 'quota', call: 'chat', times: null });
      if (place === providerDown.until) await model.control('DELETE', 'faults');
      if (badDays[place]) await model.control('POST', 'faults', { kind: badDays[place], call: 'chat', times: 1 });
      for (const facts of [daily, weekly]) {
        const at = occurrenceOn(facts, day);
        if (!at) continue;
        const key = keyOf(facts, at);
        if (isIn(providerDown) || isIn(heldQueue)) troubled.add(key);
        // After a standstill automations asks for the article that was due first, and goes on with its next date.
        if (isIn(standstill) && (facts === weekly || place !== standstill.from)) continue;
        expected.add(key);
        kept.push([facts, at]);
      }
      const isHeld = (isIn(standstill) && place !== standstill.until) || (isIn(heldQueue) && place !== heldQueue.until);
      if (isHeld) continue;
      for (const [facts, at] of kept.splice(0)) await announce(facts, at);
      // A late article waits for events of later dates for some seconds of this clock.
      if (place === standstill.until || place === heldQueue.until) moveTo(now().getTime() + 60_000);
      await settled();
    }
    const runs = await query<Run>(
      `select id, blog_automation_id, to_char(occurrence_at, 'YYYY-MM-DD') as date, state, reason_code, article_id from article_runs order by occurrence_at`,
    );
    expect(runs.map((run) => `${run.blog_automation_id} ${run.date}`).sort()).toEqual([...expected].sort());
    const written = runs.filter(({ article_id: id }) => id !== null);
    // What was not written is of the days when the provider refused everything, or when the queue delivered several days at once.
    for (const { blog_automation_id: id, date, state, reason_code: code } of runs.filter(({ article_id: article }) => article === null)) {
      expect([date, troubled.has(`${id} ${date}`), `${state} ${code}`]).toEqual([
        date,
        true,
        expect.stringMatching(/^(skipped missed|failed provider)$/) as unknown,
      ]);
    }
    expect(new Set(written.map(({ article_id: id }) => id)).size).toBe(written.length);
    const articles = await query<{ id: string; slug: string }>('select id, slug from blog_articles');
    expect(articles.map(({ id }) => id).sort()).toEqual(written.map(({ article_id: id }) => id!).sort());
    expect(written.length).toBeGreaterThanOrEqual(expected.size - troubled.size);

    const topics = await query<{ title: string; focusKeyword: string; run_id: string }>(
      `select title, focus_keyword as "focusKeyword", run_id from topics where state = 'written'`,
    );
    expect(topics.map(({ run_id: id }) => id).sort()).toEqual(written.map(({ id }) => id).sort());
    const clashes = topics.flatMap((topic, index) => topicClash(topic, topics.slice(0, index)) ?? []);
    expect(clashes).toEqual([]);

    const published = written.filter(({ state }) => state === 'published');
    // An article that the gate holds back is an exception.
    expect(published.length).toBeGreaterThan(written.length * 0.9);
    const told = () => events.events.filter(({ type }) => type === 'article.written').map(({ payload }) => payload['articleId'] as string);
    await eventually(() => expect(told().sort()).toEqual(published.map(({ article_id: id }) => id!).sort()), { timeoutMs: 30_000 });
    const [sums] = await query<{ calls: number; months: number; open: number; perRun: number }>(
      `select (select sum(input_tokens + output_tokens)::int from ai_calls) as calls, (select sum(tokens)::int from ai_months) as months,
         (select count(*)::int from ai_calls where outcome = 'open') as open, (select sum(tokens)::int from article_runs) as "perRun"`,
    );
    expect(sums).toEqual({ calls: sums!.months, months: sums!.months, open: 0, perRun: sums!.months });
  }, 3_600_000);
});
