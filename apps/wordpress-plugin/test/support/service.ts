import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookOf } from './sender.js';

interface Result {
  id: string;
  status: number;
  response: Record<string, unknown>;
}

/** A request of the plugin. */
export interface Asked {
  messageId: string;
  userAgent: string;
  host: string;
  take: boolean;
  results: Result[];
  capabilities?: Record<string, unknown>;
}

/** The service as plugins see it when they ask: hands out operations one at a time, until each is reported. */
export class AskedService {
  readonly asked: Asked[] = [];
  readonly results: Result[] = [];
  private readonly waiting: { id: string; type: string; data: Record<string, unknown> }[] = [];
  /** Requests that do what they should, and whose answer is lost. */
  losing = 0;
  /** From this request on, every answer is lost; 0: none. */
  losingFrom = 0;
  /** Answers instead of the service. */
  fault: ((response: ServerResponse) => void) | null = null;
  /** Requests are answered when this is resolved. */
  gate: Promise<unknown> | null = null;
  pause = 900;

  private constructor(
    private readonly server: Server,
    private readonly token: string,
  ) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(token: string): Promise<AskedService> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new AskedService(server, token);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  reset(): void {
    for (const list of [this.asked, this.results, this.waiting]) list.length = 0;
    this.losing = this.losingFrom = 0;
    this.fault = this.gate = null;
    this.pause = 900;
  }

  /** What the plugin gets when it asks next. @returns the operation's id */
  hand(type: string, data: Record<string, unknown>): string {
    const id = `msg_${randomUUID()}`;
    this.waiting.push({ id, type, data: { host: '127.0.0.1', ...data } });
    return id;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const header = (name: string) => String(request.headers[name]);
    const { data } = JSON.parse(body) as { data: Asked };
    this.asked.push({ ...data, messageId: header('webhook-id'), userAgent: header('user-agent') });
    await this.gate;
    if (this.fault) return this.fault(response);
    if (request.method !== 'POST' || request.url !== '/webhooks/wordpress' || !this.isSigned(body, header))
      return void response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
    for (const result of data.results) {
      this.results.push(result);
      const index = this.waiting.findIndex(({ id }) => id === result.id);
      if (index >= 0) this.waiting.splice(index, 1);
    }
    const [next] = data.take ? this.waiting : [];
    if (this.losingFrom > 0 && this.asked.length >= this.losingFrom) return void request.socket.destroy();
    if (this.losing > 0) {
      this.losing -= 1;
      return void request.socket.destroy();
    }
    const answer = {
      decola: 1,
      accepted: data.results.map(({ id }) => id),
      operations: next ? [this.signed(next)] : [],
      next_seconds: this.pause,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  private isSigned(body: string, header: (name: string) => string): boolean {
    try {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      webhookOf(this.token).verify(body, Object.fromEntries(names.map((name) => [name, header(name)])));
      return true;
    } catch {
      return false;
    }
  }

  private signed({ id, type, data }: { id: string; type: string; data: Record<string, unknown> }) {
    const at = new Date();
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
    return { id, timestamp: String(Math.floor(at.getTime() / 1000)), signature: webhookOf(this.token).sign(id, at, body), body };
  }
}
