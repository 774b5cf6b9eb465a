import type { ProofChallenge, ProofSolution } from '@decola/contracts/wheel-page';
import { solveChallengeWorkers } from 'altcha-lib';

/** More would make a phone warm and not much faster. */
const mostWorkers = 4;

export function solve(challenge: ProofChallenge): Promise<ProofSolution | null> {
  return solveChallengeWorkers({
    challenge,
    concurrency: Math.min(mostWorkers, navigator.hardwareConcurrency || 1),
    createWorker: () => new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module' }),
  });
}
