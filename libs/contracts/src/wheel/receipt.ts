import type { FunctionRefusal } from './refusal.js';

/** `voided`: taken back by the wheel's owner. `expired`: not collected in time. */
export type PrizeState = 'won' | 'delivered' | 'expired' | 'voided';

/** What anybody who has the code of a prize may see of it. Instants are ISO 8601. */
export interface PrizeReceipt {
  /** `K7QF-3MZP-9DX`. */
  code: string;
  wheelName: string;
  /** Who runs the promotion; null when the wheel does not say. */
  company: string | null;
  contact: string | null;
  rulesUrl: string | null;
  /** Number of the promotion's authorisation. */
  authorisation: string | null;
  prize: { name: string; type: 'digital' | 'physical' };
  number: number;
  drawnAt: string;
  /** Masked; `@apagado#12` when the winner has erased their data. */
  handle: string;
  state: PrizeState;
  deliveredAt: string | null;
  /** End of the prize's validity; null when it has none. */
  validUntil: string | null;
  /** The winner's own coupon of a digital prize; null when the prize has none, or was taken back. */
  coupon: string | null;
  /** Hash of the draw's line in the wheel's chain (hexadecimal). */
  hash: string;
  round: number;
  commitment: string;
  /** The round's seed (hexadecimal), once the round is closed. */
  seed: string | null;
  /** The wheel whose chain anybody may download; null while its owner does not publish it, or a round is open. */
  audit: { automationId: string } | null;
  /** False once the data of the winner are erased. */
  canErase: boolean;
}

/** What the wheel's owner sees beside it, with their session. */
export interface OwnerReceipt extends PrizeReceipt {
  automationId: string;
  /** What the winner was told. */
  message: string | null;
  /** Until when a delivery can be undone; null when there is none to undo. */
  undoUntil: string | null;
  /** Why the prize was taken back. */
  voidReason: string | null;
}

/** Body: `{code}`. */
export type PrizeReceiptAnswer =
  | { success: true; isOwner: false; receipt: PrizeReceipt }
  | { success: true; isOwner: true; receipt: OwnerReceipt }
  | FunctionRefusal;

type Channel = 'whatsapp' | 'email' | 'telefone';

/** Everything that is stored about a lead, for the person themselves. */
export interface LeadPrivacyData {
  handle: string;
  number: number;
  drawnAt: string;
  prize: { name: string; type: 'digital' | 'physical'; state: PrizeState };
  /** The person's answers, in the order of the form. */
  fields: { name: string; label: string; value: string }[];
  /** What the person agreed to; null when the wheel asked nothing. */
  consent: {
    version: string | null;
    accepted: boolean;
    /** Channels over which news are still allowed. */
    channels: Channel[];
    /** Instant of each withdrawal. */
    withdrawn: Partial<Record<Channel, string>>;
    at: string | null;
  } | null;
  /** When the data are erased by themselves. */
  retainedUntil: string;
}

/**
 * Body: `{code, action: 'see' | 'copy' | 'withdraw' | 'erase', channel?}`. `see`, `copy` and `withdraw` answer the data (after a withdrawal: as they are
 * now); `copy` is for a file. `erase` may be repeated. Refusals: `not_found`, and `erased` for everything but `erase` once the data are gone.
 */
export type LeadPrivacyAnswer =
  | { success: true; wheelName: string; company: string | null; data: LeadPrivacyData }
  | { success: true; erased: true }
  | FunctionRefusal;
