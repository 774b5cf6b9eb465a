import { rowOf } from '@decola/database';
import { MailerModule } from '@decola/mailer';
import { type DynamicModule, Module } from '@nestjs/common';
import type { BlogConfig } from '../config/config.js';
import { type OwnerMail, ownerMailSeconds } from './owner-mail.js';
import { OwnerMails } from './owner-mails.service.js';

/** Mails to the owners of articles. */
@Module({})
export class MailsModule {
  static forRoot(config: BlogConfig): DynamicModule {
    return {
      module: MailsModule,
      global: true,
      imports: [
        MailerModule.forRoot<OwnerMail>({
          config,
          messageIdDomain: new URL(config.SITE_URL).hostname,
          compose: ({ content }) => content,
          lifetimeSeconds: () => ownerMailSeconds,
          isWanted: async (manager, { waitingArticleId, waitingRefreshId }) => {
            const isThere = async (statement: string, id: string) => (await rowOf(manager, statement, [id])) !== undefined;
            if (waitingArticleId !== undefined)
              return isThere(
                `select 1 from customer_articles where id = $1 and state in ('waiting_approval', 'needs_review')`,
                waitingArticleId,
              );
            if (waitingRefreshId !== undefined)
              return isThere(`select 1 from article_refreshes where id = $1 and state = 'waiting'`, waitingRefreshId);
            return true;
          },
        }),
      ],
      providers: [OwnerMails],
      exports: [OwnerMails],
    };
  }
}
