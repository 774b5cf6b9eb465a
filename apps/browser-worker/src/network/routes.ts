/** First parts of addresses that are no usernames. A guard, not the truth: `create` is in fact somebody. */
const reserved = new Set([
  'about',
  'accounts',
  'api',
  'auth_platform',
  'challenge',
  'developer',
  'direct',
  'directory',
  'emails',
  'explore',
  'graphql',
  'legal',
  'notifications',
  'p',
  'privacy',
  'reel',
  'reels',
  'settings',
  'static',
  'stories',
  'terms',
  'tv',
  'web',
]);

export const homePath = '/';

export function profilePath(username: string): string {
  return `/${username}/`;
}

/** The link's own form; the page moves itself to its search page. */
export function hashtagPath(hashtag: string): string {
  return `/explore/tags/${encodeURIComponent(hashtag.replace(/^#/, ''))}/`;
}

/** True for both forms of a hashtag's page. */
export function isHashtagRoute(address: URL): boolean {
  return (
    /^\/explore\/tags\/[^/]+\/?$/.test(address.pathname) ||
    (address.pathname === '/explore/search/keyword/' && address.searchParams.has('q'))
  );
}

/** Username of a profile link such as `/ana.doces/`; null for any other address. */
export function usernameOfPath(path: string): string | null {
  const match = /^\/([A-Za-z0-9._]{1,30})\/?$/.exec(path);
  return match?.[1] && !reserved.has(match[1].toLowerCase()) ? match[1] : null;
}

export type PlaceOfObjection = 'login' | 'challenge' | 'suspended';

/** What an address itself objects to; null for every other one. Only the path counts: a query may hold anything. */
export function objectionOfPath(path: string): PlaceOfObjection | null {
  if (/^\/(accounts\/suspended|challenge\/.*suspended)(\/|$)/.test(path)) return 'suspended';
  if (/^\/(challenge|auth_platform)(\/|$)/.test(path)) return 'challenge';
  if (/^\/accounts\/login(\/|$)/.test(path)) return 'login';
  return null;
}

/** Calls whose answer is JSON by nature. */
export function isDataPath(path: string): boolean {
  return /^\/(graphql\/query|api\/graphql|api\/v1\/|ajax\/(bulk-)?route-definitions?)/.test(path);
}

export type ListKind = 'followers' | 'following';

/** Parses `/api/v1/friendships/ID/followers|following/`. */
export function listOfPath(path: string): { userId: string; list: ListKind } | null {
  const match = /^\/api\/v1\/friendships\/(\d+)\/(followers|following)\/?$/.exec(path);
  return match ? { userId: match[1]!, list: match[2] as ListKind } : null;
}
