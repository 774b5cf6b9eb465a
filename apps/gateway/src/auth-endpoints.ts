/** Which of the limits of auth-v1, section 9, an endpoint has. */
export type EndpointLimit = 'token' | 'verify' | 'account' | 'secondFactor';

/** Both ways to verify are one endpoint. */
const limits = new Map<string, EndpointLimit>(
  Object.entries({
    'POST token': 'token',
    'GET verify': 'verify',
    'POST verify': 'verify',
    'POST sso': 'verify',
    'POST signup': 'account',
    'POST otp': 'account',
    'POST recover': 'account',
    'POST resend': 'account',
    'GET reauthenticate': 'account',
    'PUT user': 'account',
  }),
);

const secondFactorPath = /^factors\/[^/]*\/(challenge|verify)$/;

/** The service behind decodes a path before it looks who answers it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The endpoint of auth/v1 that a request is counted for, from one address; null where only the limit over all of auth/v1 holds. The
 * name is one of a few, whatever the path was.
 */
export function authEndpointOf(method: string, pathname: string): { name: string; limit: EndpointLimit } | null {
  const name = decoded(pathname)
    .replace(/^\/auth\/v1\//, '')
    .replace(/\/$/, '');
  if (secondFactorPath.test(name)) return { name: 'factors', limit: 'secondFactor' };
  const limit = limits.get(`${method} ${name}`);
  return limit ? { name, limit } : null;
}
