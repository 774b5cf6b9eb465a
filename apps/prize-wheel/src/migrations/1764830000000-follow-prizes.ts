import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // `valid_until`: when a prize that nobody collected expires. `erased_at`: since then nothing of the row points at a person.
  `alter table prize_wheel_participations add column valid_until timestamptz, add column erased_at timestamptz`,
  `create index participations_to_expire on prize_wheel_participations (valid_until) where state = 'won' and valid_until is not null`,
  `create index participations_to_erase on prize_wheel_participations (automation_id, created_at) where erased_at is null`,

  // Parts of the configuration that draws and jobs need, and the lowest level of the stock that the owner was told of (0 none, 1 low, 2 sold out).
  `alter table wheel_draws add column ends_at timestamptz, add column valid_days integer, add column announced smallint not null default 0`,
  `create index draws_to_end on wheel_draws (ends_at) where is_open and ends_at is not null`,
  `alter table wheel_prizes add column announced smallint not null default 0, add column has_coupons boolean not null default false`,

  // Handles whose data were erased, as HMACs: they may not spin the wheel again.
  `create table erased_handles (
    automation_id uuid not null references wheels (automation_id) on delete cascade,
    handle_key bytea not null,
    primary key (automation_id, handle_key))`,

  // Prizes that give each winner a coupon of their own, and these coupons, sealed. \`code_key\`: HMAC, so that no coupon stands twice.
  `create table coupon_prizes (
    automation_id uuid not null references wheels (automation_id) on delete cascade,
    prize_id text not null,
    primary key (automation_id, prize_id))`,
  `create table prize_codes (
    id bigint generated always as identity primary key,
    automation_id uuid not null,
    prize_id text not null,
    code_key bytea not null,
    code_sealed text not null,
    participation_id uuid,
    constraint codes_of_prize foreign key (automation_id, prize_id) references coupon_prizes (automation_id, prize_id) on delete cascade,
    constraint codes_once unique (automation_id, prize_id, code_key))`,
  `create index codes_in_order on prize_codes (automation_id, prize_id, id)`,
  `create index codes_free on prize_codes (automation_id, prize_id, id) where participation_id is null`,
  `create unique index codes_by_participation on prize_codes (participation_id) where participation_id is not null`,

  // When a wheel's figures and chain were compared last, and what did not fit.
  `create table wheel_checks (
    automation_id uuid primary key references wheels (automation_id) on delete cascade,
    checked_at timestamptz not null,
    fault text)`,
];

export class FollowPrizes1764830000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table wheel_checks, prize_codes, coupon_prizes, erased_handles');
    await query.query('alter table wheel_prizes drop column announced, drop column has_coupons');
    await query.query('drop index draws_to_end');
    await query.query('alter table wheel_draws drop column ends_at, drop column valid_days, drop column announced');
    await query.query('drop index participations_to_expire, participations_to_erase');
    await query.query('alter table prize_wheel_participations drop column valid_until, drop column erased_at');
  }
}
