import type { AuthError, SupabaseClient } from '@supabase/supabase-js';

export type AuthRefusal = Pick<AuthError, 'message' | 'code' | 'status'>;

/** Loads the API client; pages that are shown before it has loaded request it here. @throws Error when it cannot be loaded */
export async function loadClient(): Promise<SupabaseClient> {
  const { client, loadApiClient } = await import('./api-client');
  await loadApiClient();
  return client();
}

/**
 * A request to the auth service by a page that does without the API client until now.
 * @returns its answer; a refusal without status when the client cannot be loaded, as for any request without a connection
 */
export async function authRequest<Answer extends { error: AuthRefusal | null }>(
  send: (auth: SupabaseClient['auth']) => Promise<Answer>,
): Promise<Answer | { data: null; error: AuthRefusal }> {
  let auth: SupabaseClient['auth'];
  try {
    ({ auth } = await loadClient());
  } catch {
    return { data: null, error: { message: '', code: undefined, status: 0 } };
  }
  return send(auth);
}
