import type { RunPlan } from '@decola/contracts';
import type { StoppedRun } from '../accounts/account-stops.service.js';

/** A row of runs, as far as its end needs it. */
export interface RunRow {
  id: string;
  automation_id: string;
  user_id: string;
  account_key: string;
  session_id: string;
  kind: RunPlan['kind'];
  plan: RunPlan;
  budget: number;
  queued_at: Date;
  started_at: Date | null;
  pages: number;
}

export const runColumns = 'id, automation_id, user_id, account_key, session_id, kind, plan, budget, queued_at, started_at, pages';

export function stoppedRunOf(run: RunRow): StoppedRun {
  return {
    id: run.id,
    automationId: run.automation_id,
    userId: run.user_id,
    accountKey: run.account_key,
    sessionId: run.session_id,
    kind: run.kind,
  };
}
