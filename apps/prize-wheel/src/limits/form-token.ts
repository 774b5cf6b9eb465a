import { timingSafeEqual } from 'node:crypto';
import type { WheelKeys } from '../keys/wheel-keys.service.js';

/** Nobody reads a form and fills it in less. */
export const fastestVisitorMs = 1_500;
/** A page that stands open longer is asked for nothing more than one without a token. */
const longestMs = 24 * 60 * 60 * 1_000;
const signatureBytes = 16;

/** When a form was shown: `unknown` for clients that send no token, or none of ours. */
export type FormAge = 'too_young' | 'fits' | 'unknown';

const signatureOf = (keys: WheelKeys, automationId: string, instant: string): Buffer =>
  keys.signature(automationId, instant).subarray(0, signatureBytes);

/** The instant at which a form is shown, signed for its wheel. */
export function formTokenOf(keys: WheelKeys, automationId: string, now: Date): string {
  const instant = now.getTime().toString(36);
  return `${instant}.${signatureOf(keys, automationId, instant).toString('base64url')}`;
}

export function formAge(keys: WheelKeys, automationId: string, token: string | null | undefined, now: Date): FormAge {
  const [instant, signature, ...more] = (token ?? '').split('.');
  if (!instant || !signature || more.length > 0) return 'unknown';
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== signatureBytes || !timingSafeEqual(given, signatureOf(keys, automationId, instant))) return 'unknown';
  const age = now.getTime() - Number.parseInt(instant, 36);
  if (age > longestMs) return 'unknown';
  return age < fastestVisitorMs ? 'too_young' : 'fits';
}
