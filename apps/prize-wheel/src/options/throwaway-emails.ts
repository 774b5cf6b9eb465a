import { isDisposableEmailDomain } from 'disposable-email-domains-js';

/** Whether an e-mail address is of a service that gives out addresses for minutes. Subdomains of such services count too. */
export function isThrowawayEmail(address: string): boolean {
  const labels = address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .split('.');
  return labels.some((_, first) => labels.length - first >= 2 && isDisposableEmailDomain(labels.slice(first).join('.')));
}
