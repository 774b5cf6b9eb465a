import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // The leads of a wheel are one list, opened by the first of them.
  `create unique index extracted_data_one_of_leads on extracted_data (automation_id) where data_type = 'leads'`,

  // A lead's position in its list is its number in the wheel: it never changes, whatever is erased before it.
  `create table leads (
    participation_id uuid primary key,
    extracted_data_id uuid not null references extracted_data (id) on delete cascade,
    position integer not null,
    username text not null,
    fields jsonb not null,
    prize_name text not null,
    prize_type text not null,
    code text not null,
    captured_at timestamptz not null,
    constraint leads_one_per_position unique (extracted_data_id, position))`,
  `create index leads_by_age on leads (captured_at)`,
];

export class KeepLeads1764820000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table leads');
    await query.query('drop index extracted_data_one_of_leads');
  }
}
