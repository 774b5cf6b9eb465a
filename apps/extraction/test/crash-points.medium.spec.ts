import { automationCreated, type CollectedPerson, runFinished, runPage } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { type CrashScenario, forEachCrashPoint, type Invariants, publishTestEvent, sizeOf } from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';
import { endOf, extractor, ownEnvironment, pageOf, people } from './support.js';

interface Facts {
  owner: ReturnType<typeof extractor>;
  /** Pages as the network shows them: some people stand on two. */
  pages: CollectedPerson[][];
}

/** Everybody once, however many pages show them. */
const truthOf = ({ pages }: Facts) => new Set(pages.flat().map(({ userId }) => userId));

const twoPages = [people(1, 12), people(11, 22)];

const scenario: CrashScenario<Facts> = {
  service: { name: 'extraction', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
  migrations,
  environment: ownEnvironment,
  prepare: async (world) => {
    const owner = extractor();
    const { listId: _, ...facts } = owner;
    await publishTestEvent(world.broker.url, automationCreated, facts);
    return { owner, pages: sizeOf({ gate: twoPages, long: [...twoPages, people(21, 30)] }) };
  },
  drive: async (world, { owner, pages }) => {
    const total = truthOf({ owner, pages }).size;
    for (const [number, rows] of pages.entries()) {
      await publishTestEvent(world.broker.url, runPage, pageOf(owner, number, rows));
      await world.rest();
    }
    const end = endOf(owner, { nextPage: pages.length, profileTotal: total, state: 'pass_ended' });
    await publishTestEvent(world.broker.url, runFinished, end);
  },
};

const invariants: Invariants<Facts> = {
  'the rows are the people of the network, each once': async (world, facts) => {
    const rows = await world.query<{ id: string; position: number }>(
      'select network_user_id as id, position from collected_people where extracted_data_id = $1 order by position',
      [facts.owner.listId],
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual([...truthOf(facts)].toSorted());
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
  },
  'the counts are right': async (world, facts) => {
    const total = truthOf(facts).size;
    expect(await world.query('select total_records, profile_total, state from extracted_data where id = $1', [facts.owner.listId])).toEqual(
      [{ total_records: total, profile_total: total, state: 'complete' }],
    );
    expect(
      await world.query('select page, rows, fresh from stored_pages where extracted_data_id = $1 order by page', [facts.owner.listId]),
    ).toEqual([
      { page: 0, rows: 12, fresh: 12 },
      { page: 1, rows: 12, fresh: 10 },
      ...sizeOf({ gate: [], long: [{ page: 2, rows: 10, fresh: 8 }] }),
    ]);
  },
  'its end is told once': (world, facts) => {
    const told = new Map(world.events.filter(({ type }) => type.startsWith('extraction.')).map((event) => [event.id, event]));
    expect([...told.values()].map(({ type, payload }) => [type, payload['totalRecords'] ?? payload['collected']])).toEqual([
      ['extraction.pass_ended', truthOf(facts).size],
      ['extraction.completed', truthOf(facts).size],
    ]);
  },
};

describe('an extraction whose service dies', () => {
  it('at any place is complete, without anybody twice', async () => {
    await forEachCrashPoint(scenario, { invariants, points: sizeOf({ gate: 'kinds', long: 'all' }) });
  }, 1_200_000);
});
