import { randomUUID } from 'node:crypto';
import { articleDue, type BlogAutomationFacts, nextScheduleOccurrence } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import {
  authenticated,
  collectEvents,
  eventually,
  publishTestEvent,
  sandboxModel,
  serviceUnderTest,
  testMailServer,
} from '@decola/testing';
import { AppModule } from '../../src/app.module.js';
import { configSchema } from '../../src/config/config.js';
import { migrations } from '../../src/migrations/index.js';
import { answerAddresses } from './owner-addresses.js';

export interface RunOfCustomer {
  id: string;
  state: string;
  reason_code: string | null;
  reason: string | null;
  article_id: string | null;
  steps: Record<string, unknown>;
}

export interface StoredCustomerArticle {
  id: string;
  run_id: string;
  user_id: string;
  revision: number;
  title: string;
  content_html: string;
  category: string | null;
  claims: { quote: string; verdict: string }[];
  state: string;
  reason: string | null;
  image: { src: string } | null;
}

const dailyAtNine = { type: 'daily' as const, time: '09:00', days: null, dayOfMonth: null };

/** The service with a model, a mail server and somebody who knows the addresses of people. */
export async function customersUnderTest(environment: Record<string, string> = {}) {
  const [model, mailServer] = await Promise.all([sandboxModel(), testMailServer()]);
  const service = await serviceUnderTest(
    { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
    {
      migrations,
      environment: {
        ...{ AI_BASE_URL: model.baseUrl, AI_API_KEY: 'sandbox-test', AI_MODEL: 'sandbox-text', AI_RETRY_SECONDS: '0,0,0' },
        ...{ ARTICLE_RETRY_SECONDS: '1,1,1', ARTICLE_LEASE_SECONDS: '3', SMTP_URL: mailServer.url },
        // Nothing is sent to a site here.
        DELIVERY_INTERVAL_MS: '600000',
        ...environment,
      },
    },
  );
  const addresses = await answerAddresses(service.broker.url, (userId) => `${userId}@cliente.example`);
  const events = await collectEvents(service.broker.url, 'article.*');
  const query = <Row>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Row[]>(statement, parameters);

  const automationFacts = (change: Partial<BlogAutomationFacts> = {}): BlogAutomationFacts => ({
    ...{ blogAutomationId: randomUUID(), userId: randomUUID(), origin: 'customer', keyword: 'pão de fermentação natural, bolo caseiro' },
    ...{ theme: 'Padaria artesanal', categories: 'Receitas, Dicas', webhookUrl: 'https://www.padaria.example/wp-json/decola/v1/events' },
    ...{ settings: {}, isActive: true, revision: 1 },
    schedule: dailyAtNine,
    ...change,
  });
  const occurrence = (daysAgo = 0) => nextScheduleOccurrence(dailyAtNine, new Date(Date.now() - (daysAgo + 1) * 86_400_000))!.toISOString();
  const announceDue = (automation: BlogAutomationFacts, occurrenceAt = occurrence()) =>
    publishTestEvent(service.broker.url, articleDue, {
      ...{ blogAutomationId: automation.blogAutomationId, userId: automation.userId, occurrenceAt },
      ...{ keyword: automation.keyword, theme: automation.theme, automation },
    });
  const runsOf = ({ blogAutomationId }: BlogAutomationFacts) =>
    query<RunOfCustomer>('select * from article_runs where blog_automation_id = $1 order by occurrence_at', [blogAutomationId]);
  const articleOf = async ({ blogAutomationId }: BlogAutomationFacts) =>
    (await query<StoredCustomerArticle>('select * from customer_articles where blog_automation_id = $1', [blogAutomationId]))[0];
  /** Waits until the newest run of an automation is in this state. */
  const inState = (automation: BlogAutomationFacts, state: string) =>
    eventually(
      async () => {
        const run = (await runsOf(automation)).at(-1);
        expect([run?.state, run?.reason]).toEqual([state, run?.reason]);
        return run!;
      },
      { timeoutMs: 120_000 },
    );

  return {
    ...{ service, model, events, query, automationFacts, announceDue, occurrence, runsOf, articleOf, inState },
    mails: mailServer.mails,
    /** Has an article written. @returns it, when its run is in this state */
    async write(automation: BlogAutomationFacts, state: string) {
      await announceDue(automation);
      const run = await inState(automation, state);
      return { run, article: (await articleOf(automation))! };
    },
    async call(name: string, userId: string, body: unknown) {
      const response = await fetch(`${service.url}/functions/v1/${name}`, {
        method: 'POST',
        headers: { ...authenticated(userId), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as { success: boolean; error?: string; topics?: unknown[] } };
    },
    fault: (kind: string, more: Record<string, unknown> = {}) => model.control('POST', 'faults', { kind, ...more }),
    requests: async () =>
      (await model.control<{ requests: { call: string; schemaName: string | null; body: unknown }[] }>('GET', 'requests')).requests,
    /** What automations was told of the articles of an automation. */
    outcomesOf: ({ blogAutomationId }: BlogAutomationFacts) =>
      events.events
        .filter(({ type, payload }) => type !== articleDue.type && payload['blogAutomationId'] === blogAutomationId)
        .map(({ type, payload }) => [type, payload['code']]),
    async dispose() {
      await Promise.all([events.dispose(), addresses.close()]);
      await service.dispose();
      await Promise.all([model.stop(), mailServer.stop()]);
    },
  };
}

export type CustomersUnderTest = Awaited<ReturnType<typeof customersUnderTest>>;
