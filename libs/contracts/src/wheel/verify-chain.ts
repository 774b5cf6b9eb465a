import { type AuditLine, type ChainLine, chainStart, seedPrefix } from './chain.js';
import { drawText, prizeAt, rollOf, unitsLeft } from './draw.js';

/** Why a chain does not hold, and at which of its lines (from 0). */
export interface ChainFault {
  at: number;
  problem:
    | 'hash_differs'
    | 'not_a_line'
    | 'round_out_of_order'
    | 'number_out_of_order'
    | 'stock_differs'
    | 'prize_not_left'
    | 'unknown_draw'
    | 'seed_differs'
    | 'draw_differs';
  /** Prize that the round's seed gives for the draw at this line; undefined while the seed is not public, and for other lines. */
  drawn?: string | undefined;
}

/** What a chain shows when it holds. */
export interface ChainSummary {
  lines: number;
  draws: number;
  /** Draws of closed rounds: these were computed again from the seed. */
  checkedDraws: number;
  /** Hash of the last line (hexadecimal). */
  head: string;
}

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** How far the replay has come: lines that hold so far. */
export type ChainProgress = (lines: number) => void;

/** Lines between two reports of progress. */
const reportEvery = 500;

const encoder = new TextEncoder();

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  bytes.forEach((_, index) => (bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16)));
  return bytes;
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** What the replay of a chain leads to. */
export interface ReplayedChain extends ChainSummary {
  /** Units won of each prize and not taken back. */
  given: ReadonlyMap<string, number>;
}

/**
 * Replays a wheel's chain from its first line, in a browser or in Node: hashes, order, stock, and each draw of every round whose seed is public.
 * @returns what the chain shows, or the first fault
 */
export async function verifyChain(
  automationId: string,
  entries: readonly AuditLine[],
  onProgress?: ChainProgress,
): Promise<ChainSummary | ChainFault> {
  const chain = await verifyChainLines(automationId, seedsOf(entries), entries, onProgress);
  if ('problem' in chain) return chain;
  const { lines, draws, checkedDraws, head } = chain;
  return { lines, draws, checkedDraws, head };
}

/**
 * The same for a chain that is too long to be held in memory.
 * @param seeds of the rounds that are closed, by round: a round's draws stand before the line that shows its seed
 */
export async function verifyChainLines(
  automationId: string,
  seeds: ReadonlyMap<number, string>,
  entries: Iterable<AuditLine> | AsyncIterable<AuditLine>,
  onProgress?: ChainProgress,
): Promise<ReplayedChain | ChainFault> {
  const replay = new Replay(automationId, seeds);
  let head = await sha256(encoder.encode(chainStart(automationId)));
  let at = 0;
  for await (const { line, hash } of entries) {
    head = await sha256(joined(head, encoder.encode(line)));
    const parsed = readChainLine(line);
    if (hex(head) !== hash) return { at, problem: 'hash_differs', ...(await replay.drawnAt(parsed)) };
    const problem = parsed ? await replay.step(parsed) : 'not_a_line';
    if (problem) return { at, problem, ...(await replay.drawnAt(parsed)) };
    at += 1;
    if (at % reportEvery === 0) onProgress?.(at);
  }
  return { lines: at, draws: replay.draws, checkedDraws: replay.checkedDraws, head: hex(head), given: replay.given };
}

/** The commitment to a seed: what is public before the first spin of a round. @param seed hexadecimal */
export const commitmentOf = async (seed: string): Promise<string> => hex(await sha256(joined(encoder.encode(seedPrefix), fromHex(seed))));

/** Most units of one prize that a chain may name: far more than a wheel can offer, and small enough for exact sums. */
const mostUnits = 2 ** 40;
/** A draw decides by numbers of 48 bits: it can choose among fewer units only. */
const mostUnitsLeft = 2 ** 48;
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isUnits = (value: unknown): boolean => isCount(value) && value <= mostUnits;
const isOffer = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 4 && isText(value[0]) && isText(value[1]) && isUnits(value[2]) && isUnits(value[3]);

/** What follows the name of each kind of line. */
const shapes: { readonly [Kind in ChainLine[0]]: (fields: readonly unknown[]) => boolean } = {
  open: ([round, commitment]) => isCount(round) && isText(commitment),
  stock: ([prizes]) => Array.isArray(prizes) && prizes.every(isOffer),
  draw: ([number, instant, prizeId, digest]) => isCount(number) && [instant, prizeId, digest].every(isText),
  void: ([number, prizeId]) => isCount(number) && isText(prizeId),
  close: ([round, seed]) => isCount(round) && isText(seed),
};

/** A line of a chain as it was hashed. @returns undefined when the text is no line: files come from people whom the reader need not trust */
export function readChainLine(text: string): ChainLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    if (!Array.isArray(line)) return undefined;
    const [kind, ...fields] = line as unknown[];
    const isKnown = isText(kind) && Object.hasOwn(shapes, kind);
    return isKnown && shapes[kind as ChainLine[0]](fields) ? (line as ChainLine) : undefined;
  } catch {
    return undefined;
  }
}

