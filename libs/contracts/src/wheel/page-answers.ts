import type { ConsentTexts } from './consent-texts.js';
import type { VisibleLeadField } from './lead-fields.js';
import type { FunctionRefusal } from './refusal.js';

/*
 * What the function `prize-extractor` takes and answers, for pages: without zod, since the public pages load no schemas. `visit-answers.ts` has the schemas
 * that tests compare answers with.
 */

/** Why nobody can win on this wheel now. The wheel is shown all the same, and earlier winners see their prizes. */
export type WheelClosing = 'not_started' | 'ended' | 'round_closed' | 'exhausted';

export interface PublicPrize {
  id: string;
  name: string;
  type: 'digital' | 'physical';
  isAvailable: boolean;
}

export interface PublicPromotion {
  /** Empty when the owner named none. */
  company: string;
  contact: string;
  minAge: number;
  rulesUrl: string | null;
  /** Number of the authorisation; null when the owner gave none. */
  authorisation: string | null;
  /** ISO 8601. */
  startsAt: string | null;
  endsAt: string | null;
}

export interface PublicConsent {
  /** Sent back with the spin: it names exactly the sentences of `texts`. */
  version: string;
  channels: ('whatsapp' | 'email' | 'telefone')[];
  retentionDays: number;
  texts: ConsentTexts;
}

/** A wheel as visitors see it: never a quantity, a message or a token. */
export interface PublicWheel {
  id: string;
  name: string;
  prizes: PublicPrize[];
  leadFields: VisibleLeadField[];
  isExhausted: boolean;
  /** The owner ended the round. */
  isEnded: boolean;
  /** Null while visitors can win; else why not, and the sentence for it. */
  closed: { code: WheelClosing; text: string } | null;
  theme: { colour: string | null; logo: string | null };
  promotion: PublicPromotion;
  /** Null when the wheel asks for none. */
  consent: PublicConsent | null;
  /** The code is mailed, not shown. */
  isCodeMailed: boolean;
  /** Now are the hours of an event: the page keeps nothing of a visitor for the next one at the same tablet. */
  isEvent: boolean;
  /** Sites that may embed the page; none means all. */
  domains: string[];
  /** Null before there was a unit to win. */
  fairness: { round: number; commitment: string } | null;
}

export interface StateAnswer {
  success: true;
  wheel: PublicWheel;
  /** Sent back with the spin: it tells the server when the form was shown. Made for each answer. */
  formToken: string;
}

export interface WonPrize {
  id: string;
  name: string;
  type: 'digital' | 'physical';
  /** Null when there is none, and for visitors whose key did not draw. */
  message: string | null;
}

export interface WonParticipation {
  /** Position in the wheel, from 1. */
  number: number;
  drawnAt: string;
  state: 'won' | 'delivered' | 'expired' | 'voided';
  /** These three are null for visitors whose key did not draw, and where the code is mailed. */
  code: string | null;
  receiptUrl: string | null;
  coupon?: string | null;
  repeated: boolean;
}

export interface SpinAnswer {
  success: true;
  winner: WonPrize;
  participation: WonParticipation;
}

export interface CheckAnswer {
  success: true;
  earlier: Omit<SpinAnswer, 'success'> | null;
}

/** A challenge of altcha-lib v2; the page solves it in a worker with `deriveKey` of PBKDF2. */
export interface ProofChallenge {
  parameters: {
    algorithm: string;
    nonce: string;
    salt: string;
    cost: number;
    keyLength: number;
    keyPrefix: string;
    keySignature?: string;
    expiresAt?: number;
    data?: Record<string, string | number | boolean | null>;
  };
  signature?: string;
}

export interface ProofSolution {
  counter: number;
  derivedKey: string;
  time?: number;
}

/** `field` is `consent` for the required box. `challenge.required` carries `challenge`: solve it, and send the same body again with `proof`. */
export interface VisitRefusal extends FunctionRefusal {
  challenge?: ProofChallenge;
}

/** Body of `prize-extractor`. */
export interface VisitRequest {
  automationId: string;
  token: string;
  action: 'state' | 'check' | 'spin';
  leadData?: Record<string, string>;
  /** 32 lower-case hexadecimal characters, made by the page for one handle. */
  spinKey?: string;
  consent?: { version: string; accepted: boolean; channels: string[] };
  proof?: { challenge: ProofChallenge; solution: ProofSolution };
  formToken?: string;
  /** A field that people do not see. Whoever fills it is asked for a proof. */
  site?: string;
  /** With `state`: a person sees the page now, which counts as a view. */
  view?: boolean;
}
