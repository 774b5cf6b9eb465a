import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Contradictions that no version of this service can store. `is_active` with a cause of a pause, and a time of the next run of an automation that
 * is off, are not among them: versions before the named transitions store both for a moment, between the two statements of a client's write.
 */
const constraints = {
  automations_completed_has_no_next_run: 'completed_at is null or next_run_at is null',
  automations_completed_reason: 'completed_reason is null or completed_at is not null',
  automations_hold_is_whole: '(hold_code is null) = (hold_reason is null)',
  automations_pause_is_whole: `(pause_cause is null) = (pause_reason is null) and (pause_cause is null) = (pause_since is null)
    and (pause_until is null or pause_cause is not null) and (pause_until is not null or not pause_resumes)`,
};

/** Lets the database refuse states of automations that contradict themselves. */
export class KeepStatesWhole1764610000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    const added = Object.entries(constraints).map(([name, condition]) => `add constraint ${name} check (${condition})`);
    await query.query(`alter table automations ${added.join(', ')}`);
  }

  async down(query: QueryRunner): Promise<void> {
    const dropped = Object.keys(constraints).map((name) => `drop constraint ${name}`);
    await query.query(`alter table automations ${dropped.join(', ')}`);
  }
}
