const validDays = 180;

/** `security.txt` (RFC 9116): how to report a vulnerability. It expires, so that nobody relies on an outdated contact. */
export function securityText({ siteUrl, contact, now }: { siteUrl: string; contact: string; now: Date }): string {
  const expires = new Date(now.getTime() + validDays * 86_400_000);
  return [
    `Contact: mailto:${contact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: pt-BR, en',
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
