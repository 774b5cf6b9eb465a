import { ApiError, callFunction } from '../../lib/api-client';

interface Refusal {
  success: false;
  error: string;
  code: string;
}

/** Calls a function for owners of wheels. @throws ApiError with the function's sentence when it refuses */
export async function callWheelFunction<Answer extends { success: true }>(name: string, body: object): Promise<Answer> {
  const answer = await callFunction<Answer | Refusal>(name, body);
  if (!answer.success) throw new ApiError(answer.error, answer.code, 200);
  return answer;
}

/** Why a function refused, in words for the customer; null when it did not answer. */
export const refusalOf = (error: unknown): string | null => (error instanceof ApiError && error.message !== '' ? error.message : null);
