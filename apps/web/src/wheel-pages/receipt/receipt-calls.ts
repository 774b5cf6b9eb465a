import type { OwnerReceipt, PrizeReceipt, PrizeReceiptAnswer } from '@decola/contracts/wheel-receipt';
import { CallError, callFunction } from '../call-function';
import { accessToken } from '../stored-token';

export type Receipt = { isOwner: false; receipt: PrizeReceipt } | { isOwner: true; receipt: OwnerReceipt };

/** @returns null for a code that no prize has. @throws CallError */
export async function loadReceipt(code: string, signal?: AbortSignal): Promise<Receipt | null> {
  const answer = await withSession((token) =>
    callFunction<PrizeReceiptAnswer>('prize-receipt', { code }, { accessToken: token, ...(signal ? { signal } : {}) }),
  );
  return answer.success ? answer : null;
}

/** A session that has ended elsewhere must not hide a receipt that everybody may see. */
async function withSession<Answer>(call: (token: string | null) => Promise<Answer>): Promise<Answer> {
  const token = await accessToken();
  try {
    return await call(token);
  } catch (error) {
    if (token === null || !(error instanceof CallError) || error.status !== 401) throw error;
    return call(null);
  }
}

export type OwnerAction = { action: 'deliver' } | { action: 'undo' } | { action: 'void'; reason: string; allowAgain: boolean };

interface Redeemed {
  success: true;
  prize: Pick<OwnerReceipt, 'state' | 'deliveredAt' | 'undoUntil' | 'voidReason'>;
}

/**
 * Delivers a prize, undoes that, or takes the prize back.
 * @returns the receipt as it is now, or the server's sentence when it refuses
 * @throws CallError, with status 401 when the session has ended
 */
export async function redeem(receipt: OwnerReceipt, action: OwnerAction): Promise<{ receipt: OwnerReceipt } | { refusal: string }> {
  const token = await accessToken();
  if (token === null) throw new CallError(401);
  const answer = await callFunction<Redeemed | { success: false; error: string }>(
    'prize-redemption',
    { code: receipt.code, ...action },
    { accessToken: token },
  );
  if (!answer.success) return { refusal: answer.error };
  const { state, deliveredAt, undoUntil, voidReason } = answer.prize;
  return { receipt: { ...receipt, state, deliveredAt, undoUntil, voidReason } };
}
