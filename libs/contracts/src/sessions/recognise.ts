import { fromDevtools, fromNetscape, looksLikeNetscape } from './cookie-tables.js';
import { fromCommand } from './curl-command.js';
import { fromHeader, fromNamedValues } from './header-cookies.js';
import { fromJson } from './json-cookies.js';
import { messages } from './messages.js';
import { decodeOnce, type Recognised } from './pasted-cookie.js';
import { fromSetCookies } from './set-cookie-lines.js';

/**
 * Finds the cookies of a pasted text and the form in which they were pasted.
 * @param text after `tidy`
 * @returns the message for the customer when the text holds no cookies
 */
export function recognise(text: string, now: Date): Recognised | string {
  const unwrapped = unwrap(text);
  if (/^[[{]/.test(unwrapped)) {
    return fromJson(unwrapped, now, (raw) => {
      const inner = tidy(raw);
      return inner === '' ? messages.empty : recognise(inner, now);
    });
  }
  if (looksLikeNetscape(text)) return { form: 'netscape', cookies: fromNetscape(text) };
  const rows = fromDevtools(text);
  if (rows.length > 0) return { form: rows.length === 1 ? 'devtools-row' : 'devtools-table', cookies: rows };
  const encoded = isEncodedWhole(unwrapped) ? tidy(decodeOnce(unwrapped)) : unwrapped;
  if (encoded !== unwrapped) {
    const decoded = recognise(encoded, now);
    return typeof decoded === 'string' ? decoded : { form: 'encoded-twice', cookies: decoded.cookies };
  }
  const command = fromCommand(text);
  if (command) return command;
  const compact = unwrapped.replace(/\s+/g, '');
  const bare = /^(?:cookie:)?(?:sessionid=)?["']?(\d+(?:%(?:25)?3A|:)[^;,="']*)["']?;?$/i.exec(compact);
  if (bare?.[1] !== undefined) return { form: 'bare', cookies: [{ name: 'sessionid', value: bare[1] }] };
  const set = fromSetCookies(unwrapped, now);
  if (set.length > 0) return { form: 'set-cookie', cookies: set };
  const named = fromNamedValues(text);
  if (named.length > 0) return { form: 'named-values', cookies: named };
  const pairs = fromHeader(unwrapped);
  if (pairs.length === 0) return messages.nothing;
  if (pairs.length === 1 && pairs[0]?.name === 'sessionid') return { form: 'bare', cookies: pairs };
  return { form: 'header', cookies: pairs };
}

/** Removes what chat programs and editors add to a copied text: invisible characters, typographic quotes, code fences. */
export function tidy(pasted: string): string {
  return pasted
    .replace(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replace(/[\u201C-\u201F\u2033\u00AB\u00BB]/g, '"')
    .replace(/[\u2018-\u201B\u2032]/g, "'")
    .replace(/[\u00A0\u202F]/g, ' ')
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*```[a-z]*\n|\n```\s*$/gi, '')
    .trim();
}

/** Removes quotes around the whole text, and the escapes of a JSON string. */
function unwrap(text: string): string {
  const match = /^(["'])([\s\S]*)\1[;,]?$/.exec(text);
  if (match?.[2] === undefined) return text;
  const inner = match[2];
  return (match[1] === '"' && /\\"/.test(inner) ? inner.replace(/\\"/g, '"') : inner).trim();
}

/** Whether the whole text is percent-encoded: then the `=` after a name, or the bracket that opens a JSON, reads `%3D`, `%5B` or `%7B`. */
function isEncodedWhole(text: string): boolean {
  return /^(?:%5B|%7B)/i.test(text) || (/(?:^|%3B|%20|\s|\+)sessionid%3D/i.test(text) && !text.includes('='));
}
