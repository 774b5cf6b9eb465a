import { until } from '../../../scripts/lib/customer.mjs';
import type { Harness } from './harness.js';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export async function mailsTo(harness: Harness, address: string): Promise<Mail[]> {
  const answer = await fetch(`${harness.mailbox}/messages?to=${encodeURIComponent(address)}`);
  return (await answer.json()) as Mail[];
}

/** Waits for a mail with this subject. @returns the link of the button in the newest one */
export async function linkInMail(harness: Harness, address: string, subject: string): Promise<string> {
  const mail = await until(`the mail “${subject}”`, async () =>
    (await mailsTo(harness, address)).findLast((candidate) => candidate.subject === subject),
  );
  const link = /href="([^"]*\/auth\/v1\/verify[^"]*)"/.exec(mail.html)?.[1] ?? /https?:\/\/\S+/.exec(mail.text)?.[0];
  if (!link) throw new Error(`the mail “${subject}” has no link: ${mail.text}`);
  return link.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
}
