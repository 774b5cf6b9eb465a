import { articleImagesBucket, pictureAddress, shareFile } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Refusal } from '@decola/service-kit';
import { Controller, Get, Head, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { PictureStore } from '../images/picture-store.service.js';

const notFound = () => new Refusal(404, 'NoSuchKey', 'Object not found', { headers: { 'cache-control': 'no-store' } });

/** End of the file names that are served: only the JPEG that is sent to sites. */
const [, shareSuffix = ''] = shareFile('|').split('|');

/** Covers of customers' articles, for their sites: each as long as an article has it. The gateway forwards only reads of single files to it. */
@Controller(`storage/v1/object/public/${articleImagesBucket}`)
export class ArticlePicturesController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: PictureStore,
  ) {}

  @Get(':name')
  async picture(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const hash = name.endsWith(shareSuffix) ? name.slice(0, -shareSuffix.length) : '';
    if (!/^[0-9a-f]{32}$/.test(hash)) throw notFound();
    // Up to the width: the article may have the picture in any of its own widths.
    const prefix = pictureAddress(hash, 1).slice(0, -'1.webp'.length);
    const isShown = await rowOf(this.dataSource.manager, `select 1 from customer_articles where starts_with(image->>'src', $1) limit 1`, [
      prefix,
    ]);
    const bytes = isShown ? await this.store.read(name) : null;
    if (!bytes) throw notFound();
    void reply.headers({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    await reply.send(bytes);
  }

  @Head(':name')
  async head(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    await this.picture(name, reply);
  }
}
