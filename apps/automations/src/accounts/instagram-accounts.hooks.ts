import { refusedFor, type Row } from '@decola/table-api';
import type { EntityManager } from 'typeorm';
import { browserSettingsOf } from '../customers/customer-settings.js';
import { defaultQuietHours, restMinutes, wallTime } from '../safety/quiet-hours.js';
import { accountRefusals, instantText, pauseReason } from '../texts/texts.js';
import { accountPauseOf } from './account-pauses.js';
import { isProven } from './account-proof.js';
import { keptNames, mostKept } from '../keep-list/keep-list.js';
import { refuseSessionsIn } from './misplaced-sessions.js';

/** Minimum length of quiet hours that a customer may set. The refusal names it. */
const shortestRestMinutes = 6 * 60;
const longestPauseMs = 366 * 86_400_000;

const { from: usualFrom, to: usualTo } = defaultQuietHours;

/**
 * Checks what a customer sets for their account.
 * @param before the stored row
 * @returns what is stored of the patch
 * @throws RestError P0001 with the sentence for the customer
 */
export async function settingsToStore(manager: EntityManager, before: Row, patch: Row, now: Date): Promise<Row> {
  // Before the other checks, because their refusals repeat what was sent.
  refuseSessionsIn(patch);
  return {
    ...quietHoursIn(before, patch),
    ...keepListIn(patch),
    ...(await pauseIn(manager, before, patch, now)),
    ...resolvedIn(before, patch, now),
  };
}

function quietHoursIn(before: Row, patch: Row): Row {
  if (!('quiet_from' in patch) && !('quiet_to' in patch)) return {};
  const { quiet_from: from = null, quiet_to: to = null } = { quiet_from: before['quiet_from'], quiet_to: before['quiet_to'], ...patch };
  if (from === null && to === null) return { quiet_from: null, quiet_to: null };
  if (from === null || to === null) throw refusedFor(accountRefusals.quietHoursHalfSet(usualFrom, usualTo));
  const [start, end] = [wallTime.safeParse(from), wallTime.safeParse(to)];
  if (!start.success || !end.success) throw refusedFor(accountRefusals.quietHoursMalformed);
  const minutes = restMinutes({ from: start.data, to: end.data });
  if (minutes < shortestRestMinutes) throw refusedFor(accountRefusals.quietHoursTooShort(start.data, end.data, minutes));
  return { quiet_from: start.data, quiet_to: end.data };
}

function keepListIn(patch: Row): Row {
  if (!('keep_list' in patch)) return {};
  const sent = (patch['keep_list'] ?? []) as (string | null)[];
  if (sent.length > mostKept) throw refusedFor(accountRefusals.keepListTooLong(mostKept));
  const kept = keptNames(sent);
  if ('problem' in kept) throw refusedFor(accountRefusals.keepListName(kept.problem));
  return { keep_list: kept.names };
}

/** The customer's own pause. It never shortens a pause that the network caused. */
async function pauseIn(manager: EntityManager, before: Row, patch: Row, now: Date): Promise<Row> {
  if (!('paused_until' in patch)) return {};
  const sent = patch['paused_until'];
  const [userId, accountKey] = [before['user_id'] as string, before['account_key'] as string];
  const { timeZone } = await browserSettingsOf(manager, userId);
  const network = (await isProven(manager, userId, accountKey)) ? await accountPauseOf(manager, accountKey, now) : null;
  if (sent === null) {
    const own = before['paused_until'];
    const isPausedByCustomer = own instanceof Date && own > now;
    if (network && !isPausedByCustomer) throw refusedFor(pauseReason(network.cause, network.since, network.until, { timeZone }));
    return { paused_until: null };
  }
  const until = new Date(sent as string);
  if (!(until > now)) throw refusedFor(accountRefusals.pauseInPast);
  if (until.getTime() - now.getTime() > longestPauseMs) throw refusedFor(accountRefusals.pauseTooLong);
  if (network && until < network.until) throw refusedFor(accountRefusals.pauseShorterThanNetworks(instantText(network.until, timeZone)));
  return { paused_until: until.toISOString() };
}

/** 'Já resolvi no Instagram': any instant that is sent becomes now, and later presses do not move it. */
function resolvedIn(before: Row, patch: Row, now: Date): Row {
  if (!('resolved_at' in patch)) return {};
  if (patch['resolved_at'] === null) return { resolved_at: null };
  if (before['stop_cause'] === null) throw refusedFor(accountRefusals.nothingToResolve);
  return before['resolved_at'] === null ? { resolved_at: now.toISOString() } : {};
}
