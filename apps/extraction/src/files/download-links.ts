import { createHmac, timingSafeEqual } from 'node:crypto';
import { Clock, CONFIG } from '@decola/service-kit';
import { type Sql, sql } from '@decola/table-api';
import { Inject, Injectable } from '@nestjs/common';
import type { ExtractionConfig } from '../config/config.js';

/** Formats of a list's file. A link's token opens the list in every format. */
export const fileFormats = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Block size of SHA-256: HMAC pads its key to it. */
const blockBytes = 64;

/**
 * Short-lived links to the file of one list. The signature of a link is HMAC(HMAC(key, owner and expiry), list). The inner HMAC is a key for one
 * owner until one instant, so PostgreSQL can sign each row of an answer without ever seeing our key.
 */
@Injectable()
export class DownloadLinks {
  private readonly key: Buffer;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<ExtractionConfig, 'DOWNLOAD_SIGNING_KEY' | 'DOWNLOAD_LINK_SECONDS' | 'SITE_URL'>,
    private readonly clock: Clock,
  ) {
    this.key = Buffer.from(config.DOWNLOAD_SIGNING_KEY, 'base64');
  }

  /** SQL for the link to the file of the list in row `t`, which must belong to the owner; an empty text while the list is empty. */
  linkSql(ownerId: string, format: FileFormat = 'csv'): Sql {
    const expiresAt = Math.floor(this.clock.now().getTime() / 1000) + this.config.DOWNLOAD_LINK_SECONDS;
    const key = this.ownerKey(ownerId, expiresAt);
    const padded = (fill: number): string => {
      const pad = Buffer.alloc(blockBytes, fill);
      key.forEach((byte, index) => (pad[index] = byte ^ fill));
      return pad.toString('hex');
    };
    const prefix = `${this.config.SITE_URL.replace(/\/+$/, '')}/storage/v1/object/sign/extractions/`;
    const inner = sql`sha256(decode(${padded(0x36)}, 'hex') || convert_to(t.id::text, 'UTF8'))`;
    const signature = sql`translate(encode(sha256(decode(${padded(0x5c)}, 'hex') || ${inner}), 'base64'), '+/=', '-_')`;
    return sql`case when t.total_records = 0 then '' else ${prefix}::text || t.id::text || ${`.${format}?token=`}::text || ${String(expiresAt)}::text || '.' || ${signature} end`;
  }

  /** Whether `token` opens this list of this owner now. */
  isValid(token: string, listId: string, ownerId: string): boolean {
    const parts = /^(\d{1,12})\.([\w-]{43})$/.exec(token);
    if (!parts) return false;
    const expiresAt = Number(parts[1]);
    if (expiresAt * 1000 < this.clock.now().getTime()) return false;
    const expected = createHmac('sha256', this.ownerKey(ownerId, expiresAt)).update(listId).digest();
    const given = Buffer.from(parts[2] ?? '', 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private ownerKey(ownerId: string, expiresAt: number): Buffer {
    return createHmac('sha256', this.key).update(`extractions:${ownerId}:${expiresAt}`).digest();
  }
}
