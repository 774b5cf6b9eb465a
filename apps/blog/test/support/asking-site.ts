import { randomUUID } from 'node:crypto';
import type { PickupAnswer, PickupOperation } from '@decola/contracts';
import { Webhook } from 'standardwebhooks';
import type { SiteReceiver } from './site-receiver.js';

export interface Result {
  id: string;
  status: number;
  response: Record<string, unknown>;
}

interface Ask {
  results?: Result[];
  take?: boolean;
  /** Default: a new one. */
  id?: string;
  at?: Date;
  token?: string;
  host?: string;
  more?: Record<string, unknown>;
}

/** The plugin of a site whose firewall lets nobody in, as far as it asks for articles. Its site carries out what it gets. */
export class AskingSite {
  constructor(
    private readonly serviceUrl: string,
    private readonly site: SiteReceiver,
    readonly token: string,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Sends a signed request. */
  async ask({ results = [], take = true, id = `msg_${randomUUID()}`, at = this.now(), token = this.token, host, more }: Ask = {}) {
    const body = JSON.stringify({
      ...{ type: 'pickup', timestamp: at.toISOString() },
      data: {
        ...{ host: host ?? this.site.host, plugin: '1.1.0', wp: '6.6', php: '8.2', take, results },
        capabilities: { categories: ['Receitas'], authors: [], seo_plugin: null, blog_public: true, warnings: [], pickup: true },
        ...more,
      },
    });
    const response = await fetch(`${this.serviceUrl}/webhooks/wordpress`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) },
        'webhook-signature': new Webhook(Buffer.from(token), { format: 'raw' }).sign(id, at, body),
      },
      body,
    });
    const text = await response.text();
    return { status: response.status, text, headers: response.headers, answer: JSON.parse(text) as PickupAnswer };
  }

  /** What the site's plugin does with an operation. */
  async carryOut({ id, timestamp, signature, body }: PickupOperation): Promise<Result> {
    const response = await fetch(this.site.origin + this.site.door, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      },
      body,
    });
    return { id, status: response.status, response: (await response.json()) as Record<string, unknown> };
  }

  /** Asks until there is nothing left. @returns the types of what was done */
  async fetchAll(): Promise<string[]> {
    const done: string[] = [];
    let results: Result[] = [];
    for (let round = 0; round < 20; round++) {
      const { status, text, answer } = await this.ask({ results });
      if (status !== 200) throw new Error(`${status}: ${text}`);
      if (answer.operations.length === 0) return done;
      results = [];
      for (const operation of answer.operations) {
        done.push((JSON.parse(operation.body) as { type: string }).type);
        results.push(await this.carryOut(operation));
      }
    }
    throw new Error(`there is no end: ${done.join()}`);
  }
}
