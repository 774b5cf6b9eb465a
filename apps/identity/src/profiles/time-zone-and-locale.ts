import { RestError } from '@decola/table-api';

/** Longer than every name of a time zone or a language tag in use. */
const longestName = 64;

const notRecognized = (what: string, given: string): RestError =>
  new RestError(400, '22023', `${what} "${given.slice(0, longestName)}" not recognized`);

/**
 * Reads an IANA time zone and corrects its case. An alias such as `Asia/Calcutta` stays as the browser sent it.
 * @throws RestError 22023 for anything else, also for an offset such as `-03:00`, which has no daylight saving time
 */
export function readTimeZone(given: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(given) || given.length > longestName) throw notRecognized('time zone', given);
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions();
    return timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given;
  } catch {
    throw notRecognized('time zone', given);
  }
}

/** Reads a language tag (BCP 47), such as `pt-BR`. @throws RestError 22023 for anything else */
export function readLocale(given: string): string {
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(given) || given.length > longestName) throw notRecognized('locale', given);
  return given;
}
