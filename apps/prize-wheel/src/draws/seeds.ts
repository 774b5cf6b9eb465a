import { createHash, createHmac, randomBytes } from 'node:crypto';
import { drawText, rollOf, seedPrefix } from '@decola/contracts';
import type { SealedColumn } from '@decola/database';
import type { Sealer } from '@decola/service-kit';

const seedBytes = 32;

export interface NewSeed {
  sealed: string;
  /** Hexadecimal; published before the round's first draw. */
  commitment: string;
}

/** Seeds of rounds. A seed is stored sealed, bound to its wheel and round, and leaves this class only when its round ends. */
export class Seeds {
  constructor(private readonly sealer: Sealer) {}

  create(automationId: string, round: number): NewSeed {
    const seed = randomBytes(seedBytes);
    return {
      sealed: this.sealer.seal(seed.toString('hex'), purposeOf(automationId, round)),
      commitment: createHash('sha256').update(seedPrefix).update(seed).digest('hex'),
    };
  }

  /** @throws UnopenedEnvelopeError when the key ring lacks the key that sealed it: nothing is drawn or shown, and the same request succeeds later */
  open(sealed: string, automationId: string, round: number): Buffer {
    return Buffer.from(this.sealer.open(sealed, purposeOf(automationId, round)), 'hex');
  }
}

const purposeOf = (automationId: string, round: number | string): string => `wheel-seed|${automationId}|${round}`;

/** For `keys.command.ts`. Rounds that ended keep their seed, too. */
export const sealedSeeds: SealedColumn = {
  table: 'wheel_rounds',
  column: 'seed_sealed',
  reseal: {
    key: { automation_id: 'uuid', round: 'integer' },
    additionalData: ({ automation_id: id, round }) => purposeOf(id!, round!),
  },
};

/** The unit, in [0, total), that the seed gives to this number of this round. */
export function drawnUnit(seed: Buffer, draw: { automationId: string; round: number; number: number }, total: number): number {
  for (let attempt = 0; ; attempt++) {
    const mac = createHmac('sha256', seed)
      .update(drawText({ ...draw, attempt }))
      .digest();
    const unit = rollOf(mac, total);
    if (unit !== undefined) return unit;
  }
}
