import { customerChanged, liveTables, runFinished, runPage, userDeleted } from '@decola/contracts';
import { type CollectedEvent, collectEvents, eventually } from '@decola/testing';
import { DataSource } from 'typeorm';
import { bench, type Bench, endOf, pageOf, people } from './support.js';

describe('a list that grows', () => {
  let place: Bench;
  let db: DataSource;
  let heard: { events: CollectedEvent[]; dispose(): Promise<void> };

  beforeAll(async () => {
    place = await bench();
    db = place.app.get(DataSource);
    heard = await collectEvents(place.broker.url, customerChanged.type);
  });
  afterAll(async () => {
    await heard?.dispose();
    await place?.dispose();
  });

  /** Changes of a person that were announced while `work` ran. */
  async function announcedBy(userId: string, work: () => Promise<unknown>) {
    const own = () => heard.events.filter(({ subject }) => subject === userId);
    const sent = async () => {
      await place.settle();
      await eventually(async () => expect(await db.query('select 1 from outbox where sent_at is null')).toEqual([]));
      const stored: unknown[] = await db.query('select 1 from outbox where subject = $1 and type = $2', [userId, customerChanged.type]);
      await eventually(() => expect(own().length).toBeGreaterThanOrEqual(stored.length));
    };
    await sent();
    const before = own().length;
    await work();
    await sent();
    return own()
      .slice(before)
      .map(({ payload }) => customerChanged.schema.parse(payload));
  }

  it('is announced to its owner with each page that brings somebody, and at its end; once per message', async () => {
    const owner = await place.open();
    const change = {
      userId: owner.userId,
      tables: ['extracted_data', 'get_extracted_slots', 'get_latest_extraction'],
      automationId: owner.automationId,
      accountId: null,
    };
    const page = await announcedBy(owner.userId, () => place.publish(runPage, pageOf(owner, 0, people(1, 5))));
    expect(page.map((each) => ({ ...each, tables: each.tables.toSorted() }))).toEqual([change]);
    expect(change.tables.filter((table) => !liveTables.some((known) => known === table))).toEqual([]);
    const end = await announcedBy(owner.userId, () => place.publish(runFinished, endOf(owner, {})));
    expect(end.length).toBeLessThanOrEqual(1);
    const nothing = await announcedBy(owner.userId, () =>
      db.query('update extracted_data set collected_at = now() where id = $1', [owner.listId]),
    );
    expect(nothing).toEqual([]);
  });

  it('leaves no message about an owner who is erased', async () => {
    const owner = await place.open();
    await place.publish(userDeleted, { userId: owner.userId, deletedAt: new Date().toISOString() });
    await place.settle();
    await eventually(async () => expect(await db.query('select 1 from extracted_data where user_id = $1', [owner.userId])).toEqual([]));
    expect(await db.query('select 1 from outbox where subject = $1', [owner.userId])).toEqual([]);
  });
});
