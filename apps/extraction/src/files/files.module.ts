import { Module } from '@nestjs/common';
import { DownloadLinks } from './download-links.js';
import { DownloadsController } from './downloads.controller.js';

@Module({ controllers: [DownloadsController], providers: [DownloadLinks], exports: [DownloadLinks] })
export class FilesModule {}
