import { randomUUID } from 'node:crypto';
import type { CollectedComment } from '@decola/contracts';
import type { Database } from '@decola/database';
import { testDatabase, type TestDatabase } from '@decola/testing';
import { DataSource } from 'typeorm';
import { storeComments } from '../src/lists/store-comments.js';
import { storePeople } from '../src/lists/store-people.js';
import { migrations } from '../src/migrations/index.js';
import { people } from './support.js';

interface PlanNode {
  'Relation Name'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const long = 20_000;
const pageRows = 200;
const seen = '2026-11-21T12:00:00Z';
const later = '2026-11-21T13:00:00Z';

const comment = (id: number): CollectedComment => ({
  commentId: String(1_000_000 + id),
  userId: String(id),
  username: `pessoa.${id}`,
  fullName: '',
  isPrivate: null,
  isVerified: false,
  hasStory: null,
  text: 'Lindo!',
  commentedAt: seen,
  likeCount: null,
  replyTo: null,
});

const kinds = {
  people: {
    table: 'collected_people',
    fill: `insert into collected_people (extracted_data_id, network_user_id, position, username, full_name, is_private, is_verified, has_story, collected_at)
      select $1, (1000000 + n)::text, n, 'pessoa.' || n, '', false, false, false, '${seen}' from generate_series(1, $2::int) n`,
    store: (db: Database, list: { id: string; total_records: number }, from: number) =>
      storePeople(db, list, people(from, from + pageRows - 1), later),
  },
  comments: {
    table: 'collected_comments',
    fill: `insert into collected_comments (extracted_data_id, comment_id, position, network_user_id, username, full_name, is_verified, text, commented_at, collected_at)
      select $1, (1000000 + n)::text, n, n::text, 'pessoa.' || n, '', false, 'Lindo!', '${seen}', '${seen}' from generate_series(1, $2::int) n`,
    store: (db: Database, list: { id: string; total_records: number }, from: number) =>
      storeComments(
        db,
        list,
        Array.from({ length: pageRows }, (_, index) => comment(from + index)),
        later,
      ),
  },
};

/** PostgreSQL plans by statistics, which know nothing of a list that began after they were gathered. */
describe('a page of a long list after a short one', () => {
  let database: TestDatabase;
  let db: DataSource;

  beforeAll(async () => {
    database = await testDatabase({ migrations });
    db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  });
  afterAll(async () => {
    await db?.destroy();
    await database?.dispose();
  });

  async function listOf(kind: keyof typeof kinds, count: number): Promise<string> {
    const [automationId, userId, id] = [randomUUID(), randomUUID(), randomUUID()];
    await db.query(
      `insert into automations (automation_id, user_id, type, name, is_draft, extracted_data_id, revision)
       values ($1, $2, 'followers-following-extractor', 'Lista', false, $3, 1)`,
      [automationId, userId, id],
    );
    await db.query(`insert into extracted_data (id, user_id, automation_id, data_type) values ($1, $2, $3, 'followers')`, [
      id,
      userId,
      automationId,
    ]);
    await db.query(kinds[kind].fill, [id, count]);
    return id;
  }

  /** Rows of its table that PostgreSQL reads while it stores a page. */
  async function rowsRead(kind: keyof typeof kinds, list: { id: string; total_records: number }, from: number): Promise<number> {
    let rows = 0;
    const count = (node: PlanNode) => {
      if (node['Relation Name'] === kinds[kind].table)
        rows += node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
      node.Plans?.forEach(count);
    };
    const explaining = {
      query: async (sql: string, values?: unknown[]) => {
        const [{ 'QUERY PLAN': plans }] = await db.query<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>(
          `explain (analyze, format json) ${sql}`,
          values,
        );
        count(plans[0].Plan);
        return [];
      },
    };
    await kinds[kind].store(explaining as unknown as Database, list, from);
    return rows;
  }

  it.each(['people', 'comments'] as const)('of %s costs PostgreSQL what the page has, not what the list has', async (kind) => {
    await listOf(kind, 50);
    await db.query(`analyze ${kinds[kind].table}`);
    const id = await listOf(kind, long);
    // Half of the page is in the list already.
    expect(await rowsRead(kind, { id, total_records: long }, long - pageRows / 2 + 1)).toBeLessThanOrEqual(3 * pageRows);
    expect(await db.query(`select max(position)::int as last from ${kinds[kind].table} where extracted_data_id = $1`, [id])).toEqual([
      { last: long + pageRows / 2 },
    ]);
  });
});
