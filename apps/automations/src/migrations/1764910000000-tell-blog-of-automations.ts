import { blogAutomationDeleted, blogAutomationSaved, customerChanged, type EventDefinition } from '@decola/contracts';
import { type AnnouncedTable, announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What customers see of a blog automation. What is only for the exchange with blog announces nothing. */
const seen: AnnouncedTable = {
  table: 'blog_automations',
  shows: ['blog_automations'],
  columns: {
    key: ['id'],
    seen: [
      // `revision` stands for keyword, theme, categories, webhook, schedule, settings, origin and `is_active`.
      ...['revision', 'next_generation_at', 'last_generated_at', 'published_at'],
      ...['pause_cause', 'pause_reason', 'problem_code', 'problem_reason'],
    ],
  },
};

/** Announced as it was since `1764810000000-announce-changes.ts`: every update. */
const everyUpdate: AnnouncedTable = { table: 'blog_automations', shows: ['blog_automations'] };

/**
 * SQL by which the database itself publishes every change of a blog automation: no code that writes can forget it, nor can a replica of the version
 * before. A transaction publishes an automation once, as it is at its end.
 */
function announceBlogAutomations(saved: EventDefinition, deleted: EventDefinition): string[] {
  const message = (type: string, row: string) =>
    `md5(concat_ws(' ', current_schema(), pg_current_xact_id(), now(), '${type}', ${row}.id))::uuid, 'event', '${type}'`;
  return [
    // The payload of `blog-automation.saved` (`blogAutomationFacts` in libs/contracts).
    `create function blog_automation_facts(b blog_automations) returns jsonb language sql stable as $$
      select jsonb_build_object('blogAutomationId', b.id, 'userId', b.user_id, 'origin', b.origin, 'keyword', b.keyword, 'theme', b.theme,
        'categories', b.categories, 'webhookUrl', b.webhook_url, 'settings', b.settings, 'isActive', b.is_active, 'revision', b.revision,
        'schedule', jsonb_build_object('type', b.schedule_type, 'time', b.schedule_time, 'days', b.schedule_days, 'dayOfMonth', b.schedule_day))
    $$`,
    `create function publish_blog_automation(b blog_automations) returns void language sql as $$
      insert into outbox (id, kind, type, version, subject, payload)
      values (${message(saved.type, 'b')}, ${saved.version}, b.id::text, blog_automation_facts(b))
      on conflict (id) do update set payload = excluded.payload
    $$`,
    `create function revise_blog_automation() returns trigger language plpgsql as $$ begin
      new.revision := old.revision
        + case when blog_automation_facts(new) - 'revision' is distinct from blog_automation_facts(old) - 'revision' then 1 else 0 end;
      return new;
    end $$`,
    `create function publish_saved_blog_automation() returns trigger language plpgsql as $$ begin
      perform publish_blog_automation(new);
      return null;
    end $$`,
    `create function publish_deleted_blog_automation() returns trigger language plpgsql as $$ begin
      insert into outbox (id, kind, type, version, subject, payload)
      values (${message(deleted.type, 'old')}, ${deleted.version}, old.id::text, jsonb_build_object('blogAutomationId', old.id, 'userId', old.user_id));
      return null;
    end $$`,
    `create trigger revise before update on blog_automations for each row execute function revise_blog_automation()`,
    `create trigger publish_inserted after insert on blog_automations for each row execute function publish_saved_blog_automation()`,
    `create trigger publish_updated after update on blog_automations for each row when (new.revision > old.revision)
      execute function publish_saved_blog_automation()`,
    `create trigger publish_deleted after delete on blog_automations for each row execute function publish_deleted_blog_automation()`,
  ];
}

/** Publishes blog automations to blog, which keeps a copy, and stores why the last due article of one was not written. */
export class TellBlogOfAutomations1764910000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    const statements = [
      `alter table blog_automations
        add column settings jsonb not null default '{}',
        add column revision bigint not null default 1,
        add column announced_at timestamptz,
        add column last_due_at timestamptz,
        add column problem_code text,
        add column problem_reason text,
        add column problem_at timestamptz,
        add constraint blog_automations_settings check (jsonb_typeof(settings) = 'object')`,
      // New rows are published when they are inserted. Those that stand are published by the scheduler of the new version, and all of them daily.
      `alter table blog_automations alter column announced_at set default clock_timestamp()`,
      `create index blog_automations_announced on blog_automations (announced_at nulls first)`,
      ...silenceChanges([seen.table]),
      ...announceChanges(customerChanged, [seen]),
      ...announceBlogAutomations(blogAutomationSaved, blogAutomationDeleted),
    ];
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    const statements = [
      ...['revise', 'publish_inserted', 'publish_updated', 'publish_deleted'].map((name) => `drop trigger ${name} on blog_automations`),
      `drop function publish_saved_blog_automation(), publish_deleted_blog_automation(), revise_blog_automation()`,
      `drop function publish_blog_automation(blog_automations), blog_automation_facts(blog_automations)`,
      ...silenceChanges([seen.table]),
      ...announceChanges(customerChanged, [everyUpdate]),
      `alter table blog_automations drop column settings, drop column revision, drop column announced_at, drop column last_due_at, drop column problem_code,
        drop column problem_reason, drop column problem_at`,
    ];
    for (const statement of statements) await query.query(statement);
  }
}
