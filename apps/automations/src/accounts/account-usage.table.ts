import { usageKinds } from '@decola/contracts';
import { type Caller, Clock } from '@decola/service-kit';
import { defineTable, raw, type Sql, sql, type TableDefinition } from '@decola/table-api';
import { type Amounts, ceilingsOf, type CeilingTable } from '../safety/ceilings.js';
import { literal } from '../texts/sentence-sql.js';

const dayMs = 86_400_000;

/**
 * What a customer's accounts did of each kind within the last hour and the last 24 hours, against the ceilings in force; read-only. The counts are
 * those of a view, which counts as `usageOf` does. Accounts that the customer has not proven have no rows.
 */
export function accountUsageTable(ceilings: CeilingTable, clock: Clock): TableDefinition {
  return defineTable({
    name: 'account_usage',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      instagram_account_id: { type: 'uuid' },
      action: { type: 'text' },
      hour_used: { type: 'integer' },
      hour_ceiling: { type: 'integer', expression: raw('null::integer') },
      day_used: { type: 'integer' },
      day_ceiling: { type: 'integer', expression: raw('null::integer') },
    },
    rules: (caller: Caller) =>
      caller.role === 'authenticated'
        ? { select: { where: sql`t.user_id = ${caller.userId}`, overrides: { ...ceilingColumns(ceilings, clock.now()) } } }
        : {},
  });
}

/** The ceilings of `ceilingsOf` at `now`, over a row `t` of (action, first_seen_at, last_block_at). */
export function ceilingColumns(table: CeilingTable, now: Date): { hour_ceiling: Sql; day_ceiling: Sql } {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const instant = (at: Date) => `${literal(at.toISOString())}::timestamptz`;
  const byKind = (amounts: Amounts) =>
    `case t.action ${usageKinds.map((kind) => `when ${literal(kind)} then ${amounts[kind]}`).join(' ')} end`;
  const atAge = (days: number, period: 'perHour' | 'perDay') => {
    const of = (lastBlockAt: Date | null) => byKind(ceilingsOf(table, { firstSeenAt: before(days), lastBlockAt }, now)[period]);
    return `case when t.last_block_at > ${instant(before(table.halvedDays))} then ${of(now)} else ${of(null)} end`;
  };
  // An age group begins where the one before it ends.
  const groups = table.byAge.map(({ untilDay }, index) => ({ untilDay, perDay: atAge(table.byAge[index - 1]?.untilDay ?? 0, 'perDay') }));
  const young = groups
    .slice(0, -1)
    .flatMap(({ untilDay, perDay }) => (untilDay === null ? [] : `when t.first_seen_at > ${instant(before(untilDay))} then ${perDay}`));
  const old = groups.at(-1)?.perDay ?? 'null::integer';
  return { hour_ceiling: raw(atAge(0, 'perHour')), day_ceiling: raw(young.length === 0 ? old : `case ${young.join(' ')} else ${old} end`) };
}
