import type { SecurityEventKind } from '@decola/contracts';
import { Clock, Logger, networkOf } from '@decola/service-kit';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { boundedOrigin, currentOrigin, type Origin } from './origin.js';

/** How long the history is kept, in days: long enough to look into an abuse, and no longer. */
export const securityEventDays = 180;

const cleanupMs = 3_600_000;
/** Rows per statement, so that nobody waits for it. */
const cleanupStep = 5_000;

type Database = Pick<EntityManager, 'query'>;

/** Adds one line to a person's history of security, in the caller's transaction. `userId` null: of nobody any more. */
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

/** The history of what concerns an account's safety. People read their own; nobody writes it from outside. */
@Injectable()
export class SecurityEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private inHand: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Notes what happened to a person's account.
   * @param manager the transaction of the change; without one the line stands by itself.
   * @param origin by default that of the request in hand.
   */
  async record(
    userId: string,
    kind: SecurityEventKind,
    { manager = this.dataSource.manager, origin = currentOrigin() }: { manager?: Database; origin?: Origin } = {},
  ): Promise<void> {
    await recordSecurityEvent(manager, userId, kind, origin, this.clock.now());
  }

  /** How often something happened to an account since then. */
  async countSince(userId: string, kind: SecurityEventKind, since: Date, manager: Database = this.dataSource.manager): Promise<number> {
    const [row] = await manager.query<[{ total: number }]>(
      'select count(*)::int as total from security_events where user_id = $1 and kind = $2 and at > $3',
      [userId, kind, since],
    );
    return row.total;
  }

  /** Whether somebody proved to be this person from that address, or another one of its network, within the history. */
  async signedInFrom(userId: string | null, ip: string | null): Promise<boolean> {
    if (userId === null || ip === null) return false;
    const known = await this.dataSource.query<{ ip: string }[]>(
      `select distinct ip from security_events
       where user_id = $1 and ip is not null and kind like 'sign\\_in.%' and kind <> 'sign_in.wrong_password'`,
      [userId],
    );
    const network = networkOf(ip);
    return known.some((each) => networkOf(each.ip) === network);
  }

  /** Deletes what has had its time. @returns how many lines went */
  async forgetOld(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - securityEventDays * 86_400_000);
    for (let gone = 0; ;) {
      const [, step] = await this.dataSource.query<[unknown, number]>(
        `delete from security_events where id in (select id from security_events where at < $1 order by at limit ${cleanupStep})`,
        [before],
      );
      gone += step;
      if (step < cleanupStep) return gone;
    }
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.inHand = this.forgetOld().catch((error: unknown) => this.logger.error({ err: error }, 'old security events were not deleted'));
    }, cleanupMs);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.inHand;
  }
}
