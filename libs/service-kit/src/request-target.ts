import { wireFormOf } from './wire-errors.js';

/** Path and query of a request (RFC 9112 calls both together the request target). */
export interface RequestTarget {
  /** Begins with a slash, with its percent-encoding as sent. */
  path: string;
  /** The part after the question mark; empty when there is none. */
  query: string;
}

/** Characters that browsers send in a request line: no spaces, control characters, backslashes, fragments or non-ASCII characters. */
const allowedCharacters = /^[!"$-[\]-~]*$/;

/** Authority and rest of a target in absolute form, which clients send to proxies. */
const absoluteForm = /^https?:\/\/([^/?]*)(.*)$/i;

/** Whether the text decodes as percent-encoded UTF-8. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Splits a parsed target at its first question mark. */
export function splitRequestTarget(target: string): RequestTarget {
  const end = target.indexOf('?');
  return end < 0 ? { path: target, query: '' } : { path: target.slice(0, end), query: target.slice(end + 1) };
}

/**
 * Parses the target of a request line, before the request is routed. It refuses everything that two components could interpret differently: a fragment, a
 * backslash, control characters, another host.
 * @param host the request's `Host` header; a target in absolute form must name the same host
 * @returns path and query as they were sent; null for a target that must be refused
 */
export function parseRequestTarget(sent: string, host: string | undefined): string | null {
  const [, authority, rest = ''] = absoluteForm.exec(sent) ?? [];
  if (authority !== undefined && (host === undefined || authority.toLowerCase() !== host.toLowerCase())) return null;
  const target = authority === undefined ? sent : rest.startsWith('/') ? rest : `/${rest}`;
  if (!target.startsWith('/') || !allowedCharacters.test(target)) return null;
  const { path, query } = splitRequestTarget(target);
  if (!isDecodable(path)) return null;
  // Pages ignore their query, and advertisements add all kinds of parameters to links: only APIs need a decodable query.
  if (wireFormOf(path) !== 'plain' && !isDecodable(query)) return null;
  return target;
}
