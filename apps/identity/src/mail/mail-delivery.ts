import { CONFIG, Logger } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { IdentityConfig } from '../config.js';
import { MailQueue } from './mail-queue.js';
import { type Mail, Mailer } from './mailer.js';

const everyMs = 500;
const firstRetrySeconds = 5;
const longestRetrySeconds = 600;
/** A mail without a code is worth a day of tries. */
const noticeSeconds = 86_400;

interface Waiting {
  id: string;
  kind: string;
  sealed: string;
  tries: number;
  age_seconds: number;
}

/** Sends the mails that wait. Nobody waits for the mail server: one that is silent makes mails late, never a sign-up slow. */
@Injectable()
export class MailDelivery implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private inHand: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: MailQueue,
    private readonly mailer: Mailer,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  onApplicationBootstrap(): void {
    const next = () => {
      this.timer = setTimeout(() => {
        this.inHand = this.deliverDue()
          .catch((error: unknown) => this.logger.error({ err: error }, 'mails could not be looked after'))
          .finally(() => {
            if (!this.isStopping) next();
          });
      }, everyMs);
    };
    next();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.inHand;
  }

  /** Sends what is due, one after another; several replicas share the work. */
  private async deliverDue(): Promise<void> {
    while (!this.isStopping && (await this.deliverNext()));
  }

  /** @returns whether there was one */
  private deliverNext(): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [waiting] = await manager.query<Waiting[]>(
        `select id, kind, sealed, tries, extract(epoch from clock_timestamp() - created_at)::float8 as age_seconds
         from mail_outbox where due_at <= clock_timestamp() order by due_at limit 1 for update skip locked`,
      );
      if (!waiting) return false;
      const { id, kind, tries, age_seconds: age } = waiting;
      const mail = this.queue.open(waiting);
      const isOver = mail === null || age > (mail.code === null ? noticeSeconds : this.config.MAIL_TOKEN_SECONDS);
      const isDone = isOver || (await this.tryToDeliver(mail, id));
      if (isOver) this.logger.error({ kind, tries }, 'a mail was never sent and is worth nothing any more');
      if (isDone) await manager.query('delete from mail_outbox where id = $1', [id]);
      else
        await manager.query(
          `update mail_outbox set tries = tries + 1, due_at = clock_timestamp() + make_interval(secs => $2) where id = $1`,
          [id, Math.min(firstRetrySeconds * 2 ** tries, longestRetrySeconds)],
        );
      return true;
    });
  }

  private async tryToDeliver(mail: Mail, id: string): Promise<boolean> {
    try {
      await this.mailer.deliver(mail, id);
      return true;
    } catch (error) {
      // The server's answer may repeat the address: its code tells enough.
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      this.logger.warn({ kind: mail.kind, code, responseCode }, 'the mail server did not take a mail; it is tried again');
      return false;
    }
  }
}
