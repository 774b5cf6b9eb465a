import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // HMACs of a visitor's e-mail address and number; set only where the owner allows one participation for each.
  `alter table prize_wheel_participations add column email_key bytea, add column phone_key bytea`,
  `create unique index participations_one_per_email on prize_wheel_participations (automation_id, email_key) where blocks and email_key is not null`,
  `create unique index participations_one_per_phone on prize_wheel_participations (automation_id, phone_key) where blocks and phone_key is not null`,

  // The sentences of consent that each wheel showed, by the version that visitors send back.
  `create table wheel_consents (
    automation_id uuid not null references wheels (automation_id) on delete cascade,
    version text not null,
    sha256 bytea not null,
    texts jsonb not null,
    since timestamptz not null,
    primary key (automation_id, version))`,
];

export class LimitVisits1764820000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table wheel_consents');
    await query.query('alter table prize_wheel_participations drop column email_key, drop column phone_key');
  }
}
