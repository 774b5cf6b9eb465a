import { containsSession, misplacedSessionText } from '@decola/contracts';
import { z } from 'zod';

const text = z.string().nullish();
/** Most bytes of a person's own metadata as JSON. Every access token carries it, and a token must fit into a request header. */
export const maxMetadataBytes = 8_192;
const metadata = z
  .record(z.string(), z.unknown())
  .refine((data) => Buffer.byteLength(JSON.stringify(data)) <= maxMetadataBytes, 'User metadata is too large')
  .refine((data) => !containsSession(data), misplacedSessionText)
  .nullish();
const pkce = { code_challenge: text, code_challenge_method: text };

/** Request bodies of auth/v1. Unknown members are ignored, null equals absent, and nothing is coerced (auth-v1, 1.2). */
export const bodies = {
  signup: z.looseObject({ email: text, phone: text, password: text, data: metadata, ...pkce }),
  password: z.looseObject({ email: text, phone: text, password: text }),
  refresh: z.looseObject({ refresh_token: text }),
  pkce: z.looseObject({ auth_code: text, code_verifier: text }),
  updateUser: z.looseObject({
    email: text,
    password: text,
    current_password: text,
    phone: text,
    nonce: text,
    data: metadata,
    app_metadata: z.unknown().optional(),
    ...pkce,
  }),
  recover: z.looseObject({ email: text, ...pkce }),
  otp: z.looseObject({
    email: text,
    phone: text,
    create_user: z.boolean().nullish(),
    data: metadata,
    channel: text,
    ...pkce,
  }),
  verify: z.looseObject({ type: text, token: text, token_hash: text, email: text, phone: text, redirect_to: text }),
  resend: z.looseObject({ type: text, email: text, phone: text, ...pkce }),
  anything: z.looseObject({}),
};

/** A parsed body by its name in `bodies`. */
export type Body<Name extends keyof typeof bodies> = z.infer<(typeof bodies)[Name]>;
