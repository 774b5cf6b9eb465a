import type { PayloadOf, runActionDone, runTrying, SkipReason } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { countActivity, type CountedOutcome, moveActivity } from '../accounts/account-activity.js';
import { AccountStops } from '../accounts/account-stops.service.js';
import { storeSight } from './follow-sights.js';
import { keepForAccount } from '../keep-list/keep-list.js';
import { perform } from '../automation-state/perform.js';
import { isErased } from '../customers/erased-customers.js';
import { addRunViews } from '../safety/usage.js';
import type { LedgerEntry } from '../tools/action-rules.js';
import { actionRules } from '../tools/registry.js';
import { storedIdOf } from './ledger-target.js';
import { nextLookAfterReport, settle } from './looks.js';

type Action = PayloadOf<typeof runActionDone>;
type Trying = PayloadOf<typeof runTrying>;

/** Skips that say something lasting about the target: it is not proposed again. */
const lastingSkips: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'already_so',
  'target_gone',
  'target_private',
  'target_blocked_us',
  'target_reviewed',
  'target_theirs',
  'not_ours',
  'keep_list',
  'messages_closed',
]);
/** Lasting skips that the ledger or the keep list knows already: nothing is stored. */
const knownSkips: ReadonlySet<SkipReason> = new Set<SkipReason>(['not_ours', 'keep_list', 'target_theirs']);

interface ReportingRun {
  automation_id: string;
  session_id: string;
  kind: string;
}

/** Stores workers' reports about single actions in the ledger and the diary, also when the run is over already. */
@Injectable()
export class ActionReports {
  constructor(
    private readonly stops: AccountStops,
    private readonly clock: Clock,
  ) {}

  /** The decisive click comes next: from now on the action may have happened, even if the worker dies. */
  async trying(manager: EntityManager, event: Trying): Promise<void> {
    if (await isErased(manager, event.userId)) return;
    await this.touchRun(manager, event);
    await manager.query(`update account_actions set tried_at = coalesce(tried_at, $2), text = coalesce(text, $3) where id = $1`, [
      event.reservationId,
      event.at,
      event.text ?? null,
    ]);
  }

  async done(manager: EntityManager, event: Action): Promise<void> {
    // A late report must not store anything about a customer who was erased.
    if (await isErased(manager, event.userId)) return;
    const run = await this.touchRun(manager, event);
    const automationId = run?.automation_id ?? event.automationId;
    if (event.settled) await this.recordLook(manager, event);
    else await this.recordTry(manager, event, automationId);
    if (event.followsCustomer != null) await storeSight(manager, event, event.followsCustomer);
    await this.writeDiary(manager, event, automationId);
    if (event.outcome !== 'skipped' && run) await perform(manager, 'progress', { ids: [run.automation_id] }, {});
    if (!event.settled) await this.stopAfterBadSigns(manager, event, run);
  }

  /** Records that a run is alive, and the page views that it reports. */
  private async touchRun(manager: EntityManager, event: Action | Trying): Promise<ReportingRun | undefined> {
    const now = this.clock.now();
    const run = await rowOf<ReportingRun>(manager, `update runs set seen_at = $2 where id = $1 returning automation_id, session_id, kind`, [
      event.runId,
      now,
    ]);
    await addRunViews(manager, event, now);
    return run;
  }

  /** Stores what a run itself did or skipped. */
  private async recordTry(manager: EntityManager, event: Action, automationId: string | null): Promise<void> {
    if (event.outcome === 'skipped') await countActivity(manager, event, 'skipped', new Date(event.at));
    const isLasting = event.skipReason !== null && lastingSkips.has(event.skipReason);
    if (event.reservationId !== null && event.outcome === 'skipped' && !isLasting) {
      await manager.query(`delete from account_actions where id = $1 and state = 'reserved'`, [event.reservationId]);
    } else if (event.reservationId !== null) {
      await this.settleReservation(manager, event, event.reservationId);
      const { ownChoiceSkips = [] } = actionRules[event.action];
      if (event.skipReason !== null && ownChoiceSkips.includes(event.skipReason))
        await keepForAccount(manager, event.accountKey, [event.target.targetId]);
    } else if (event.skipReason !== null && isLasting && !knownSkips.has(event.skipReason)) {
      await this.insertSkipped(manager, event, automationId);
    }
  }

  private async settleReservation(manager: EntityManager, event: Action, reservationId: string): Promise<void> {
    const settled = await rowOf<{ before: string; triedAt: Date }>(
      manager,
      `with known as (select id, state from account_actions
         where id = $1 and (state = 'reserved' or (state = 'not_confirmed' and $2 in ('confirmed', 'requested'))) for update)
       update account_actions l set state = $2, skip_reason = $3, proof = $4, settled_at = $5, next_look_at = $6
       from known where l.id = known.id returning known.state as before, coalesce(l.tried_at, l.reserved_at) as "triedAt"`,
      [
        reservationId,
        event.outcome,
        event.skipReason,
        JSON.stringify(event.proof),
        event.at,
        nextLookAfterReport(event.action, event.outcome, new Date(event.at)),
      ],
    );
    if (settled && event.outcome !== 'skipped')
      await moveActivity(manager, event, countedAs(settled.before), countedAs(event.outcome), settled.triedAt);
  }

