import { storedAccessToken } from '../lib/stored-session';

/**
 * The access token of whoever is signed in on this browser, null for everybody else. The auth client is loaded only to refresh an expired session, which
 * an owner at the counter may have and visitors never do.
 */
export async function accessToken(): Promise<string | null> {
  const stored = storedAccessToken();
  if (!stored?.isExpired) return stored?.token ?? null;
  try {
    const { client, loadApiClient } = await import('../lib/api-client');
    await loadApiClient();
    return (await client().auth.getSession()).data.session?.access_token ?? null;
  } catch {
    return null;
  }
}
