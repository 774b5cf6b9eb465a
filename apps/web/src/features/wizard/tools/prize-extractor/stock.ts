import type { PrizeStats } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../../../session/session';
import { prizeStatsQuery } from '../../../wheel-owner/stats-query';
import type { Editing } from '../../use-save';
import { type Prize, prizesOf } from './prizes';

export type PrizeStock = PrizeStats['prizes'][number];

/** What was drawn of a published wheel, by prize id; empty while it is unknown, and for a wheel that was never published. */
export function useStock(editing: Editing | null) {
  const { id: userId } = useUser();
  const isOnAir = editing !== null && !editing.isDraft;
  const stats = useQuery({ ...prizeStatsQuery(userId, editing?.id ?? '', '14'), enabled: isOnAir });
  const prizes = isOnAir ? (stats.data?.prizes ?? []) : [];
  return { isOnAir, isFailed: isOnAir && stats.isError && !stats.data, prizes: new Map(prizes.map((prize) => [prize.id, prize])) };
}

/** All units of a prize as it would be stored now. One whose units nobody changed has those that the server counts: it may have coupons. */
export function totalOf(prize: Prize, stock: PrizeStock | undefined, editing: Editing | null): number {
  const stored = editing && prizesOf(editing.configuration).find(({ id }) => id === prize.id);
  return stock && stored?.quantity === prize.quantity ? stock.total : prize.quantity;
}
