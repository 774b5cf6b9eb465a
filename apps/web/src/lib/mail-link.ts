import { mailLinkTexts as texts } from './texts';
/** What the URL says when somebody opened the link of a mail (auth-v1, section 7.1). */
export interface MailLink {
  /** Purpose of the mail: `recovery`, `email_change`, `signup`, `magiclink`; null when the link was refused. */
  type: string | null;
  /** The auth service's code for a refusal. */
  errorCode: string | null;
  /** The link was accepted, and the link in a second mail must be opened too. */
  isHalfConfirmed: boolean;
}

/** Parses the URL's fragment; null when it does not come from a mail. */
export function readMailLink(hash: string): MailLink | null {
  const parts = new URLSearchParams(hash.replace(/^[#?]/, ''));
  const isRefused = parts.has('error') || parts.has('error_code');
  if (isRefused) return { type: null, errorCode: parts.get('error_code') ?? parts.get('error'), isHalfConfirmed: false };
  if (parts.has('access_token')) return { type: parts.get('type'), errorCode: null, isHalfConfirmed: false };
  return parts.has('message') && parts.has('sb') ? { type: null, errorCode: null, isHalfConfirmed: true } : null;
}

/** Message about the opened link; null when none is needed. */
export function mailLinkText(link: MailLink | null): string | null {
  if (link?.isHalfConfirmed) return texts.halfConfirmed;
  if (!link?.errorCode) return null;
  return link.errorCode === 'otp_expired' ? texts.expired : texts.refused;
}

/** Whether the link was refused, so that a new one must be requested. */
export const isRefusedLink = (link: MailLink | null): boolean => typeof link?.errorCode === 'string';

/** Removes the bare `#` that stays in the URL after the client has removed its tokens. */
export function removeEmptyHash(): void {
  const { href, pathname, search } = window.location;
  if (href.endsWith('#')) window.history.replaceState(window.history.state, '', pathname + search);
}

const recoveryKey = 'decola.recovering';
let openedLink: MailLink | null = null;

/** Records the mail link that this visit started with. Call it before the client is created, which removes the tokens from the URL. */
export function recordMailLink(hash: string = globalThis.location?.hash ?? ''): void {
  openedLink = readMailLink(hash);
  // Stored, so that a reload still asks for the new password.
  if (openedLink?.type === 'recovery') startRecovery();
}

/** Returns true once for a visit that started with a mail of that type. */
export function consumeMailLink(type: string): boolean {
  if (openedLink?.type !== type) return false;
  openedLink = null;
  return true;
}

export const startRecovery = (): void => sessionStorage.setItem(recoveryKey, 'true');
export const isRecoveryPending = (): boolean => sessionStorage.getItem(recoveryKey) !== null;
export const clearRecovery = (): void => sessionStorage.removeItem(recoveryKey);
