import { Refusal } from '@decola/service-kit';

/** The same for an unknown host, a wrong signature, a wrong time and a repeated request: nobody learns which sites there are. */
export const notSigned = () => new Refusal(401, 'unauthorized', 'The request is not signed by a known site');

export const asksTooOften = (seconds: number) =>
  new Refusal(429, 'too_many_requests', 'The site asks too often', { headers: { 'retry-after': String(seconds) } });

export const pickupTooLarge = () => new Refusal(413, 'payload_too_large', 'Request body is too large');
