import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when access tokens of each signing key may live, for operators who remove a key. */
export class NoteUsesOfTokenKeys1765110000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table token_key_uses (kid text primary key, live_until timestamptz not null)');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table token_key_uses');
  }
}
