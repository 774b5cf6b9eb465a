import { type ChainLine } from '@decola/contracts/wheel-chain';
import { createHash, createHmac } from 'node:crypto';

export const chainAutomationId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
export const chainSeed = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const digest = 'f516c9bcd605bbdaf7e605a079965c67075e10b52954e0902e676431ec0c22e9';

const seedBytes = Buffer.from(chainSeed, 'hex');
export const chainCommitment = createHash('sha256').update('decola-seed-v1|').update(seedBytes).digest('hex');

/** Lines of a wheel with `draws` draws of one round, as `docs/wheel-audit.md` describes them, by Node's own hashes. */
export function chainLines({ draws = 4, isOpen = false, voids = [] as number[] } = {}): ChainLine[] {
  const stock = [
    { id: 'caneca', name: 'Caneca', total: draws, remaining: draws },
    { id: 'vale', name: 'Vale de R$ 20', total: draws, remaining: draws },
  ];
  const lines: ChainLine[] = [
    ['open', 1, chainCommitment],
    ['stock', stock.map(({ id, name, total, remaining }) => [id, name, total, remaining])],
  ];
  for (let number = 1; number <= draws; number++) {
    const mac = createHmac('sha256', seedBytes).update(`decola-draw-v1|${chainAutomationId}|1|${number}|0`).digest();
    let unit = mac.readUIntBE(0, 6) % stock.reduce((sum, { remaining }) => sum + remaining, 0);
    const prize = stock.find(({ remaining }) => (unit -= remaining) < 0) ?? { id: '', remaining: 0 };
    prize.remaining -= 1;
    const at = new Date(Date.UTC(2026, 10, 22, 12) + number * 1_000).toISOString();
    lines.push(['draw', number, at, prize.id, digest]);
    if (voids.includes(number)) {
      lines.push(['void', number, prize.id]);
      prize.remaining += 1;
    }
  }
  return isOpen ? lines : [...lines, ['close', 1, chainSeed]];
}

/** An audit file of these lines, with the hashes that belong to them. */
export function auditFile(lines: readonly ChainLine[], automation = chainAutomationId): string {
  let head = createHash('sha256').update(`decola-chain-v1|${automation}`).digest();
  const entries = lines.map((each) => {
    const line = JSON.stringify(each);
    head = createHash('sha256').update(head).update(line).digest();
    return JSON.stringify({ line, hash: head.toString('hex') });
  });
  return [JSON.stringify({ format: 'decola-chain-v1', automation, round: 1 }), ...entries, ''].join('\n');
}

/** Hash of one line of the file. @param at line of the chain, from 0 */
export const hashAt = (file: string, at: number): string => (JSON.parse(file.split('\n')[at + 1] ?? '{}') as { hash: string }).hash;
