import type { BlogAutomationFacts } from '@decola/contracts';
import type { Database } from '@decola/database';
import { addTombstone, lockIds } from '@decola/messaging';

/** Stores the copy of a blog automation. An older revision, a deleted automation and a deleted customer change nothing. */
export async function storeBlogAutomation(db: Database, facts: BlogAutomationFacts): Promise<void> {
  await lockIds(db, [facts.blogAutomationId, facts.userId]);
  await db.query(
    `insert into blog_automation_copies as c (id, user_id, origin, keyword, theme, categories, webhook_url, schedule, settings, is_active, revision)
     select $1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10, $11
     where not exists (select 1 from erased_users where user_id = $2::uuid) and not exists (select 1 from gone where id = $1::uuid)
     on conflict (id) do update set origin = excluded.origin, keyword = excluded.keyword, theme = excluded.theme, categories = excluded.categories,
       webhook_url = excluded.webhook_url, schedule = excluded.schedule, settings = excluded.settings, is_active = excluded.is_active,
       revision = excluded.revision
     where c.revision < excluded.revision`,
    [
      facts.blogAutomationId,
      facts.userId,
      facts.origin,
      facts.keyword,
      facts.theme,
      facts.categories,
      facts.webhookUrl,
      JSON.stringify(facts.schedule),
      JSON.stringify(facts.settings),
      facts.isActive,
      facts.revision,
    ],
  );
}

/** Deletes the copy of a blog automation, for good: what arrives about it later stores nothing. */
export async function deleteBlogAutomation(db: Database, id: string, now: Date): Promise<void> {
  await lockIds(db, [id]);
  await addTombstone(db, id, now);
  await db.query('delete from blog_automation_copies where id = $1', [id]);
}
