import { leadErased, type PayloadOf } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { deleteOutboxMessagesAbout, type Outbox } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import type { ErasedHandles } from '../draws/erased-handles.js';

export interface ErasureTools {
  outbox: Outbox;
  erasedHandles: ErasedHandles;
  now: Date;
}

interface ErasedRow {
  id: string;
  automation_id: string;
  user_id: string;
  number: string | null;
  handle: string;
  blocks: boolean;
}

/**
 * Erases what participations say about a person, in the caller's transaction. Prize, number and line of the chain stay, and point at nobody: the salt is
 * gone, without which the digest of the handle says nothing. The handle's HMAC stays, so that it cannot spin the wheel again.
 * @returns how many were erased; those that were erased before are left alone
 */
export async function eraseParticipations(
  manager: EntityManager,
  ids: readonly string[],
  cause: PayloadOf<typeof leadErased>['cause'],
  { outbox, erasedHandles, now }: ErasureTools,
): Promise<number> {
  // The handle as it was: `returning` shows the new one only.
  const rows = await rowsOf<ErasedRow>(
    manager,
    `update prize_wheel_participations p set instagram_handle = '@apagado#' || coalesce(p.number::text, p.id::text), erased_at = $2, salt = null,
       spin_key_hash = null, consent = null, void_reason = null, email_key = null, phone_key = null, network_key = null
     from (select id, instagram_handle as handle from prize_wheel_participations where id = any($1::uuid[]) and erased_at is null for update) before,
       wheels w
     where p.id = before.id and w.automation_id = p.automation_id
     returning p.id, p.automation_id, w.user_id, p.number, before.handle, p.blocks`,
    [ids, now],
  );
  // A handle that may spin again goes on being free when an earlier participation of it is too old to be kept.
  const people = rows.filter(({ blocks }) => blocks || cause === 'person');
  await erasedHandles.add(
    manager,
    people.map(({ automation_id: automationId, handle }) => ({ automationId, handle })),
  );
  await deleteOutboxMessagesAbout(
    manager,
    rows.map(({ id }) => id),
  );
  await outbox.addMany(
    manager,
    leadErased,
    rows
      .filter(({ number }) => number !== null)
      .map(({ id, automation_id: automationId, user_id: userId, number }) => ({
        subject: id,
        payload: { participationId: id, automationId, userId, number: Number(number), at: now.toISOString(), cause },
      })),
  );
  return rows.length;
}
