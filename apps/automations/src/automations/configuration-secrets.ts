import type { Configuration } from './configuration.js';

/** Keys under which clients send a session, now or in earlier versions. */
const secretKey = /cookie|^session_?id$|^ds_user_id$/i;
/** What a session looks like in any text. Repetitions are bounded, so that matching takes linear time. */
const secretText = /sessionid["']?\s{0,10}[=:]|(?:^|[^\d])\d{3,30}(?:%3A|:)[\w-]{10,200}(?:%3A|:)\d/i;

/** Keys that only the server writes. Values that a client sends for them are ignored. */
export const serverKeys = ['publicToken', 'sessionStored', 'sessionAccount'] as const;

/** The fields of a configuration in which a session does not belong. */
export function withoutSessionFields({ sessionCookie: _session, cookies: _cookies, ...rest }: Configuration): Configuration {
  return rest;
}

/**
 * Separates the pasted session from a configuration. Removes everything else that looks like a session, in whichever field it is.
 * @returns `pastedSession`: undefined when there is none
 */
export function separateSession(sent: Configuration): { configuration: Configuration; pastedSession: unknown } {
  const pasted = sent['sessionCookie'] ?? sent['cookies'];
  const pastedSession = typeof pasted === 'string' && pasted.trim() === '' ? undefined : (pasted ?? undefined);
  const configuration = Object.fromEntries(
    Object.entries(sent).filter(([key]) => !secretKey.test(key) && !(serverKeys as readonly string[]).includes(key)),
  );
  return { configuration: scrub(configuration) as Configuration, pastedSession };
}

function scrub(value: unknown): unknown {
  if (typeof value === 'string') return secretText.test(value) ? '' : value;
  if (Array.isArray(value)) return value.map(scrub);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !secretKey.test(key))
      .map(([key, inner]) => [key, scrub(inner)]),
  );
}
