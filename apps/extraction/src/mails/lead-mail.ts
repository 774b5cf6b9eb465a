import { formatPrizeCode } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import type { MailContent, QueuedMail } from '@decola/mailer';
import { winnerMailTexts as texts } from '../texts/texts.js';

/** The mail to a winner who gave an e-mail address, as the queue stores it. Fields are only added: queued mails outlive a release. */
export interface LeadMail extends QueuedMail {
  kind: 'prize_won';
  participationId: string;
  wheel: string;
  /** Who promotes; empty when the wheel does not say. */
  company: string;
  prize: string;
  /** Without hyphens. */
  code: string;
  /** ISO 8601; null when the prize does not expire. */
  validUntil: string | null;
}

/** A mail that could not be sent for this long is dropped: the code may be in it alone, so longer than a day. */
export const leadMailSeconds = 3 * 86_400;

/** A lead that was erased, or whose wheel was deleted, gets no mail any more. */
export async function isLeadThere(db: Database, { participationId }: LeadMail): Promise<boolean> {
  return (await rowOf(db, 'select 1 from leads where participation_id = $1', [participationId])) !== undefined;
}

export function composeLeadMail({ wheel, company, prize, code, validUntil }: LeadMail, siteUrl: string): MailContent {
  const written = formatPrizeCode(code);
  const pageOf = (path: string) => new URL(`/${path}/${written}`, siteUrl).href;
  return {
    subject: texts.subject(prize),
    lead: texts.lead(wheel, company, validUntil === null ? null : new Date(validUntil)),
    button: { label: texts.button, href: pageOf('comprovante') },
    code: written,
    codeLabel: texts.codeLabel,
    footer: texts.footer(wheel),
    footerLink: { label: texts.data, href: pageOf('meus-dados') },
  };
}
