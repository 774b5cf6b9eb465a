import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Where a list goes on. A list that an earlier version was reading gets its row when it is first used (`loadPlace`).
  `create table list_places (
    extracted_data_id uuid primary key references extracted_data (id) on delete cascade,
    pass integer not null,
    next_page integer not null,
    cursor text,
    reading uuid,
    late_fresh integer not null default 0,
    ended_run uuid,
    ended_page integer,
    ended_pass integer,
    ended_state text,
    constraint list_places_end_is_whole check (num_nulls(ended_run, ended_page, ended_pass, ended_state) in (0, 4)))`,
  // Where the list goes on after a page; null at the end of a pass, and for pages that an earlier version stored.
  `alter table stored_pages add column cursor text`,
  // Code of `state_reason`. Null for a list that an earlier version closed.
  `alter table extracted_data add column end_reason text`,
];

export class OwnPlacesOfLists1764600000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table list_places');
    await query.query('alter table stored_pages drop column cursor');
    await query.query('alter table extracted_data drop column end_reason');
  }
}
