import { type CleanArticlesAnswer, cleanArticlesBody, type CleanArticlesBody } from '@decola/contracts';
import { type AuthenticatedCaller, CurrentAdminMaster } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ArticleCleaning } from './article-cleaning.service.js';

/** The administrator's tool that repairs the text of all articles. */
@Controller('functions/v1')
export class CleaningController {
  constructor(private readonly cleaning: ArticleCleaning) {}

  @Post('clean-blog-articles')
  @HttpCode(200)
  clean(
    @CurrentAdminMaster() _admin: AuthenticatedCaller,
    @Body({ schema: cleanArticlesBody }) body: CleanArticlesBody,
  ): Promise<CleanArticlesAnswer> {
    return body?.undo ? this.cleaning.undo(body.undo, body.article_id ?? null) : this.cleaning.clean();
  }
}
