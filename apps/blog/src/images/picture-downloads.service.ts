import { OutgoingCallError, OutgoingHttp } from '@decola/outgoing-http';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { BlogConfig } from '../config/config.js';
import { maxPictureFileBytes } from './encode-picture.js';
import { PictureRefusedError } from './images.errors.js';

const headers = { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif', 'user-agent': 'Decola-Images/1' };

/** Bytes of pictures whose addresses somebody typed, or a model's server gave. */
@Injectable()
export class PictureDownloads implements OnApplicationShutdown {
  private readonly http: OutgoingHttp;

  constructor(@Inject(CONFIG) { OUTGOING_HTTP_HOSTS }: Pick<BlogConfig, 'OUTGOING_HTTP_HOSTS'>) {
    this.http = new OutgoingHttp({ plainHosts: OUTGOING_HTTP_HOSTS });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }

  /** @param source a `data:` address, an https address, or an http address, which is asked for by https @throws PictureRefusedError */
  async bytesOf(source: string): Promise<Buffer> {
    return /^data:/i.test(source) ? bytesInside(source) : this.download(source);
  }

  private async download(source: string): Promise<Buffer> {
    const address = source.startsWith('//') ? `https:${source}` : source;
    const upgraded = this.http.problemOf(address) === 'scheme' ? address.replace(/^http:/i, 'https:') : address;
    let file;
    try {
      file = await this.http.download(upgraded, { headers, maxBytes: maxPictureFileBytes });
    } catch (error) {
      if (!(error instanceof OutgoingCallError)) throw error;
      throw new PictureRefusedError(error.failure === 'address' ? 'address' : 'unreachable', error);
    }
    const { status, bytes } = file;
    if (status >= 300 && status < 400) throw new PictureRefusedError('elsewhere');
    if (status === 404 || status === 410) throw new PictureRefusedError('gone');
    if (status !== 200) throw new PictureRefusedError('unreachable');
    if (!bytes) throw new PictureRefusedError('too_large');
    return bytes;
  }
}

function bytesInside(source: string): Buffer {
  const comma = source.indexOf(',');
  // Four characters are three bytes; the rest is the head.
  if (source.length > (maxPictureFileBytes * 4) / 3 + 1_000) throw new PictureRefusedError('too_large');
  if (comma < 0 || !/;base64$/i.test(source.slice(0, comma))) throw new PictureRefusedError('type');
  return Buffer.from(source.slice(comma + 1), 'base64');
}
