/**
 * What a customer's site is known by: the host of its address in lower case, without `www.`; a port that is not the scheme's own stays.
 * @returns null for a text that is no address
 */
export function siteKeyOf(webhookUrl: string): string | null {
  const typed = webhookUrl.trim();
  // People leave the scheme out.
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!URL.canParse(address)) return null;
  const { host } = new URL(address);
  return host.toLowerCase().replace(/^www\./, '') || null;
}
