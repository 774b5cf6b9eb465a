import { usernamePattern } from './username-pattern.js';

const hashtagPattern = /^[\p{L}\p{M}\p{N}_]{1,100}$/u;

/** Splits a field with several targets at commas, semicolons, spaces and line breaks. */
export function splitTargets(text: string): string[] {
  return text.split(/[\s,;]+/u).filter((part) => part !== '');
}

/** `#Café` → `café`. Null when the text is not a hashtag. */
export function normaliseHashtag(text: string): string | null {
  const bare = text.trim().replace(/^#+/, '').normalize('NFC').toLowerCase();
  // The network does not accept hashtags of digits only.
  return hashtagPattern.test(bare) && !/^\d+$/.test(bare) ? bare : null;
}

/** First path segments of the network's URLs that are not a profile: posts, stories and pages of the site itself. */
const reservedPaths: ReadonlySet<string> = new Set(['p', 'reel', 'reels', 'tv', 'stories', 'explore', 'accounts', 'direct']);

/** `@Nome`, `nome` or a profile's URL → `nome`. Null when the text is not a username, or is the URL of something else. */
export function normaliseUsername(text: string): string | null {
  // Letters of other forms, such as full-width ones, are the same name.
  const typed = text.normalize('NFKC').trim();
  const url = /^(?:https?:\/\/[^/\s]+|(?:www\.)?instagram\.com)\/([^/?#\s]+)/i.exec(typed);
  const bare = (url?.[1] ?? typed).replace(/^@/, '').toLowerCase();
  if (url && reservedPaths.has(bare)) return null;
  return usernamePattern.test(bare) ? bare : null;
}

/** Username in the URL of a post below its author's profile (`/nome/p/…`). Null when the text is not such a URL. */
export function postAuthor(text: string): string | null {
  return postShortcode(text) === null ? null : normaliseUsername(text);
}

/** Shortcode in the URL of a post (`/p/`, `/reel/`, `/tv/`, also below a profile's path). Null when the text is not the URL of a post. */
export function postShortcode(text: string): string | null {
  const match =
    /^(?:https?:\/\/[^/\s]+|(?:www\.)?instagram\.com)\/(?:[A-Za-z0-9._]{1,30}\/)?(?:p|reel|reels|tv)\/([A-Za-z0-9_-]{5,64})(?:[/?#]|$)/i.exec(
      text.trim(),
    );
  return match?.[1] ?? null;
}
