import type { NetworkCookie } from '../runs/job.js';
import type { CookieForm } from './cookie-forms.js';

export const networkDomain = 'instagram.com';

export const cookieNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Names of the network's own cookies: a text with one of them holds cookies of the network. */
export const networkCookieNames: ReadonlySet<string> = new Set([
  'sessionid',
  'ds_user_id',
  'csrftoken',
  'mid',
  'ig_did',
  'datr',
  'rur',
  'ig_nrcb',
]);

/** Attributes of `Set-Cookie`: they are in the text when somebody copies a response instead of a request, and are no cookies. */
export const attributeNames = new Set(['path', 'domain', 'expires', 'max-age', 'samesite', 'priority', 'version', 'comment']);

/** A cookie found in a pasted text. It may belong to another site. */
export interface PastedCookie {
  name: string;
  value: string;
  domain?: string;
  expires?: number;
  httpOnly?: boolean;
  sameSite?: NetworkCookie['sameSite'];
}

export type Recognised = { form: CookieForm; cookies: PastedCookie[] };

/** Converts a number, a numeric text or an ISO instant to epoch seconds; large numbers are taken for milliseconds. Undefined for anything else. */
export function epochSeconds(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  const parsed = Number.isNaN(number) && typeof value === 'string' ? Date.parse(value) : number;
  if (!Number.isFinite(parsed)) return undefined;
  if (parsed <= 0) return -1;
  return Math.floor(parsed > 1e11 ? parsed / 1000 : parsed);
}

export function sameSiteOf(value: unknown): NetworkCookie['sameSite'] | undefined {
  if (typeof value !== 'string') return undefined;
  const known: Record<string, NetworkCookie['sameSite']> = { strict: 'Strict', lax: 'Lax', none: 'None', no_restriction: 'None' };
  return known[value.toLowerCase()];
}

/** Whether a cookie's domain (or the URL it was sent to) is the network's. A cookie without a domain is taken for the network's. */
export function isNetworkDomain(domain: string | undefined): boolean {
  if (domain === undefined) return true;
  const host = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/:?#].*$/s, '')
    .replace(/^\./, '');
  return host === networkDomain || host.endsWith(`.${networkDomain}`);
}

export function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/s, '$2');
}

export function decodeOnce(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
