import type { CollectedComment } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { storableText } from './storable-text.js';

/**
 * Adds comments to a list, each once, after those that are in it. A comment that is in the list already keeps its position, and the later reading
 * replaces the earlier one: likes grow, and texts and names change.
 * @param list locked; `total_records` is the last position that is taken
 * @returns how many were new
 */
export async function storeComments(
  db: Database,
  list: { id: string; total_records: number },
  comments: readonly CollectedComment[],
  collectedAt: string,
): Promise<number> {
  const given = new Map(comments.map((comment) => [comment.commentId, comment]));
  const records = [...given.values()].map((comment) => ({
    comment_id: comment.commentId,
    network_user_id: comment.userId,
    username: storableText(comment.username),
    full_name: storableText(comment.fullName),
    is_private: comment.isPrivate,
    is_verified: comment.isVerified,
    has_story: comment.hasStory,
    text: storableText(comment.text),
    commented_at: comment.commentedAt,
    like_count: comment.likeCount,
    reply_to: comment.replyTo,
  }));
  // How a comment is looked up: see `storePeople`.
  const [added] = await rowsOf<{ fresh: number }>(
    db,
    `with given as (
       select r.*, ordinality as place from rows from (jsonb_to_recordset($2::jsonb) as (comment_id text, network_user_id text, username text, full_name text,
         is_private boolean, is_verified boolean, has_story boolean, text text, commented_at timestamptz, like_count integer, reply_to text))
         with ordinality as r (comment_id, network_user_id, username, full_name, is_private, is_verified, has_story, text, commented_at, like_count, reply_to, ordinality)),
     placed as (
       select g.*, k.is_known, row_number() over (partition by k.is_known order by place) as turn from given g
       left join lateral (
         select 1 as is_known from collected_comments c where c.extracted_data_id = (select $1::uuid) and c.comment_id = g.comment_id limit 1) k on true),
     stored as (
       insert into collected_comments as c (extracted_data_id, comment_id, position, network_user_id, username, full_name, is_private, is_verified,
         has_story, text, commented_at, like_count, reply_to, collected_at)
       select $1, comment_id, $3::int + turn, network_user_id, username, full_name, is_private, is_verified, has_story, text, commented_at, like_count,
         reply_to, $4::timestamptz from placed
       on conflict (extracted_data_id, comment_id) do update set username = excluded.username, full_name = excluded.full_name,
         is_private = excluded.is_private, is_verified = excluded.is_verified, has_story = excluded.has_story, text = excluded.text,
         like_count = excluded.like_count, reply_to = excluded.reply_to, collected_at = excluded.collected_at
       where c.collected_at < excluded.collected_at)
     select count(*) filter (where is_known is null)::int as fresh from placed`,
    [list.id, JSON.stringify(records), list.total_records, collectedAt],
  );
  return added?.fresh ?? 0;
}
