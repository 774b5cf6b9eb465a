import { rowOf, rowsOf } from '@decola/database';
import { refusedFor } from '@decola/table-api';
import type { EntityManager } from 'typeorm';
import { browserSettingsOf } from '../customers/customer-settings.js';
import { instantText, sessionRefusals } from '../texts/texts.js';

/*
 * A visit that checks a session costs a browser, so a customer may have only a few pasted sessions checked a day that turn out not to be good.
 */

/** Sessions of one customer that may be checked within `windowMs` without being found good. */
const mostTries = 5;
const windowMs = 24 * 3_600_000;

/** Sessions that one customer pastes at the same time wait for each other here. Taken before the lock of the account's row. */
export async function lockTries(manager: EntityManager, userId: string): Promise<void> {
  await manager.query(`select pg_advisory_xact_lock(hashtextextended('session checks ' || $1::text, 0))`, [userId]);
}

/** @throws RestError P0001 when the customer has no tries left, with the time of the next one */
export async function requireTryLeft(manager: EntityManager, userId: string, now: Date): Promise<void> {
  const tries = await rowsOf<{ at: Date }>(
    manager,
    `select at from session_check_tries where user_id = $1 and at > $2 order by at desc limit ${mostTries}`,
    [userId, new Date(now.getTime() - windowMs)],
  );
  const oldest = tries[mostTries - 1];
  if (!oldest) return;
  const { timeZone } = await browserSettingsOf(manager, userId);
  const from = instantText(new Date(oldest.at.getTime() + windowMs), timeZone);
  throw refusedFor(sessionRefusals.tooManyTries(mostTries, from));
}

export async function addTry(manager: EntityManager, runId: string, userId: string, now: Date): Promise<void> {
  await manager.query(`insert into session_check_tries (run_id, user_id, at) values ($1, $2, $3)`, [runId, userId, now]);
}

/** Whether the visit checks a session that its customer pasted, and not one that we check again. */
export async function isTry(manager: EntityManager, runId: string): Promise<boolean> {
  return (await rowOf(manager, `select 1 from session_check_tries where run_id = $1`, [runId])) !== undefined;
}

/** A session that was found good does not count. */
export async function removeTry(manager: EntityManager, runId: string): Promise<void> {
  await manager.query(`delete from session_check_tries where run_id = $1`, [runId]);
}
