import type Stripe from 'stripe';

/** A failure with which the sandbox answers a request instead of handling it. */
export interface Fault {
  method?: string;
  /** Part of the path. */
  path?: string;
  /** How many requests fail. */
  times?: number;
  /** `after`: the request takes effect, then the answer is lost. Default: `before`. */
  when?: 'before' | 'after';
  status?: number;
  error?: { type?: string; code?: string; message?: string; param?: string };
  /** Sent as it is in place of an error. */
  body?: string;
  latency_ms?: number;
  cut?: boolean;
  /** Stored under the request's idempotency key, as Stripe stores its own failures. */
  kept?: boolean;
}

/** How webhooks are delivered. */
export interface DeliveryPolicy {
  /** Events are held until `release`. */
  paused?: boolean;
  /** Share of events that are never delivered. */
  drop_rate?: number;
  /** How often each event is delivered. */
  duplicate?: number;
  shuffle?: boolean;
  delay_ms?: number;
  seed?: number;
  bad_signature?: boolean;
}

const everyDelivery: DeliveryPolicy = { paused: false, drop_rate: 0, duplicate: 1, shuffle: false, delay_ms: 0, bad_signature: false };

export interface StripeState {
  /** Oldest first. */
  events: Stripe.Event[];
}

/** The control interface of sandbox-stripe. */
export class StripeSandbox {
  constructor(readonly url: string) {}

  async control<Result = unknown>(call: string, body: unknown = {}): Promise<Result> {
    const answer = await fetch(`${this.url}/_emulator/api/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Result;
  }

  private async read<Result>(what: string): Promise<Result> {
    return (await (await fetch(`${this.url}/_emulator/api/${what}`)).json()) as Result;
  }

  /** Fills in the hosted page of a checkout. @param card number of a test card. @returns where it sends the customer */
  async pay(url: string, card = '4242424242424242'): Promise<{ status: number; location: string | null }> {
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ email: 'x@example.com', cardNumber: card, cardExpiry: '12/34', cardCvc: '123', billingName: 'Cliente' }),
      redirect: 'manual',
    });
    return { status: answer.status, location: answer.headers.get('location') };
  }

  /** Makes matching requests fail. Default: all of them until `clearFaults`. */
  async fail(fault: Fault): Promise<void> {
    await this.control('faults', { times: 1_000, when: 'before', ...fault });
  }

  /** Answers GET requests to this path with this body. */
  async answer(path: string, body: unknown, { times = 1_000 } = {}): Promise<void> {
    await this.fail({ method: 'GET', path, times, status: 200, body: JSON.stringify(body) });
  }

  async clearFaults(): Promise<void> {
    await fetch(`${this.url}/_emulator/api/faults`, { method: 'DELETE' });
  }

  /** Moves the customer's clock forward and does what falls due. */
  async shift(customerId: string, seconds: number): Promise<void> {
    await this.control(`customers/${customerId}/shift`, { seconds });
  }

  /** Gives the customer another default card. @param number of a test card, or its name. */
  async useCard(customerId: string, number: string): Promise<void> {
    await this.control(`customers/${customerId}/default-card`, { number });
  }

  async deliver(policy: DeliveryPolicy): Promise<void> {
    await this.control('webhooks/policy', policy);
  }

  /** Back to one prompt delivery of each event. */
  deliverNormally(): Promise<void> {
    return this.deliver(everyDelivery);
  }

  /** Runs `work` while no event is delivered; the events of it stay lost. */
  async withoutDeliveries(work: () => Promise<unknown>): Promise<void> {
    await this.deliver({ drop_rate: 1 });
    await work();
    await this.deliver({ drop_rate: 0 });
  }

  async release(order: 'fifo' | 'lifo' | string[]): Promise<void> {
    await this.control('webhooks/release', { order });
  }

  /** Sends an event that the test made up. @returns its id. */
  async send(event: Record<string, unknown>): Promise<string> {
    return (await this.control<{ id: string }>('webhooks/send', { event })).id;
  }

  held(): Promise<{ id: string }[]> {
    return this.read('webhooks/held');
  }

  deliveries(): Promise<{ attempt: number; status: number | null }[]> {
    return this.read('deliveries');
  }

  requests(): Promise<{ method: string; path: string }[]> {
    return this.read('requests');
  }

  /** All of Stripe's state. */
  snapshot(): Promise<StripeState> {
    return this.read('state');
  }

  /** Replaces all of Stripe's state. @param snapshot a state as JSON. */
  async load(snapshot: string): Promise<void> {
    const answer = await fetch(`${this.url}/_emulator/api/snapshot`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: snapshot,
    });
    if (!answer.ok) throw new Error(`the sandbox did not load the state: ${answer.status}`);
  }

  /** Forgets everything, idempotency keys too. */
  async reset(): Promise<void> {
    expect(await this.control('reset')).toEqual({ ok: true });
  }
}
