import { articleDue, blogAutomationDeleted, blogAutomationSaved, userDeleted } from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { MessagingModule } from '@decola/messaging';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import { accountExport } from './export/account-export.js';
import { ArticleOwnersModule } from './article-owners/article-owners.module.js';
import { articlesTable } from './articles/articles.table.js';
import { Articles } from './articles/articles.service.js';
import { BlogAutomationsConsumer } from './blog-automations/blog-automations.consumer.js';
import { ArticleCleaning } from './cleaning/article-cleaning.service.js';
import { CleaningController } from './cleaning/cleaning.controller.js';
import type { BlogConfig } from './config/config.js';
import { CustomersConsumer } from './erasure/customers.consumer.js';
import { customerArticlesTable } from './customer-articles/customer-articles.table.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { deliveriesTable, deliveryAttemptsTable } from './deliveries/deliveries.table.js';
import { DueArticlesConsumer } from './due-articles/due-articles.consumer.js';
import { ImagesModule } from './images/images.module.js';
import { keywordsTable } from './keywords/keywords.table.js';
import { MailsModule } from './mails/mails.module.js';
import { articleRefreshesTable, refreshProposalsTable } from './refreshes/refreshes.table.js';
import { RefreshesModule } from './refreshes/refreshes.module.js';
import { SiteArticles } from './site/site-articles.service.js';
import { SiteController } from './site/site.controller.js';
import { sitesTable } from './sites/sites.table.js';
import { generateRandomToken } from './tokens/generate-random-token.function.js';
import { TokenSealing } from './tokens/token-sealing.service.js';
import { TokenSeals } from './tokens/token-seals.js';
import { tokensTable } from './tokens/tokens.table.js';
import { ArticleViews } from './views/article-views.service.js';
import { incrementArticleViews } from './views/increment-article-views.function.js';
import { ViewsModule } from './views/views.module.js';
import { topicsTable } from './topics/topics.table.js';
import { articleRunsTable } from './writing/article-runs.table.js';
import { WritingModule } from './writing/writing.module.js';

@Module({})
export class AppModule {
  static forRoot(config: BlogConfig): DynamicModule {
    const seals = new TokenSeals(config.WEBHOOK_TOKEN_KEY_RING);
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forService('blog', config),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'blog',
          events: [articleDue, blogAutomationSaved, blogAutomationDeleted, userDeleted],
        }),
        DeliveriesModule.forRoot(seals),
        ArticleOwnersModule,
        ImagesModule,
        MailsModule.forRoot(config),
        RefreshesModule,
        ViewsModule,
        WritingModule,
        TableApiModule.forRootAsync({
          signingKey: config.INTERNAL_SIGNING_KEY,
          imports: [ViewsModule],
          inject: [ArticleViews],
          useFactory: (views: ArticleViews) => ({
            tables: [
              articleRunsTable,
              articlesTable(config),
              articleRefreshesTable,
              customerArticlesTable,
              keywordsTable,
              refreshProposalsTable,
              tokensTable(seals),
              topicsTable,
              sitesTable,
              deliveriesTable,
              deliveryAttemptsTable,
            ],
            functions: [generateRandomToken, incrementArticleViews(views)],
          }),
        }),
      ],
      controllers: [CustomersConsumer, BlogAutomationsConsumer, DueArticlesConsumer, SiteController, CleaningController],
      providers: [ArticleCleaning, Articles, SiteArticles, { provide: TokenSeals, useValue: seals }, TokenSealing],
    };
  }
}
