import type { EntityManager } from 'typeorm';

/**
 * Deletes every message about a person from the outbox, sent or not: sent ones were kept for operators only, and pending ones must not be published any
 * more. Add the messages that announce the erasure after this call.
 * @param ids ids of the person and of what belonged to them, as in the subjects of messages
 * @param options.keep types of the messages that announce the erasure, so that a repeated erasure does not delete them
 */
export async function deleteOutboxMessagesAbout(
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
