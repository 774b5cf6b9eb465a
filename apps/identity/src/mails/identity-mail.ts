import type { NoticeCause } from '@decola/contracts';
import type { MailContent, QueuedMail } from '@decola/mailer';
import { type MailTexts, mailTexts, unsubscribeTexts } from '../texts/texts.js';
import type { UnsubscribeTokens } from './unsubscribe-tokens.js';

export type MailKind = keyof typeof mailTexts;

/** A mail of this service as the queue stores it. Fields are only added: queued mails outlive a release. */
export interface IdentityMail extends QueuedMail {
  kind: MailKind;
  /** Where the button leads; null for mails that carry a code alone or only report something. */
  link: string | null;
  /** Six digits; null for none. */
  code: string | null;
  /** Dates and amounts of this case, in a sentence after the first. */
  detail?: string;
  /** Of a mail that its reader may switch off. */
  notice?: {
    userId: string;
    cause: NoticeCause;
    /** `@name` of the account that it is about; null for none. */
    account: string | null;
    /** End of a block, written for the reader; null when it has none. */
    until: string | null;
  };
  /** Of a mail about wheels. */
  wheel?: {
    name: string;
    /** How many new leads it tells of. */
    leads: number;
    /** Each wheel with what happened on it; of the mail of a day. */
    wheels: { title: string; text: string }[];
  };
}

/** Mails without a code are dropped when they could not be sent for this long: a day. */
const noticeSeconds = 86_400;

/** True for an event that is older than a mail may get: it waited long for the broker, or came back from the dead letters. */
export const isTooLateForMail = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) > noticeSeconds * 1_000;

/** Seconds from queueing after which a mail is dropped unsent: a code is useless when it has expired. */
export function lifetimeSeconds({ code }: IdentityMail, codeSeconds: number): number {
  return code === null ? noticeSeconds : codeSeconds;
}

export function composeMail(
  { kind, link, code, detail, notice, wheel }: IdentityMail,
  { productName, unsubscribe }: { productName: string; unsubscribe: Pick<UnsubscribeTokens, 'linksFor'> },
): MailContent {
  const texts: MailTexts = mailTexts[kind];
  const facts = { account: notice?.account ?? null, until: notice?.until ?? null, wheel: wheel ?? { name: '', leads: 0, wheels: [] } };
  return {
    subject: texts.subject(productName, facts),
    ...(texts.sign ? { sign: texts.sign } : {}),
    lead: detail ? `${texts.lead} ${detail}` : texts.lead,
    ...(texts.steps ? { steps: texts.steps(facts) } : {}),
    button: link === null ? null : { label: texts.button ?? '', href: link },
    code,
    footer: texts.footer,
    ...(notice ? { unsubscribe: { label: unsubscribeTexts.link, ...unsubscribe.linksFor(notice.userId, notice.cause) } } : {}),
  };
}
