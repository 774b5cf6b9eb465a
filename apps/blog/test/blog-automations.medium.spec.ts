import { randomUUID } from 'node:crypto';
import { articleDue, type BlogAutomationFacts, blogAutomationDeleted, blogAutomationSaved, userDeleted } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { eventually, publishTestEvent, type ServiceUnderTest, serviceUnderTest, tracesOf } from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';

describe('copies of blog automations, and what is due', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations },
    );
  });
  afterAll(() => service?.dispose());

  const facts = (more: Partial<BlogAutomationFacts> = {}): BlogAutomationFacts => ({
    blogAutomationId: randomUUID(),
    userId: randomUUID(),
    origin: 'customer',
    keyword: 'bolos, pães',
    theme: 'Confeitaria',
    categories: null,
    webhookUrl: 'https://blog.example/wp-json/decola/v1/events',
    schedule: { type: 'weekly', time: '09:00', days: [1], dayOfMonth: null },
    settings: { tone: 'leve' },
    isActive: true,
    revision: 1,
    ...more,
  });
  /** Publishes messages one after another, and waits until each is handled. */
  const tell = async (...messages: (readonly [Parameters<typeof publishTestEvent>[1], object])[]) => {
    for (const [definition, payload] of messages) {
      const id = await publishTestEvent(service.broker.url, definition, payload as never);
      await eventually(async () =>
        expect(await service.dataSource.query('select 1 from inbox where message_id = $1', [id])).toHaveLength(1),
      );
    }
  };
  const copies = (id: string) =>
    service.dataSource.query<Record<string, unknown>[]>(
      'select user_id, origin, keyword, theme, categories, webhook_url, schedule, settings, is_active, revision from blog_automation_copies where id = $1',
      [id],
    );
  const dues = (id: string) =>
    // Not their state: the writer takes them on its own time.
    service.dataSource.query<{ local_date: string; keyword: string }[]>(
      'select local_date::text, keyword from due_articles where blog_automation_id = $1 order by occurrence_at',
      [id],
    );
  const due = ({ blogAutomationId, userId }: BlogAutomationFacts, occurrenceAt: string, automation?: BlogAutomationFacts) =>
    [articleDue, { blogAutomationId, userId, occurrenceAt, keyword: 'bolos', theme: null, ...(automation ? { automation } : {}) }] as const;

  it('are as they were told last, in whichever order events arrive, and gone when their automation is', async () => {
    const one = facts();
    const newer = { ...one, keyword: 'tortas', isActive: false, settings: {}, revision: 3 };
    await tell([blogAutomationSaved, one], [blogAutomationSaved, newer], [blogAutomationSaved, { ...one, keyword: 'velho', revision: 2 }]);
    expect(await copies(one.blogAutomationId)).toEqual([
      {
        user_id: one.userId,
        origin: 'customer',
        keyword: 'tortas',
        theme: 'Confeitaria',
        categories: null,
        webhook_url: one.webhookUrl,
        schedule: one.schedule,
        settings: {},
        is_active: false,
        revision: '3',
      },
    ]);
    await tell([blogAutomationDeleted, one], [blogAutomationSaved, { ...newer, revision: 4 }]);
    expect(await copies(one.blogAutomationId)).toEqual([]);
  });

  it('are also stored by a due article, whose automation was not heard of', async () => {
    const one = facts({ origin: 'customer' });
    await tell(due(one, '2026-11-23T12:00:00.000Z', one));
    expect(await copies(one.blogAutomationId)).toMatchObject([{ keyword: 'bolos, pães', revision: '1' }]);
    expect(await dues(one.blogAutomationId)).toEqual([{ local_date: '2026-11-23', keyword: 'bolos' }]);
  });

  it('give a day of Brasília one article, when its time is moved as well as when its event comes twice', async () => {
    const one = facts();
    await tell(
      due(one, '2026-11-23T12:00:00.000Z'),
      due(one, '2026-11-23T12:00:00.000Z'),
      due(one, '2026-11-23T18:00:00.000Z'), // moved from 09:00 to 15:00
      due(one, '2026-11-24T02:30:00.000Z'), // 23:30 of the same day there
      due(one, '2026-11-24T03:00:00.000Z'), // the next day
    );
    expect((await dues(one.blogAutomationId)).map(({ local_date: day }) => day)).toEqual(['2026-11-23', '2026-11-24']);
  });

  it('are erased with their customer, and none comes back', async () => {
    const one = facts();
    await tell([blogAutomationSaved, one], due(one, '2026-11-23T12:00:00.000Z', one));
    await tell([userDeleted, { userId: one.userId, deletedAt: new Date().toISOString() }]);
    await tell([blogAutomationSaved, { ...one, revision: 2 }], due(one, '2026-11-24T12:00:00.000Z', one));
    expect([await copies(one.blogAutomationId), await dues(one.blogAutomationId)]).toEqual([[], []]);
    expect(await tracesOf(service.database.url, { id: one.userId })).toEqual(['erased_users: id']);
  });
});
