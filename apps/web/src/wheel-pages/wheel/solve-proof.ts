import type { ProofChallenge, ProofSolution } from '@decola/contracts/wheel-page';

/**
 * Makes a proof of work in workers, so that the page stays responsive; it takes about a second on a weak phone. The solver is loaded when the first proof is wanted.
 * @returns null when this browser cannot make it
 */
export async function solveProof(challenge: ProofChallenge): Promise<ProofSolution | null> {
  try {
    const { solve } = await import('./proof-workers');
    return await solve(challenge);
  } catch {
    return null;
  }
}
