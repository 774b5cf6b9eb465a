import { type Caller } from '@decola/service-kit';
import { all, defineTable, raw, type Sql, sql } from '@decola/table-api';
import { pictureOfAction } from '../pictures/picture-columns.js';
import { literal } from '../texts/sentence-sql.js';
import { skipTexts } from '../texts/texts.js';

const reason = `case t.skip_reason ${Object.entries(skipTexts)
  .map(([skip, text]) => `when ${literal(skip)} then ${literal(text)}`)
  .join(' ')} end`;

/** Parts of a pattern of `ilike` that every matching text contains: what stands between the wildcards `%` and `_`. */
export function literalParts(pattern: string): string[] {
  const withMarks = pattern.replace(/\\(.)|[%_]/gsu, (_match, escaped?: string) => escaped ?? '\0');
  return withMarks.split('\0').filter((part) => part !== '');
}

/** A condition that rows of names matching these patterns meet, and that the index of the names answers. */
function namedLike(userId: string, patterns: readonly string[]): Sql {
  // The index knows three characters in a row; a shorter part is found by reading the newest rows.
  const parts = patterns.flatMap(literalParts).filter((part) => [...part].length >= 3);
  return all(parts.map((part) => sql`diary_name_keys(t.user_id, t.target_username) @> diary_name_keys(${userId}, ${part})`));
}

/** The diary of actions, read-only: one row for each target and look, with its outcome and its proof, or why the target was skipped. */
export const runDiaryTable = defineTable({
  name: 'run_diary',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    automation_id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    run_id: { type: 'uuid' },
    // A replica of an earlier version does not store it.
    kind: { type: 'text', expression: raw('coalesce(t.kind, (select r.kind from runs r where r.id = t.run_id))') },
    action: { type: 'text' },
    target_id: { type: 'text' },
    target_username: { type: 'text' },
    post_code: { type: 'text' },
    text: { type: 'text' },
    outcome: { type: 'text' },
    skip_reason: { type: 'text' },
    reason: { type: 'text', expression: raw(reason) },
    proof: { type: 'jsonb' },
    settled: { type: 'boolean' },
    at: { type: 'timestamptz' },
    picture_id: { type: 'uuid', expression: pictureOfAction },
  },
  rules: (caller: Caller, { patternFilters }) => {
    if (caller.role !== 'authenticated') return {};
    const named = namedLike(caller.userId, patternFilters.get('target_username') ?? []);
    return { select: { where: sql`t.user_id = ${caller.userId} and ${named}` } };
  },
});
