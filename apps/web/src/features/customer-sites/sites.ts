import type { Site } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, client, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';

const slowPollMs = 60_000;
/** Error codes of a server that does not serve a table yet. */
const unknownTableCodes: ReadonlySet<string | null> = new Set(['PGRST205', '42P01']);

/** What a table's request returns; nothing while an older server has no such table. */
export async function readIfThere<Row>(read: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && unknownTableCodes.has(error.code)) return [];
    throw error;
  }
}

export const sitesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['sites', userId],
    queryFn: () =>
      readIfThere(async () =>
        unwrap(await client().from('sites').select('*').eq('user_id', userId).order('site_key').overrideTypes<Site[], { merge: false }>()),
      ),
    refetchInterval: () => livePolling(slowPollMs),
  });
