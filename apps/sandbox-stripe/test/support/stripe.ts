import Stripe from 'stripe';
import { startStripe } from '../../src/server/server.js';

process.env['STRIPE_SUPPRESS_NOTICES'] = 'true';

/** A stand-in for one test file, with Stripe's own package as its client. */
export async function testStripe() {
  const { url, stop } = await startStripe({ port: 0 });
  const { hostname, port } = new URL(url);
  return {
    url,
    stop,
    stripe: new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false }),
    /** Calls the control interface. */
    control: async <Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> => {
      const answer = await fetch(`${url}/_emulator/api/${path}`, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Answer;
    },
  };
}
export type TestStripe = Awaited<ReturnType<typeof testStripe>>;
