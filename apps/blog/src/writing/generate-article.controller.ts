import { type GenerateArticleAnswer, type GenerateArticleBody, generateArticleBody } from '@decola/contracts';
import { type AuthenticatedCaller, CurrentAdminMaster } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { GenerateArticle } from './generate-article.service.js';

/** Articles of our own blog, by hand, for its editors. */
@Controller('functions/v1')
export class GenerateArticleController {
  constructor(private readonly articles: GenerateArticle) {}

  @Post('generate-blog-articles')
  @HttpCode(200)
  generate(
    @CurrentAdminMaster() { userId }: AuthenticatedCaller,
    @Body({ schema: generateArticleBody }) body: GenerateArticleBody,
  ): Promise<GenerateArticleAnswer> {
    return this.articles.generate(userId, body);
  }
}
