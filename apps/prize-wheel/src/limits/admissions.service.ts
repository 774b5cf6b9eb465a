import type { ProofChallenge } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { WheelKeys } from '../keys/wheel-keys.service.js';
import { formAge } from './form-token.js';
import { type Proof, Proofs } from './proofs.service.js';
import { type Visit, VisitLimits } from './visit-limits.service.js';

/** What a visitor's page sends beside the form. */
export interface Credentials {
  proof?: Proof | null | undefined;
  formToken?: string | null | undefined;
  /** A field that people do not see. */
  site?: string | null | undefined;
}

/** `points`: what the spin counted, for `takeBack`. */
export type Admission = { kind: 'admitted' | 'proof'; points: number } | { kind: 'wait'; points: number; seconds: number };

/** Decides whether a visit may go on, needs a proof of work first, or must wait (decision 0042). */
@Injectable()
export class Admissions {
  constructor(
    private readonly limits: VisitLimits,
    private readonly proofs: Proofs,
    private readonly keys: WheelKeys,
    private readonly clock: Clock,
  ) {}

  async ofSpin(visit: Visit, { proof, formToken, site }: Credentials): Promise<Admission> {
    // The spin was counted when its challenge was asked for.
    if (await this.hasProof(visit, proof)) return { kind: 'admitted', points: 0 };
    const age = formAge(this.keys, visit.automationId, formToken, this.clock.now());
    // Clients that do not say when their form was shown are served, but use up the limit faster.
    const points = age === 'unknown' ? 2 : 1;
    const allowance = await this.limits.countSpin(visit, points);
    if (allowance.kind === 'wait') return { ...allowance, points };
    const isSuspicious = age === 'too_young' || (site ?? '') !== '';
    return { kind: allowance.kind === 'proof' || isSuspicious ? 'proof' : 'admitted', points };
  }

  /** Repeats by the key that drew do not count. */
  async takeBack(visit: Visit, { points }: Admission): Promise<void> {
    if (points > 0) await this.limits.uncountSpin(visit, points);
  }

  /** Whether a handle may be looked up without another proof. */
  async ofCheck(visit: Visit, { proof }: Credentials): Promise<boolean> {
    return (await this.hasProof(visit, proof)) || (await this.limits.countCheck(visit)).kind === 'free';
  }

  challenge({ automationId }: Visit): Promise<ProofChallenge> {
    return this.proofs.challenge(automationId);
  }

  private async hasProof({ automationId }: Visit, proof: Credentials['proof']): Promise<boolean> {
    return proof ? this.proofs.accept(automationId, proof) : false;
  }
}
