import { Module } from '@nestjs/common';
import { ArticleViews } from './article-views.service.js';

/** Imported where functions of rest/v1 are made, which count views. */
@Module({ providers: [ArticleViews], exports: [ArticleViews] })
export class ViewsModule {}
