import { createHash, createHmac } from 'node:crypto';
import { type AuditLine, type ChainLine, chainStart, seedPrefix, writeLine } from './chain.js';
import { drawText, prizeAt, rollOf, unitsLeft } from './draw.js';
import { readChainLine, verifyChain } from './verify-chain.js';

const automationId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const seed = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const commitment = createHash('sha256').update(seedPrefix).update(Buffer.from(seed, 'hex')).digest('hex');
const digest = createHash('sha256').update(Buffer.alloc(16, 1)).update('@maria').digest('hex');

/** Chains lines the way the service does, by Node's own hash. */
function chained(lines: readonly (ChainLine | string)[], id = automationId): AuditLine[] {
  let head = createHash('sha256').update(chainStart(id)).digest();
  return lines.map((line) => {
    const text = typeof line === 'string' ? line : writeLine(line);
    head = createHash('sha256').update(head).update(text).digest();
    return { line: text, hash: head.toString('hex') };
  });
}

function drawn(stock: { id: string; remaining: number }[], number: number, round = 1): ChainLine {
  for (let attempt = 0; ; attempt++) {
    const mac = createHmac('sha256', Buffer.from(seed, 'hex')).update(drawText({ automationId, round, number, attempt })).digest();
    const roll = rollOf(mac, unitsLeft(stock));
    if (roll === undefined) continue;
    const prize = prizeAt(stock, roll);
    prize.remaining -= 1;
    return ['draw', number, `2026-11-22T12:00:0${number}.000Z`, prize.id, digest];
  }
}

/** Two prizes, four draws, a raise of the stock, a prize taken back, and the seed in the end. */
function sound(): ChainLine[] {
  const stock = [
    { id: 'caneca', remaining: 2 },
    { id: 'vale', remaining: 3 },
  ];
  const first = [drawn(stock, 1), drawn(stock, 2)];
  const mug = stock[0] ?? { id: '', remaining: 0 };
  mug.remaining += 2;
  const raised: ChainLine = [
    'stock',
    [
      ['caneca', 'Caneca', 4, mug.remaining],
      ['vale', 'Vale', 3, stock[1]?.remaining ?? 0],
    ],
  ];
  const taken = String(first[0]?.[3]);
  const back = stock.find(({ id }) => id === taken);
  const more = [drawn(stock, 3)];
  if (back) back.remaining += 1;
  return [
    ['open', 1, commitment],
    [
      'stock',
      [
        ['caneca', 'Caneca', 2, 2],
        ['vale', 'Vale', 3, 3],
      ],
    ],
    ...first,
    raised,
    ...more,
    ['void', 1, taken],
    drawn(stock, 4),
    ['close', 1, seed],
  ];
}

