import { randomUUID } from 'node:crypto';
import { parseKeyRing, Sealer } from '@decola/service-kit';
import type { EntityManager } from 'typeorm';
import type { Mail } from './mailer.js';

/**
 * Where mails wait for the mail server, sealed: they hold addresses, links and codes. Each is written in the transaction of what it tells, and sent
 * by whichever replica of the service takes it (`MailDelivery`).
 */
export class MailQueue {
  private readonly sealer: Sealer;

  constructor(keyRing: string) {
    this.sealer = new Sealer(parseKeyRing(keyRing));
  }

  /** @param userId whose mail it is: it goes with them when they are erased. Null for the one that tells them so. */
  async add(manager: Pick<EntityManager, 'query'>, userId: string | null, mail: Mail): Promise<void> {
    const id = randomUUID();
    await manager.query('insert into mail_outbox (id, user_id, kind, sealed) values ($1, $2, $3, $4)', [
      id,
      userId,
      mail.kind,
      this.sealer.seal(JSON.stringify(mail), `mail:${id}`),
    ]);
  }

  /** Null when its key is no longer in the ring: nobody can ever send it. */
  open({ id, sealed }: { id: string; sealed: string }): Mail | null {
    try {
      return JSON.parse(this.sealer.open(sealed, `mail:${id}`)) as Mail;
    } catch {
      return null;
    }
  }
}
