import { createHash, randomBytes } from 'node:crypto';
import type { Language } from '../texts/texts.js';
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
  /** Why the session is no longer valid; null while it is. */
  endedBecause: 'logout' | 'password' | 'challenge' | null;
  /** Language in the account's settings; null when none was chosen. */
  language: Language | null;
  /** The claims that were sent to it in `x-ig-set-www-claim`. */
  claims: string[];
}

/** Result of checking a request's cookies. */
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
    { expiresInMs = year, language = null }: { expiresInMs?: number; language?: Language | null } = {},
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

  /** Checks the cookies of a request. `ds_user_id` may be missing, but must not name another account. */
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
