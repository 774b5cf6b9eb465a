import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../../scripts/lib/ports.mjs';

/** What is delivered to a site, in the body of a call. */
export interface SiteEvent {
  type: string;
  data: Record<string, unknown>;
}

/** How a site answers a call. */
export type SiteManners = (request: IncomingMessage, response: ServerResponse) => void;

/** An answer with this status, headers and body. */
export const answering =
  (status: number, body: string | object = '', headers: Record<string, string> = {}): SiteManners =>
  (_, response) => {
    const isText = typeof body === 'string';
    response
      .writeHead(status, { 'content-type': isText ? 'text/html; charset=utf-8' : 'application/json', ...headers })
      .end(isText ? body : JSON.stringify(body));
  };

/** A refusal as our plugin for WordPress words it. */
export const refusing = (status: number, code: string, more: Record<string, unknown> = {}): SiteManners =>
  answering(status, { decola: 1, plugin: '1.0.0', wp: '6.1', php: '8.2', ok: false, code, message: '', ...more });

export interface CustomerSite {
  /** `127.0.0.1:<port>` */
  host: string;
  url: string;
  /** Changes how the site answers from now on. */
  behaves(manners: SiteManners): void;
  /** What came since it changed how it answers, in its order. @throws WebhookVerificationError when a call is not signed with this token */
  received(token: string): SiteEvent[];
  stop(): Promise<void>;
}

/** A customer's site, as healthy or as broken as a test wants it. */
export async function customerSite(): Promise<CustomerSite> {
  const calls: { body: string; headers: Record<string, string> }[] = [];
  let manners: SiteManners = answering(200, { ok: true });
  const port = await freePort();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') calls.push({ body, headers: request.headers as Record<string, string> });
      manners(request, response);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${port}`;
  return {
    host,
    url: `http://${host}/receber`,
    behaves: (next) => {
      manners = next;
      calls.length = 0;
    },
    received: (token) =>
      calls.map(({ body, headers }) => new Webhook(Buffer.from(token).toString('base64')).verify(body, headers) as SiteEvent),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
