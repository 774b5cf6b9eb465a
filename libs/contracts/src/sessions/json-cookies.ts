import { pairsOf } from './header-cookies.js';
import { messages } from './messages.js';
import { epochSeconds, type PastedCookie, type Recognised, sameSiteOf } from './pasted-cookie.js';
import { fromSetCookies } from './set-cookie-lines.js';

/**
 * Cookies of a JSON text: a list, a map, an export file or a HAR recording.
 * @param recogniseText reads a text that stands inside the JSON
 * @returns the message for the customer when there are no cookies
 */
export function fromJson(text: string, now: Date, recogniseText: (text: string) => Recognised | string): Recognised | string {
  const parsed = parseLenient(text);
  if (parsed === undefined) return messages.brokenJson;
  if (Array.isArray(parsed)) return { form: 'json-list', cookies: parsed.flatMap(fromJsonCookie) };
  if (!isRecord(parsed)) return messages.brokenJson;
  const log = parsed['log'];
  if (isRecord(log) && Array.isArray(log['entries'])) {
    const cookies = fromHar(log['entries'], now);
    return cookies.length === 0 ? messages.harWithoutCookies : { form: 'har', cookies };
  }
  if (Array.isArray(parsed['cookies'])) return { form: 'json-object', cookies: parsed['cookies'].flatMap(fromJsonCookie) };
  // The page sends a text that it could not parse in this field.
  const raw = parsed['raw_cookie'];
  if (typeof raw === 'string') return recogniseText(raw);
  if (typeof parsed['name'] === 'string' && 'value' in parsed) return { form: 'json-list', cookies: fromJsonCookie(parsed) };
  const map = isRecord(parsed['cookies']) ? parsed['cookies'] : parsed;
  const cookies = Object.entries(map).flatMap(([name, value]) => (isText(value) ? [{ name: name.trim(), value: textOf(value) }] : []));
  return { form: 'json-map', cookies };
}

/** `JSON.parse` that also accepts common copying errors: an unescaped `\054`, a trailing comma. Undefined when the text is no JSON even so. */
function parseLenient(text: string): unknown {
  const attempts = [text, text.replace(/\\(?!["\\/bfnrtu])/g, '\\\\').replace(/,(\s*[\]}])/g, '$1')];
  for (const attempt of attempts) {
    try {
      return JSON.parse(attempt) as unknown;
    } catch {
      // the next attempt, or undefined
    }
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number above 2^53 has lost digits in `JSON.parse`: such an id is dropped, because a wrong id is worse than none. */
function isText(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

function textOf(value: string | number): string {
  return typeof value === 'string' ? value : value.toFixed(0);
}

function fromJsonCookie(item: unknown): PastedCookie[] {
  if (!isRecord(item) || typeof item['name'] !== 'string' || !isText(item['value'])) return [];
  const expires = item['expirationDate'] ?? item['expires'] ?? item['expiry'] ?? item['expiration'];
  return [
    {
      name: item['name'].trim(),
      value: textOf(item['value']),
      domain: typeof item['domain'] === 'string' ? item['domain'] : typeof item['host'] === 'string' ? item['host'] : undefined,
      expires: item['session'] === true ? -1 : epochSeconds(expires),
      httpOnly: item['httpOnly'] === true || item['httponly'] === true ? true : undefined,
      sameSite: sameSiteOf(item['sameSite']),
    },
  ];
}

/** Cookies of a HAR recording, oldest first: later cookies replace earlier ones of the same name. */
function fromHar(entries: readonly unknown[], now: Date): PastedCookie[] {
  return entries.flatMap((entry) => {
    if (!isRecord(entry) || !isRecord(entry['request'])) return [];
    const { request, response } = entry;
    const host = typeof request['url'] === 'string' ? request['url'] : undefined;
    const sent = cookiesOf(request).map((cookie) => ({ ...cookie, domain: cookie.domain ?? host }));
    const headers = headersOf(request, 'cookie').flatMap((value) => pairsOf(value, host));
    const set = isRecord(response) ? headersOf(response, 'set-cookie').flatMap((value) => fromSetCookies(`set-cookie: ${value}`, now)) : [];
    return [...sent, ...headers, ...set.map((cookie) => ({ ...cookie, domain: cookie.domain ?? host }))];
  });
}

function cookiesOf(request: Record<string, unknown>): PastedCookie[] {
  return Array.isArray(request['cookies']) ? request['cookies'].flatMap(fromJsonCookie) : [];
}

function headersOf(message: Record<string, unknown>, name: string): string[] {
  const headers = Array.isArray(message['headers']) ? message['headers'] : [];
  return headers.flatMap((header: unknown) =>
    isRecord(header) && typeof header['name'] === 'string' && header['name'].toLowerCase() === name && typeof header['value'] === 'string'
      ? header['value'].split('\n')
      : [],
  );
}
