import { type AuditLine, readChainLine, verifyChainLines } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '@decola/database';
import { chainLines } from '../draws/chain-lines.js';

interface PrizeFigures {
  prize_id: string;
  given: number;
  total: number;
  remaining: number;
  is_retired: boolean;
  /** Participations that won it and were not voided. */
  won: number;
}

/**
 * Compares what a wheel's tables say: units given with participations, the units left with both, and the chain with all of it.
 * @param db one snapshot of the database
 * @returns what does not fit, in English for operators; null when all fits, or the wheel was never published
 */
export async function wheelFault(db: Database, automationId: string): Promise<string | null> {
  const wheel = await rowOf<{ drawn: string; head: Buffer }>(db, 'select drawn, head from wheel_draws where automation_id = $1', [
    automationId,
  ]);
  if (!wheel) return null;
  const prizes = await rowsOf<PrizeFigures>(
    db,
    `select z.prize_id, z.given, z.total, z.remaining, z.retired_at is not null as is_retired, coalesce(p.won, 0)::int as won
     from wheel_prizes z left join (select prize_id, count(*) as won from prize_wheel_participations
       where automation_id = $1 and number is not null and state <> 'voided' group by prize_id) p on p.prize_id = z.prize_id
     where z.automation_id = $1 order by z.prize_id`,
    [automationId],
  );
  for (const { prize_id: id, given, total, remaining, is_retired: isRetired, won } of prizes) {
    if (given !== won) return `prize ${id}: ${given} units given, ${won} participations not voided`;
    const left = isRetired ? 0 : Math.max(total - given, 0);
    if (remaining !== left) return `prize ${id}: ${remaining} units left instead of ${left}`;
  }
  const chain = await verifyChainLines(automationId, await seedsOf(db, automationId), linesOf(db, automationId, Number(wheel.drawn)));
  if ('problem' in chain) return `chain: ${chain.problem} at line ${chain.at}`;
  if (chain.draws !== Number(wheel.drawn)) return `chain: ${chain.draws} draws instead of ${wheel.drawn}`;
  // Of a wheel without lines there is nothing to compare.
  if (chain.lines > 0 && chain.head !== wheel.head.toString('hex')) return 'chain: its end is not the stored one';
  const other = prizes.find(({ prize_id: id, given }) => (chain.given.get(id) ?? 0) !== given);
  return other ? `chain: ${chain.given.get(other.prize_id) ?? 0} units of prize ${other.prize_id} instead of ${other.given}` : null;
}

async function* linesOf(db: Database, automationId: string, drawn: number): AsyncGenerator<AuditLine> {
  for await (const batch of chainLines(db, automationId, drawn)) yield* batch;
}

/** Seeds of closed rounds, by round. */
async function seedsOf(db: Database, automationId: string): Promise<Map<number, string>> {
  const rows = await rowsOf<{ line: string }>(db, `select line from wheel_entries where automation_id = $1 and line like '["close",%'`, [
    automationId,
  ]);
  const lines = rows.map(({ line }) => readChainLine(line)).filter((line) => line?.[0] === 'close');
  return new Map(lines.map((line) => [line[1], line[2]]));
}
