import { randomBytes, randomUUID } from 'node:crypto';
import { pluginPingAnswer, type SiteCapabilities } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { messageId } from '../signatures/message-id.js';
import { provesToken, sign } from '../signatures/sign.js';
import { capabilitiesOf } from './capabilities.js';
import { audienceOf, doorsOf } from './doors.js';
import type { Judgement } from './judge-reply.js';
import { SiteCalls, type SiteCall } from './site-calls.service.js';

/** For all doors together. */
const totalMs = 10_000;
const challengeBytes = 32;

/** What a ping found. */
export interface FoundSite {
  found: true;
  door: string;
  kind: 'plugin' | 'other';
  /** Index of the token that the site has proven to know; null when it has proven none. */
  provenToken: number | null;
  plugin: string | null;
  wp: string | null;
  capabilities: SiteCapabilities;
  /** The answer was a JSON object. */
  isObject: boolean;
  notice: string | null;
  calls: SiteCall[];
}

export interface NoSite {
  found: false;
  problem: Extract<Judgement, { ok: false }>;
  calls: SiteCall[];
}

/** Finds out where a site answers, and whether it knows the token. */
@Injectable()
export class Pings {
  constructor(
    private readonly calls: SiteCalls,
    private readonly clock: Clock,
  ) {}

  /** @param address as typed @param tokens the current one first @param known the address that answered before, which is tried first */
  async find(address: string, tokens: readonly string[], known: string | null = null): Promise<FoundSite | NoSite> {
    const signal = AbortSignal.timeout(totalMs);
    const calls: SiteCall[] = [];
    const doors = doorsOf(address);
    let other: FoundSite | undefined;
    let problem: NoSite['problem'] | undefined;
    for (const door of known === null ? doors : [...new Set([known, ...doors])]) {
      const { call, site } = await this.ping(door, tokens, signal);
      calls.push(call);
      if (site?.kind === 'plugin') return { ...site, calls };
      // Another receiver is at the address that was typed, whatever else its server answers.
      if (site && (other === undefined || isSameAddress(door, address))) other = site;
      if (site && isSameAddress(door, address)) break;
      if (call.judgement.ok) continue;
      const { code } = call.judgement;
      // The most telling answer of several doors.
      if (problem === undefined || weightOf(code) > weightOf(problem.code)) problem = call.judgement;
      // Our plugin has refused, or the server cannot be reached: the other doors would say the same.
      if (!otherDoorsMayAnswer.has(code)) break;
    }
    if (other && (problem === undefined || isNoPlugin(problem.code))) return { ...other, calls };
    return { found: false, problem: problem ?? { ok: false, code: 'not_plugin', facts: {}, retryAfterSeconds: null }, calls };
  }

  private async ping(door: string, tokens: readonly string[], signal: AbortSignal): Promise<{ call: SiteCall; site?: FoundSite }> {
    const at = this.clock.now();
    const [challenge, host] = [randomBytes(challengeBytes).toString('hex'), audienceOf(door)];
    const body = JSON.stringify({ type: 'ping', timestamp: at.toISOString(), data: { host, challenge } });
    const call = await this.calls.post(door, sign({ id: messageId('ping', randomUUID()), body, at }, tokens), { signal });
    const { judgement, reply } = call;
    if (!judgement.ok) return { call };
    const answer = pluginPingAnswer.safeParse(judgement.json);
    const proof = answer.data?.proof;
    const proven = tokens.findIndex((token) => provesToken(proof, token, challenge, host));
    return {
      call,
      site: {
        found: true,
        door: 'url' in reply ? reply.url : door,
        kind: judgement.isPlugin ? 'plugin' : 'other',
        provenToken: proven < 0 ? null : proven,
        plugin: answer.data?.plugin ?? null,
        wp: answer.data?.wp ?? null,
        capabilities: capabilitiesOf(answer.data),
        isObject: judgement.json !== null,
        notice: judgement.notice,
        calls: [],
      },
    };
  }
}

/** Answers after which another door of the same site may answer. */
const otherDoorsMayAnswer: ReadonlySet<string> = new Set(['plugin_missing', 'rest_blocked', 'not_plugin', 'refused', 'waf']);

const isNoPlugin = (code: string): boolean => code === 'plugin_missing' || code === 'not_plugin' || code === 'refused';

/** How much a problem tells. Two of the three doors are usually closed, so a missing plugin and a page tell least; of equals the first one counts. */
const weightOf = (code: string): number => (code === 'plugin_missing' || code === 'not_plugin' ? 0 : code === 'refused' ? 1 : 2);

const isSameAddress = (door: string, typed: string): boolean => door === new URL(typed.trim()).href;
