import { customerChanged } from '@decola/contracts';
import { announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A UUID of version 3 (a name's MD5) of the account and the days, so that the same row keeps its id. */
const idOfDays = `overlay(overlay(md5(c.id::text || 'follow-backs' || k.days) placing '3' from 13) placing '8' from 17)::uuid`;

const timeZoneOf = (user: string) => `coalesce((select u.time_zone from customers u where u.user_id = ${user}), 'America/Sao_Paulo')`;

const announcedTables = ['account_activity', 'account_pauses'];

const statements = [
  // The kind of the run, also after the run was deleted.
  `alter table run_diary add column kind text`,
  `update run_diary d set kind = r.kind from runs r where r.id = d.run_id`,
  `drop index run_diary_by_automation`,
  // With user_id first although an automation has one owner: every read has both conditions, and run_diary_by_owner would look as good to the planner.
  `create index run_diary_newest on run_diary (user_id, automation_id, at desc, id desc)`,
  // For what is rare in a long diary; what is frequent is found soon among the newest rows.
  `create index run_diary_by_outcome on run_diary (user_id, automation_id, outcome, at desc, id desc)`,
  `create index run_diary_by_action on run_diary (user_id, automation_id, action, at desc, id desc)`,
  `create index run_diary_by_skip on run_diary (user_id, automation_id, skip_reason, at desc, id desc) where skip_reason is not null`,
  `create index run_diary_by_run on run_diary (run_id, at desc, id desc)`,
  // An automation has one owner: without this the planner multiplies both conditions, and expects far fewer rows than there are.
  `create statistics run_diary_owners (dependencies) on user_id, automation_id from run_diary`,
  /*
   * The search for a part of a name. Each three characters in a row of a name become a number together with the diary's owner, so that a search
   * reads nothing of other customers. (pg_trgm would need a privilege on the database that the service's role does not have.)
   */
  `create function diary_name_keys(owner uuid, name text) returns bigint[] language sql immutable strict parallel safe as $$
     select coalesce(array_agg(distinct hashtextextended(owner::text || substr(lower(name), place, 3), 0)), '{}')
     from generate_series(1, length(name) - 2) place $$`,
  // Without fastupdate: a list of pending entries would be read from end to end by each search.
  `create index run_diary_by_name on run_diary using gin (diary_name_keys(user_id, target_username)) with (fastupdate = off)`,

  // What an account did of one action on a day of its customer's time zone.
  `create table account_activity (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    instagram_account_id uuid not null references instagram_accounts (id) on delete cascade,
    day date not null,
    action text not null,
    confirmed integer not null default 0 check (confirmed >= 0),
    skipped integer not null default 0 check (skipped >= 0),
    refused integer not null default 0 check (refused >= 0),
    unconfirmed integer not null default 0 check (unconfirmed >= 0),
    constraint account_activity_once unique (instagram_account_id, day, action))`,
  `create index account_activity_by_owner on account_activity (user_id, day desc)`,
  `create index account_activity_by_day on account_activity (day)`,
  `insert into account_activity (user_id, instagram_account_id, day, action, confirmed, skipped, refused, unconfirmed)
   select c.user_id, c.id, (d.tried_at at time zone ${timeZoneOf('c.user_id')})::date, d.action,
     count(*) filter (where d.outcome in ('confirmed', 'requested')), count(*) filter (where d.outcome = 'skipped'),
     count(*) filter (where d.outcome = 'refused'), count(*) filter (where d.outcome = 'not_confirmed')
   from (select distinct on (coalesce(reservation_id, id)) user_id, run_id, action, outcome,
           min(at) over (partition by coalesce(reservation_id, id)) as tried_at
         from run_diary where at > now() - interval '90 days' and outcome <> 'unknown'
         order by coalesce(reservation_id, id), outcome in ('confirmed', 'requested') desc, at desc) d
   join runs r on r.id = d.run_id
   join instagram_accounts c on c.user_id = d.user_id and c.account_key = r.account_key
   group by 1, 2, 3, 4`,

  // Pauses of customers' accounts, also those that are over. part: null for the whole account.
  `create table account_pauses (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    instagram_account_id uuid not null references instagram_accounts (id) on delete cascade,
    cause text not null,
    part text,
    began_at timestamptz not null,
    until timestamptz,
    resolved_at timestamptz)`,
  `create index account_pauses_by_account on account_pauses (instagram_account_id, began_at desc)`,
  `create index account_pauses_by_owner on account_pauses (user_id, began_at desc)`,
  `create index account_pauses_by_begin on account_pauses (began_at)`,
  `insert into account_pauses (user_id, instagram_account_id, cause, part, began_at, until)
   select c.user_id, c.id, a.paused_cause, null, a.paused_since, a.paused_until from instagram_accounts c
   join network_accounts a on a.account_key = c.account_key where c.proven_at is not null and a.paused_cause is not null and a.paused_until > now()
   union all
   select c.user_id, c.id, p.cause, p.action, p.since, p.until from instagram_accounts c
   join account_action_pauses p on p.account_key = c.account_key where c.proven_at is not null and p.until > now()
   union all
   select user_id, id, stop_cause, null, stopped_at, null from instagram_accounts where stop_cause is not null
   union all
   select user_id, id, 'customer', null, now(), paused_until from instagram_accounts where paused_until > now()`,

  // Of a follow: when a run saw the person again, and whether they followed the account then. followed_before: they did before our follow.
  `alter table account_actions add column seen_again_at timestamptz, add column follows_back boolean, add column followed_before boolean`,
  `create view follow_backs as
   select ${idOfDays} as id, c.user_id, c.id as instagram_account_id, k.days, f.followed, f.seen, f.followed_back
   from instagram_accounts c
   cross join (values (3), (7), (14)) as k (days)
   cross join lateral (
     select count(*)::int as followed, count(*) filter (where o.is_seen)::int as seen,
       count(*) filter (where o.is_seen and o.follows_back)::int as followed_back
     from (select l.follows_back, l.seen_again_at >= l.settled_at + k.days * interval '1 day' as is_seen from account_actions l
       where l.account_key = c.account_key and l.action = 'follow' and l.state = 'confirmed' and l.user_id = c.user_id
         and l.followed_before is not true and l.reserved_at > now() - interval '90 days'
         and l.settled_at <= now() - k.days * interval '1 day') o) f
   where c.proven_at is not null`,

  // When a run last showed that the network accepts the session.
  `alter table instagram_sessions add column seen_good_at timestamptz`,

  ...announceChanges(
    customerChanged,
    announcedTables.map((table) => ({ table, shows: [table], account: 'c.instagram_account_id' })),
  ),
];

/** Adds what customers read about their automations' diary and their accounts: activity by day, follow-backs, and past pauses. */
export class ShowDiaryAndAccounts1764800000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges(announcedTables)) await query.query(statement);
    await query.query('alter table instagram_sessions drop column seen_good_at');
    await query.query('drop view follow_backs');
    await query.query('alter table account_actions drop column seen_again_at, drop column follows_back, drop column followed_before');
    await query.query('drop table account_pauses');
    await query.query('drop table account_activity');
    await query.query(
      'drop index run_diary_by_name, run_diary_by_skip, run_diary_by_action, run_diary_by_outcome, run_diary_by_run, run_diary_newest',
    );
    await query.query('drop statistics run_diary_owners');
    await query.query('drop function diary_name_keys');
    await query.query('create index run_diary_by_automation on run_diary (automation_id, at desc)');
    await query.query('alter table run_diary drop column kind');
  }
}
