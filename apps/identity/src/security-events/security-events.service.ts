import type { SecurityEventKind } from '@decola/contracts';
import { changedRows, type Database, rowOf, rowsOf } from '@decola/database';
import { Clock, Logger, clientNetwork, periodically, type PeriodicWork } from '@decola/service-kit';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { boundedOrigin, currentOrigin, type Origin } from './origin.js';

/** Days that the history is kept: long enough to investigate an abuse. */
export const securityEventDays = 180;

const cleanupMs = 3_600_000;
/** Rows per statement, so that none holds its locks for long. */
const cleanupBatch = 5_000;

/** Adds a row to a person's security history, in the caller's transaction. @param userId null for an account that no longer exists */
export async function recordSecurityEvent(
  db: Database,
  userId: string | null,
  kind: SecurityEventKind,
  origin: Origin,
  at: Date,
): Promise<void> {
  const { ip, userAgent } = boundedOrigin(origin);
  await db.query('insert into security_events (user_id, kind, ip, user_agent, at) values ($1, $2, $3, $4, $5)', [
    userId,
    kind,
    ip,
    userAgent,
    at,
  ]);
}

/** The security history of accounts: sign-ins, changed passwords, ended sessions and the like (`SecurityEventKind`). */
@Injectable()
export class SecurityEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private cleanup: PeriodicWork | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Records an event of a person's account.
   * @param manager the transaction of the change; by default none
   * @param origin by default that of the current request
   */
  async record(
    userId: string,
    kind: SecurityEventKind,
    { manager = this.dataSource.manager, origin = currentOrigin() }: { manager?: Database; origin?: Origin } = {},
  ): Promise<void> {
    await recordSecurityEvent(manager, userId, kind, origin, this.clock.now());
  }

  /** Counts the account's events of a kind after `since`. */
  async countSince(userId: string, kind: SecurityEventKind, since: Date, manager: Database = this.dataSource.manager): Promise<number> {
    const row = (await rowOf<{ total: number }>(
      manager,
      'select count(*)::int as total from security_events where user_id = $1 and kind = $2 and at > $3',
      [userId, kind, since],
    ))!;
    return row.total;
  }

  /** Whether the history holds a successful sign-in of this person from the network of that IP address. */
  async signedInFrom(userId: string | null, ip: string | null): Promise<boolean> {
    if (userId === null || ip === null) return false;
    const known = await rowsOf<{ ip: string }>(
      this.dataSource,
      `select distinct ip from security_events
       where user_id = $1 and ip is not null and kind like 'sign\\_in.%' and kind <> 'sign_in.wrong_password'`,
      [userId],
    );
    const network = clientNetwork(ip);
    return known.some((each) => clientNetwork(each.ip) === network);
  }

  /** Deletes events older than `securityEventDays`. @returns how many */
  async deleteOld(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - securityEventDays * 86_400_000);
    for (let deleted = 0; ;) {
      const count = await changedRows(
        this.dataSource,
        `delete from security_events where id in (select id from security_events where at < $1 order by at limit ${cleanupBatch})`,
        [before],
      );
      deleted += count;
      if (count < cleanupBatch) return deleted;
    }
  }

  onApplicationBootstrap(): void {
    this.cleanup = periodically(() => this.deleteOld(), {
      intervalMs: cleanupMs,
      onError: (error) => this.logger.error({ err: error }, 'old security events could not be deleted'),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.cleanup?.stop();
  }
}
