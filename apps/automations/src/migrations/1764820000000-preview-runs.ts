import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Dry runs of automations. `run_id`, `plan` and `session_id` are those of its visit; null where no page is opened.
  `create table previews (
    id uuid primary key,
    automation_id uuid not null,
    user_id uuid not null,
    account_key text,
    session_id uuid,
    run_id uuid unique,
    plan jsonb,
    state text not null check (state in ('waiting', 'reading', 'done', 'failed')),
    reason text,
    items jsonb not null default '[]',
    page_views integer not null default 0,
    ends_at timestamptz,
    expires_at timestamptz,
    seen_at timestamptz,
    created_at timestamptz not null,
    finished_at timestamptz,
    constraint previews_end_when_they_are_over check ((finished_at is null) = (state in ('waiting', 'reading'))),
    constraint previews_have_a_run_while_they_wait check (finished_at is not null or run_id is not null))`,
  // At most one at a time.
  `create unique index previews_open on previews (automation_id) where state in ('waiting', 'reading')`,
  `create index previews_by_automation on previews (automation_id, created_at desc)`,
  `create index previews_by_owner on previews (user_id, created_at desc)`,
  `create index previews_by_age on previews (created_at)`,
];

/** Adds the table of previews. */
export class PreviewRuns1764820000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table previews');
  }
}