describe('a wheel’s chain', () => {
  it('holds, and every draw of a closed round is computed again', async () => {
    const entries = chained(sound());
    expect(await verifyChain(automationId, entries)).toEqual({ lines: 9, draws: 4, checkedDraws: 4, head: entries.at(-1)?.hash });
    // While a round is open its seed is not known: hashes, order and stock are checked.
    expect(await verifyChain(automationId, entries.slice(0, -1))).toMatchObject({ draws: 4, checkedDraws: 0 });
    expect(await verifyChain(automationId, [])).toMatchObject({ lines: 0, draws: 0 });
  });

  it('has the published test vectors', () => {
    expect(commitment).toBe('80a30a769e16a56aa89e745a907e96d6f9fe83fcadec547bec168daf52cb467f');
    expect(createHash('sha256').update(chainStart(automationId)).digest('hex')).toBe(
      '2815dfd6bab86393d828aa4bbfeca5fbf522fd03a831a3f9b5a38ed79badb00b',
    );
    expect(chained(sound()).at(-1)?.hash).toBe('c15e294c975afee1327a40a1854ddf8a32fdb165d4a6ab4fac111a77d467895c');
  });

  it('shows every line that was changed, dropped, moved or added', async () => {
    const entries = chained(sound());
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] ?? { line: '', hash: '' };
      const changed = entries.with(at, { ...entry, line: entry.line.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) });
      expect(await verifyChain(automationId, changed)).toMatchObject({ at, problem: 'hash_differs' });
      if (at < entries.length - 1) {
        expect(await verifyChain(automationId, entries.toSpliced(at, 1))).toMatchObject({ at, problem: 'hash_differs' });
        const swapped = entries.with(at, entries[at + 1] ?? entry).with(at + 1, entry);
        expect(await verifyChain(automationId, swapped)).toMatchObject({ at, problem: 'hash_differs' });
      }
      expect(await verifyChain(automationId, entries.toSpliced(at, 0, entry))).toMatchObject({ at: at + 1, problem: 'hash_differs' });
    }
    expect(await verifyChain('00000000-0000-4000-8000-000000000000', entries)).toEqual({ at: 0, problem: 'hash_differs' });
  });

  it.each<[string, (lines: ChainLine[]) => (ChainLine | string)[], number, string]>([
    ['a text that is no line', (lines) => lines.with(1, '["other"]' as never), 1, 'not_a_line'],
    ['a draw before a round', (lines) => lines.slice(1), 1, 'round_out_of_order'],
    ['a second round without the end of the first', (lines) => lines.toSpliced(2, 0, ['open', 2, commitment]), 2, 'round_out_of_order'],
    ['a number that is left out', (lines) => lines.toSpliced(2, 1), 2, 'number_out_of_order'],
    [
      'stock that forgets what was won',
      (lines) =>
        lines.toSpliced(4, 1, [
          'stock',
          [
            ['caneca', 'Caneca', 9, 9],
            ['vale', 'Vale', 9, 9],
          ],
        ]),
      4,
      'stock_differs',
    ],
    [
      'a prize that is not offered',
      (lines) => lines.with(2, ['draw', 1, '2026-11-22T12:00:01.000Z', 'carro', digest]),
      2,
      'prize_not_left',
    ],
    ['the return of a prize that nobody won', (lines) => lines.with(6, ['void', 9, 'caneca']), 6, 'unknown_draw'],
    ['another seed than the promised one', (lines) => lines.with(8, ['close', 1, 'ff'.repeat(32)]), 5, 'draw_differs'],
    [
      'a prize that the seed did not draw',
      (lines) => {
        const [, number, instant, prizeId] = lines[2] as Extract<ChainLine, ['draw', ...unknown[]]>;
        return lines.with(2, ['draw', number, instant, prizeId === 'vale' ? 'caneca' : 'vale', digest]);
      },
      2,
      'draw_differs',
    ],
  ])('refuses %s, even when all hashes were made anew', async (_, change, at, problem) => {
    expect(await verifyChain(automationId, chained(change(sound())))).toMatchObject({ at, problem });
  });

  it('refuses another seed than the promised one in a round without draws', async () => {
    const lines: ChainLine[] = [
      ['open', 1, commitment],
      ['close', 1, 'ff'.repeat(32)],
    ];
    expect(await verifyChain(automationId, chained(lines))).toEqual({ at: 1, problem: 'seed_differs' });
  });

  it('says what the seed drew where a draw does not hold, and how far the replay has come', async () => {
    const lines = sound();
    const [, number, instant, prizeId] = lines[2] as Extract<ChainLine, ['draw', ...unknown[]]>;
    const other = prizeId === 'vale' ? 'caneca' : 'vale';
    const changed = lines.with(2, ['draw', number, instant, other, digest]);
    expect(await verifyChain(automationId, chained(changed))).toEqual({ at: 2, problem: 'draw_differs', drawn: prizeId });
    const kept = chained(lines);
    const rewritten = kept.with(2, { line: writeLine(changed[2] as ChainLine), hash: kept[2]?.hash ?? '' });
    expect(await verifyChain(automationId, rewritten)).toEqual({ at: 2, problem: 'hash_differs', drawn: prizeId });
    // Without the seed, nothing is known about a draw.
    expect(await verifyChain(automationId, rewritten.slice(0, -1))).toEqual({ at: 2, problem: 'hash_differs' });
    const steps: number[] = [];
    const many: ChainLine[] = Array.from({ length: 1_200 }, () => ['stock', []]);
    await verifyChain(automationId, chained(many), (count) => steps.push(count));
    expect(steps).toEqual([500, 1_000]);
  });

  it.each([
    '["stock",5]',
    '["stock",[7]]',
    '["stock",[["a","A",1]]]',
    '["stock",[["a","A",1e300,1e300]]]',
    '["draw","1","x","a","b"]',
    '["draw",1.5,"x","a","b"]',
    '["open",1]',
    '["close",1,7]',
    '["void",-1,"a"]',
    '["constructor"]',
    '[null]',
    '{"0":"open"}',
    'null',
    '',
  ])('refuses the text %s of a stranger’s file as a line', async (text) => {
    expect(readChainLine(text)).toBeUndefined();
    expect(await verifyChain(automationId, chained([text]))).toEqual({ at: 0, problem: 'not_a_line' });
  });

  it('does not draw among more units than a number of 48 bits can name', async () => {
    const prizes = Array.from({ length: 2 ** 8 }, (_, index) => [`p${index}`, '', 2 ** 40, 2 ** 40] as [string, string, number, number]);
    const lines: ChainLine[] = [
      ['open', 1, commitment],
      ['stock', prizes],
      ['draw', 1, '2026-11-22T12:00:01.000Z', 'p0', digest],
      ['close', 1, seed],
    ];
    expect(await verifyChain(automationId, chained(lines))).toEqual({ at: 1, problem: 'stock_differs' });
  });
});
