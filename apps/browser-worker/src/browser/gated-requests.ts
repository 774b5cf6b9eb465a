import { isGraphPath, isReadOnlyPost } from '../network/routes.js';

/** A request of a page, as the DevTools protocol describes it before it leaves the browser. */
export interface GatedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when there is no body, or when the body is too long for the protocol. */
  readonly postData?: string;
}

/** Which requests wait for the gate (DevTools protocol, `Fetch.RequestPattern`). */
export interface RequestPattern {
  readonly urlPattern: string;
  readonly resourceType?: 'Document' | 'XHR' | 'Fetch' | 'Ping' | 'EventSource';
}

/**
 * Page loads and everything that scripts send: by type, so that calls to paths that we do not know wait too, and by path for calls that
 * Chromium reports with another type. Images, styles and scripts are not gated.
 */
export const gatedRequests: readonly RequestPattern[] = [
  ...(['Document', 'XHR', 'Fetch', 'Ping', 'EventSource'] as const).map((resourceType) => ({ urlPattern: 'http*', resourceType })),
  ...['api/*', 'graphql/*', 'ajax/*'].map((path) => ({ urlPattern: `http*://*/${path}` })),
];

/**
 * True for a request that acts in the account's name: a mutation, or a REST call that is not known to be read-only. When a request does not
 * tell what it does, it counts as acting.
 */
export function isActing({ method, url, headers, postData }: GatedRequest): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase())) return false;
  const path = pathOf(url);
  if (isGraphPath(path)) {
    const header = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-fb-friendly-name')?.[1];
    const name = header ?? new URLSearchParams(postData ?? '').get('fb_api_req_friendly_name');
    return name === null || name.endsWith('Mutation');
  }
  return /^\/(api|graphql)\//.test(path) && !isReadOnlyPost(path);
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return '/api/'; // counts as acting
  }
}
