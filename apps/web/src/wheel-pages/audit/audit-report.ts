import { type AuditLine, type ChainFault, type ChainLine, commitmentOf, readChainLine, verifyChain } from '@decola/contracts/wheel-chain';
import { readAuditFile } from './audit-file';

/** A line that does not hold. */
export interface AuditFault {
  problem: ChainFault['problem'] | 'cut';
  /** Line of the file, from 1; the heading is line 1. */
  fileLine: number;
  kind: ChainLine[0] | null;
  /** Number of the draw that the line claims to be; null for other lines. */
  number: number | null;
  /** Number that the next draw must have here. */
  expected: number;
  /** Name of the prize in the line. */
  prize: string | null;
  /** Name of the prize that the seed gives; null when the seed is not public. */
  drawn: string | null;
}

export interface AuditRound {
  round: number;
  draws: number;
  /** `kept`: the seed is the promised one. `secret`: the round is open. */
  seed: 'kept' | 'differs' | 'secret';
}

/** How a line of the chain is drawn. */
export type AuditMark = 'draw' | 'other' | 'voided' | 'fault' | 'unchecked';

/** What an audit file shows. */
export interface AuditReport {
  automationId: string;
  /** What the file calls the wheel, which no hash covers; null when it does not. */
  wheelName: string | null;
  /** Lines of the chain, without the file's heading. */
  lines: number;
  /** Lines up to the fault; all lines when there is none. */
  heldLines: number;
  draws: number;
  /** Draws that were computed again from the seed of their round. */
  checkedDraws: number;
  stocks: number;
  voids: number;
  /** Instants of the first and the last draw. */
  firstAt: string | null;
  lastAt: string | null;
  rounds: AuditRound[];
  /** Units at the end of the lines that hold; null before there was stock. */
  units: { offered: number; won: number; left: number; returned: number } | null;
  fault: AuditFault | null;
  /** The last lines, or those around the fault. */
  marks: AuditMark[];
  /** Line of the chain that the first mark stands for, from 1. */
  firstMark: number;
}

/** `sealed`: the hash holds, and the draw will be computed again when its round ends. `unchecked`: it comes after the fault. */
export type DrawState = 'holds' | 'differs' | 'sealed' | 'unchecked';

export interface AuditDraw {
  number: number;
  /** ISO 8601, as the line says; not checked to be a date. */
  at: string;
  prize: string;
  /** Hash of the line (hexadecimal). */
  hash: string;
  isVoided: boolean;
  state: DrawState;
}

/** Draws with smaller numbers than `before`, newest first; null begins with the last one. */
export interface DrawQuery {
  before: number | null;
  count: number;
}

export interface Audit {
  report: AuditReport;
  /** In the order of the file. */
  draws: readonly AuditDraw[];
}

/** More lines than these are not drawn one by one. */
const mostMarks = 240;

/** @param onProgress gets the lines that were checked, and how many there are */
export async function auditOf(text: string, onProgress?: (checked: number, lines: number) => void): Promise<Audit> {
  const { heading, entries, isCut } = readAuditFile(text);
  const lines = entries.map(({ line }) => readChainLine(line));
  const result = await verifyChain(heading.automation, entries, (checked) => onProgress?.(checked, entries.length));
  const broken = 'problem' in result ? result : isCut ? { at: entries.length, problem: 'cut' as const, drawn: undefined } : null;
  const heldLines = broken?.at ?? entries.length;
  const rounds = await roundsOf(lines);
  const { draws, units, nameOf } = replayed(entries, lines, { heldLines, hasFault: broken !== null, rounds });
  const faulty = broken ? lines[broken.at] : undefined;
  const isDraw = faulty?.[0] === 'draw';
  const prizeId = faulty?.[0] === 'draw' ? faulty[3] : faulty?.[0] === 'void' ? faulty[2] : undefined;
  const held = draws.filter(({ state }) => state === 'holds' || state === 'sealed');
  const fault: AuditFault | null = broken && {
    problem: broken.problem,
    fileLine: broken.at + 2,
    kind: faulty?.[0] ?? null,
    number: isDraw ? faulty[1] : null,
    expected: held.length + 1,
    prize: prizeId === undefined ? null : nameOf(prizeId),
    drawn: broken.drawn === undefined ? null : nameOf(broken.drawn),
  };
  const firstMark = firstMarkOf(entries.length, broken?.at ?? null);
  return {
    draws,
    report: {
      automationId: heading.automation,
      wheelName: typeof heading.name === 'string' && heading.name.trim() !== '' ? heading.name.trim() : null,
      lines: entries.length,
      heldLines,
      draws: draws.length,
      checkedDraws: held.filter(({ state }) => state === 'holds').length,
      stocks: lines.filter((line) => line?.[0] === 'stock').length,
      voids: lines.filter((line) => line?.[0] === 'void').length,
      firstAt: draws[0]?.at ?? null,
      lastAt: draws.at(-1)?.at ?? null,
      rounds,
      units,
      fault,
      firstMark: firstMark + 1,
      marks: marksOf(lines, { from: firstMark, fault: broken?.at ?? null }),
    },
  };
}

