import { rowOf } from '@decola/database';
import { CurrentUserId, Refusal } from '@decola/service-kit';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One answer for an unknown picture, one that was deleted after its time, and somebody else's. */
const notFound = () => new Refusal(404, 'NoSuchKey', 'Object not found');

/** Pictures of failures, for the customer whose run they show. `id` is a `picture_id` of the diary. */
@Controller('storage/v1/object/pictures')
export class PicturesController {
  constructor(private readonly dataSource: DataSource) {}

  @Get(':id')
  async picture(@Param('id') id: string, @CurrentUserId() userId: string, @Res() reply: FastifyReply): Promise<void> {
    if (!uuidPattern.test(id)) throw notFound();
    const row = await rowOf<{ jpeg: Buffer }>(this.dataSource.manager, 'select jpeg from run_pictures where id = $1 and user_id = $2', [
      id,
      userId,
    ]);
    if (!row) throw notFound();
    await reply
      .header('content-type', 'image/jpeg')
      // Personal data: no proxy or browser may store the answer.
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
      .send(row.jpeg);
  }
}
