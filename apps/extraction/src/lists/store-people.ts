import type { CollectedPerson } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { storableText } from './storable-text.js';

/**
 * Adds people to a list, each once, after those that are in it. For people who are in the list already, the later reading replaces the earlier one,
 * since names change; they keep their position.
 * @param list locked; `total_records` is the last position that is taken
 * @returns how many were new
 */
export async function storePeople(
  db: Database,
  list: { id: string; total_records: number },
  rows: readonly CollectedPerson[],
  collectedAt: string,
): Promise<number> {
  // Makes PostgreSQL look up each person by key, although the statistics of a list that is growing lag behind. With a plain join it would read the
  // whole list for every page, and with `= $1`, whose value it looks up in the statistics, once for every person of the page: it expects no row of a
  // list that it does not know. A value that is known only when the statement runs counts like a list of average length.
  const [added] = await rowsOf<{ fresh: number }>(
    db,
    `with given as (
       select distinct on (user_id) * from unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::boolean[], $7::boolean[])
         with ordinality as g (user_id, username, full_name, is_private, is_verified, has_story, place)
       order by user_id, place),
     placed as (
       select g.*, k.is_known, row_number() over (partition by k.is_known order by place) as turn from given g
       left join lateral (
         select 1 as is_known from collected_people p where p.extracted_data_id = (select $1::uuid) and p.network_user_id = g.user_id limit 1) k on true),
     stored as (
       insert into collected_people as p (extracted_data_id, network_user_id, position, username, full_name, is_private, is_verified, has_story, collected_at)
       select $1, user_id, $8::int + turn, username, full_name, is_private, is_verified, has_story, $9::timestamptz from placed
       on conflict (extracted_data_id, network_user_id) do update set username = excluded.username, full_name = excluded.full_name,
         is_private = excluded.is_private, is_verified = excluded.is_verified, has_story = excluded.has_story, collected_at = excluded.collected_at
       where p.collected_at < excluded.collected_at)
     select count(*) filter (where is_known is null)::int as fresh from placed`,
    [
      list.id,
      rows.map(({ userId }) => userId),
      rows.map(({ username }) => storableText(username)),
      rows.map(({ fullName }) => storableText(fullName)),
      rows.map(({ isPrivate }) => isPrivate),
      rows.map(({ isVerified }) => isVerified),
      rows.map(({ hasStory }) => hasStory),
      list.total_records,
      collectedAt,
    ],
  );
  return added?.fresh ?? 0;
}
