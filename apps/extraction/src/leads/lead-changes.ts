import { type prizeStates } from '@decola/contracts';
import { changedRows, type Database, rowsOf } from '@decola/database';

/** What is said about a lead after it was captured. The change with the last instant wins, in whatever order changes arrive. */
export type LeadChange =
  | { kind: 'state'; participationId: string; state: (typeof prizeStates)[number]; at: Date }
  | { kind: 'channels'; participationId: string; channels: string[]; at: Date };

interface EarlyRow {
  participation_id: string;
  kind: LeadChange['kind'];
  state: (typeof prizeStates)[number];
  channels: string[];
  at: Date;
}

/**
 * @param options.mayBeEarly keeps the change for a lead that has not arrived
 * @returns whether the lead is changed by it
 */
export async function changeLead(db: Database, change: LeadChange, { mayBeEarly = false } = {}): Promise<boolean> {
  const [column, value] = change.kind === 'state' ? ['state', change.state] : ['channels', change.channels];
  const changed = await changedRows(
    db,
    `update leads set ${column} = $2, ${column}_at = $3 where participation_id = $1 and coalesce(${column}_at, '-infinity') < $3`,
    [change.participationId, value, change.at],
  );
  if (changed > 0) return true;
  if (mayBeEarly) await keepEarly(db, change);
  return false;
}

/** Nothing is kept for a lead that is there: the change was older than what it has. */
async function keepEarly(db: Database, change: LeadChange): Promise<void> {
  await db.query(
    `insert into early_lead_changes as e (participation_id, kind, state, channels, at)
     select $1, $2, $3, $4, $5 where not exists (select 1 from leads where participation_id = $1)
     on conflict (participation_id, kind) do update set state = excluded.state, channels = excluded.channels, at = excluded.at where e.at < excluded.at`,
    [
      change.participationId,
      change.kind,
      change.kind === 'state' ? change.state : null,
      change.kind === 'channels' ? change.channels : null,
      change.at,
    ],
  );
}

/** @returns what was said about a lead before it arrived, and forgets it */
export async function takeEarlyChanges(db: Database, participationId: string): Promise<LeadChange[]> {
  const rows = await rowsOf<EarlyRow>(
    db,
    'delete from early_lead_changes where participation_id = $1 returning participation_id, kind, state, channels, at',
    [participationId],
  );
  return rows.map(({ kind, state, channels, at }) =>
    kind === 'state' ? { kind, participationId, state, at } : { kind, participationId, channels, at },
  );
}

export async function forgetEarlyChanges(db: Database, participationId: string): Promise<void> {
  await db.query('delete from early_lead_changes where participation_id = $1', [participationId]);
}
