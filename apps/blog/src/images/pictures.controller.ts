import { createHash } from 'node:crypto';
import { blogImagesBucket } from '@decola/contracts';
import { Refusal } from '@decola/service-kit';
import { Controller, Get, Head, Headers, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { contentTypeOf, PictureStore } from './picture-store.service.js';

const notFound = () => new Refusal(404, 'NoSuchKey', 'Object not found', { headers: { 'cache-control': 'no-store' } });

/** Pictures of the product's articles, for everybody. The gateway forwards only reads of single files to it. */
@Controller(`storage/v1/object/public/${blogImagesBucket}`)
export class PicturesController {
  constructor(private readonly store: PictureStore) {}

  @Get(':name')
  async picture(
    @Param('name') name: string,
    @Query('download') download: unknown,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const bytes = await this.store.read(name);
    if (!bytes) throw notFound();
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    void reply.headers({
      etag,
      // The name follows from the content, so there will never be another content under it.
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      // Link previews, feed readers and the customer's own pages show them, too.
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (isKnown(known, etag)) return void (await reply.status(304).send());
    void reply.header('content-type', contentTypeOf(name));
    if (download !== undefined) void reply.header('content-disposition', `attachment; filename="${name}"`);
    await reply.send(bytes);
  }

  @Head(':name')
  async head(@Param('name') name: string, @Query('download') download: unknown, @Res() reply: FastifyReply): Promise<void> {
    // Node sends no body in the answer to HEAD, and the length of the one that GET would get.
    await this.picture(name, download, undefined, reply);
  }
}

/** @param known the header `If-None-Match` */
const isKnown = (known: string | undefined, etag: string): boolean =>
  known !== undefined &&
  known
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === etag || each === '*');
