import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the wrong codes of a factor over 24 hours from the first of them. */
export class WrongCodesOfADay1764310000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table factors add column wrong_codes integer not null default 0, add column wrong_codes_since timestamptz');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table factors drop column wrong_codes, drop column wrong_codes_since');
  }
}
