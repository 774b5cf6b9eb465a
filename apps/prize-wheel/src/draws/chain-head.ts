import { createHash } from 'node:crypto';
import { type ChainLine, chainStart, writeLine } from '@decola/contracts';

/** Hash before the first line of a wheel's chain. */
export const firstHash = (automationId: string): Buffer => createHash('sha256').update(chainStart(automationId)).digest();

/** The end of a wheel's chain, while a transaction that holds the wheel's lock adds lines. */
export class ChainHead {
  constructor(private last: Buffer) {}

  get hash(): Buffer {
    return this.last;
  }

  /** @returns the line as it is stored, with its hash */
  add(line: ChainLine): { line: string; hash: Buffer } {
    const text = writeLine(line);
    this.last = createHash('sha256').update(this.last).update(text).digest();
    return { line: text, hash: this.last };
  }
}
