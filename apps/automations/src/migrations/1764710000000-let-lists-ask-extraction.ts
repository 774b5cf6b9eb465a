import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * extraction alone knows where a list goes on. Lists that an earlier version left without a next run, because it waited for a verdict, are due: their
 * run asks extraction. `cursor`, `pass`, `next_page`, `awaits_verdict` and `awaits_since` of `extraction_progress` are not used any more; a later
 * migration drops them, when no replica of an earlier version runs.
 */
export class LetListsAskExtraction1764710000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `update automations t set next_run_at = now() from extraction_progress p
       where p.automation_id = t.id and p.awaits_verdict and t.is_active and not t.is_draft and t.completed_at is null and t.next_run_at is null
         and not exists (select 1 from runs r where r.automation_id = t.id and r.state in ('queued', 'running'))`,
    );
  }

  async down(): Promise<void> {
    // Nothing to undo: an automation that is due is due in every version.
  }
}
