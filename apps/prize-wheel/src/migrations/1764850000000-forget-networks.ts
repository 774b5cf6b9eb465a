import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ForgetNetworks1764850000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    // Few rows: those of the last 30 days.
    await query.query('create index participations_with_network on prize_wheel_participations (created_at) where network_key is not null');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop index participations_with_network');
  }
}
