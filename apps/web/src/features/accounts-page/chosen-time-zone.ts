import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, requireChangedRow, unwrap } from '../../lib/api-client';

export interface ProfileZone {
  /** IANA name; null until a browser has reported one. */
  time_zone: string | null;
  /** Whether the customer chose it; else it is that of the browser that they used last. */
  time_zone_chosen: boolean;
}

/** The time zone of a customer: their accounts rest and their days begin by it. */
export const profileZoneQuery = (userId: string) =>
  queryOptions({
    queryKey: ['profiles', userId, 'time_zone'],
    queryFn: async () =>
      unwrap(await client().from('profiles').select('time_zone,time_zone_chosen').eq('user_id', userId).single<ProfileZone>()),
  });

export function useChooseTimeZone(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (zone: ProfileZone) => {
      requireChangedRow(await client().from('profiles').update(zone).eq('user_id', userId).select('user_id'));
      return zone;
    },
    onSuccess: (zone) => {
      queryClient.setQueryData(profileZoneQuery(userId).queryKey, zone);
      // The days of the figures and the times in sentences follow the zone.
      for (const table of ['instagram_accounts', 'account_pauses', 'account_activity'])
        void queryClient.invalidateQueries({ queryKey: [table, userId] });
    },
  });
}
