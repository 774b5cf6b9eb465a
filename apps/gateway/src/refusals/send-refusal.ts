import { readsErrorCodes } from '@decola/service-kit';
import type { FastifyReply } from 'fastify';
import type { Refusal } from './refusals.js';

/** Sends a refusal in the format that the client reads (auth-v1, 1.4). */
export async function sendRefusal(reply: FastifyReply, { status, headers, body, legacyBody }: Refusal): Promise<void> {
  const isLegacy = legacyBody !== undefined && !readsErrorCodes(reply.request.headers['x-supabase-api-version']);
  const sent: Record<string, string> = { ...headers, 'content-type': 'application/json; charset=utf-8' };
  if (isLegacy) {
    delete sent['x-supabase-api-version'];
    delete sent['x-sb-error-code'];
  }
  await reply
    .status(status)
    .headers(sent)
    .send(isLegacy ? { ...legacyBody, ...(status >= 500 ? { error_id: reply.request.id } : {}) } : body);
}
