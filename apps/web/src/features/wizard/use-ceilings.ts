import { defaultCeilings, type UsageKind } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { accountUsageQuery } from '../instagram-accounts/account-usage';
import type { Ceilings } from './day-plan';

/** The ceilings of an account; null while they are loading. `isNew`: those of an account's first days, because this account is not known yet. */
export function useCeilings(userId: string, accountId: string | null, usage: UsageKind): (Ceilings & { isNew: boolean }) | null {
  const rows = useQuery({ ...accountUsageQuery(userId), enabled: accountId !== null });
  if (accountId !== null && rows.isPending) return null;
  const row = rows.data?.find((each) => each.instagram_account_id === accountId && each.action === usage);
  if (row) return { perHour: row.hour_ceiling, perDay: row.day_ceiling, isNew: false };
  return { perHour: defaultCeilings.perHour[usage], perDay: defaultCeilings.byAge[0]?.perDay[usage] ?? 0, isNew: true };
}
