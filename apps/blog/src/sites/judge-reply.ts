import { pluginRefusal } from '@decola/contracts';
import type { ProblemFacts } from '../texts/delivery-texts.js';
import { headerOf, type JsonObject, readBody, type SiteReply } from './site-answer.js';

/** Why a site did not do what it was asked. */
export const siteProblems = [
  'dns',
  'address',
  'tls',
  'timeout',
  'connection',
  'plugin_missing',
  'token',
  'clock',
  'wrong_site',
  'login',
  'rest_blocked',
  'cloudflare',
  'waf',
  'not_plugin',
  'redirect',
  'refused',
  'too_many',
  'site_down',
  'gone',
  'edited_by_owner',
  'trashed',
  'unknown_article',
  'busy',
  /** The site could not have, or did not take, the picture. */
  'picture',
] as const;
export type SiteProblem = (typeof siteProblems)[number];

export type Judgement =
  | { ok: true; json: JsonObject | null; isPlugin: boolean; notice: string | null }
  | { ok: false; code: SiteProblem; facts: ProblemFacts; retryAfterSeconds: number | null };

/** Refusals of the plugin by their code, and what they are called here. */
const refusalsOfPlugin: Readonly<Partial<Record<string, SiteProblem>>> = {
  token: 'token',
  clock: 'clock',
  wrong_site: 'wrong_site',
  edited_by_owner: 'edited_by_owner',
  trashed: 'trashed',
  gone: 'gone',
  not_prepared: 'unknown_article',
  unknown_article: 'unknown_article',
  busy: 'busy',
};

/** Security plugins by what their refusals contain. */
const guards: readonly [RegExp, string][] = [
  [/wordfence/i, 'Wordfence'],
  [/solid ?security|ithemes/i, 'Solid Security'],
  [/all.?in.?one.{0,20}(?:security|firewall)|aios|aiowps/i, 'All-In-One Security'],
  [/sucuri/i, 'Sucuri'],
  [/cerber/i, 'WP Cerber'],
  [/disable[ _-](?:wp[ _-])?(?:rest|json)|\bdra\b/i, 'Disable REST API'],
  [/ninjafirewall/i, 'NinjaFirewall'],
  [/bbq|block bad queries/i, 'BBQ Firewall'],
  [/perfmatters/i, 'Perfmatters'],
  [/shield ?security|icwp/i, 'Shield Security'],
];

const guardIn = (text: string): string | undefined => guards.find(([pattern]) => pattern.test(text))?.[1];

/** Says what an answer means, or that none came. @param at when it came */
export function judgeReply(reply: SiteReply, at: Date): Judgement {
  const problem = (code: SiteProblem, facts: ProblemFacts = {}, retryAfterSeconds: number | null = null): Judgement => ({
    ok: false,
    ...{ code, facts, retryAfterSeconds },
  });
  if ('failure' in reply) return problem(reply.failure);
  const { status, headers, body, url } = reply;
  const path = URL.canParse(url) ? new URL(url).pathname : '/';
  const { json, notice, isHtml, isEmpty } = readBody(body);
  const isPlugin = json?.['decola'] === 1;
  const retryAfter = retryAfterOf(headerOf(headers, 'retry-after'), at);
  if (isPlugin && (status < 200 || status >= 300)) {
    const refusal = pluginRefusal.safeParse(json);
    const code = (refusal.success && refusalsOfPlugin[refusal.data.code]) || undefined;
    const { site_time: time = null, retry_after: seconds = null, message = null } = refusal.data ?? {};
    const facts = {
      status,
      ...(typeof time === 'number' ? { minutesBehind: Math.round((at.getTime() / 1000 - time) / 60) } : {}),
      ...(message === null ? {} : { message: message.slice(0, 200) }),
    };
    if (code) return problem(code, facts, retryAfter ?? seconds);
    if (status >= 400 && status < 500 && status !== 410 && status !== 429) return problem('refused', facts);
  }
  if (status >= 200 && status < 300) {
    if (json ? json['success'] === false || typeof json['error'] === 'string' : false)
      return problem('refused', { status, ...messageOf(json) });
    // Whatever another receiver says is good; a page is none.
    return isHtml ? problem('not_plugin', { status, path }) : { ok: true, json, isPlugin, notice: isEmpty ? null : notice };
  }
  if (status >= 300 && status < 400) return problem('redirect', { status, ...locationOf(headers['location'], url) });
  if (status === 410) return problem('gone', { status });
  if (status === 429) return problem('too_many', { status }, retryAfter);
  const isCloudflare = headerOf(headers, 'server').includes('cloudflare');
  if (headerOf(headers, 'cf-mitigated') !== '' || (status === 403 && isCloudflare && !json)) return problem('cloudflare', { status, path });
  const guard = guardIn(`${body} ${headerOf(headers, 'server')} ${headerOf(headers, 'x-sucuri-id') && 'sucuri'}`);
  const named = { status, path, ...(guard ? { guard } : {}) };
  const code = typeof json?.['code'] === 'string' ? json['code'] : '';
  if (status === 404) return problem('plugin_missing', { status });
  if ((status === 401 || status === 403) && json && (code.startsWith('rest_') || guard)) return problem('rest_blocked', named);
  if (status === 401 && headerOf(headers, 'www-authenticate') !== '') return problem('login', { status });
  if ([401, 403, 406, 412].includes(status) && !json) return problem('waf', named);
  if (status >= 500 || status === 408 || status === 425) return problem('site_down', { status }, retryAfter);
  return problem('refused', { status, ...messageOf(json) });
}

const messageOf = (json: JsonObject | null): ProblemFacts => {
  const message = json?.['error'] ?? json?.['message'];
  return typeof message === 'string' ? { message: message.replace(/<[^>]*>/g, '').slice(0, 200) } : {};
};

const locationOf = (location: string | string[] | undefined, from: string): ProblemFacts =>
  typeof location === 'string' && URL.canParse(location, from) ? { location: new URL(location, from).href } : {};

/** `Retry-After` in seconds or as a date. */
function retryAfterOf(value: string, at: Date): number | null {
  if (value === '') return null;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - at.getTime()) / 1000));
}
