import { createHmac, timingSafeEqual } from 'node:crypto';
import { Clock, CONFIG } from '@decola/service-kit';
import { type Sql, sql } from '@decola/table-api';
import { Inject, Injectable } from '@nestjs/common';
import type { ExtractionConfig } from '../config.js';

/** Block of SHA-256 in bytes: an HMAC's key is padded to it. */
const blockBytes = 64;

/**
 * Short-lived links to one list's file. A link's signature is HMAC(HMAC(key, owner and end), list): the inner value is a key that
 * serves one owner until one instant, so PostgreSQL can sign the rows of an answer without ever seeing our key.
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

  /** The link to the list of row `t`, which must be the owner's; an empty text while nothing is collected. */
  linkOf(ownerId: string): Sql {
    const end = Math.floor(this.clock.now().getTime() / 1000) + this.config.DOWNLOAD_LINK_SECONDS;
    const key = this.ownerKey(ownerId, end);
    const padded = (fill: number): string => {
      const pad = Buffer.alloc(blockBytes, fill);
      key.forEach((byte, index) => (pad[index] = byte ^ fill));
      return pad.toString('hex');
    };
    const prefix = `${this.config.SITE_URL.replace(/\/+$/, '')}/storage/v1/object/sign/extractions/`;
    const inner = sql`sha256(decode(${padded(0x36)}, 'hex') || convert_to(t.id::text, 'UTF8'))`;
    const signature = sql`translate(encode(sha256(decode(${padded(0x5c)}, 'hex') || ${inner}), 'base64'), '+/=', '-_')`;
    return sql`case when t.total_records = 0 then '' else ${prefix}::text || t.id::text || '.csv?token=' || ${String(end)}::text || '.' || ${signature} end`;
  }

  /** Whether `token` opens this list of this owner now. */
  opens(token: string, listId: string, ownerId: string): boolean {
    const parts = /^(\d{1,12})\.([\w-]{43})$/.exec(token);
    if (!parts) return false;
    const end = Number(parts[1]);
    if (end * 1000 < this.clock.now().getTime()) return false;
    const expected = createHmac('sha256', this.ownerKey(ownerId, end)).update(listId).digest();
    const given = Buffer.from(parts[2] ?? '', 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private ownerKey(ownerId: string, end: number): Buffer {
    return createHmac('sha256', this.key).update(`extractions:${ownerId}:${end}`).digest();
  }
}
