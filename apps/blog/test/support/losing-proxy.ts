import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes requests on to a site, and ends the connection instead of some of its answers: the site did its work, and nobody learns of it. */
export class LosingProxy {
  private readonly server: Server;
  /** Messages whose answers are lost, each once: `article.publish <article id>`. */
  readonly losing = new Set<string>();
  /** How many answers were lost. */
  lost = 0;

  private constructor(private readonly target: () => string) {
    this.server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const passed = request(`${this.target()}${incoming.url}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () => {
            if (this.losing.delete(messageOf(body))) {
              this.lost += 1;
              return incoming.socket.destroy();
            }
            outgoing.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(parts));
          });
        });
        passed.on('error', () => incoming.socket.destroy());
        passed.end(body);
      });
    });
  }

  static async start(target: () => string): Promise<LosingProxy> {
    const proxy = new LosingProxy(target);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Of a message, also of one that is part of a form. */
function messageOf(body: Buffer): string {
  const text = body.toString('latin1');
  const [, type] = /"type":"([a-z.]+)"/.exec(text) ?? [];
  const [, article] = /"article_id":"([\da-f-]{36})"/.exec(text) ?? [];
  return `${type} ${article}`;
}
