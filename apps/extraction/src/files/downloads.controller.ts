import type { DataType } from '@decola/contracts';
import { Refusal } from '@decola/service-kit';
import { Controller, Get, Head, Param, Query, Res } from '@nestjs/common';
import { rowOf } from '@decola/database';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { invalidLinkText } from '../texts/texts.js';
import { csvStream } from './csv.js';
import { DownloadLinks, type FileFormat, fileFormats } from './download-links.js';
import { listFileOf, readRows } from './list-files.js';
import { xlsxStream } from './xlsx.js';

/** One answer for an expired link, a wrong signature and an unknown list, so that nobody learns which lists exist. */
const invalidLink = () => new Refusal(403, 'InvalidSignature', invalidLinkText);

const filePattern = new RegExp(`^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\\.(${fileFormats.join('|')})$`);

const contentTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const streams = { csv: csvStream, xlsx: xlsxStream } satisfies Record<FileFormat, unknown>;

/**
 * Downloads of lists as CSV and XLSX, for everybody who has a valid link. A file is streamed from the rows as they are now; none is stored
 * (decision 0004).
 */
@Controller('storage/v1/object/sign/extractions')
export class DownloadsController {
  constructor(
    private readonly links: DownloadLinks,
    private readonly dataSource: DataSource,
  ) {}

  @Get(':file')
  async download(@Param('file') file: string, @Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    const { listId, dataType, format } = await this.openList(file, token, reply);
    const listFile = listFileOf(dataType);
    void reply.send(streams[format](listFile.columns, readRows(this.dataSource, listFile, listId)));
  }

  @Head(':file')
  async head(@Param('file') file: string, @Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.openList(file, token, reply);
    void reply.send();
  }

  /** Checks the token and sets the headers. @throws Refusal when the token does not open this file now */
  private async openList(
    file: string,
    token: unknown,
    reply: FastifyReply,
  ): Promise<{ listId: string; dataType: DataType; format: FileFormat }> {
    const [, listId, format] = (filePattern.exec(file) ?? []) as [string?, string?, FileFormat?];
    if (listId === undefined || format === undefined || typeof token !== 'string') throw invalidLink();
    const list = await rowOf<{ user_id: string; data_type: DataType; file_name: string }>(
      this.dataSource.manager,
      'select user_id, data_type, file_name from extracted_data where id = $1',
      [listId],
    );
    if (!list || !this.links.isValid(token, listId, list.user_id)) throw invalidLink();
    void reply
      .header('content-type', contentTypes[format])
      .header('content-disposition', contentDispositionOf(fileNameOf(list.file_name, format)))
      // Personal data: no proxy or browser may store the answer.
      .header('cache-control', 'private, no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff');
    return { listId, dataType: list.data_type, format };
  }
}

/** The list's file name, which customers may change, in another format. */
function fileNameOf(csvName: string, format: FileFormat): string {
  const name = csvName === '' ? 'dados.csv' : csvName;
  return format === 'csv' ? name : `${name.replace(/\.csv$/i, '')}.${format}`;
}

function contentDispositionOf(fileName: string): string {
  const plain = fileName.normalize('NFD').replace(/[^\w.-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
