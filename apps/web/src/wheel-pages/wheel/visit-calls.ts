import type { CheckAnswer, SpinAnswer, StateAnswer, VisitRefusal, VisitRequest } from '@decola/contracts/wheel-page';
import { CallError, callFunction } from '../call-function';
import { solveProof } from './solve-proof';

/** Id and token of the page's address. */
export interface WheelAddress {
  automationId: string;
  token: string | null;
}

/** After this time without an answer a call counts as lost. */
const callMs = 10_000;
/** How long a spin waits before each repeat. */
const repeatMs = [1_000, 2_000, 4_000, 8_000, 15_000];
/** Challenges that are solved for one call: the first may expire while a slow phone works on it. */
const mostChallenges = 2;

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether something that the server sent is an answer of `prize-extractor`, so that nothing else is ever taken for a prize. */
export const isRefusal = (answer: unknown): answer is VisitRefusal => {
  const { success, error } = (answer ?? {}) as Partial<VisitRefusal>;
  return success === false && typeof error === 'string';
};
export const isState = (answer: unknown): answer is StateAnswer => {
  const { success, wheel } = (answer ?? {}) as Partial<StateAnswer>;
  return success === true && Array.isArray(wheel?.prizes) && Array.isArray(wheel.leadFields);
};
const isCheck = (answer: unknown): answer is CheckAnswer => (answer as Partial<CheckAnswer> | null)?.success === true;
const isSpin = (answer: unknown): answer is SpinAnswer => {
  const { success, winner, participation } = (answer ?? {}) as Partial<SpinAnswer>;
  return success === true && typeof winner?.name === 'string' && typeof participation?.number === 'number';
};

/**
 * Calls the wheel. A proof of work that the server wants is made in a worker, and the same call is sent again with it.
 * @throws CallError without an answer that can be understood; its status is 200 for an answer that cannot
 */
async function call<Answer>(
  address: WheelAddress,
  request: Omit<VisitRequest, 'automationId' | 'token' | 'proof'>,
  isAnswer: (answer: unknown) => answer is Answer,
): Promise<Answer | VisitRefusal> {
  let proof: VisitRequest['proof'];
  for (let challenges = 0; ; challenges += 1) {
    const body = { ...address, ...request, ...(proof && { proof }) };
    const answer = await callFunction<unknown>('prize-extractor', body, { signal: AbortSignal.timeout(callMs) });
    if (isRefusal(answer)) {
      const { challenge } = answer;
      const solution = challenge && challenges < mostChallenges ? await solveProof(challenge) : null;
      if (!challenge || !solution) return answer;
      proof = { challenge, solution };
    } else if (isAnswer(answer)) return answer;
    else throw new CallError(200);
  }
}

/** @param isView a person sees the page now, which counts as a view */
export const askForState = (address: WheelAddress, isView: boolean) =>
  call(address, { action: 'state', ...(isView && { view: true }) }, isState);

/** Finds the earlier participation of a handle; with the key that drew, its code too. */
export const checkEarlier = (address: WheelAddress, handle: string, spinKey: string) =>
  call(address, { action: 'check', leadData: { instagram: handle }, spinKey }, isCheck);

export type Spin = Pick<VisitRequest, 'leadData' | 'spinKey' | 'consent' | 'formToken' | 'site'>;

/**
 * Spins. A lost answer is asked for again with the same key, which meets the prize that was drawn or draws it now, never twice.
 * @throws CallError when the last repeat failed too, and at once where a repeat changes nothing
 */
export async function spinOnce(address: WheelAddress, spin: Spin): Promise<SpinAnswer | VisitRefusal> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await call(address, { action: 'spin', ...spin }, isSpin);
    } catch (error) {
      const pause = repeatMs[repeat];
      if (!(error instanceof CallError) || pause === undefined || !isWorthRepeating(error)) throw error;
      await later(Math.max(pause, (error.retryAfter ?? 0) * 1_000));
    }
  }
}

/** No answer, a fault of the server, or an answer that cannot be read: a prize may have been drawn all the same. */
const isWorthRepeating = ({ status }: CallError) => status === null || status === 200 || status >= 500;
