import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last page of a pass says how the pass ended and which run read it; `is_judged` is set once that was processed. */
export class EndPassesByPages1764200000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `alter table stored_pages add column end_state text, add column ended_by uuid, add column is_judged boolean not null default false,
         add constraint stored_pages_known_end check (end_state in ('pass_ended', 'limited_by_network', 'empty_but_profile_shows_more')),
         add constraint stored_pages_end_has_run check ((end_state is null) = (ended_by is null))`,
    );
    await query.query(
      `create index stored_pages_unjudged on stored_pages (extracted_data_id) where end_state is not null and not is_judged`,
    );
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table stored_pages drop column end_state, drop column ended_by, drop column is_judged');
  }
}
