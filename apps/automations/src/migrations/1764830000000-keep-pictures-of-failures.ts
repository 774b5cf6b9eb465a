import { customerChanged } from '@decola/contracts';
import { announceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // What a page showed when an action failed, by the reservation of the action, or when the network stopped a run (no reservation).
  `create table run_pictures (
    id uuid primary key,
    user_id uuid not null,
    automation_id uuid not null,
    run_id uuid not null,
    reservation_id uuid,
    taken_at timestamptz not null,
    jpeg bytea not null check (octet_length(jpeg) <= 81920),
    constraint run_pictures_once unique nulls not distinct (run_id, reservation_id))`,
  // A JPEG does not become smaller.
  `alter table run_pictures alter column jpeg set storage external`,
  `create index run_pictures_by_owner on run_pictures (user_id)`,
  `create index run_pictures_by_time on run_pictures (taken_at)`,
  ...announceChanges(customerChanged, [{ table: 'run_pictures', shows: ['run_diary', 'automation_runs'], automation: 'c.automation_id' }]),
];

/** Adds the pictures of failed actions and stopped runs. */
export class KeepPicturesOfFailures1764830000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table run_pictures');
  }
}
