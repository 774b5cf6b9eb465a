import { setTimeout } from 'node:timers/promises';
import { type PickupAnswer, pickupIntervalSeconds, type PickupOperation, type PickupRequest } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { sign } from '../signatures/sign.js';
import { LostTurnError, type SiteRow, SiteTurns } from '../sites/site-turns.service.js';
import { type Asker, PickupSenders, type SignedRequest } from './pickup-senders.service.js';
import { type PickupMessage, PickupWork } from './pickup-work.service.js';

const claimTries = 10;
const claimPauseMs = 200;

/**
 * Answers the plugins of sites that ask for what they would have been sent. One operation is handed out at a time; until it is reported, or its lease ends, nobody
 * else works at the site. What gets lost on either way is handed out again under the same id.
 */
@Injectable()
export class Pickups {
  constructor(
    private readonly senders: PickupSenders,
    private readonly turns: SiteTurns,
    private readonly work: PickupWork,
    private readonly clock: Clock,
  ) {}

  async answer(request: SignedRequest): Promise<PickupAnswer> {
    const { askers, data } = await this.senders.identify(request);
    const operations: PickupOperation[] = [];
    let isBusy = false;
    for (const asker of askers) {
      const site = await this.claim(asker.siteId);
      const next = site && (await this.serve(site, data, operations.length === 0).catch(nothingWhenLost));
      if (!site || next === undefined) isBusy = true;
      else if (next) operations.push(this.operationOf(asker, next));
    }
    return {
      decola: 1,
      // While a call to the site is under way nothing is stored: the plugin reports again.
      accepted: isBusy ? [] : data.results.map(({ id }) => id),
      operations,
      next_seconds: pickupIntervalSeconds,
    };
  }

  /** Waits a little for a call or a look that is under way: the plugin asks again only in a quarter of an hour. */
  private async claim(siteId: string): Promise<SiteRow | undefined> {
    for (let tries = 1; ; tries++) {
      const site = await this.turns.claim(siteId);
      if (site || tries === claimTries) return site;
      await setTimeout(claimPauseMs);
    }
  }

  private async serve(site: SiteRow, { results, take }: PickupRequest['data'], isFirst: boolean): Promise<PickupMessage | null> {
    for (const result of results) await this.work.accept(site, result);
    // What the plugin was handed and has not reported yet stays its own.
    if (!take && site.pickup_operation) return null;
    const next = take && isFirst ? await this.work.next(site) : null;
    await (next ? this.turns.hand(site, next.operation) : this.turns.dismiss(site));
    return next;
  }

  private operationOf({ token }: Asker, { operation: { id, type }, data }: PickupMessage): PickupOperation {
    const at = this.clock.now();
    const { headers, body } = sign({ id, body: JSON.stringify({ type, timestamp: at.toISOString(), data }), at }, [token]);
    return { id, timestamp: headers['webhook-timestamp'] ?? '', signature: headers['webhook-signature'] ?? '', body };
  }
}

/** @returns undefined when another call has taken the site meanwhile */
function nothingWhenLost(error: unknown): undefined {
  if (!(error instanceof LostTurnError)) throw error;
  return undefined;
}
