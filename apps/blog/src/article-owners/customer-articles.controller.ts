import {
  type DecideArticleBody,
  decideArticleBody,
  type DoneAnswer,
  type PreviewTopicsAnswer,
  type PreviewTopicsBody,
  previewTopicsBody,
  type RetryArticleBody,
  retryArticleBody,
  type UpdateArticleBody,
  updateArticleBody,
} from '@decola/contracts';
import { CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ArticleDecisions } from '../approvals/article-decisions.service.js';
import { ArticleEdits } from './article-edits.service.js';
import { ArticleRetries } from './article-retries.service.js';
import { TopicPreviews } from './topic-previews.service.js';

/** Functions by which owners decide, change and try their articles again. Other people's ids are not found. */
@Controller('functions/v1')
export class CustomerArticlesController {
  constructor(
    private readonly decisions: ArticleDecisions,
    private readonly edits: ArticleEdits,
    private readonly retries: ArticleRetries,
    private readonly previews: TopicPreviews,
  ) {}

  @Post('decide-article')
  @HttpCode(200)
  decide(@CurrentUserId() userId: string, @Body({ schema: decideArticleBody }) body: DecideArticleBody): Promise<DoneAnswer> {
    return this.decisions.decide({ userId, articleId: body.articleId, decision: body.decision, note: body.note ?? null });
  }

  @Post('update-article')
  @HttpCode(200)
  update(@CurrentUserId() userId: string, @Body({ schema: updateArticleBody }) body: UpdateArticleBody): Promise<DoneAnswer> {
    return this.edits.update(userId, body);
  }

  @Post('retry-article')
  @HttpCode(200)
  retry(@CurrentUserId() userId: string, @Body({ schema: retryArticleBody }) { runId }: RetryArticleBody): Promise<DoneAnswer> {
    return this.retries.retry(userId, runId);
  }

  @Post('preview-topics')
  @HttpCode(200)
  preview(@CurrentUserId() userId: string, @Body({ schema: previewTopicsBody }) body: PreviewTopicsBody): Promise<PreviewTopicsAnswer> {
    return this.previews.preview(userId, body);
  }
}
