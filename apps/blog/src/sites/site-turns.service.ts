import { type Database, rowOf } from '@decola/database';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import type { HandedOperation, PickupFacts } from './pick-up.js';

/** The site belongs to another replica, or is gone with its owner: nothing of this replica's work may be stored any more. */
export class LostTurnError extends Error {
  override readonly name = 'LostTurnError';
}

/** A site of a customer, as its work needs it. */
export interface SiteRow extends PickupFacts {
  id: string;
  user_id: string;
  site_key: string;
  origin_url: string;
  host: string;
  door: string | null;
  kind: 'plugin' | 'other' | null;
  proven_fingerprint: string | null;
  problem_code: string | null;
  failures: number;
  fence: number;
  /** What the site's plugin was handed and has not reported yet. Nobody else has called the site since then. */
  pickup_operation: HandedOperation | null;
}

/** What is due at a site. */
export interface Turn {
  site: SiteRow;
  work: 'deliver' | 'look' | 'status' | 'inventory';
  /** Null for what is about the whole site. */
  deliveryId: string | null;
}

const siteColumns = [
  'id',
  'user_id',
  'site_key',
  'origin_url',
  'host',
  'door',
  'kind',
  'proven_fingerprint',
  'problem_code',
  'failures',
  'fence',
  'checked_at',
  'pickup_code',
  'pickup_asked_at',
  'pickup_operation',
]
  .map((column) => `s.${column}`)
  .concat(`(s.capabilities->>'pickup')::boolean as has_pickup`)
  .join(', ');

/** A site that lets no call in is asked nothing that its plugin is asked instead. */
const isCalled = (work: Turn['work']) => (work === 'status' || work === 'inventory' ? 'and s.pickup_code is null' : '');

/** Timers that are due, the most urgent work first. Each chooses a site that nobody works on. */
const timers: readonly { work: Turn['work']; choose: string }[] = [
  ...(
    [
      ['deliver', 'next_attempt_at'],
      ['look', 'look_at'],
      ['status', 'status_at'],
    ] as const
  ).map(([work, timer]) => ({
    work,
    choose: `select s.id as site_id, d.id as delivery_id from deliveries d join sites s on s.id = d.site_id
      where d.${timer} <= $1 ${isCalled(work)} and (s.lease_until is null or s.lease_until <= $1) order by d.${timer} limit 1 for update of s skip locked`,
  })),
  {
    work: 'inventory',
    choose: `select s.id as site_id, null::uuid as delivery_id from sites s
      where s.inventory_due_at <= $1 ${isCalled('inventory')} and (s.lease_until is null or s.lease_until <= $1) order by s.inventory_due_at limit 1 for update skip locked`,
  },
];

/**
 * Turns at a site: one replica works on a site at a time. It has the site's lease and its fence, a number that grows with every turn; every write names the
 * fence, so that a replica that was thought dead changes nothing when it wakes up.
 */
@Injectable()
export class SiteTurns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<BlogConfig, 'DELIVERY_LEASE_SECONDS'>,
  ) {}

  /** Takes the next site at which something is due. @returns undefined when nothing is */
  async next(): Promise<Turn | undefined> {
    const now = this.clock.now();
    for (const { work, choose } of timers) {
      const row = await rowOf<SiteRow & { delivery_id: string | null }>(
        this.dataSource.manager,
        `with chosen as (${choose})
         update sites s set lease_until = $2, fence = s.fence + 1, pickup_operation = null from chosen c where s.id = c.site_id
         returning c.delivery_id, ${siteColumns}`,
        [now, this.leaseFrom(now)],
      );
      if (!row) continue;
      const { delivery_id: deliveryId, ...site } = row;
      return { site, work, deliveryId };
    }
    return undefined;
  }

  /**
   * Takes a site whose plugin asks. What was handed out to it does not keep it from asking again.
   * @returns undefined when a call to it is under way
   */
  claim(id: string): Promise<SiteRow | undefined> {
    const now = this.clock.now();
    return rowOf<SiteRow>(
      this.dataSource.manager,
      `update sites s set lease_until = $2, fence = s.fence + 1
       where s.id = $1 and (s.lease_until is null or s.lease_until <= $3 or s.pickup_operation is not null) returning ${siteColumns}`,
      [id, this.leaseFrom(now), now],
    );
  }

  /**
   * Stores what a call brought, and renews the lease.
   * @throws LostTurnError, and stores nothing, when the site is not this replica's any more
   */
  store<Result>({ id, fence }: SiteRow, change: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const own = await rowOf(
        manager,
        'update sites set lease_until = $3 where id = $1 and fence = $2 and lease_until is not null returning 1',
        [id, fence, this.leaseFrom(now)],
      );
      if (!own) throw new LostTurnError(`site ${id} belongs to another replica`);
      return change(manager);
    });
  }

  /** Notes what the site's plugin is handed. The site stays taken until the plugin reports, or the lease ends. */
  async hand(site: SiteRow, operation: HandedOperation): Promise<void> {
    await this.store(site, (manager) =>
      manager.query('update sites set pickup_operation = $2 where id = $1', [site.id, JSON.stringify(operation)]),
    );
    site.pickup_operation = operation;
  }

  /** Ends the turn of a plugin for which there is nothing to do. */
  async dismiss({ id, fence }: SiteRow): Promise<void> {
    await this.dataSource.query('update sites set lease_until = null, pickup_operation = null where id = $1 and fence = $2', [id, fence]);
  }

  /** Ends the turn, so that any replica can take the site at once. */
  async release({ id, fence }: SiteRow): Promise<void> {
    await this.dataSource.query('update sites set lease_until = null where id = $1 and fence = $2', [id, fence]);
  }

  private leaseFrom(now: Date): Date {
    return new Date(now.getTime() + this.config.DELIVERY_LEASE_SECONDS * 1_000);
  }
}

/** Records a call to a site, which its owner may read. */
export async function logAttempt(
  db: Database,
  { id, user_id }: { id: string; user_id: string },
  operation: string,
  { status, code, ms, excerpt }: { status: number | null; code: string | null; ms: number; excerpt: string | null },
  at: Date,
): Promise<void> {
  await db.query(
    `insert into delivery_attempts (delivery_id, user_id, operation, status, code, ms, excerpt, at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, user_id, operation, status, code, ms, excerpt, at],
  );
}
