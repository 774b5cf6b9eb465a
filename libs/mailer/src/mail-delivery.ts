import { rowOf } from '@decola/database';
import { type Logger, MalformedEnvelopeError, type PeriodicWork, periodically, UnopenedEnvelopeError } from '@decola/service-kit';
import type { DataSource, EntityManager } from 'typeorm';
import type { RenderedMail } from './mail-layout.js';
import { mailAttempts } from './mail-metrics.js';
import type { MailQueue, QueuedMail } from './mail-queue.js';
import type { MailTransport } from './mail-transport.js';

const intervalMs = 500;
const firstRetrySeconds = 5;
const longestRetrySeconds = 600;
/** Pause before a mail that this replica cannot open is tried again, by any replica. */
const unopenedRetrySeconds = 30;

interface MailRow {
  id: string;
  kind: string;
  sealed: string;
  tries: number;
  age_seconds: number;
}

export interface MailDeliveryOptions<Mail extends QueuedMail> {
  dataSource: DataSource;
  queue: MailQueue<Mail>;
  transport: Pick<MailTransport, 'send'>;
  logger: Pick<Logger, 'error' | 'warn'>;
  /** @throws like a failed attempt: the mail is tried again until it expires */
  render: (mail: Mail) => RenderedMail;
  /** Seconds after which a mail is dropped unsent. */
  lifetimeSeconds: (mail: Mail) => number;
  /** Asked just before a mail is sent: false drops it unsent, because its recipient does not want it any more. */
  isWanted: (manager: EntityManager, mail: Mail) => Promise<boolean>;
}

/** Sends the queued mails in the background, so that a mail server that does not answer makes mails late and no request slow. */
export class MailDelivery<Mail extends QueuedMail> {
  private work: PeriodicWork | undefined;
  private isStopping = false;

  constructor(private readonly options: MailDeliveryOptions<Mail>) {}

  start(): void {
    this.work = periodically(() => this.deliverDue(), {
      intervalMs,
      onError: (error) => this.options.logger.error({ err: error }, 'queued mails could not be read'),
    });
  }

  /** Resolves when the attempt under way has ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.work?.stop();
  }

  /** Sends all due mails one by one. Replicas share the work: each skips the rows that another one has locked. */
  private async deliverDue(): Promise<void> {
    while (!this.isStopping && (await this.deliverNext()));
  }

  /** @returns false when no mail is due */
  private deliverNext(): Promise<boolean> {
    const { dataSource, queue, logger, lifetimeSeconds, isWanted } = this.options;
    return dataSource.transaction(async (manager) => {
      const row = await rowOf<MailRow>(
        manager,
        `select id, kind, sealed, tries, extract(epoch from clock_timestamp() - created_at)::float8 as age_seconds
         from mail_outbox where due_at <= clock_timestamp() order by due_at limit 1 for update skip locked`,
      );
      if (!row) return false;
      const { id, kind, tries } = row;
      let opened: Mail | null;
      try {
        opened = openMail(queue, row);
      } catch (error) {
        if (!(error instanceof UnopenedEnvelopeError)) throw error;
        logger.error({ kind, reason: error.message }, 'a mail cannot be opened; it is kept and tried again');
        await manager.query('update mail_outbox set due_at = clock_timestamp() + make_interval(secs => $2) where id = $1', [
          id,
          unopenedRetrySeconds,
        ]);
        return true;
      }
      const mail = opened;
      const isExpired = mail === null || row.age_seconds > lifetimeSeconds(mail);
      if (isExpired) {
        mailAttempts.inc({ outcome: 'expired' });
        logger.error({ kind, tries }, 'a mail was dropped unsent: it is too old, or damaged');
      }
      const isUnwanted = !isExpired && !(await isWanted(manager, mail));
      if (isUnwanted) mailAttempts.inc({ outcome: 'unwanted' });
      const isDone = isExpired || isUnwanted || (await this.attempt(id, mail));
      if (isDone) await manager.query('delete from mail_outbox where id = $1', [id]);
      else
        await manager.query(
          `update mail_outbox set tries = tries + 1, due_at = clock_timestamp() + make_interval(secs => $2) where id = $1`,
          [id, Math.min(firstRetrySeconds * 2 ** tries, longestRetrySeconds)],
        );
      return true;
    });
  }

  /** @returns whether the mail is done with: the mail server accepted it, or says that there is no such address */
  private async attempt(id: string, mail: Mail): Promise<boolean> {
    const { transport, render, logger } = this.options;
    try {
      await transport.send(id, mail.to, render(mail));
      mailAttempts.inc({ outcome: 'sent' });
      return true;
    } catch (error) {
      if (isUnknownAddress(error)) {
        mailAttempts.inc({ outcome: 'unknown_address' });
        logger.warn({ kind: mail.kind }, 'a mail was dropped: the mail server says that its address does not exist');
        return true;
      }
      mailAttempts.inc({ outcome: 'failed' });
      // The server's message may repeat the address, so only its codes are logged.
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      logger.warn({ kind: mail.kind, code, responseCode }, 'a mail could not be sent; it is tried again');
      return false;
    }
  }
}

/** @returns null for a row that holds no mail. @throws UnopenedEnvelopeError when another ring may open it */
function openMail<Mail extends QueuedMail>(queue: MailQueue<Mail>, row: MailRow): Mail | null {
  try {
    return queue.open(row);
  } catch (error) {
    if (error instanceof MalformedEnvelopeError) return null;
    throw error;
  }
}

/**
 * Whether the server refused the recipient for good because the address does not exist (RFC 3463: 5.1.1 mailbox, 5.1.2 domain, 5.1.3 syntax, 5.1.10 no mail).
 * Addresses come from visitors, too: one that is wrong must not be tried for days, nor look like a mail server that is down. Other refusals may be about us.
 */
function isUnknownAddress(error: unknown): boolean {
  const { command, response } = error as { command?: unknown; response?: unknown };
  return command === 'RCPT TO' && typeof response === 'string' && /^55\d[ -]5\.1\.(1|2|3|10)\b/.test(response);
}
