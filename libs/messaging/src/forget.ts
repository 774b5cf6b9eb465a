import type { EntityManager } from 'typeorm';

/**
 * Takes every message about somebody out of the outbox: what was sent is kept only for looking back, and what was not sent yet must not
 * be. Messages that tell of the erasure itself are added after it.
 * @param ids the person, and what was theirs (subjects of messages).
 * @param keep types of messages that tell of the erasure: an erasure that runs again leaves them.
 */
export async function forgetMessages(
  manager: Pick<EntityManager, 'query'>,
  ids: readonly string[],
  { keep = [] }: { keep?: readonly string[] } = {},
): Promise<void> {
  await manager.query(
    `delete from outbox where type <> all($2::text[])
       and (subject = any($1::text[]) or payload->>'userId' = any($1::text[]) or payload->>'user_id' = any($1::text[]))`,
    [ids, keep],
  );
}
