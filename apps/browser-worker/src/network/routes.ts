/**
 * Paths of the network's site, as instagram-web.md describes them (sections 2, 3, 4 and 7). The sandbox network has paths of its own,
 * written from the same document, so that a mistake is not in both. `routes.spec.ts` compares this file with the document.
 */

/** First path segments that are not usernames. A guard only: the network has a user called `create`. */
const reservedNames = new Set([
  'about',
  'accounts',
  'api',
  'auth_platform',
  'challenge',
  'checkpoint',
  'consent',
  'developer',
  'direct',
  'directory',
  'emails',
  'explore',
  'graphql',
  'integrity',
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

export function postPath(code: string): string {
  return `/p/${code}/`;
}

/** The page (or dialog) that shows who likes a post. */
export function likersPath(code: string): string {
  return `${postPath(code)}liked_by/`;
}

/** The stories of a person. The page asks before it shows them; without a story it moves to the profile. */
export function storiesPath(username: string): string {
  return `/stories/${username}/`;
}

/** True for the pages on which stories are watched. */
export function isStoriesRoute({ pathname }: URL): boolean {
  return /^\/stories\/[^/]+\/(\d+\/)?$/.test(pathname);
}

/** Posts of people whom the account follows, newest first, without advertisements and suggestions. */
export const followingFeedPath = '/?variant=following';

/** True for the start page in each of its forms. */
export function isFeedRoute({ pathname }: URL): boolean {
  return pathname === homePath;
}

export type ListKind = 'followers' | 'following';

/** The page (or dialog) that shows a person's list. */
export function listPagePath(username: string, list: ListKind): string {
  return `${profilePath(username)}${list}/`;
}

/** The address that links to a hashtag use; the page then moves itself to its search page. */
export function hashtagPath(hashtag: string): string {
  return `/explore/tags/${encodeURIComponent(hashtag.replace(/^#/, ''))}/`;
}

/** True for both addresses of a hashtag's page. */
export function isHashtagRoute(address: URL): boolean {
  return (
    /^\/explore\/tags\/[^/]+\/?$/.test(address.pathname) ||
    (address.pathname === '/explore/search/keyword/' && address.searchParams.has('q'))
  );
}

/** Username of a profile link such as `/ana.doces/`; null for any other path. */
export function usernameOfPath(path: string): string | null {
  const match = /^\/([A-Za-z0-9._]{1,30})\/?$/.exec(path);
  return match?.[1] && !reservedNames.has(match[1].toLowerCase()) ? match[1] : null;
}

/** True when a link leads to this path, whatever its query (`?next=%2F`). Usernames are case-insensitive. */
export function isSamePath(link: string, path: string): boolean {
  return decodeURI(link).split(/[?#]/, 1)[0]!.toLowerCase() === path.toLowerCase();
}

export type ObjectingPlace = 'login' | 'challenge' | 'suspended';

/** Which objection a path itself means; null for every other path. Queries are ignored: they may contain anything. */
export function objectionOfPath(path: string): ObjectingPlace | null {
  if (/^\/(accounts\/suspended|(challenge|checkpoint)\/.*suspended)(\/|$)/.test(path)) return 'suspended';
  if (/^\/(challenge|checkpoint|integrity\/checkpoint|consent|auth_platform)(\/|$)/.test(path)) return 'challenge';
  if (/^\/accounts\/login(\/|$)/.test(path)) return 'login';
  return null;
}

/** True for calls that are answered with JSON. */
export function isDataPath(path: string): boolean {
  return isGraphPath(path) || /^\/(api\/v1\/|ajax\/(bulk-)?route-definitions?)/.test(path);
}

/** The two paths of GraphQL calls. */
export function isGraphPath(path: string): boolean {
  return /^\/(graphql\/query|api\/graphql)\/?$/.test(path);
}

/** REST calls that are sent by POST and change nothing. */
export function isReadOnlyPost(path: string): boolean {
  return /^\/api\/v1\/(friendships\/show_many|feed|clips|discover)\//.test(path);
}

/** Parses the REST call for a page of a list: `/api/v1/friendships/ID/followers|following/`. */
export function listOfPath(path: string): { userId: string; list: ListKind } | null {
  const match = /^\/api\/v1\/friendships\/(\d+)\/(followers|following)\/?$/.exec(path);
  return match ? { userId: match[1]!, list: match[2] as ListKind } : null;
}

export type FriendshipAction = 'follow' | 'unfollow';

/** Parses the REST forms of follow and unfollow: `friendships/create|destroy/ID/` and `web/friendships/ID/follow|unfollow/`. */
export function friendshipOfPath(path: string): { userId: string; action: FriendshipAction } | null {
  const match = /^\/api\/v1\/(?:web\/)?friendships\/(?:(create|destroy)\/(\d+)|(\d+)\/(follow|unfollow))\/$/.exec(path);
  if (!match) return null;
  const isFollow = match[1] === 'create' || match[4] === 'follow';
  return { userId: (match[2] ?? match[3])!, action: isFollow ? 'follow' : 'unfollow' };
}

/** Parses the REST form of a like: `web/likes/ID/like|unlike/`. */
export function likeOfPath(path: string): { mediaId: string; isLike: boolean } | null {
  const match = /^\/api\/v1\/web\/likes\/(\d+)\/(like|unlike)\/$/.exec(path);
  return match ? { mediaId: match[1]!, isLike: match[2] === 'like' } : null;
}

/** Id of the post that the REST call `media/ID/info/` asks for; null for any other path. */
export function mediaOfPath(path: string): string | null {
  return /^\/api\/v1\/media\/(\d+)\/info\/$/.exec(path)?.[1] ?? null;
}

/** True for the REST call that asks for a page of the feed. */
export function isFeedPath(path: string): boolean {
  return path === '/api/v1/feed/timeline/';
}

/** True for the REST call that reports a story as seen. */
export function isStorySeenPath(path: string): boolean {
  return /^\/api\/v1\/stories\/reel\/seen\/?$/.test(path);
}

/** True for the REST calls that ask for the stories tray or for stories. */
export function isStoriesPath(path: string): boolean {
  return /^\/api\/v1\/feed\/reels_(tray|media)\/?$/.test(path);
}

/** Id of the post whose comments the REST call `media/ID/comments/` asks for; null for any other path. */
export function commentsOfPath(path: string): string | null {
  return /^\/api\/v1\/media\/(\d+)\/comments\/$/.exec(path)?.[1] ?? null;
}

/** Id of the comment whose replies the REST call `media/ID/comments/ID/child_comments/` asks for; null for any other path. */
export function repliesOfPath(path: string): string | null {
  return /^\/api\/v1\/media\/\d+\/comments\/(\d+)\/child_comments\/$/.exec(path)?.[1] ?? null;
}

/** Id of the post whose likers the REST call `media/ID/likers/` asks for; null for any other path. */
export function likersOfPath(path: string): string | null {
  return /^\/api\/v1\/media\/(\d+)\/likers\/$/.exec(path)?.[1] ?? null;
}

/** Id of the post on which the REST call `web/comments/ID/add/` writes; null for any other path. */
export function commentCreationOfPath(path: string): string | null {
  return /^\/api\/v1\/web\/comments\/(\d+)\/add\/$/.exec(path)?.[1] ?? null;
}
