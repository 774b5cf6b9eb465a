import { customerNeeded, type NamedStopClass, type PayloadOf, type StopCause, type StopClass } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ownerCauses, type PauseCause, sessionCauses } from '../safety/stops.js';

/** A stop of an account of the network. */
export interface NotifiedStop {
  accountKey: string;
  /** Only this customer's automations stop; undefined: those of all customers of the account. */
  userId?: string;
  stop: StopClass;
  /** End of the pause; null when it has none. */
  until: Date | null;
}

/** By stop signal that its customer has to know of. All others end by themselves or stop a part of what the account does. */
const causeOfStop: Partial<Record<StopClass, StopCause>> = {
  session_ended: 'session_ended',
  wrong_account: 'session_ended',
  action_blocked: 'blocked',
  action_blocked_long: 'blocked',
  challenge: 'blocked',
  suspended: 'blocked',
  unrecognised: 'blocked',
};

/** How a stop is called in the event. One that is not recognised has the effect of a long block, and is mailed like one. */
const nameOf = (stop: StopClass): NamedStopClass => (stop === 'unrecognised' ? 'action_blocked_long' : stop);

const isIn = (causes: readonly PauseCause[], stop: StopClass) => causes.includes(stop);

/** Publishes `customer.needed`, from which customers get a mail, in the transaction of what stopped their automations. */
@Injectable()
export class CustomerNotices {
  constructor(private readonly outbox: Outbox) {}

  /** Publishes that automations were switched off because the plan has fewer slots. */
  async planShrank(manager: EntityManager, userId: string, automations: number, now: Date): Promise<void> {
    if (automations === 0) return;
    await this.publish(manager, [
      { userId, cause: 'plan_shrank', stop: null, account: null, automations, at: now.toISOString(), until: null },
    ]);
  }

  /**
   * Carries out a stop, and publishes it for each customer whose automations it stops, except for those whose automations the same kind of stop holds
   * already. The caller holds the lock of the account's row.
   * @param carryOut resolves with false when it stopped nothing
   */
  async duringStop(manager: EntityManager, stopped: NotifiedStop, now: Date, carryOut: () => Promise<boolean | void>): Promise<void> {
    const cause = causeOfStop[stopped.stop];
    const informed = cause === undefined ? new Set() : await this.informedCustomers(manager, stopped, now);
    if ((await carryOut()) === false || cause === undefined) return;
    const { stop, until } = stopped;
    const rows = await this.affectedCustomers(manager, stopped, now);
    await this.publish(
      manager,
      rows
        .filter(({ user_id }) => !informed.has(user_id))
        .map(({ user_id: userId, account, automations }) => ({
          ...{ userId, cause, stop: nameOf(stop), account, automations },
          ...{ at: now.toISOString(), until: until?.toISOString() ?? null },
        })),
    );
  }

  /**
   * Customers who were told of this kind of stop, which lasts. A customer who said that they resolved it is told when it comes again. A session ends
   * only once.
   */
  private async informedCustomers(manager: EntityManager, { accountKey, stop }: NotifiedStop, now: Date): Promise<Set<string>> {
    const rows = isIn(ownerCauses, stop)
      ? await rowsOf<{ user_id: string }>(
          manager,
          `select user_id from instagram_accounts where account_key = $1 and stop_cause = $2 and resolved_at is null`,
          [accountKey, stop],
        )
      : isIn(sessionCauses, stop)
        ? []
        : await rowsOf<{ user_id: string }>(
            manager,
            `select distinct user_id from automations where account_key = $1 and pause_cause = $2 and pause_until > $3`,
            [accountKey, stop, now],
          );
    return new Set(rows.map(({ user_id }) => user_id));
  }

  /** Nothing of an account is told to customers who have not proven it, unless their own session met the stop. */
  private affectedCustomers(manager: EntityManager, { accountKey, userId, stop }: NotifiedStop, now: Date) {
    const causes = isIn(sessionCauses, stop) ? sessionCauses : [stop];
    return rowsOf<{ user_id: string; automations: number; account: string | null }>(
      manager,
      `select t.user_id, count(*)::int as automations,
         (select s.username from instagram_sessions s where s.user_id = t.user_id and s.account_key = $1 and s.username like '@%'
          order by s.is_active desc, s.created_at desc limit 1) as account
       from automations t
       where t.account_key = $1 and t.pause_cause = any($2) and not t.is_draft and t.completed_at is null and (t.pause_until is null or t.pause_until > $3)
         and case when $4::uuid is null then exists (select 1 from instagram_accounts own
               where own.user_id = t.user_id and own.account_key = $1 and own.proven_at is not null)
             else t.user_id = $4 end
       group by t.user_id order by t.user_id`,
      [accountKey, causes, now, userId ?? null],
    );
  }

  private async publish(manager: EntityManager, notices: readonly PayloadOf<typeof customerNeeded>[]): Promise<void> {
    await this.outbox.addMany(
      manager,
      customerNeeded,
      notices.map((payload) => ({ payload, subject: payload.userId })),
    );
  }
}
