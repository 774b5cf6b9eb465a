import {
  generateArticleImageBody,
  type GenerateArticleImageAnswer,
  type GenerateArticleImageBody,
  type MigrateBlogImagesAnswer,
} from '@decola/contracts';
import { type AuthenticatedCaller, CurrentAdminMaster } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ArticleImages } from './article-images.service.js';
import { ImageMigration } from './image-migration.service.js';

/** Tools of the administrator for the pictures of articles. */
@Controller('functions/v1')
export class ImagesController {
  constructor(
    private readonly images: ArticleImages,
    private readonly migration: ImageMigration,
  ) {}

  @Post('generate-article-image')
  @HttpCode(200)
  generate(
    @CurrentAdminMaster() { userId }: AuthenticatedCaller,
    @Body({ schema: generateArticleImageBody }) { articleId }: GenerateArticleImageBody,
  ): Promise<GenerateArticleImageAnswer> {
    return this.images.generate(articleId, userId);
  }

  @Post('migrate-blog-images')
  @HttpCode(200)
  migrate(@CurrentAdminMaster() _admin: AuthenticatedCaller): Promise<MigrateBlogImagesAnswer> {
    return this.migration.migrate();
  }
}
