import { userUpdated } from '@decola/contracts';
import { rowOf } from '@decola/database';
import type { Outbox } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import type { UserRecord } from './user.view.js';

interface ProfileRow {
  full_name: string | null;
  time_zone: string | null;
  locale: string | null;
}

/** Publishes a person's current e-mail, name, time zone and language in the caller's transaction. */
export async function publishUserUpdated(manager: EntityManager, outbox: Outbox, user: UserRecord, at: Date): Promise<void> {
  const profile = await rowOf<ProfileRow>(manager, 'select full_name, time_zone, locale from profiles where user_id = $1', [user.id]);
  await outbox.add(
    manager,
    userUpdated,
    {
      userId: user.id,
      email: user.email,
      fullName: profile?.full_name ?? null,
      timeZone: profile?.time_zone ?? null,
      locale: profile?.locale ?? null,
      updatedAt: at.toISOString(),
    },
    { subject: user.id },
  );
}
