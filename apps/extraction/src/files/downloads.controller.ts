import { Refusal } from '@decola/service-kit';
import { Controller, Get, Head, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { rowOf } from '../rows.js';
import { csvOf, peopleOf } from './csv.js';
import { DownloadLinks } from './download-links.js';

/** The link is not, or no longer, good for this file. Says nothing of whether there is such a file. */
const invalidLink = () =>
  new Refusal(403, 'InvalidSignature', 'Este link expirou ou não é válido. Volte ao painel e baixe o arquivo de novo.');

const fileForm = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.csv$/;

/** Files of lists, for whoever holds a fresh link. They are written while they are read, from the rows as they are now. */
@Controller('storage/v1/object/sign/extractions')
export class DownloadsController {
  constructor(
    private readonly links: DownloadLinks,
    private readonly dataSource: DataSource,
  ) {}

  @Get(':file')
  async download(@Param('file') file: string, @Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    const listId = await this.begin(file, token, reply);
    void reply.send(csvOf(peopleOf(this.dataSource, listId)));
  }

  @Head(':file')
  async look(@Param('file') file: string, @Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.begin(file, token, reply);
    void reply.send();
  }

  /** @throws Refusal unless the token opens the file now. */
  private async begin(file: string, token: unknown, reply: FastifyReply): Promise<string> {
    const [, listId] = fileForm.exec(file) ?? [];
    if (listId === undefined || typeof token !== 'string') throw invalidLink();
    const list = await rowOf<{ user_id: string; file_name: string }>(
      this.dataSource.manager,
      'select user_id, file_name from extracted_data where id = $1',
      [listId],
    );
    if (!list || !this.links.opens(token, listId, list.user_id)) throw invalidLink();
    void reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', dispositionOf(list.file_name === '' ? 'dados.csv' : list.file_name))
      // A list of people is nobody's to keep on the way.
      .header('cache-control', 'private, no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff');
    return listId;
  }
}

function dispositionOf(fileName: string): string {
  const plain = fileName.normalize('NFD').replace(/[^\w.-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
