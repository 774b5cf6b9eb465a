import type { RunKind } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import type { HoldCode } from '../automation-state/state.js';
import type { Decision } from './decide.js';

/*
 * A claim locks automations, and reads what keeps them from running without a lock. An event that ends such a cause meanwhile finds no hold to lift,
 * and a hold that is written afterwards would keep the automation waiting for nothing. So causes that an event may end are locked and read again
 * before the hold is written (docs/decisions/0071-holds-are-written-while-their-cause-stands.md).
 */

/** Whether an event of this service may end a hold (`perform(…, 'due', …)`), or time alone does. */
const isEndedByEvent: Record<HoldCode, boolean> = {
  session_check: true,
  account_busy: true,
  customer_pause: true,
  action_paused: true,
  kind_paused: true,
  quiet_hours: true,
  account_paused: false,
  ceiling: false,
  nobody_to_unfollow: false,
  nothing_left: false,
  // Written by the end of a run, never by the dispatcher.
  awaits_list: false,
  no_connection: false,
};

/** Whether an event may end what keeps the automation from running. A pause may be for want of a session, which its customer may be storing now. */
export function mayEndByEvent(decision: Exclude<Decision, { kind: 'run' }>): boolean {
  return decision.kind === 'pause' || isEndedByEvent[decision.code];
}

/** What an automation waits for belongs to its account, to its customer's settings of the account, or to its kind of run. */
interface WaitingAutomation {
  userId: string;
  accountKey: string | null;
  kind: RunKind;
}

/**
 * Locks the rows of causes for which these automations wait, until the end of the transaction. Never waits for a lock: events lock a cause first and
 * automations afterwards, and the caller has locked automations already.
 *
 * - The account's row is locked by the end of a session check and by every change of a session.
 * - Its open run is locked by the end of the run, also when it is given up.
 * - The customer's settings of the account are locked by a change of quiet hours, of their own pause, and of their time zone.
 * - Pauses of parts of an account and of kinds of runs are locked when they end before their time.
 *
 * @returns whether another transaction has locked a cause of the automation, and may be ending it
 */
export async function lockCauses(
  db: Database,
  automations: readonly WaitingAutomation[],
  now: Date,
): Promise<(automation: WaitingAutomation) => boolean> {
  const accountKeys = unique(automations.map(({ accountKey }) => accountKey));
  const userIds = unique(automations.map(({ userId }) => userId));
  const kinds = unique(automations.map(({ kind }) => kind));
  const lockedByOthers = await rowsOf<{ account_key: string | null; user_id: string | null; kind: string | null }>(
    db,
    `with ${causes.map(({ name, columns, from }) => `${name} as materialized (select ${columns} from ${from} for share skip locked)`).join(', ')}
     ${causes.map(({ name, columns, from }) => `(select ${columns} from ${from} except all select * from ${name})`).join(' union all ')}`,
    [accountKeys, userIds, kinds, now],
  );
  return ({ accountKey, userId, kind }) =>
    lockedByOthers.some(
      (cause) => (cause.account_key ?? accountKey) === accountKey && (cause.user_id ?? userId) === userId && (cause.kind ?? kind) === kind,
    );
}

/** Each kind of cause: whom its rows concern (null: everybody), and where they are. */
const causes = [
  { name: 'accounts', columns: ofAccount(), from: 'network_accounts where account_key = any($1)' },
  { name: 'open_runs', columns: ofAccount(), from: `runs where account_key = any($1) and state in ('queued', 'running')` },
  {
    name: 'settings',
    columns: 'account_key, user_id, null::text as kind',
    from: 'instagram_accounts where account_key = any($1) and user_id = any($2)',
  },
  { name: 'part_pauses', columns: ofAccount(), from: 'account_action_pauses where account_key = any($1) and until > $4' },
  {
    name: 'kind_rests',
    columns: 'null::text as account_key, null::uuid as user_id, kind',
    from: 'kind_pauses where kind = any($3) and until > $4',
  },
];

function ofAccount(): string {
  return 'account_key, null::uuid as user_id, null::text as kind';
}

function unique<Value>(values: readonly (Value | null)[]): Value[] {
  return [...new Set(values)].filter((value) => value !== null);
}
