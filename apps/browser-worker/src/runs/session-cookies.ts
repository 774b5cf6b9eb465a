import type { NetworkCookie } from '@decola/contracts';
import type { BrowserContext } from 'playwright';

/** The account's numeric id according to the session's cookies; null when they do not contain it or contradict each other. */
export async function cookieUserId(context: BrowserContext): Promise<string | null> {
  const cookies = await context.cookies();
  const value = (name: string) => cookies.find((cookie) => cookie.name === name)?.value;
  const session = decodeURIComponent(value('sessionid') ?? '').split(':', 1)[0] ?? '';
  const user = value('ds_user_id') ?? session;
  return /^\d+$/.test(user) && user === session ? user : null;
}

/**
 * The session's cookies for the configured network. Where the network is configured at another host than the cookies' domain (in tests), they
 * are set for that host.
 */
export function cookiesFor(baseUrl: URL, cookies: readonly NetworkCookie[]) {
  const secureOnly = baseUrl.protocol === 'https:';
  return cookies.map(({ domain, secure, sameSite, ...cookie }) => {
    const bare = domain.replace(/^\./, '');
    const belongs = baseUrl.hostname === bare || baseUrl.hostname.endsWith(`.${bare}`);
    return {
      ...cookie,
      domain: belongs ? domain : baseUrl.hostname,
      secure: secure && secureOnly,
      sameSite: sameSite === 'None' && !secureOnly ? ('Lax' as const) : sameSite,
    };
  });
}
