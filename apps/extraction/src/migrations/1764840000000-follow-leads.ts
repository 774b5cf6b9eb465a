import { customerChanged } from '@decola/contracts';
import { type AnnouncedTable, announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const leads: AnnouncedTable = {
  table: 'leads',
  shows: ['leads'],
  automation: 'c.automation_id',
  columns: { key: ['participation_id'], seen: ['state', 'state_at', 'channels', 'valid_until'] },
};

const statements = [
  // Of a wheel: who promotes, how long leads are kept, which mails its owner wants. Null for other automations, and until the next event about a wheel.
  `alter table automations add column wheel jsonb`,

  `alter table leads
    add column user_id uuid,
    add column automation_id uuid,
    add column valid_until timestamptz,
    add column consent_version text,
    add column channels text[],
    add column channels_at timestamptz,
    add column hash text,
    add column state text not null default 'won',
    add column state_at timestamptz,
    add column is_told boolean not null default true,
    add constraint leads_known_state check (state in ('won', 'delivered', 'expired', 'voided'))`,
  `update leads l set user_id = e.user_id, automation_id = e.automation_id from extracted_data e where e.id = l.extracted_data_id`,

  // A replica of the version before inserts leads without their owner.
  `create function own_leads() returns trigger language plpgsql as $$ begin
    if new.user_id is null then
      select e.user_id, e.automation_id into new.user_id, new.automation_id from extracted_data e where e.id = new.extracted_data_id;
    end if;
    return new;
  end $$`,
  `create trigger own_leads before insert on leads for each row execute function own_leads()`,
  `alter table leads alter column user_id set not null, alter column automation_id set not null`,
  `create index leads_by_wheel on leads (automation_id, position)`,
  `create index leads_untold on leads (user_id) where not is_told`,

  // What was said about a lead before the lead itself arrived.
  `create table early_lead_changes (
    participation_id uuid not null,
    kind text not null,
    state text,
    channels text[],
    at timestamptz not null,
    primary key (participation_id, kind),
    constraint early_lead_changes_known_kind check (kind in ('state', 'channels')))`,
  `create index early_lead_changes_by_age on early_lead_changes (at)`,

  // The last day on which a customer's new leads were gathered for a mail.
  `create table told_days (
    user_id uuid primary key,
    day date not null)`,
];

export class FollowLeads1764840000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of [...statements, ...announceChanges(customerChanged, [leads])]) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges([leads.table])) await query.query(statement);
    await query.query('drop table early_lead_changes, told_days');
    await query.query('drop trigger own_leads on leads');
    await query.query('drop function own_leads()');
    await query.query(`alter table leads drop column user_id, drop column automation_id, drop column valid_until, drop column consent_version,
      drop column channels, drop column channels_at, drop column hash, drop column state, drop column state_at, drop column is_told`);
    await query.query('alter table automations drop column wheel');
  }
}
