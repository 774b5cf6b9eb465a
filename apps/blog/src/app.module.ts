import { articleDue, userDeleted } from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { MessagingModule } from '@decola/messaging';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import { accountExport } from './account-export.js';
import { articlesTable, incrementArticleViews } from './articles/articles.table.js';
import type { BlogConfig } from './config.js';
import { keywordsTable } from './keywords/keywords.table.js';
import { ScheduleConsumer } from './schedule/schedule.consumer.js';
import { generateRandomToken, tokensTable } from './tokens/tokens.table.js';

@Module({})
export class AppModule {
  static forRoot(config: BlogConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ url: config.DATABASE_URL, entities: [], applicationName: 'blog' }),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({ url: config.RABBITMQ_URL, service: 'blog', events: [articleDue, userDeleted] }),
        TableApiModule.forRoot({
          signingKey: config.INTERNAL_SIGNING_KEY,
          tables: [articlesTable, keywordsTable, tokensTable],
          functions: [generateRandomToken, incrementArticleViews],
        }),
      ],
      controllers: [ScheduleConsumer],
    };
  }
}
