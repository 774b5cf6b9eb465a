import { type DoneAnswer, type RefreshArticleBody, refreshArticleBody } from '@decola/contracts';
import { CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { RefreshDecisions } from './refresh-decisions.service.js';

/** The function by which owners have articles on their sites written anew. Other people's ids are not found. */
@Controller('functions/v1')
export class RefreshesController {
  constructor(private readonly decisions: RefreshDecisions) {}

  @Post('refresh-article')
  @HttpCode(200)
  refresh(
    @CurrentUserId() userId: string,
    @Body({ schema: refreshArticleBody }) { articleId, decision }: RefreshArticleBody,
  ): Promise<DoneAnswer> {
    return this.decisions.decide(userId, articleId, decision);
  }
}
