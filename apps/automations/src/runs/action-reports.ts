import type { PayloadOf, runActionDone, SkipReason } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AccountPauses } from '../accounts/account-pauses.js';
import { isErased } from '../entitlements/erasure.js';
import { rowOf } from '../rows.js';

type Action = PayloadOf<typeof runActionDone>;

/** These say something about the person that stays true: the same person is not proposed again. */
const lastingSkips: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'already_so',
  'target_gone',
  'target_private',
  'target_blocked_us',
  'not_ours',
  'keep_list',
]);

/** What the worker's reports about single actions do to the ledger and the diary. An outcome counts also when its run is over. */
@Injectable()
export class ActionReports {
  constructor(
    private readonly pauses: AccountPauses,
    private readonly clock: Clock,
  ) {}

  async record(manager: EntityManager, event: Action): Promise<void> {
    // A report from a run whose owner is gone would bring them back.
    if (await isErased(manager, event.userId)) return;
    const run = await rowOf<{ automation_id: string }>(manager, `update runs set seen_at = $2 where id = $1 returning automation_id`, [
      event.runId,
      this.clock.now(),
    ]);
    const isLasting = event.skipReason !== null && lastingSkips.has(event.skipReason);
    const proof = JSON.stringify(event.proof);
    const wasNeverDone = event.settled && event.outcome === 'not_confirmed';
    if (event.reservationId !== null && (wasNeverDone || (event.outcome === 'skipped' && !isLasting))) {
      // Passed over for a reason of the moment, or seen on the page not to have happened: the person may come again.
      await manager.query(`delete from account_actions where id = $1 and state = 'reserved'`, [event.reservationId]);
    } else if (event.reservationId !== null) {
      await manager.query(
        `update account_actions set state = $2, skip_reason = $3, proof = $4, settled_at = $5
         where id = $1 and (state = 'reserved' or (state = 'not_confirmed' and $2 in ('confirmed', 'requested')))`,
        [event.reservationId, event.outcome, event.skipReason, proof, event.at],
      );
    } else if (event.outcome === 'skipped' && isLasting && event.skipReason !== 'not_ours' && event.skipReason !== 'keep_list') {
      await manager.query(
        `insert into account_actions (id, account_key, action, target_id, target_username, state, skip_reason, proof, user_id, automation_id, run_id,
           reserved_at, settled_at)
         values ($1, $2, $3, $4, $5, 'skipped', $6, $7, $8, $9, $10, $11, $11) on conflict (account_key, action, target_id) do nothing`,
        [
          randomUUID(),
          event.accountKey,
          event.action,
          event.target.targetId,
          event.target.username,
          event.skipReason,
          proof,
          event.userId,
          run?.automation_id ?? event.automationId,
          event.runId,
          event.at,
        ],
      );
    }
    await manager.query(
      `insert into run_diary (automation_id, user_id, run_id, reservation_id, action, target_id, target_username, outcome, skip_reason, proof, settled, at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        run?.automation_id ?? event.automationId,
        event.userId,
        event.runId,
        event.reservationId,
        event.action,
        event.target.targetId,
        event.target.username,
        event.outcome,
        event.skipReason,
        proof,
        event.settled,
        event.at,
      ],
    );
    if (event.outcome !== 'skipped' && run) {
      await manager.query(`update automations set interruptions = 0 where id = $1 and interruptions > 0`, [run.automation_id]);
    }
    if (event.outcome === 'not_confirmed' && !event.settled)
      await this.pauses.checkSilentBlock(manager, event.accountKey, event.action, this.clock.now());
  }
}
