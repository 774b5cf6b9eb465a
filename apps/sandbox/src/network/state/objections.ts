import { randomBytes } from 'node:crypto';
import type { NetworkClock } from './clock.js';

/** What an objection may be bound to. `page` is the loading of a document, `any` everything. */
export const callNames = [
  'follow',
  'unfollow',
  'profile',
  'posts',
  'post',
  'hashtag',
  'followers',
  'following',
  'show_many',
  'route',
  'suggestions',
  'page',
] as const;
export type CallName = (typeof callNames)[number];

/** Rows of the fact sheet's table of objections, and the three ways to fail without saying so. */
export const objectionKinds = [
  'feedback_required', // 1
  'action_blocked', // 2
  'checkpoint_required', // 3
  'challenge_required', // 3
  'suspended', // 4
  'login_required', // 5
  'login_redirect', // 6
  'please_wait', // 7
  'rate_limit', // 8
  'http_560', // 9
  'html_instead_of_json', // 10
  'rate_limit_error', // 11
  'sentry_block', // 11
  'inactive_user', // 11
  'consent_required', // 11
  'geoblock_required', // 11
  'masked_not_found', // 12
  'graphql_error', // 13
  'unchanged', // 14: the answer says ok, nothing changed
  'undone_after_reload', // 14: shown as done until the page is loaded again
  'target_problem', // 15
  'landmark_missing', // 16
  'button_missing', // 16, on one profile
  'captcha', // 17
  'automation_warning', // 17
  'stale_token',
  'done_with_status_500',
  'spinner_for_ever',
  'latency',
] as const;
export type ObjectionKind = (typeof objectionKinds)[number];

export interface ObjectionScript {
  /** Whose calls are objected to; null means everybody's. */
  username: string | null;
  kind: ObjectionKind;
  call: CallName | 'any' | 'action' | 'read';
  /** Only calls about this account; null means all. */
  target: string | null;
  /** So many matching calls pass first. */
  afterCalls: number;
  /** How many calls it hits; null means every one from then on. */
  times: number | null;
  /** Only for `latency`: wait in ms. */
  delayMs: number;
  /** How long the network wants the account to rest afterwards. Null means until it is forgiven. */
  blockMs: number | null;
}

export interface Objection extends ObjectionScript {
  id: string;
  seen: number;
  hits: number;
  createdAt: number;
}

const hour = 3_600_000;

/** How long the network wants rest after each kind; zero means that it does not mind the next action. */
export const restAfter: Record<ObjectionKind, number | null> = {
  feedback_required: 24 * hour,
  action_blocked: 72 * hour,
  checkpoint_required: null,
  challenge_required: null,
  suspended: null,
  login_required: null,
  login_redirect: null,
  please_wait: hour,
  rate_limit: hour,
  http_560: hour,
  html_instead_of_json: 0,
  rate_limit_error: hour,
  sentry_block: 24 * hour,
  inactive_user: null,
  consent_required: null,
  geoblock_required: null,
  masked_not_found: 24 * hour,
  graphql_error: 0,
  unchanged: 0,
  undone_after_reload: 0,
  target_problem: 0,
  landmark_missing: 0,
  button_missing: 0,
  captcha: null,
  automation_warning: null,
  stale_token: 0,
  done_with_status_500: 0,
  spinner_for_ever: 0,
  latency: 0,
};

interface Rest {
  kind: ObjectionKind;
  since: number;
  until: number;
}

/** The script of objections and the rest that each account owes after one. */
export class Objections {
  private scripts: Objection[] = [];
  private readonly rests = new Map<string, Rest>();

  constructor(private readonly clock: NetworkClock) {}

  add(script: ObjectionScript): Objection {
    const objection = { ...script, id: randomBytes(6).toString('hex'), seen: 0, hits: 0, createdAt: this.clock.now() };
    this.scripts.push(objection);
    return objection;
  }

  all(): Objection[] {
    return this.scripts;
  }

  remove(id: string): boolean {
    const before = this.scripts.length;
    this.scripts = this.scripts.filter((script) => script.id !== id);
    return this.scripts.length < before;
  }

  /** Counts this call against the script. @returns the objections that it meets, `latency` apart from the rest. */
  meet(username: string | null, call: CallName, target: string | null): { objection: Objection | null; delayMs: number } {
    let met: Objection | null = null;
    let delayMs = 0;
    for (const script of this.scripts) {
      if (met && script.kind !== 'latency') continue;
      if (!concerns(script, username, call, target)) continue;
      script.seen++;
      if (script.seen <= script.afterCalls || (script.times !== null && script.hits >= script.times)) continue;
      script.hits++;
      if (script.kind === 'latency') delayMs += script.delayMs;
      else met = script;
    }
    if (met && username) this.demandRest(username, met);
    return { objection: met, delayMs };
  }

  /** The rest that the account owes now; null when it may act. */
  restOf(username: string): Rest | null {
    const rest = this.rests.get(username);
    return rest && this.clock.now() < rest.until ? rest : null;
  }

  forgive(username: string): void {
    this.rests.delete(username);
  }

  clear(): void {
    this.scripts = [];
    this.rests.clear();
  }

  store(): { scripts: Objection[]; rests: [string, Rest][] } {
    return { scripts: this.scripts, rests: [...this.rests] };
  }

  restore({ scripts, rests }: ReturnType<Objections['store']>): void {
    this.scripts = scripts;
    for (const [username, rest] of rests) this.rests.set(username, { ...rest, until: rest.until ?? Infinity });
  }

  private demandRest(username: string, { kind, blockMs }: Objection): void {
    const ms = blockMs ?? restAfter[kind] ?? Infinity;
    if (ms <= 0) return;
    const since = this.clock.now();
    const until = Math.max(since + ms, this.rests.get(username)?.until ?? 0);
    this.rests.set(username, { kind, since, until });
  }
}

function concerns(script: Objection, username: string | null, call: CallName, target: string | null): boolean {
  if (script.username !== null && script.username !== username) return false;
  if (script.target !== null && script.target !== target) return false;
  const isAction = call === 'follow' || call === 'unfollow';
  return (
    script.call === 'any' ||
    script.call === call ||
    (script.call === 'action' ? isAction : script.call === 'read' && !isAction && call !== 'page')
  );
}
