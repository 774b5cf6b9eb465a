import type { Session } from '@supabase/supabase-js';
import { useEffect } from 'react';
import { client } from '../lib/api-client';
import { clearReportedLocale, lastReportedLocale, setReportedLocale } from './reported-locale';
import { useSession } from './session';
import { tokenClaims } from './token-claims';

interface BrowserLocale {
  time_zone?: string;
  locale?: string;
}

/** The browser's time zone, and its language as a tag without extensions; what the browser does not provide is omitted. */
export function browserLocale(): BrowserLocale {
  const timeZone = attempt(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const locale = attempt(() => new Intl.Locale(navigator.language).baseName);
  return {
    ...(timeZone ? { time_zone: timeZone } : {}),
    ...(locale && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(locale) ? { locale } : {}),
  };
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Id of the session that the token belongs to; the user's id when the token has none. */
function sessionIdOf({ access_token: token, user }: Session): string {
  const id = tokenClaims(token)?.session_id;
  return typeof id === 'string' ? id : user.id;
}

/**
 * Updates the profile where it differs. @returns whether it is settled: done, or refused for good; anything else is retried at the next
 * visit
 */
async function reportLocale(userId: string, locale: BrowserLocale): Promise<boolean> {
  const columns = Object.keys(locale) as (keyof BrowserLocale)[];
  const profiles = () => client().from('profiles');
  const { data: known, error } = await profiles()
    .select([...columns, 'time_zone_chosen'].join(','))
    .eq('user_id', userId)
    .maybeSingle<Record<keyof BrowserLocale, string | null> & { time_zone_chosen: boolean }>();
  if (error) return false;
  const reported = columns.filter((column) => column !== 'time_zone' || known?.time_zone_chosen !== true);
  if (!known || reported.every((column) => known[column] === locale[column])) return true;
  const update = await profiles()
    .update(Object.fromEntries(reported.map((column) => [column, locale[column]])))
    .eq('user_id', userId);
  return update.error === null || (update.status >= 400 && update.status < 500 && update.status !== 429 && update.status !== 401);
}

/**
 * Reports the browser's time zone and language to the profile, once per sign-in and after a change: automations rest at night in that zone,
 * and times are shown in it. A time zone that the customer chose themselves stays. Runs in the background; failures are not shown.
 */
export function useReportLocale(): void {
  const { session } = useSession();
  const sessionId = session && sessionIdOf(session);
  const userId = session?.user.id;
  useEffect(() => {
    if (!sessionId || !userId) return;
    const locale = browserLocale();
    const report = JSON.stringify([sessionId, locale]);
    if (Object.keys(locale).length === 0 || lastReportedLocale() === report) return;
    // Stored before the answer, so that tabs that open at the same moment send one request.
    setReportedLocale(report);
    reportLocale(userId, locale)
      .catch(() => false)
      .then((isSettled) => {
        if (!isSettled && lastReportedLocale() === report) clearReportedLocale();
      })
      .catch(() => undefined);
  }, [sessionId, userId]);
}
