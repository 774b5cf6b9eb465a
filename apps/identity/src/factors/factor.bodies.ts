import { z } from 'zod';

const text = z.string().nullish();
/** A name that people read: at most 100 characters, as in the table. */
const name = z.string().max(100).nullish();

export const enrollBody = z.looseObject({ factor_type: text, friendly_name: name, issuer: name });
export const challengeBody = z.looseObject({ channel: text });
export const verifyBody = z.looseObject({ challenge_id: text, code: text });
