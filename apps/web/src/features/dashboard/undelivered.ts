import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';

/** How many prizes of a wheel were won and wait for their winners. */
export const undeliveredQuery = (automationId: string) =>
  queryOptions({
    queryKey: ['leads', automationId, 'undelivered'],
    queryFn: async () => {
      const { count, error } = await client()
        .from('leads')
        .select('id', { count: 'exact', head: true })
        .eq('automation_id', automationId)
        .eq('state', 'won');
      unwrap({ data: true, error });
      return count ?? 0;
    },
  });
