import { type AuditLine, writeLine } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';

/** Draws in memory at once. */
const batchRows = 1_000;

interface DrawRow {
  number: string;
  created_at: Date;
  prize_id: string;
  handle_digest: Buffer;
  entry_hash: Buffer;
}

interface EntryRow {
  after_number: string;
  line: string;
  hash: Buffer;
}

/** The chain of a wheel in batches, from its first line to what follows the draw with the number `drawn`. */
export async function* chainLines(db: Database, automationId: string, drawn: number): AsyncGenerator<AuditLine[]> {
  for (let first = 0; first <= drawn; first += batchRows) yield linesOf(db, automationId, first, Math.min(first + batchRows - 1, drawn));
}

/** The draws `first` to `last`, and the other lines after each of them. Draw 0 stands for the beginning of the chain. */
async function linesOf(db: Database, automationId: string, first: number, last: number): Promise<AuditLine[]> {
  const range = [automationId, first, last];
  const draws = await rowsOf<DrawRow>(
    db,
    `select number, created_at, prize_id, handle_digest, entry_hash from prize_wheel_participations
     where automation_id = $1 and number between $2 and $3 order by number`,
    range,
  );
  const entries = await rowsOf<EntryRow>(
    db,
    `select after_number, line, hash from wheel_entries where automation_id = $1 and after_number between $2 and $3 order by after_number, id`,
    range,
  );
  const after = new Map<number, AuditLine[]>();
  for (const { after_number: number, line, hash } of entries) {
    const lines = after.get(Number(number)) ?? [];
    lines.push({ line, hash: hash.toString('hex') });
    after.set(Number(number), lines);
  }
  return [
    ...(first === 0 ? (after.get(0) ?? []) : []),
    ...draws.flatMap((draw) => [drawLine(draw), ...(after.get(Number(draw.number)) ?? [])]),
  ];
}

const drawLine = ({ number, created_at: at, prize_id: prizeId, handle_digest: digest, entry_hash: hash }: DrawRow): AuditLine => ({
  line: writeLine(['draw', Number(number), at.toISOString(), prizeId, digest.toString('hex')]),
  hash: hash.toString('hex'),
});
