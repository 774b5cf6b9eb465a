import { networkUsername } from '../runs/job.js';

const hashtagPattern = /^[\p{L}\p{M}\p{N}_]{1,100}$/u;

/** Several targets may share one field, parted by commas, semicolons, blanks or line breaks. */
export function splitTargets(text: string): string[] {
  return text.split(/[\s,;]+/u).filter((part) => part !== '');
}

/** `#Café` → `café`. Null when it is no hashtag. */
export function normaliseHashtag(text: string): string | null {
  const bare = text.trim().replace(/^#+/, '').normalize('NFC').toLowerCase();
  // A hashtag of digits only is none on the network.
  return hashtagPattern.test(bare) && !/^\d+$/.test(bare) ? bare : null;
}

/** What an address of the network may begin with instead of a profile's name: posts, stories, and pages of its own. */
const otherPages: ReadonlySet<string> = new Set(['p', 'reel', 'reels', 'tv', 'stories', 'explore', 'accounts', 'direct']);

/** `@Nome`, `nome` or the address of a profile → `nome`. Null when it is no name of the network, or the address of something else. */
export function normaliseUsername(text: string): string | null {
  const address = /^(?:https?:\/\/[^/\s]+|(?:www\.)?instagram\.com)\/([^/?#\s]+)/i.exec(text.trim());
  const bare = (address?.[1] ?? text.trim()).replace(/^@/, '').toLowerCase();
  if (address && otherPages.has(bare)) return null;
  return networkUsername.safeParse(bare).success ? bare : null;
}

/** Short code of a post, from its address (`/p/`, `/reel/`, `/tv/`, also below a profile). Null when it is no post's address. */
export function postShortcode(text: string): string | null {
  const match =
    /^(?:https?:\/\/[^/\s]+|(?:www\.)?instagram\.com)\/(?:[A-Za-z0-9._]{1,30}\/)?(?:p|reel|reels|tv)\/([A-Za-z0-9_-]{5,64})(?:[/?#]|$)/i.exec(
      text.trim(),
    );
  return match?.[1] ?? null;
}
