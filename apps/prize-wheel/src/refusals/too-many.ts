import { Refusal } from '@decola/service-kit';
import { proposedVisitTexts } from '../texts/texts.js';

/** Status 429, with how long to wait in the sentence and in `Retry-After`. */
export const tooMany = (seconds: number): Refusal =>
  new Refusal(429, 'too_many_requests', proposedVisitTexts.busy(seconds), { headers: { 'retry-after': String(seconds) } });