  private async insertSkipped(manager: EntityManager, event: Action, automationId: string | null): Promise<void> {
    await manager.query(
      `insert into account_actions (id, account_key, action, target_id, target_username, state, skip_reason, proof, user_id, automation_id, run_id,
         reserved_at, settled_at, author_id, post_code)
       values ($1, $2, $3, $4, $5, 'skipped', $6, $7, $8, $9, $10, $11, $11, $12, $13) on conflict (account_key, action, target_id) do nothing`,
      [
        randomUUID(),
        event.accountKey,
        event.action,
        storedIdOf(event.action, event.target.targetId, new Date(event.at)),
        event.target.username,
        event.skipReason,
        JSON.stringify(event.proof),
        event.userId,
        automationId,
        event.runId,
        event.at,
        event.target.authorId ?? null,
        event.target.postCode ?? null,
      ],
    );
  }

  /** Stores what a look showed of a try that has no final outcome yet. */
  private async recordLook(manager: EntityManager, event: Action): Promise<void> {
    if (event.reservationId === null) return;
    const entry = await rowOf<LedgerEntry>(
      manager,
      `select state, action, reserved_at as "reservedAt", tried_at as "triedAt", first_negative_at as "firstNegativeAt", looks
       from account_actions where id = $1 and state in ('reserved', 'not_confirmed', 'requested') for update`,
      [event.reservationId],
    );
    if (!entry) return;
    if (actionRules[event.action].isOwnChoice?.(entry, event.outcome))
      await keepForAccount(manager, event.accountKey, [event.target.targetId]);
    const settlement = settle(entry, event.outcome, new Date(event.at));
    switch (settlement.kind) {
      case 'delete':
        await manager.query(`delete from account_actions where id = $1`, [event.reservationId]);
        return;
      case 'look_again':
        await manager.query(`update account_actions set looks = looks + 1, next_look_at = $2, first_negative_at = $3 where id = $1`, [
          event.reservationId,
          settlement.nextLookAt,
          settlement.firstNegativeAt,
        ]);
        return;
      case 'settle':
        // A request that was accepted counts as a follow from the look that saw it.
        await manager.query(
          `update account_actions set looks = looks + 1, next_look_at = $2, state = $3, proof = $4,
             settled_at = case when state = $3 then coalesce(settled_at, $5) else $5 end,
             first_negative_at = case when $6 then coalesce(first_negative_at, $5) else first_negative_at end
           where id = $1`,
          [
            event.reservationId,
            settlement.nextLookAt,
            settlement.state,
            JSON.stringify(event.proof),
            event.at,
            event.outcome === 'not_confirmed',
          ],
        );
        await moveActivity(manager, event, countedAs(entry.state), countedAs(settlement.state), entry.triedAt ?? entry.reservedAt);
    }
  }

  /** Pauses the action or the account when the last outcomes, taken together, show that the network objects. */
  private async stopAfterBadSigns(manager: EntityManager, event: Action, run: ReportingRun | undefined): Promise<void> {
    const now = this.clock.now();
    if (event.outcome === 'not_confirmed' || event.outcome === 'refused')
      await this.stops.pauseAfterRefusals(manager, event.accountKey, event.action, now);
    if (event.skipReason === 'target_reviewed' && run) {
      const stopped = {
        id: event.runId,
        automationId: run.automation_id,
        userId: event.userId,
        accountKey: event.accountKey,
        sessionId: run.session_id,
        kind: run.kind,
      };
      await this.stops.stopAfterReviews(manager, stopped, event.action, now);
    }
  }

  private async writeDiary(manager: EntityManager, event: Action, automationId: string | null): Promise<void> {
    await manager.query(
      `insert into run_diary (automation_id, user_id, run_id, reservation_id, action, target_id, target_username, outcome, skip_reason, proof, settled, at,
         post_code, text, kind)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, (select text from account_actions where id = $4),
         (select kind from runs where id = $3))`,
      [
        automationId,
        event.userId,
        event.runId,
        event.reservationId,
        event.action,
        event.target.targetId,
        event.target.username,
        event.outcome,
        event.skipReason,
        JSON.stringify(event.proof),
        event.settled,
        event.at,
        event.target.postCode ?? null,
      ],
    );
  }
}

/** As what a state of the ledger counts in the account's activity; null while nothing is known of a reservation's try. */
function countedAs(state: string): CountedOutcome | null {
  switch (state) {
    case 'confirmed':
    case 'requested':
      return 'confirmed';
    case 'refused':
      return 'refused';
    case 'not_confirmed':
      return 'unconfirmed';
    default:
      return null;
  }
}
