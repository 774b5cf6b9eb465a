import type { MailContent, QueuedMail } from '@decola/mailer';

/** A mail to the owner of articles, as the queue stores it. Fields are only added: queued mails outlive a release. */
export interface OwnerMail extends QueuedMail {
  content: MailContent;
  /** Of a mail that is sent only while its article waits for a decision. */
  waitingArticleId?: string;
  /** Of a mail that is sent only while a new text of an article waits for a decision. */
  waitingRefreshId?: string;
}

/** A mail that could not be sent for this long is dropped: what it tells stands in the customer area, too. */
export const ownerMailSeconds = 86_400;
