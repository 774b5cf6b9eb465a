import { randomUUID } from 'node:crypto';
import { testDatabase, type TestDatabase } from '@decola/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../src/migrations/index.js';

describe('the migrations of articles', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await testDatabase({ migrations });
    dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.dispose();
  });

  const asSuperuser = async (statement: string) => {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };

  it('can be reverted and applied again, and keep the rows of the version before', async () => {
    const query = dataSource.createQueryRunner();
    const rows = <Row>(statement: string, parameters: unknown[] = []) => query.query(statement, parameters) as Promise<Row[]>;
    const from = migrations.findIndex(({ name }) => name === 'CopyBlogAutomations1764910000000');
    const newer = migrations.slice(from).map((Migration) => new Migration());
    const shape = () =>
      rows(`select table_name, column_name, data_type, is_nullable, column_default, generation_expression from information_schema.columns
        where table_schema = current_schema() order by 1, 2`);
    const whole = await shape();

    // With rows of the new version, too.
    await query.query(`insert into blog_articles (slug, title, content, published) values ('de-depois', 'De depois', '<p>Olá</p>', true)`);
    await query.query(`update blog_articles set slug = 'de-depois-ainda' where slug = 'de-depois'`);
    await query.query(`insert into user_tokens (user_id, token, token_type) values ($1, $2, 'webhook')`, [randomUUID(), 'x'.repeat(1_500)]);
    await query.query(`insert into article_runs (user_id, origin, keyword) values ($1, 'editorial', 'café')`, [randomUUID()]);
    for (const migration of [...newer].reverse()) await migration.down(query);
    expect(await rows('select slug, title from blog_articles')).toEqual([{ slug: 'de-depois-ainda', title: 'De depois' }]);
    await query.query('delete from blog_articles');
    await query.query('delete from user_tokens');
    await query.query('delete from outbox');

    const [user, automation] = [randomUUID(), randomUUID()];
    await query.query(
      `insert into blog_articles (slug, title, excerpt, content, tags, published, created_at, view_count) values
        ('publicado', 'Automações que vendem', 'Um resumo', '<p>Olá</p>', '{Vendas,Ação}', true, '2026-05-01T12:00Z', 7),
        ('rascunho', 'Rascunho', null, '', '{}', false, '2026-05-02T12:00Z', 0)`,
    );
    await query.query(`insert into user_tokens (user_id, token, token_type) values ($1, 'em claro', 'webhook')`, [user]);
    // 09:00 and 15:00 of one day in Brasília, and 23:30 of that day, which is the next one in UTC.
    await query.query(
      `insert into due_articles (user_id, blog_automation_id, occurrence_at, keyword, received_at)
       select $1, $2, at::timestamptz, 'café', now() from unnest(array['2026-05-01T12:00Z', '2026-05-01T18:00Z', '2026-05-02T02:30Z', '2026-05-02T12:00Z']) at`,
      [user, automation],
    );
    for (const migration of newer) await migration.up(query);

    expect(await shape()).toEqual(whole);
    expect(
      await rows(
        `select slug, view_count, published_at = created_at as dated, withdrawn_at, image, word_count from blog_articles order by slug`,
      ),
    ).toEqual([
      { slug: 'publicado', view_count: 7, dated: true, withdrawn_at: null, image: null, word_count: null },
      { slug: 'rascunho', view_count: 0, dated: null, withdrawn_at: null, image: null, word_count: null },
    ]);
    // Articles that stand are found, with accents and without, and nobody is told that they were published today.
    expect(await rows(`select slug from blog_articles where search @@ plainto_tsquery('simple', 'automacoes')`)).toEqual([
      { slug: 'publicado' },
    ]);
    expect(await rows(`select slug from blog_articles where folded like '%acao%'`)).toEqual([{ slug: 'publicado' }]);
    expect(await rows('select 1 from outbox')).toEqual([]);
    // One article of each day in Brasília stays, and none of them is written now.
    expect(await rows(`select occurrence_at, local_date::text, state from due_articles order by 1`)).toEqual([
      { occurrence_at: new Date('2026-05-01T12:00Z'), local_date: '2026-05-01', state: 'skipped' },
      { occurrence_at: new Date('2026-05-02T12:00Z'), local_date: '2026-05-02', state: 'skipped' },
    ]);
    expect(await rows('select token from user_tokens')).toEqual([{ token: 'em claro' }]);
    await query.release();
  });

  it('name what a superuser has to run in a database without the extensions', async () => {
    const query = dataSource.createQueryRunner();
    const from = migrations.findIndex(({ name }) => name === 'CopyBlogAutomations1764910000000');
    const newer = migrations.slice(from).map((Migration) => new Migration());
    for (const migration of [...newer].reverse()) await migration.down(query);
    await asSuperuser('drop extension pg_trgm');
    await expect(newer[0]!.up(query)).rejects.toThrow('create extension "pg_trgm" schema public;');
    await asSuperuser('create extension pg_trgm schema public');
    for (const migration of newer) await migration.up(query);
    await query.release();
  });
});
