import { z } from 'zod';

const text = z.string().nullish();
/** A name that people read; longer ones are no names. */
const name = z.string().max(100).nullish();

export const enrolBody = z.looseObject({ factor_type: text, friendly_name: name, issuer: name });
export const challengeBody = z.looseObject({ channel: text });
export const verifyBody = z.looseObject({ challenge_id: text, code: text });