/** Newest first. */
export function drawsBefore(draws: readonly AuditDraw[], { before, count }: DrawQuery): AuditDraw[] {
  const found: AuditDraw[] = [];
  for (let at = draws.length - 1; at >= 0 && found.length < count; at--) {
    const draw = draws[at];
    if (draw && (before === null || draw.number < before)) found.push(draw);
  }
  return found;
}

/** Compares every seed with its commitment, also behind a fault: the two lines say it themselves. */
async function roundsOf(lines: readonly (ChainLine | undefined)[]): Promise<AuditRound[]> {
  const rounds: AuditRound[] = [];
  let commitment = '';
  for (const line of lines) {
    const last = rounds.at(-1);
    if (line?.[0] === 'open') {
      rounds.push({ round: line[1], draws: 0, seed: 'secret' });
      commitment = line[2];
    } else if (line?.[0] === 'draw' && last) {
      last.draws += 1;
    } else if (line?.[0] === 'close' && last) {
      last.seed = (await commitmentOf(line[2])) === commitment ? 'kept' : 'differs';
    }
  }
  return rounds;
}

interface Verdict {
  heldLines: number;
  hasFault: boolean;
  rounds: readonly AuditRound[];
}

/** Reads the lines once more for what people see: the draws with the names that prizes had then, and the units in the end. */
function replayed(entries: readonly AuditLine[], lines: readonly (ChainLine | undefined)[], { heldLines, hasFault, rounds }: Verdict) {
  const voided = new Set(lines.flatMap((line) => (line?.[0] === 'void' ? [line[1]] : [])));
  const names = new Map<string, string>();
  const nameOf = (id: string): string => names.get(id) ?? id;
  const draws: AuditDraw[] = [];
  let round = -1;
  let stock: { id: string; total: number }[] = [];
  const given = new Map<string, number>();
  const give = (id: string, by: number) => given.set(id, (given.get(id) ?? 0) + by);
  let returned = 0;
  for (const [at, line] of lines.entries()) {
    if (line?.[0] === 'open') round += 1;
    if (line?.[0] === 'stock') {
      for (const [id, name] of line[1]) names.set(id, name);
      if (at < heldLines) stock = line[1].map(([id, , total]) => ({ id, total }));
    }
    if (line?.[0] === 'draw') {
      const [, number, instant, prizeId] = line;
      const isSealed = rounds[round]?.seed !== 'kept';
      const state = at < heldLines ? (isSealed ? 'sealed' : 'holds') : hasFault && at === heldLines ? 'differs' : 'unchecked';
      draws.push({
        number,
        at: instant,
        prize: nameOf(prizeId),
        hash: entries[at]?.hash ?? '',
        isVoided: voided.has(number),
        state,
      });
      if (at < heldLines) give(prizeId, 1);
    }
    if (line?.[0] === 'void' && at < heldLines) {
      give(line[2], -1);
      returned += 1;
    }
  }
  const offered = stock.reduce((sum, { total }) => sum + total, 0);
  const left = stock.reduce((sum, { id, total }) => sum + Math.max(total - (given.get(id) ?? 0), 0), 0);
  const won = [...given.values()].reduce((sum, count) => sum + count, 0);
  return { draws, nameOf, units: stock.length > 0 ? { offered, won, left, returned } : null };
}

/** First line that is drawn, from 0: the fault stands where two thirds of the marks are before it. */
function firstMarkOf(lines: number, fault: number | null): number {
  if (lines <= mostMarks) return 0;
  const wanted = fault === null ? lines - mostMarks : fault - Math.floor((mostMarks * 2) / 3);
  return Math.max(0, Math.min(wanted, lines - mostMarks));
}

function marksOf(lines: readonly (ChainLine | undefined)[], { from, fault }: { from: number; fault: number | null }): AuditMark[] {
  const voided = new Set(lines.flatMap((line) => (line?.[0] === 'void' ? [line[1]] : [])));
  const marks = lines.slice(from, from + mostMarks).map((line, index): AuditMark => {
    const at = from + index;
    if (fault !== null && at >= fault) return at === fault ? 'fault' : 'unchecked';
    if (line?.[0] === 'draw') return voided.has(line[1]) ? 'voided' : 'draw';
    return 'other';
  });
  // A file that was cut breaks after its last line.
  return fault === lines.length ? [...marks, 'fault'] : marks;
}
