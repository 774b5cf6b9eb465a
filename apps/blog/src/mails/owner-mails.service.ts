import { userAddress } from '@decola/contracts';
import type { Database } from '@decola/database';
import { MailQueue } from '@decola/mailer';
import { Requester } from '@decola/messaging';
import { Injectable } from '@nestjs/common';
import type { OwnerMail } from './owner-mail.js';

const answerMs = 5_000;

/** Mails to the owners of articles. Identity alone keeps their addresses; it is asked for one when a mail is due. */
@Injectable()
export class OwnerMails {
  constructor(
    private readonly requester: Requester,
    private readonly mails: MailQueue<OwnerMail>,
  ) {}

  /** Where a person reads mails; null when there is no such person any more. @throws NoAnswerError: ask again later */
  async addressOf(userId: string): Promise<string | null> {
    const { email } = await this.requester.ask(userAddress, { userId }, { timeoutMs: answerMs });
    return email;
  }

  /** Queues a mail, in the transaction of what it tells. */
  async queue(db: Database, userId: string, mail: OwnerMail): Promise<void> {
    await this.mails.add(db, userId, mail);
  }
}
