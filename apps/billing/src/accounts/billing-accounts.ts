import type { SubscriptionState } from '@decola/contracts';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BillingConfig } from '../config.js';

/** A user as billing knows them. */
export interface BillingAccount {
  userId: string;
  customerId: string | null;
  sequence: number;
  /** What the last `subscription.changed` said; null when there was none. */
  published: SubscriptionState | null;
  publishedAt: Date | null;
  deletedAt: Date | null;
  /** Where the person is written to, by the latest that identity told; null when it told nothing yet. */
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

const accountOf = (row: AccountRow): BillingAccount => ({
  userId: row.user_id,
  customerId: row.stripe_customer_id,
  sequence: Number(row.sequence),
  published: row.published,
  publishedAt: row.published_at,
  deletedAt: row.deleted_at,
  contactEmail: row.contact_email,
});

/** The row that everything about one user's money is decided under. */
@Injectable()
export class BillingAccounts {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  /** Locks the user's account, which is made on demand, for the length of the transaction. */
  async lock(manager: EntityManager, userId: string): Promise<BillingAccount> {
    await manager.query('insert into billing_accounts (user_id, livemode) values ($1, $2) on conflict do nothing', [
      userId,
      this.config.STRIPE_LIVEMODE,
    ]);
    const [row] = await manager.query<AccountRow[]>(`select ${columns} from billing_accounts where user_id = $1 for update`, [userId]);
    if (!row) throw new Error('the account vanished');
    return accountOf(row);
  }

  /** One transaction under the lock of the user's account. @param waitMs how long to wait for the lock; by default as long as it takes. */
  locked<Result>(
    userId: string,
    work: (manager: EntityManager, account: BillingAccount) => Promise<Result>,
    { waitMs }: { waitMs?: number } = {},
  ): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      if (waitMs !== undefined) await manager.query(`select set_config('lock_timeout', $1, true)`, [String(waitMs)]);
      return work(manager, await this.lock(manager, userId));
    });
  }

  async userOfCustomer(manager: EntityManager, customerId: string): Promise<string | undefined> {
    const [row] = await manager.query<{ user_id: string }[]>('select user_id from billing_accounts where stripe_customer_id = $1', [
      customerId,
    ]);
    return row?.user_id;
  }

  async find(userId: string): Promise<BillingAccount | undefined> {
    const [row] = await this.dataSource.query<AccountRow[]>(`select ${columns} from billing_accounts where user_id = $1`, [userId]);
    return row && accountOf(row);
  }

  async linkCustomer(manager: EntityManager, userId: string, customerId: string | null): Promise<void> {
    await manager.query('update billing_accounts set stripe_customer_id = $2 where user_id = $1', [userId, customerId]);
  }

  /**
   * Notes where a person is written to since a moment, unless something later was noted before or the person is gone.
   * @returns whether it was noted.
   */
  async noteContact(manager: EntityManager, userId: string, email: string, since: string): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      `update billing_accounts set contact_email = $2, contact_at = $3
       where user_id = $1 and deleted_at is null and (contact_at is null or contact_at <= $3) returning user_id`,
      [userId, email, since],
    );
    return rows.length > 0;
  }

  /** Slots that the user's automations use, as far as billing was told. */
  async usedSlots(manager: EntityManager, userId: string): Promise<number> {
    const [row] = await manager.query<{ used: number }[]>('select used from slot_usage where user_id = $1', [userId]);
    return row?.used ?? 0;
  }
}
