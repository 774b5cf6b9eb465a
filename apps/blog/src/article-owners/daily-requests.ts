import { productTimeZone } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';

/** Counts a request of a person on the present day of Brasília. @returns false, and counts nothing, when there were as many already */
export async function countRequest(
  db: Database,
  { userId, kind, now, most }: { userId: string; kind: 'preview' | 'retry' | 'refresh'; now: Date; most: number },
): Promise<boolean> {
  const counted = await rowOf(
    db,
    `insert into daily_requests as d (user_id, kind, day, times) values ($1, $2, ($3::timestamptz at time zone '${productTimeZone}')::date, 1)
     on conflict (user_id, kind, day) do update set times = d.times + 1 where d.times < $4 returning 1`,
    [userId, kind, now, most],
  );
  return counted !== undefined;
}
