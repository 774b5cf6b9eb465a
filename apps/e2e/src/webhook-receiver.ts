import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** What a webhook is told, in the body of a call. */
export interface WebhookEvent {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface WebhookReceiver {
  url: string;
  /** The bodies of all calls so far, in their order. @throws WebhookVerificationError when one is not signed with this secret */
  events(secret: string): WebhookEvent[];
  stop(): Promise<void>;
}

/** A customer's own server, which is told of leads. It answers every call with 204. */
export async function webhookReceiver(port: number): Promise<WebhookReceiver> {
  const calls: { body: string; headers: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push({ body, headers: request.headers as Record<string, string> });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}/leads`,
    events: (secret) => calls.map(({ body, headers }) => new Webhook(secret).verify(body, headers) as WebhookEvent),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
