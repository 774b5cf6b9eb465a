type Configuration = Record<string, unknown>;

/** Keys by which clients send a session, here or in another version. */
const secretKey = /cookie|^session_?id$|^ds_user_id$/i;
/** What a session looks like, wherever it was pasted. Bounded, so that a long text is looked through in one go. */
const secretText = /sessionid["']?\s{0,10}[=:]|(?:^|[^\d])\d{3,30}(?:%3A|:)[\w-]{10,200}(?:%3A|:)\d/i;

/** Keys that only the server writes; a client's values for them are ignored. */
export const serverKeys = ['publicToken', 'sessionStored', 'sessionAccount'] as const;

/**
 * Parts a configuration as it was sent into what may be stored and the session that was pasted. Nothing that looks like a
 * session stays, in whichever field it was put.
 */
export function takeSecrets(sent: Configuration): { configuration: Configuration; pastedSession: unknown } {
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
