const prettyDoor = 'wp-json/decola/v1/events';
const plainDoor = '?rest_route=/decola/v1/events';
const ownDoor = '?decola-webhook=1';

/**
 * The addresses at which our plugin may answer, the likeliest first: with pretty and with plain permalinks, and with the REST API switched off.
 * @param typed what the customer typed: one of these addresses, the site's address, or the address of another receiver
 */
export function doorsOf(typed: string): string[] {
  const url = new URL(typed.trim());
  url.hash = '';
  const isPretty = /\/wp-json\/decola\/v1\/events\/?$/.test(url.pathname);
  const isDoor = isPretty || url.searchParams.has('rest_route') || url.searchParams.has('decola-webhook');
  const base = new URL(url);
  base.search = '';
  if (isPretty) base.pathname = url.pathname.replace(/wp-json\/decola\/v1\/events\/?$/, '');
  const folder = base.pathname.replace(/\/?$/, '/');
  const doors = [prettyDoor, plainDoor, ownDoor].map((door) => `${base.origin}${folder}${door}`);
  if (isDoor) return [url.href, ...doors.filter((door) => door !== url.href && door !== url.href.replace(/\/$/, ''))];
  if (url.search !== '') return [url.href];
  // A site's address; with a path it may as well be another receiver's.
  return url.pathname === '/' ? [...doors, url.href] : [url.href, ...doors];
}

/** The site's address, by one of its doors. */
export function siteAddressOf(door: string): string {
  const url = new URL(door);
  return `${url.origin}${url.pathname.replace(/wp-json\/decola\/v1\/events\/?$/, '').replace(/\/?$/, '/')}`;
}

/** The host that a message names, by which the plugin refuses messages for other sites. */
export const audienceOf = (address: string): string => new URL(address.trim()).hostname.toLowerCase().replace(/^www\./, '');
