/** What the address says when somebody came by the link of a mail (auth-v1, section 7.1). */
export interface MailLink {
  /** What the mail was for: `recovery`, `email_change`, `signup`, `magiclink`; null when the link was refused. */
  type: string | null;
  /** Why the link was refused, in the service's code. */
  errorCode: string | null;
  /** The link was right, and another one has to be opened too. */
  isHalfWay: boolean;
}

/** Reads the part of an address behind `#`; null when no mail led here. */
export function readMailLink(hash: string): MailLink | null {
  const parts = new URLSearchParams(hash.replace(/^[#?]/, ''));
  const isRefused = parts.has('error') || parts.has('error_code');
  if (isRefused) return { type: null, errorCode: parts.get('error_code') ?? parts.get('error'), isHalfWay: false };
  if (parts.has('access_token')) return { type: parts.get('type'), errorCode: null, isHalfWay: false };
  return parts.has('message') && parts.has('sb') ? { type: null, errorCode: null, isHalfWay: true } : null;
}

/** What a person should know about the link they opened; null when there is nothing to say. */
export function mailLinkText(link: MailLink | null): string | null {
  if (link?.isHalfWay) return 'Confirmado. Agora abra o link que enviamos para o outro email.';
  if (!link?.errorCode) return null;
  return link.errorCode === 'otp_expired'
    ? 'Este link já foi usado ou expirou. Peça um novo.'
    : 'Não foi possível usar este link. Peça um novo.';
}

/** Whether the link was refused, so that a new one has to be asked for. */
export const isRefusedLink = (link: MailLink | null): boolean => typeof link?.errorCode === 'string';

/** The client takes its tokens out of the address and leaves their `#` behind. */
export function dropBareHash(): void {
  const { href, pathname, search } = window.location;
  if (href.endsWith('#')) window.history.replaceState(window.history.state, '', pathname + search);
}

const recoveryKey = 'decola.recovering';
let arrivedBy: MailLink | null = null;

/** Notes how this visit began. The client takes the tokens out of the address soon after it is made, so this comes first. */
export function noteArrival(hash: string = globalThis.location?.hash ?? ''): void {
  arrivedBy = readMailLink(hash);
  // Kept over a reload: the new password is still owed.
  if (arrivedBy?.type === 'recovery') keepRecovery();
}

/** True once for a visit that began with a mail of that type. */
export function takeArrival(type: string): boolean {
  if (arrivedBy?.type !== type) return false;
  arrivedBy = null;
  return true;
}

export const keepRecovery = (): void => sessionStorage.setItem(recoveryKey, 'true');
export const isRecovery = (): boolean => sessionStorage.getItem(recoveryKey) !== null;
export const forgetRecovery = (): void => sessionStorage.removeItem(recoveryKey);
