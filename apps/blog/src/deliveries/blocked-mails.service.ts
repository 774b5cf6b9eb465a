import { changedRows, rowsOf } from '@decola/database';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { OwnerMails } from '../mails/owner-mails.service.js';
import { blockedMailTexts as texts } from '../texts/delivery-texts.js';

const intervalMs = 5_000;

/** Mails the owner of a site that lets no article in, once for each problem of the site. */
@Injectable()
export class BlockedMails implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: OwnerMails,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<BlogConfig, 'SITE_URL'>,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.sendDue(), {
      intervalMs,
      onError: (error) => this.logger.error({ err: error }, 'mails about blocked deliveries were not queued'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.work?.stop();
  }

  private async sendDue(): Promise<void> {
    const due = await rowsOf<{ id: string; user_id: string; host: string; problem_reason: string; mail_due_at: Date }>(
      this.dataSource.manager,
      `select id, user_id, host, problem_reason, mail_due_at from sites where mail_due_at <= $1 order by mail_due_at limit 50`,
      [this.clock.now()],
    );
    for (const { id, user_id: userId, host, problem_reason: reason, mail_due_at: dueAt } of due) {
      const to = await this.mails.addressOf(userId);
      await this.dataSource.transaction(async (manager) => {
        // Of several replicas the one that changes the row queues the mail.
        const mine = await changedRows(manager, 'update sites set mail_due_at = null where id = $1 and mail_due_at = $2', [id, dueAt]);
        if (mine === 0 || to === null) return;
        await this.mails.queue(manager, userId, {
          ...{ to, kind: 'delivery_blocked' },
          content: {
            ...{ subject: texts.subject(host), sign: texts.sign, lead: texts.lead(reason), code: null, footer: texts.footer },
            button: { label: texts.button, href: new URL('/artigos', this.config.SITE_URL).href },
          },
        });
      });
    }
  }
}
