import { isIP } from 'node:net';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `*` matches anything but `.` and `/`, `**` matches anything; the rest is literal. */
function globToPattern(glob: string): RegExp {
  const source = glob
    .split('**')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^./]*'))
    .join('.*');
  return new RegExp(`^${source}$`);
}

function parse(text: string | undefined): URL | null {
  try {
    return text ? new URL(text) : null;
  } catch {
    return null;
  }
}

function isAllowed(url: URL, siteUrl: URL, allowList: readonly string[]): boolean {
  const isLoopback = loopback.has(url.hostname);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isLoopback && (isIP(host) || /^\d+$/.test(host))) return false;
  const samePort = url.port === siteUrl.port || (isLoopback && loopback.has(siteUrl.hostname));
  if (url.protocol === siteUrl.protocol && url.hostname === siteUrl.hostname && samePort) return true;
  const plain = new URL(url);
  plain.hash = '';
  // A URL without a path may be listed with or without its slash.
  const forms = plain.pathname === '/' && plain.search === '' ? [plain.href, plain.href.replace(/\/$/, '')] : [plain.href];
  return allowList.some((glob) => forms.some((form) => globToPattern(glob).test(form)));
}

/**
 * Where a link redirects: the requested URL if it is allowed, else the referring page if allowed, else the site. Never an open redirect.
 */
export function allowedRedirect(
  requested: string | undefined,
  referer: string | undefined,
  siteUrl: string,
  allowList: readonly string[],
): string {
  const site = new URL(siteUrl);
  for (const candidate of [parse(requested), parse(referer)]) if (candidate && isAllowed(candidate, site, allowList)) return candidate.href;
  return site.href;
}
