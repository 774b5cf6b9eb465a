import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['sessions', 'security_events'];

/** Limits the length of user agents and addresses, and adds the index by which old events are deleted. */
export class BoundSecurityEvents1763720000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const table of tables) {
      await query.query(`update ${table} set ip = left(ip, 64), user_agent = left(user_agent, 300)
        where length(ip) > 64 or length(user_agent) > 300`);
      await query.query(`alter table ${table} add constraint ${table}_origin_is_bounded
        check (length(ip) <= 64 and length(user_agent) <= 300)`);
    }
    await query.query('create index security_events_by_age on security_events (at)');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop index security_events_by_age');
    for (const table of tables) await query.query(`alter table ${table} drop constraint ${table}_origin_is_bounded`);
  }
}
