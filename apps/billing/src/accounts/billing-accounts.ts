import { createHash } from 'node:crypto';
import type { SubscriptionState } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BillingConfig } from '../config/config.js';

/** Billing's record of one user. */
export interface BillingAccount {
  userId: string;
  customerId: string | null;
  /** Of the last `subscription.changed`. */
  sequence: number;
  /** State of the last `subscription.changed`; null before the first. */
  published: SubscriptionState | null;
  publishedAt: Date | null;
  deletedAt: Date | null;
  /** The user's e-mail address according to identity's latest event; null before the first. */
  contactEmail: string | null;
}

interface AccountRow {
  user_id: string;
  stripe_customer_id: string | null;
  sequence: string;
  published: SubscriptionState | null;
  published_at: Date | null;
  deleted_at: Date | null;
  contact_email: string | null;
}

const columns = 'user_id, stripe_customer_id, sequence, published, published_at, deleted_at, contact_email';

const toAccount = (row: AccountRow): BillingAccount => ({
  userId: row.user_id,
  customerId: row.stripe_customer_id,
  sequence: Number(row.sequence),
  published: row.published,
  publishedAt: row.published_at,
  deletedAt: row.deleted_at,
  contactEmail: row.contact_email,
});

/** The accounts table. Its row lock serialises everything that is decided about one user's money. */
@Injectable()
export class BillingAccounts {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  /** Locks the user's account until the transaction ends; creates it when there is none. */
  async lock(manager: EntityManager, userId: string): Promise<BillingAccount> {
    await manager.query('insert into billing_accounts (user_id, livemode) values ($1, $2) on conflict do nothing', [
      userId,
      this.config.STRIPE_LIVEMODE,
    ]);
    const row = await rowOf<AccountRow>(manager, `select ${columns} from billing_accounts where user_id = $1 for update`, [userId]);
    if (!row) throw new Error('the account vanished');
    return toAccount(row);
  }

  /** Runs a transaction that holds the lock of the user's account. @param waitMs longest wait for the lock. Default: no limit. */
  withLock<Result>(
    userId: string,
    work: (manager: EntityManager, account: BillingAccount) => Promise<Result>,
    { waitMs }: { waitMs?: number } = {},
  ): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      if (waitMs !== undefined) await manager.query(`select set_config('lock_timeout', $1, true)`, [String(waitMs)]);
      return work(manager, await this.lock(manager, userId));
    });
  }

  async findUserByCustomer(manager: EntityManager, customerId: string): Promise<string | undefined> {
    const row = await rowOf<{ user_id: string }>(manager, 'select user_id from billing_accounts where stripe_customer_id = $1', [
      customerId,
    ]);
    return row?.user_id;
  }

  async find(userId: string): Promise<BillingAccount | undefined> {
    const row = await rowOf<AccountRow>(this.dataSource, `select ${columns} from billing_accounts where user_id = $1`, [userId]);
    return row && toAccount(row);
  }

  async linkCustomer(manager: EntityManager, userId: string, customerId: string | null): Promise<void> {
    await manager.query('update billing_accounts set stripe_customer_id = $2 where user_id = $1', [userId, customerId]);
  }

  /**
   * Stores the user's e-mail address, unless a later one is stored or the account is deleted: events may arrive out of order.
   * @param since when the user took the address.
   * @returns whether it was stored.
   */
  async updateContact(manager: EntityManager, userId: string, email: string, since: string): Promise<boolean> {
    const rows = await rowsOf(
      manager,
      `update billing_accounts set contact_email = $2, contact_at = $3
       where user_id = $1 and deleted_at is null and (contact_at is null or contact_at <= $3) returning user_id`,
      [userId, email, since],
    );
    return rows.length > 0;
  }

  /**
   * Stores a digest of the contact that is sent to Stripe, in the transaction that sends it.
   * @returns whether it differs from the last one that was sent.
   */
  async recordSentContact(
    manager: EntityManager,
    userId: string,
    contact: { customerId: string; email: string; name: string | null },
  ): Promise<boolean> {
    const digest = createHash('sha256')
      .update(JSON.stringify([contact.customerId, contact.email, contact.name]))
      .digest('base64url');
    const rows = await rowsOf(
      manager,
      'update billing_accounts set contact_told = $2 where user_id = $1 and contact_told is distinct from $2 returning user_id',
      [userId, digest],
    );
    return rows.length > 0;
  }

  /** Slots that the user's automations use, according to the last `slots.changed`. */
  async loadUsedSlots(manager: EntityManager, userId: string): Promise<number> {
    const row = await rowOf<{ used: number }>(manager, 'select used from slot_usage where user_id = $1', [userId]);
    return row?.used ?? 0;
  }
}
