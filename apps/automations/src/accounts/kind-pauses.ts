import { type StopSignal, tools, toolTypes } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '@decola/database';
import { perform } from '../automation-state/perform.js';
import { kindPauses } from './account-pauses.js';
import { resolvePausesOfParts } from './account-pause-history.js';

/*
 * When the network changes its site, runs of one kind fail for everybody. They are then paused for all customers, except for one probe run in
 * each interval that shows whether the pause can end (docs/decisions/0024-changed-sites.md). A canary that an operator runs can end it too.
 */

/** While a kind of run is paused for everybody, one run in this interval is let through as a probe. */
export const probeIntervalMs = 15 * 60_000;
/** The same unknown page on accounts of two customers within this time means that the site changed. */
const sightingWindowMs = 3_600_000;
/** Characters of a landmark in alerts: it may be a text of the network. */
const longestLandmark = 120;

export interface UnknownPageSighting {
  kind: string;
  accountKey: string;
  userId: string;
  signal: StopSignal;
}

/**
 * Records that an account was shown a page that we do not know, and pauses the kind of run for everybody when an account of another customer
 * was shown the same one recently. A single account in trouble looks the same, so one is not enough. To be called in a transaction.
 */
export async function reportUnknownPage(
  db: Database,
  { kind, accountKey, userId, signal }: UnknownPageSighting,
  until: Date,
  now: Date,
): Promise<void> {
  const page = pageIdOf(signal);
  // After a change many accounts report at once: without the lock, transactions that overlap do not see each other's sighting.
  await db.query(`select pg_advisory_xact_lock(hashtextextended('site sightings ' || $1::text, 0))`, [kind]);
  await db.query(`insert into site_sightings (kind, recipe, account_key, user_id, at) values ($1, $2, $3, $4, $5)`, [
    kind,
    page,
    accountKey,
    userId,
    now,
  ]);
  const other = await rowOf(
    db,
    `select 1 from site_sightings where kind = $1 and recipe = $2 and at > $3 and account_key <> $4 and user_id <> $5 limit 1`,
    [kind, page, new Date(now.getTime() - sightingWindowMs), accountKey, userId],
  );
  if (!other) return;
  await db.query(
    `insert into kind_pauses (kind, cause, since, until, probe_at) values ($1, 'site_changed', $2, $3, $4)
     on conflict (kind) do update set until = greatest(kind_pauses.until, excluded.until)`,
    [kind, now, until, new Date(now.getTime() + probeIntervalMs)],
  );
}

/**
 * Claims the next probe of a paused kind. Does not wait for who ends the pause: they wait for automations that the caller has claimed.
 * @returns false when it is not time yet, another replica has claimed it, or the pause is ending
 */
export async function claimProbe(db: Database, kind: string, now: Date): Promise<boolean> {
  const claimed = await rowsOf(
    db,
    `update kind_pauses set probe_at = $2
     where kind in (select kind from kind_pauses where kind = $1 and probe_at <= $3 for update skip locked) returning kind`,
    [kind, new Date(now.getTime() + probeIntervalMs), now],
  );
  return claimed.length > 0;
}

/**
 * Ends the pause of a kind because its pages are as we know them: a run did its work, or an operator's canary found every screen.
 * @param begunAt when that run was queued, or when the canary began. What began before the pause proves nothing.
 */
export async function endKindPause(db: Database, kind: string, begunAt: Date, now: Date): Promise<void> {
  const ended = await rowsOf(db, `delete from kind_pauses where kind = $1 and since < $2 returning kind`, [kind, begunAt]);
  if (ended.length === 0) return;
  await db.query(`delete from site_sightings where kind = $1`, [kind]);
  await db.query(`delete from account_action_pauses where action = any($1) and cause = 'site_changed'`, [kindPauses(kind)]);
  await resolvePausesOfParts(db, kindPauses(kind), 'site_changed', now);
  await perform(db, 'due', { runKinds: [kind], holdCodes: ['kind_paused', 'action_paused'] }, { now });
}

/** A kind of run that is paused for everybody, as operators are told about it. */
export interface PausedKind {
  kind: string;
  /** Type of the tool whose runs they are; the kind itself where it belongs to no tool. */
  tool: string;
  /** What the last account missed on its page, or what the page said instead; `unknown` when that was deleted since. */
  landmark: string;
}

/** Kinds of runs that are paused for everybody now. */
export async function pausedKinds(db: Database): Promise<PausedKind[]> {
  // Only probes run during the pause, so the last sighting is of what still does not fit.
  const paused = await rowsOf<{ kind: string; page: string | null }>(
    db,
    `select p.kind, s.recipe as page from kind_pauses p
     left join lateral (select recipe from site_sightings where kind = p.kind order by at desc limit 1) s on true`,
  );
  return paused.map(({ kind, page }) => ({
    kind,
    tool: toolTypes.find((type) => kind in tools[type].runs) ?? kind,
    landmark: page === null || page === '' ? 'unknown' : landmarkOf(page),
  }));
}

/** What was missing or said on a page that `pageIdOf` identifies; the classifier's row where that is all. */
function landmarkOf(page: string): string {
  const [, row, sign] = /^(\d*) ?(.*)$/s.exec(page)!;
  return sign ? sign.slice(0, longestLandmark) : `row ${row}`;
}

/** Identifies an unknown page by the classifier's row and by what was missing or said; equal for all accounts that are shown it. */
function pageIdOf({ row, evidence }: StopSignal): string {
  const sign = evidence['landmark'] ?? evidence['error'] ?? evidence['message'] ?? '';
  return `${row ?? ''} ${sign}`.trim();
}