/** Seeds by round, read ahead: a round's draws stand before the line that shows its seed. */
function seedsOf(entries: readonly AuditLine[]): Map<number, string> {
  const seeds = new Map<number, string>();
  for (const { line } of entries) {
    const parsed = readChainLine(line);
    if (parsed?.[0] === 'close' && /^[0-9a-f]{64}$/.test(parsed[2])) seeds.set(parsed[1], parsed[2]);
  }
  return seeds;
}

/** A wheel's state while its lines are read one after another. */
class Replay {
  draws = 0;
  checkedDraws = 0;
  private round = 0;
  private commitment: string | undefined;
  private stock: { id: string; total: number; remaining: number }[] = [];
  /** Units won of each prize, also of those that the wheel no longer offers. */
  readonly given = new Map<string, number>();
  private readonly prizeOfDraw = new Map<number, string>();
  private readonly keys = new Map<number, HmacKey>();

  constructor(
    private readonly automationId: string,
    private readonly seeds: ReadonlyMap<number, string>,
  ) {}

  async step(line: ChainLine): Promise<ChainFault['problem'] | undefined> {
    switch (line[0]) {
      case 'open':
        return this.open(line[1], line[2]);
      case 'stock':
        return this.offer(line[1]);
      case 'draw':
        return this.draw(line[1], line[3]);
      case 'void':
        return this.takeBack(line[1], line[2]);
      case 'close':
        return this.close(line[1], line[2]);
    }
  }

  private open(round: number, commitment: string): ChainFault['problem'] | undefined {
    if (round !== this.round + 1 || this.commitment !== undefined) return 'round_out_of_order';
    this.round = round;
    this.commitment = commitment;
    return undefined;
  }

  private offer(prizes: Extract<ChainLine, ['stock', ...unknown[]]>[1]): ChainFault['problem'] | undefined {
    this.stock = prizes.map(([id, , total, remaining]) => ({ id, total, remaining }));
    const isExact = this.stock.every(({ id, total, remaining }) => remaining === Math.max(total - this.givenOf(id), 0));
    return isExact && unitsLeft(this.stock) < mostUnitsLeft ? undefined : 'stock_differs';
  }

  private async draw(number: number, prizeId: string): Promise<ChainFault['problem'] | undefined> {
    if (this.commitment === undefined) return 'round_out_of_order';
    if (number !== this.draws + 1) return 'number_out_of_order';
    const prize = this.stock.find(({ id }) => id === prizeId);
    if (!prize || prize.remaining === 0) return 'prize_not_left';
    const seed = this.seeds.get(this.round);
    if (seed !== undefined) {
      if ((await this.drawnPrize(seed, number)) !== prizeId) return 'draw_differs';
      this.checkedDraws += 1;
    }
    prize.remaining -= 1;
    this.given.set(prizeId, this.givenOf(prizeId) + 1);
    this.prizeOfDraw.set(number, prizeId);
    this.draws = number;
    return undefined;
  }

  private takeBack(number: number, prizeId: string): ChainFault['problem'] | undefined {
    if (this.prizeOfDraw.get(number) !== prizeId) return 'unknown_draw';
    this.prizeOfDraw.delete(number);
    const given = this.givenOf(prizeId) - 1;
    this.given.set(prizeId, given);
    const prize = this.stock.find(({ id }) => id === prizeId);
    if (prize) prize.remaining = Math.max(prize.total - given, 0);
    return undefined;
  }

  private async close(round: number, seed: string): Promise<ChainFault['problem'] | undefined> {
    if (round !== this.round || this.commitment === undefined) return 'round_out_of_order';
    if ((await commitmentOf(seed)) !== this.commitment) return 'seed_differs';
    this.commitment = undefined;
    return undefined;
  }

  /** What the seed says about a draw that does not hold. */
  async drawnAt(line: ChainLine | undefined): Promise<Pick<ChainFault, 'drawn'>> {
    const seed = this.seeds.get(this.round);
    if (line?.[0] !== 'draw' || this.commitment === undefined || seed === undefined || unitsLeft(this.stock) === 0) return {};
    return { drawn: await this.drawnPrize(seed, this.draws + 1) };
  }

  private givenOf(id: string): number {
    return this.given.get(id) ?? 0;
  }

  private async drawnPrize(seed: string, number: number): Promise<string> {
    const key = await this.keyOf(seed);
    const total = unitsLeft(this.stock);
    for (let attempt = 0; ; attempt++) {
      const text = drawText({ automationId: this.automationId, round: this.round, number, attempt });
      const roll = rollOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))), total);
      if (roll !== undefined) return prizeAt(this.stock, roll).id;
    }
  }

  private async keyOf(seed: string): Promise<HmacKey> {
    const known = this.keys.get(this.round);
    if (known) return known;
    const key = await crypto.subtle.importKey('raw', fromHex(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    this.keys.set(this.round, key);
    return key;
  }
}
