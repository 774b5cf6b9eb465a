import type { MigrationInterface, QueryRunner } from 'typeorm';

const before = `'{"session_ended": true, "blocked": true, "plan_shrank": true}'::jsonb`;
const added = `'{"wheel_leads": true, "wheel_stock": true}'::jsonb`;

/** Mails about a customer's wheels, which they may stop, too. */
export class NoticesOfWheels1764860000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`alter table profiles alter column notices set default ${before} || ${added}`);
    await query.query(`update profiles set notices = ${added} || notices where not notices ?& array['wheel_leads', 'wheel_stock']`);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`alter table profiles alter column notices set default ${before}`);
    await query.query(`update profiles set notices = notices - 'wheel_leads' - 'wheel_stock'`);
  }
}
