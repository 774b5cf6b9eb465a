/**
 * Stands in for the clients of services that a page does not use, which `@supabase/supabase-js` creates all the same: together they are a fifth of its
 * script. `vite.blog.config.ts` puts it in their place.
 */

/** Instead of `@supabase/realtime-js`: pages hear of changes by `live.ts`. */
export class RealtimeClient {
  setAuth = async (): Promise<void> => Promise.resolve();
}

/** Instead of `@supabase/storage-js`. */
export class StorageClient {}
export class StorageApiError extends Error {}
