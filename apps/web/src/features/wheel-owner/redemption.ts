import type { PrizeState } from '@decola/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callWheelFunction } from './wheel-function';

/** A prize as `prize-redemption` shows it to the wheel's owner. */
export interface RedeemedPrize {
  number: number;
  handle: string;
  name: string;
  type: string;
  /** With hyphens. */
  code: string;
  state: PrizeState;
  wonAt: string;
  deliveredAt: string | null;
  validUntil?: string | null;
  automationId?: string;
  wheelName?: string;
  /** Until when a delivery can be undone. */
  undoUntil?: string | null;
  /** Why it was taken back. */
  voidReason?: string | null;
}

interface RedemptionRequest {
  code: string;
  action: 'look' | 'deliver' | 'undo' | 'void';
  reason?: string;
  allowAgain?: boolean;
}

const addressOfReceipt = /^.*\/comprovante\//i;

/** The code in what was typed, pasted or read by a scanner: receipts have QR codes with their address. */
export const typedCode = (typed: string): string =>
  typed
    .trim()
    .replace(addressOfReceipt, '')
    .replace(/[?#/].*$/, '');

/** Looks a prize up by its code, delivers it, undoes that, or takes the prize back. */
export function useRedemption() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (request: RedemptionRequest) =>
      (await callWheelFunction<{ success: true; prize: RedeemedPrize }>('prize-redemption', request)).prize,
    onSettled: (_prize, _error, { action }) => {
      if (action === 'look') return;
      void queryClient.invalidateQueries({ queryKey: ['leads'] });
      void queryClient.invalidateQueries({ queryKey: ['prize_stats'] });
    },
  });
}
