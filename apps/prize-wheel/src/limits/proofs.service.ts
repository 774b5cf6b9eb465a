import { createHash } from 'node:crypto';
import { type ProofChallenge } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { WheelKeys } from '../keys/wheel-keys.service.js';
import { VisitLimits } from './visit-limits.service.js';

/**
 * The work of a proof: the visitor's browser derives keys until one begins as the challenge says, which takes between the two numbers of derivations. A key
 * costs the server one derivation when the challenge is made, and one HMAC when the proof is checked (decision 0042).
 */
export const proofWork = { algorithm: 'PBKDF2/SHA-256', iterations: 1_000, fewestKeys: 300, mostKeys: 600, seconds: 300 } as const;

/** A proof as the visitor's page sends it. */
export interface Proof {
  challenge: ProofChallenge;
  solution: { counter: number; derivedKey: string; time?: number | undefined };
}

/** Proofs of work: each counts once, for one wheel, within five minutes. */
@Injectable()
export class Proofs {
  constructor(
    private readonly keys: WheelKeys,
    private readonly limits: VisitLimits,
    private readonly clock: Clock,
  ) {}

  challenge(automationId: string): Promise<ProofChallenge> {
    return createChallenge({
      algorithm: proofWork.algorithm,
      cost: proofWork.iterations,
      counter: randomInt(proofWork.mostKeys, proofWork.fewestKeys),
      data: { wheel: automationId },
      expiresAt: Math.ceil(this.clock.now().getTime() / 1_000) + proofWork.seconds,
      deriveKey,
      ...this.keys.proofSecrets,
    });
  }

  /** Whether the proof is right, of this wheel, and not used before. It is used up by this. */
  async accept(automationId: string, { challenge, solution }: Proof): Promise<boolean> {
    if (challenge.parameters.data?.['wheel'] !== automationId) return false;
    if (challenge.signature === undefined) return false;
    const { verified } = await verifySolution({ challenge, solution, deriveKey, ...this.keys.proofSecrets });
    return verified && this.limits.useOnce(createHash('sha256').update(challenge.signature).digest('base64url'), proofWork.seconds);
  }
}
