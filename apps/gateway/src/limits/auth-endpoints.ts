/** The rate limits of auth-v1, section 9. */
export type EndpointLimit = 'token' | 'verify' | 'account' | 'secondFactor';

/** GET and POST of `verify` share a limit, because both verify codes and links. */
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

/** Identity decodes a path before routing, so `%74oken` is `token` here too. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Finds the endpoint of auth/v1 whose own limit counts a request; null when only the limit over all of auth/v1 counts it. Names come from a
 * fixed set, so that clients cannot create keys in Redis.
 */
export function authEndpointOf(method: string, pathname: string): { name: string; limit: EndpointLimit } | null {
  const name = decode(pathname)
    .replace(/^\/auth\/v1\//, '')
    .replace(/\/$/, '');
  if (secondFactorPath.test(name)) return { name: 'factors', limit: 'secondFactor' };
  const limit = limits.get(`${method} ${name}`);
  return limit ? { name, limit } : null;
}
