import { noticeCauses, type NoticeCause } from '@decola/contracts';
import { parseKeyRing, Sealer } from '@decola/service-kit';
import { z } from 'zod';
import type { IdentityConfig } from '../config/config.js';

const content = z.object({ userId: z.uuid(), cause: z.enum(noticeCauses) });
type Content = z.infer<typeof content>;

/** Ties the ciphertext to its purpose: nothing else that the key ring seals opens as a token, and a token opens nothing else. */
const purpose = 'unsubscribe';

/**
 * Tokens of the links that stop one kind of mail of one person, without a sign-in. They do not expire, because mails are opened years later, and can do
 * nothing but stop mails. They are void when their key leaves `MAIL_KEY_RING`.
 */
export class UnsubscribeTokens {
  private readonly sealer: Sealer;
  private readonly siteUrl: string;

  constructor(config: Pick<IdentityConfig, 'MAIL_KEY_RING' | 'SITE_URL'>) {
    this.sealer = new Sealer(parseKeyRing(config.MAIL_KEY_RING, 'MAIL_KEY_RING'));
    this.siteUrl = config.SITE_URL;
  }

  /** @returns the page that asks before it stops anything, and the URL that stops the mails when something is posted to it */
  linksFor(userId: string, cause: NoticeCause): { page: string; oneClick: string } {
    const token = this.sealer.seal(JSON.stringify({ userId, cause } satisfies Content), purpose);
    return { page: this.pageFor(token), oneClick: this.withToken('/functions/v1/unsubscribe', token) };
  }

  pageFor(token: string): string {
    return this.withToken('/avisos-por-e-mail', token);
  }

  /** @returns null when the token is not one of ours, or was changed */
  open(token: string): Content | null {
    const opened = this.sealer.openToken(token, purpose);
    if (opened === null) return null;
    try {
      return content.parse(JSON.parse(opened));
    } catch {
      return null;
    }
  }

  private withToken(path: string, token: string): string {
    const url = new URL(path, this.siteUrl);
    url.searchParams.set('token', token);
    return url.href;
  }
}
