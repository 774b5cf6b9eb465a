import { userUpdated } from '@decola/contracts';
import type { Outbox } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import type { UserRecord } from './user.view.js';

/** Tells the other services how a person is called and written to now, in the caller's transaction. */
export async function announceUser(manager: EntityManager, outbox: Outbox, user: UserRecord, at: Date): Promise<void> {
  const [profile] = await manager.query<{ full_name: string | null }[]>('select full_name from profiles where user_id = $1', [user.id]);
  await outbox.add(
    manager,
    userUpdated,
    { userId: user.id, email: user.email, fullName: profile?.full_name ?? null, updatedAt: at.toISOString() },
    { subject: user.id },
  );
}
