import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The same row keeps its id: a UUID of version 3 (a name's MD5) of the account and the kind. */
const idOfKind = `overlay(overlay(md5(c.id::text || k.action) placing '3' from 13) placing '8' from 17)::uuid`;

/** The view as before; only what counts towards a kind changes. */
const usageView = (actionsOfKinds: string) => `create or replace view account_usage as
    select ${idOfKind} as id, c.user_id, c.id as instagram_account_id, k.action, u.hour_used, u.day_used,
      a.first_seen_at, a.last_block_at
    from instagram_accounts c
    join network_accounts a on a.account_key = c.account_key
    cross join (values ${actionsOfKinds}) as k (action, actions)
    cross join lateral (
      select count(*) filter (where l.reserved_at > now() - interval '1 hour')::int as hour_used, count(*)::int as day_used
      from account_actions l
      where l.account_key = c.account_key and l.action = any(k.actions) and l.reserved_at > now() - interval '24 hours' and l.state <> 'skipped') u
    where c.proven_at is not null
    union all
    select ${idOfKind}, c.user_id, c.id, k.action, k.hour_used, k.day_used, a.first_seen_at, a.last_block_at
    from instagram_accounts c
    join network_accounts a on a.account_key = c.account_key
    cross join lateral (
      select coalesce(sum(p.pages) filter (where p.bucket > now() - interval '65 minutes'), 0)::int as pages_of_hour,
        coalesce(sum(p.pages), 0)::int as pages_of_day,
        coalesce(sum(p.views) filter (where p.bucket > now() - interval '65 minutes'), 0)::int as views_of_hour,
        coalesce(sum(p.views), 0)::int as views_of_day
      from account_pages p where p.account_key = c.account_key and p.bucket > now() - interval '24 hours 5 minutes') s
    cross join lateral (values ('list-page', s.pages_of_hour, s.pages_of_day), ('page-view', s.views_of_hour, s.views_of_day))
      as k (action, hour_used, day_used)
    where c.proven_at is not null`;

const ofOneAction = (kind: string) => `('${kind}', array['${kind}'])`;
const kinds = ['follow', 'unfollow', 'like', 'comment', 'view-story', 'message'];

const statements = [
  // Of a post or comment: its author's id, the post's shortcode, and what was about to be written there.
  `alter table account_actions add column author_id text, add column post_code text, add column text text,
     add constraint account_actions_key_has_no_text check (not is_key or (post_code is null and text is null))`,
  `alter table run_diary add column post_code text, add column text text`,
  // Replies count towards the ceiling of comments.
  usageView(kinds.map((kind) => (kind === 'comment' ? `('comment', array['comment', 'reply'])` : ofOneAction(kind))).join(', ')),
  // Which types exist is decided where rows are written (`isAutomationType`), so that a new tool needs no migration.
  `alter table automations drop constraint automations_type`,
];

/** Lets the ledger and the diary say what they know of posts and comments, and the table of automations accept every tool. */
export class KnowTargetsOfEveryKind1764700000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`alter table automations add constraint automations_type check (type in ('auto-follow-unfollow', 'auto-like', 'auto-comment',
      'auto-dm-sender', 'prize-extractor', 'followers-following-extractor', 'post-interactions-extractor', 'mass-story-viewer')) not valid`);
    await query.query(usageView(kinds.map(ofOneAction).join(', ')));
    await query.query('alter table run_diary drop column post_code, drop column text');
    await query.query(
      'alter table account_actions drop constraint account_actions_key_has_no_text, drop column author_id, drop column post_code, drop column text',
    );
  }
}
