import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** One load of the page. The token in the HTML contains it with a signature, so only this network can create it. */
export interface PageTicket {
  sessionId: string;
  revision: string;
  /** Network time of the load. */
  loadedAt: number;
  nonce: string;
}

export interface PageTokens {
  lsd: string;
  dtsg: string;
  jazoest: string;
}

/** Issues and checks the LSD and DTSG tokens, which prove that a call comes from a page that this network served. */
export class PageTokenIssuer {
  constructor(private readonly secret: Buffer) {}

  issue(ticket: Omit<PageTicket, 'nonce'>): PageTokens {
    const body = Buffer.from(
      JSON.stringify([ticket.sessionId, ticket.revision, ticket.loadedAt, randomBytes(6).toString('base64url')]),
    ).toString('base64url');
    const lsd = `${body}.${this.sign('lsd', body)}`;
    const dtsg = `NAf${this.sign('dtsg', lsd)}:17843729647189359:${Math.floor(ticket.loadedAt / 1000)}`;
    return { lsd, dtsg, jazoest: jazoestOf(dtsg) };
  }

  /** @returns null when the token was not created by this network. */
  readLsd(lsd: string): PageTicket | null {
    const [body = '', signature = ''] = lsd.split('.');
    if (!same(signature, this.sign('lsd', body))) return null;
    const [sessionId, revision, loadedAt, nonce] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
      string,
      string,
      number,
      string,
    ];
    return { sessionId, revision, loadedAt, nonce };
  }

  belongsTogether(lsd: string, dtsg: string): boolean {
    return same(/^NAf([^:]+):/.exec(dtsg)?.[1] ?? '', this.sign('dtsg', lsd));
  }

  private sign(purpose: string, text: string): string {
    return createHmac('sha256', this.secret).update(`${purpose}:${text}`).digest('base64url').slice(0, 32);
  }
}

/** The checksum `jazoest` of a form: `2` followed by the sum of the token's character codes. */
export function jazoestOf(token: string): string {
  let sum = 0;
  for (const character of token) sum += character.charCodeAt(0);
  return `2${sum}`;
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
