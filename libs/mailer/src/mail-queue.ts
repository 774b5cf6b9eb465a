import { randomUUID } from 'node:crypto';
import type { Database, SealedColumn } from '@decola/database';
import { parseKeyRing, Sealer } from '@decola/service-kit';

/** What a service queues. It is stored encrypted, as JSON, and given to the service's `compose` when it is sent. */
export interface QueuedMail {
  /** Address of the recipient. */
  to: string;
  /** What the mail is for, such as `recovery`. Stored in plain text and logged: never personal data. */
  kind: string;
}

/**
 * Mails that wait for the mail server, in the table `mail_outbox`. They are encrypted because they hold addresses, links and codes. A mail
 * is added in the transaction of the change that it reports, and any replica of the service sends it (`MailDelivery`).
 */
export class MailQueue<Mail extends QueuedMail = QueuedMail> {
  private readonly sealer: Sealer;

  /** @param keyRing as `parseKeyRing` reads it. @throws Error when it is malformed */
  constructor(keyRing: string) {
    this.sealer = new Sealer(parseKeyRing(keyRing, 'MAIL_KEY_RING'));
  }

  /** @param userId the person whose erasure also deletes this mail; null for a mail that must be sent after the erasure */
  async add(db: Database, userId: string | null, mail: Mail): Promise<void> {
    const id = randomUUID();
    await db.query('insert into mail_outbox (id, user_id, kind, sealed) values ($1, $2, $3, $4)', [
      id,
      userId,
      mail.kind,
      this.sealer.seal(JSON.stringify(mail), additionalData(id)),
    ]);
  }

  /** Decrypts a row. @throws UnopenedEnvelopeError when the ring may be wrong, MalformedEnvelopeError when the mail can never be sent */
  open({ id, sealed }: { id: string; sealed: string }): Mail {
    return JSON.parse(this.sealer.open(sealed, additionalData(id))) as Mail;
  }
}

/** Deletes the unsent mails of erased people, for services whose table has no foreign key that does so. */
export async function deleteQueuedMails(db: Database, userIds: readonly string[]): Promise<void> {
  await db.query('delete from mail_outbox where user_id = any($1)', [userIds]);
}

/** Ties a ciphertext to its row: copied into another row it does not decrypt. */
const additionalData = (id: string) => `mail:${id}`;

/** For a service's `keys.command.ts`: the mails that wait. */
export const sealedMails: SealedColumn = {
  table: 'mail_outbox',
  column: 'sealed',
  reseal: { key: { id: 'uuid' }, additionalData: ({ id }) => additionalData(id!) },
};
