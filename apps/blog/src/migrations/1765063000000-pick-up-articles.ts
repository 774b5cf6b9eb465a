import { deliveryStates } from '@decola/contracts';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const checkOf = (states: readonly string[]) =>
  `alter table deliveries drop constraint deliveries_state_check,
     add constraint deliveries_state_check check (state in (${states.map((state) => `'${state}'`).join(', ')})) not valid`;

const statements = [
  // `pickup_asked_at`: when the site's plugin last asked for articles. `pickup_code`: why our calls do not get in, so that deliveries wait for the plugin.
  // `pickup_operation`: what was handed out to it and is not reported yet.
  `alter table sites
    add column pickup_asked_at timestamptz,
    add column pickup_code text,
    add column pickup_operation jsonb`,
  // Requests of plugins of the last hour: a repeated one is refused, and too many are.
  `create table pickup_requests (
    site_id uuid not null references sites on delete cascade,
    message_id text not null,
    at timestamptz not null,
    primary key (site_id, message_id))`,

  checkOf(deliveryStates),
];

/** Sites that let no call in ask for their articles. */
export class PickUpArticles1765063000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`update deliveries set state = 'blocked', next_attempt_at = null where state = 'waiting_pickup'`);
    await query.query(checkOf(deliveryStates.filter((state) => state !== 'waiting_pickup')));
    await query.query('drop table pickup_requests');
    await query.query('alter table sites drop column pickup_asked_at, drop column pickup_code, drop column pickup_operation');
  }
}
