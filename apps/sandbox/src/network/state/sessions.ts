import { createHash, randomBytes } from 'node:crypto';
import type { NetworkClock } from './clock.js';

/** One log-in of one account, as a customer's browser would hold it. */
export interface Session {
  id: string;
  pk: string;
  username: string;
  /** Value of the cookie `sessionid`, decoded. */
  sessionid: string;
  csrftoken: string;
  mid: string;
  igDid: string;
  datr: string;
  createdAt: number;
  expiresAt: number;
  /** Why it no longer counts; null while it does. */
  endedBecause: 'logout' | 'password' | 'challenge' | null;
  /** Language of the account's settings; null when it never chose. */
  language: 'pt' | 'en' | null;
  /** Every `x-ig-set-www-claim` that was sent to it. */
  claims: string[];
}

export interface Cookie {
  name: string;
  value: string;
  domain: string;
  path: string;
  secure: boolean;
  httpOnly: boolean;
  /** Seconds since 1970. */
  expires: number;
}

/** What a request's cookies are worth. */
export type CookieVerdict =
  | { kind: 'active'; session: Session }
  | { kind: 'anonymous' }
  | { kind: 'refused'; reason: 'unknown' | 'wrong_pair' | 'expired' | 'ended'; session?: Session };

const year = 365 * 86_400_000;
const urlSafe = (bytes: number): string => randomBytes(bytes).toString('base64url');

export class Sessions {
  private readonly bySecret = new Map<string, Session>();

  constructor(private readonly clock: NetworkClock) {}

  create(
    pk: string,
    username: string,
    { expiresInMs = year, language = null }: { expiresInMs?: number; language?: 'pt' | 'en' | null } = {},
  ): Session {
    const now = this.clock.now();
    const token = urlSafe(11).slice(0, 14);
    const mark = `AY${createHash('sha256').update(`${pk}:${token}`).digest('base64url').slice(0, 38)}`;
    const session: Session = {
      id: urlSafe(9),
      pk,
      username,
      sessionid: `${pk}:${token}:${Math.floor(Math.random() * 28) + 1}:${mark}`,
      csrftoken: newCsrfToken(),
      mid: urlSafe(21),
      igDid: crypto.randomUUID().toUpperCase(),
      datr: urlSafe(18),
      createdAt: now,
      expiresAt: now + expiresInMs,
      endedBecause: null,
      language,
      claims: [],
    };
    this.bySecret.set(session.sessionid, session);
    return session;
  }

  /** Judges the cookies of a request. `ds_user_id` may be missing, but must not contradict. */
  read(cookies: Record<string, string | undefined>): CookieVerdict {
    const pasted = cookies.sessionid?.replace(/^"|"$/g, '');
    if (!pasted) return { kind: 'anonymous' };
    const session = this.bySecret.get(decode(pasted));
    if (!session) return { kind: 'refused', reason: 'unknown' };
    if (cookies.ds_user_id !== undefined && cookies.ds_user_id !== session.pk) return { kind: 'refused', reason: 'wrong_pair', session };
    if (session.endedBecause) return { kind: 'refused', reason: 'ended', session };
    if (this.clock.now() >= session.expiresAt) return { kind: 'refused', reason: 'expired', session };
    return { kind: 'active', session };
  }

  all(): Session[] {
    return [...this.bySecret.values()];
  }

  find(id: string): Session | undefined {
    return this.all().find((session) => session.id === id);
  }

  end(session: Session, reason: NonNullable<Session['endedBecause']>): void {
    session.endedBecause = reason;
  }

  clear(): void {
    this.bySecret.clear();
  }

  restore(sessions: readonly Session[]): void {
    for (const session of sessions) this.bySecret.set(session.sessionid, session);
  }
}

export function newCsrfToken(): string {
  return urlSafe(24);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The session's cookies as the browser of the account's owner holds them. */
export function cookiesOf(session: Session): Cookie[] {
  const expires = Math.floor(session.expiresAt / 1000);
  const cookie = (name: string, value: string, httpOnly = false): Cookie => ({
    name,
    value,
    domain: '.instagram.com',
    path: '/',
    secure: true,
    httpOnly,
    expires,
  });
  return [
    cookie('datr', session.datr, true),
    cookie('ig_did', session.igDid, true),
    cookie('mid', session.mid),
    cookie('csrftoken', session.csrftoken),
    cookie('ds_user_id', session.pk),
    cookie('sessionid', encodeURIComponent(session.sessionid), true),
    cookie('rur', `"RVA\\054${session.pk}\\054${expires}:01f7${createHash('sha256').update(session.id).digest('hex')}"`, true),
  ];
}

/** The six forms in which customers paste a session. */
export function pasteForms(session: Session): Record<'header' | 'list' | 'object' | 'map' | 'netscape' | 'bare', string> {
  const cookies = cookiesOf(session);
  const exported = cookies.map(({ expires, ...cookie }, position) => ({
    ...cookie,
    hostOnly: false,
    sameSite: ['no_restriction', 'unspecified', null][position % 3],
    session: false,
    expirationDate: expires + 0.482913,
    storeId: '0',
    id: position + 1,
  }));
  const foreign = {
    name: 'sessionid',
    value: 'of-another-site-00000000000000000000',
    domain: '.example.com',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
  };
  return {
    header: `Cookie: ${cookies.map(({ name, value }) => `${name}=${value}`).join('; ')}`,
    list: JSON.stringify(exported, null, 2),
    object: JSON.stringify({ cookies: [foreign, ...cookies.map((cookie) => ({ ...cookie, sameSite: 'None' }))], origins: [] }),
    map: JSON.stringify(Object.fromEntries(cookies.map(({ name, value }) => [name, value]))),
    netscape: [
      '# Netscape HTTP Cookie File',
      '# https://curl.se/docs/http-cookies.html',
      '',
      ...cookies.map(({ name, value, domain, path, secure, httpOnly, expires }) =>
        [`${httpOnly ? '#HttpOnly_' : ''}${domain}`, 'TRUE', path, secure ? 'TRUE' : 'FALSE', expires, name, value].join('\t'),
      ),
      '',
    ].join('\n'),
    bare: encodeURIComponent(session.sessionid),
  };
}
