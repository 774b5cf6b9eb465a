import { Refusal } from '@decola/service-kit';
import { accountTexts as texts } from '../texts/texts.js';

/** The account has a second factor, and this session is at aal1. */
export const insufficientAal = () => new Refusal(403, 'insufficient_aal', texts.secondFactorNeeded);

/** Too many attempts at the password: even a right one is refused for `seconds`. */
export const tooManyAttempts = (seconds: number) =>
  new Refusal(429, 'too_many_requests', texts.tooManyAttempts, {
    headers: { 'retry-after': String(seconds) },
  });
