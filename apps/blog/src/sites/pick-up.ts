import type { SiteProblem } from './judge-reply.js';

/** How long after its last sign a plugin is expected to ask again. WP-Cron needs visits, which small sites do not have every hour. */
const expectedMs = 24 * 60 * 60 * 1000;

/** Problems that keep our calls out, whoever is at home: a plugin that asks does not meet them. */
const closing: ReadonlySet<string> = new Set<SiteProblem>(['rest_blocked', 'cloudflare', 'waf', 'login', 'redirect', 'address', 'tls']);

/** Problems that may pass by themselves, and that a plugin that asks does not meet. */
const interrupting: ReadonlySet<string> = new Set<SiteProblem>(['dns', 'timeout', 'connection', 'site_down', 'too_many']);

/** Problems that are over when the plugin asks with the right token, the right time and the right host. */
const contradicted: ReadonlySet<string> = new Set<SiteProblem>(['plugin_missing', 'not_plugin', 'token', 'clock', 'wrong_site']);

/** Whether the problem lasts until its owner opens the site for our calls. */
export const keepsCallsOut = (code: string): boolean => closing.has(code);

/** Whether the problem is only one of calls from outside. */
export const isOfCalls = (code: string): boolean => closing.has(code) || interrupting.has(code);

/** Problems of deliveries that a plugin may fetch all the same. */
export const solvedByAsking: readonly string[] = [...closing, ...interrupting, ...contradicted];

/** What is known of a site's plugin. */
export interface PickupFacts {
  /** Whether it said that it asks; null: it said nothing. */
  has_pickup: boolean | null;
  pickup_asked_at: Date | null;
  /** When the site last answered a call. */
  checked_at: Date | null;
  /** Why our calls do not get in; null: they do, as far as we know. */
  pickup_code: string | null;
}

/** What a plugin was handed. Its body follows from the same facts again. */
export interface HandedOperation {
  id: string;
  type: string;
  /** ISO instant. */
  at: string;
  /** Of `article.status`: the deliveries whose articles are asked about. */
  deliveryIds?: string[];
  delivery?: { id: string; revision: number; operation: 'deliver' | 'withdraw'; round: number };
}

/** When the plugin gave its last sign; null when it is not one that asks. */
const lastSignOf = ({ has_pickup: says, pickup_asked_at: askedAt, checked_at: checkedAt }: PickupFacts): Date | null =>
  says === false ? null : (askedAt ?? (says === true ? checkedAt : null));

/** Whether the site's plugin can be expected to ask. */
export function asksBySelf(site: PickupFacts, now: Date): boolean {
  const last = lastSignOf(site);
  return last !== null && now.getTime() - last.getTime() < expectedMs;
}

/** Until when a plugin is waited for before the site is called after all. */
export const waitsUntil = (site: PickupFacts, now: Date): Date => new Date((lastSignOf(site) ?? now).getTime() + expectedMs);

/** When the plugin should ask next. @param intervalSeconds how often it asks */
export const nextAskOf = ({ pickup_asked_at: askedAt }: PickupFacts, now: Date, intervalSeconds: number): Date =>
  new Date((askedAt ?? now).getTime() + intervalSeconds * 1_000);
