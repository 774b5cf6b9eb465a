import type { FastifyRequest } from 'fastify';

/** The client's address. Behind a trusted proxy it is the last entry of `X-Forwarded-For`; the entries before it come from the client and can be forged. */
export function clientAddressOf(request: FastifyRequest, { TRUST_PROXY }: { TRUST_PROXY: boolean }): string {
  const forwarded = TRUST_PROXY ? request.headers['x-forwarded-for'] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').pop();
  return last?.trim() || request.ip;
}
