import { Module } from '@nestjs/common';
import { ModelModule } from '../model/model.module.js';
import { ArticleImages } from './article-images.service.js';
import { ImageMigration } from './image-migration.service.js';
import { ImagesController } from './images.controller.js';
import { PictureDownloads } from './picture-downloads.service.js';
import { PictureStore } from './picture-store.service.js';
import { PicturesController } from './pictures.controller.js';
import { Pictures } from './pictures.service.js';

/** Pictures of the product's articles: made, stored, shown. */
@Module({
  imports: [ModelModule],
  controllers: [ImagesController, PicturesController],
  providers: [ArticleImages, ImageMigration, PictureDownloads, Pictures, PictureStore],
  exports: [Pictures, PictureStore],
})
export class ImagesModule {}
