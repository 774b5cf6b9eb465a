import type { NetworkCookie } from '../runs/job.js';
import { type CookieForm } from './cookie-forms.js';
import { messages } from './messages.js';
import {
  cookieNamePattern,
  decodeOnce,
  isNetworkDomain,
  networkCookieNames,
  networkDomain,
  type PastedCookie,
  unquoted,
} from './pasted-cookie.js';
import { recognise, tidy } from './recognise.js';

export type ParsedSession =
  | {
      ok: true;
      form: CookieForm;
      /** Cookies of the network only, one per name, values as received. Always holds `sessionid` and `ds_user_id`. */
      cookies: NetworkCookie[];
      /** Numeric id of the account, as text. */
      networkUserId: string;
    }
  | {
      ok: false;
      /** For the customer: what is missing and what to do. Never repeats any of the pasted text. */
      message: string;
    };

/** Characters of the shortest `sessionid` that the network issues. */
const minSessionLength = 31;
/** Characters. All cookies of a browser fit; a longer text is not a session. */
const maxPasteLength = 100_000;

/**
 * Reads a session of the network from a text that a customer pasted, in any of `cookieForms`. Keeps only the network's cookies, with their
 * values as received; values that were encoded twice are decoded once.
 * @param now decides whether the session has expired
 */
export function parseSessionCookies(pasted: string, now: Date = new Date()): ParsedSession {
  if (pasted.length > maxPasteLength) return { ok: false, message: isHar(pasted) ? messages.harTooLong : messages.tooLong };
  const text = tidy(pasted);
  if (text === '') return { ok: false, message: messages.empty };
  const found = recognise(text, now);
  return typeof found === 'string' ? { ok: false, message: found } : accept(found.form, found.cookies, now);
}

function isHar(pasted: string): boolean {
  return /^\s*\{\s*"log"\s*:/.test(pasted.slice(0, 1_000));
}

function accept(form: CookieForm, found: readonly PastedCookie[], now: Date): ParsedSession {
  const ours = found.filter(({ domain }) => isNetworkDomain(domain));
  if (found.length > 0 && ours.length === 0) return { ok: false, message: messages.otherSite };
  if (ours.length === 0) return { ok: false, message: messages.nothing };
  if (new Set(ours.flatMap(accountOf)).size > 1) return { ok: false, message: messages.twoAccounts };

  const byName = new Map<string, PastedCookie>();
  for (const cookie of ours) {
    const isFilled = unquoted(cookie.value) !== '';
    if (cookieNamePattern.test(cookie.name) && (isFilled || !byName.has(cookie.name))) byName.set(cookie.name, cookie);
  }

  const session = byName.get('sessionid');
  if (!session) return { ok: false, message: guessedForms.has(form) && !hasNetworkCookie(byName) ? messages.nothing : messages.noSession };
  // A session contains neither quotes nor line breaks: copying added them.
  session.value = unquoted(session.value).replace(/\s+/g, '');
  if (session.value === '') return { ok: false, message: messages.emptySession };
  const wasEncodedTwice = /^\d+%253A/i.test(session.value);
  if (wasEncodedTwice) for (const cookie of byName.values()) cookie.value = withoutDoubleEncoding(cookie.value);
  const account = /^(\d+):/.exec(decodeOnce(session.value))?.[1];
  if (session.value.length < minSessionLength) return { ok: false, message: messages.shortSession };
  if (account === undefined) return { ok: false, message: messages.noAccount };
  if (session.expires !== undefined && session.expires !== -1 && session.expires * 1000 <= now.getTime()) {
    return { ok: false, message: messages.expired };
  }

  const named = unquoted(byName.get('ds_user_id')?.value ?? '').trim();
  if (named !== '' && !/^\d+$/.test(named)) return { ok: false, message: messages.wrongAccountId };
  if (named !== '' && named !== account) return { ok: false, message: messages.otherAccount };
  byName.set('ds_user_id', { ...byName.get('ds_user_id'), name: 'ds_user_id', value: account });

  const cookies = [...byName.values()].filter(isSendable).map(toNetworkCookie);
  return { ok: true, form: wasEncodedTwice ? 'encoded-twice' : form, networkUserId: account, cookies };
}

/** Forms that almost any text can look like: they count only when the text holds a cookie name of the network. */
const guessedForms: ReadonlySet<CookieForm> = new Set(['header', 'windows-curl', 'set-cookie']);

/** The account id in a `sessionid` cookie, as a list of none or one; empty for other cookies. */
function accountOf({ name, value }: PastedCookie): string[] {
  if (name !== 'sessionid') return [];
  const account = /^(\d+)(?:%(?:25)*3A|:)/i.exec(unquoted(value).replace(/\s+/g, ''))?.[1];
  return account === undefined ? [] : [account];
}

/** Decodes only values that were encoded twice: a single encoding belongs to the cookie. */
function withoutDoubleEncoding(value: string): string {
  return /%25[0-9A-F]{2}/i.test(value) ? decodeOnce(value) : value;
}

/** Whether any cookie has a name of the network: then the customer is told that `sessionid` is missing, not that the text holds no cookies. */
function hasNetworkCookie(cookies: ReadonlyMap<string, PastedCookie>): boolean {
  return [...networkCookieNames].some((name) => cookies.has(name));
}

/** Browsers refuse cookies whose value contains control characters or a semicolon. */
function isSendable({ value }: PastedCookie): boolean {
  return value !== '' && !/[\u0000-\u001F\u007F;]/.test(value);
}

function toNetworkCookie(cookie: PastedCookie): NetworkCookie {
  return {
    name: cookie.name,
    value: cookie.value,
    domain: `.${networkDomain}`,
    path: '/',
    expires: cookie.expires ?? -1,
    httpOnly: cookie.httpOnly ?? cookie.name === 'sessionid',
    secure: true,
    sameSite: cookie.sameSite ?? 'Lax',
  };
}
