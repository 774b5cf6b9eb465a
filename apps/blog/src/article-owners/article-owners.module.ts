import { Module } from '@nestjs/common';
import { ApprovalController } from '../approvals/approval.controller.js';
import { ApprovalLinks } from '../approvals/approval-links.service.js';
import { ApprovalWatch } from '../approvals/approval-watch.service.js';
import { ArticleDecisions } from '../approvals/article-decisions.service.js';
import { ModelModule } from '../model/model.module.js';
import { WritingModule } from '../writing/writing.module.js';
import { ArticleEdits } from './article-edits.service.js';
import { ArticleRetries } from './article-retries.service.js';
import { CustomerArticlesController } from './customer-articles.controller.js';
import { TopicPreviews } from './topic-previews.service.js';

/** What customers decide about their articles, change in them and see of the next ones. */
@Module({
  imports: [ModelModule, WritingModule],
  controllers: [ApprovalController, CustomerArticlesController],
  providers: [ApprovalLinks, ApprovalWatch, ArticleDecisions, ArticleEdits, ArticleRetries, TopicPreviews],
})
export class ArticleOwnersModule {}
