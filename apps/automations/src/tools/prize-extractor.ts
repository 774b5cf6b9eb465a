import type { RawConfiguration } from '@decola/contracts';
import { randomBytes } from 'node:crypto';

/** Keys that the server adds to the configuration of a tool that needs no session. @param isDraft it is stored unpublished */
export type OwnKeys = (before: RawConfiguration, isDraft: boolean) => Record<string, unknown>;

const tokenBytes = 32;

/** The public token of a wheel. It is generated when the wheel is first published, and edits keep it. */
export const wheelKeys: OwnKeys = (before, isDraft) => {
  const known = before['publicToken'];
  if (typeof known === 'string' && known !== '') return { publicToken: known };
  return isDraft ? {} : { publicToken: randomBytes(tokenBytes).toString('base64url') };
};
