import { Module } from '@nestjs/common';
import { Articles } from '../articles/articles.service.js';
import { ArticleRefreshes } from '../customer-articles/article-refreshes.service.js';
import { CustomerArticles } from '../customer-articles/customer-articles.service.js';
import { ImagesModule } from '../images/images.module.js';
import { ModelModule } from '../model/model.module.js';
import { TopicMemory } from '../topics/topic-memory.service.js';
import { ArticleRuns } from './article-runs.service.js';
import { ArticleSteps } from './article-steps.service.js';
import { ArticleWriter } from './article-writer.service.js';
import { EarlierArticles } from './earlier-articles.service.js';
import { GenerateArticleController } from './generate-article.controller.js';
import { GenerateArticle } from './generate-article.service.js';
import { ProviderOutages } from './provider-outages.service.js';
import { TopicPlanner } from './topic-planner.service.js';
import { WritingRetention } from './writing-retention.service.js';
import { WritingScopes } from './writing-scopes.service.js';

/** The writing of articles: runs, their steps, and the request for one by hand. */
@Module({
  imports: [ImagesModule, ModelModule],
  controllers: [GenerateArticleController],
  providers: [
    ...[ArticleRefreshes, ArticleRuns, Articles, ArticleSteps, ArticleWriter, CustomerArticles, EarlierArticles],
    ...[GenerateArticle, ProviderOutages, TopicMemory, TopicPlanner, WritingRetention, WritingScopes],
  ],
  exports: [ArticleRefreshes, ArticleRuns, CustomerArticles, TopicMemory, TopicPlanner, WritingScopes],
})
export class WritingModule {}
