import { randomBytes } from 'node:crypto';
import { missing } from './errors.js';
import type { Customer, StripeEvent, StripeObject, Subscription, TestClock } from './objects.js';
import { apiVersion, blank } from './schema.js';

/** Prefix of the ids of each kind of object. */
const prefixes: Record<string, string> = {
  'billing_portal.configuration': 'bpc',
  'billing_portal.session': 'bps',
  'checkout.session': 'cs_test',
  'test_helpers.test_clock': 'clock',
  charge: 'ch',
  customer: 'cus',
  event: 'evt',
  invoice: 'in',
  invoice_payment: 'inpay',
  item: 'li',
  line_item: 'il',
  payment_intent: 'pi',
  payment_method: 'pm',
  price: 'price',
  product: 'prod',
  refund: 're',
  setup_intent: 'seti',
  subscription: 'sub',
  subscription_item: 'si',
  tax_id: 'txi',
  webhook_endpoint: 'we',
};

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** Settings of the account; the control interface changes them. */
export interface Settings {
  /** Days after the first failed attempt at which an unpaid invoice is tried again. */
  dunning: number[];
  /** Status of a subscription after the last retry has failed. */
  final_action: 'cancel' | 'unpaid' | 'past_due';
  /** Delay before the checkout page redirects the customer to the site. */
  redirect_delay_ms: number;
  /** Delays between deliveries of an unacknowledged event; after the last one it is dropped. */
  webhook_retries_ms: number[];
  /** Whether the account has a default portal configuration. */
  portal_default: boolean;
}

const defaultSettings = (): Settings => ({
  dunning: [3, 5, 7],
  final_action: 'cancel',
  redirect_delay_ms: 0,
  webhook_retries_ms: [1_000, 5_000, 30_000, 120_000, 600_000],
  portal_default: false,
});

export interface WorldSnapshot {
  objects: StripeObject[];
  notes: Record<string, Record<string, unknown>>;
  events: StripeEvent[];
  secrets: Record<string, string[]>;
  settings: Settings;
}

const isTime = (key: string, value: unknown): value is number =>
  typeof value === 'number' &&
  value > 1e9 &&
  /(^|_)(created|start|end|date|at|anchor|attempt|time|updated|after|before|finalizedAt|firstAttemptAt)$/.test(key);

/** All objects of the account, its clock and its events. Everything is synchronous, so a request is a transaction. */
export class World {
  private tables = new Map<string, Map<string, StripeObject>>();
  private noted = new Map<string, Record<string, unknown>>();
  /** Oldest first. */
  events: StripeEvent[] = [];
  /** Signing secrets by endpoint, newest first; during a rotation there are two. */
  secrets = new Map<string, string[]>();
  settings = defaultSettings();
  /** The API request that is being handled; its events refer to it. */
  request: { id: string | null; idempotency_key: string | null } = { id: null, idempotency_key: null };
  /** The due time of the work that runs now; undefined otherwise. */
  private simulated: number | undefined;
  onEvent: (event: StripeEvent) => void = () => undefined;
  onChange: () => void = () => undefined;

  /** Now in seconds since the epoch, by the customer's test clock if there is one. */
  now(customerId?: string | null): number {
    if (this.simulated !== undefined) return this.simulated;
    const clock = customerId ? this.find<Customer>('customer', customerId)?.test_clock : undefined;
    return (clock ? this.find<TestClock>('test_helpers.test_clock', clock)?.frozen_time : undefined) ?? Math.floor(Date.now() / 1000);
  }

  /** Runs work with the clock at a given moment. */
  at<Result>(moment: number, work: () => Result): Result {
    const before = this.simulated;
    this.simulated = moment;
    try {
      return work();
    } finally {
      this.simulated = before;
    }
  }

  newId(object: string): string {
    const prefix = prefixes[object];
    if (!prefix) throw new Error(`no id prefix for ${object}`);
    return `${prefix}_${object === 'checkout.session' ? `a1${randomText(56)}` : `1${randomText(23)}`}`;
  }

  /** Creates and stores an object with every key that Stripe always sends. */
  make<Kind extends StripeObject>(object: string, values: Partial<Kind> & Record<string, unknown>): Kind {
    const id = values.id ?? this.newId(object);
    const empty = blank(object);
    const usual = { metadata: {}, created: this.now(), livemode: false };
    for (const [key, value] of Object.entries(usual)) if (key in empty) empty[key] = value;
    const created = { ...empty, ...values, id, object };
    this.put(created);
    return created as unknown as Kind;
  }

  put(object: StripeObject | (Record<string, unknown> & { id: string; object: string })): void {
    let table = this.tables.get(object.object);
    if (!table) this.tables.set(object.object, (table = new Map<string, StripeObject>()));
    table.set(object.id, object as StripeObject);
    this.onChange();
  }

  remove(object: StripeObject): void {
    this.tables.get(object.object)?.delete(object.id);
    this.onChange();
  }

  find<Kind extends StripeObject>(object: string, id: string): Kind | undefined {
    return this.tables.get(object)?.get(id) as Kind | undefined;
  }

  /** @param param name of the parameter with the id, for the refusal; undefined when the id is in the path */
  get<Kind extends StripeObject>(object: string, id: string, param?: string): Kind {
    const found = this.find<Kind>(object, id);
    if (!found) throw missing(object, id, param);
    return found;
  }

  /** Newest first. */
  all<Kind extends StripeObject>(object: string, where: (item: Kind) => boolean = () => true): Kind[] {
    const items = [...(this.tables.get(object)?.values() ?? [])] as Kind[];
    return items.filter(where).reverse();
  }

  byAnyId(id: string): StripeObject | undefined {
    for (const table of this.tables.values()) {
      const found = table.get(id);
      if (found) return found;
    }
    return undefined;
  }

  /** Internal notes on an object, which the API does not show. */
  notes<Notes extends object>(id: string): Partial<Notes> {
    let notes = this.noted.get(id);
    if (!notes) this.noted.set(id, (notes = {}));
    return notes as Partial<Notes>;
  }

  /** Applies changes. When a top-level member differs afterwards, it emits the event `type` with the previous values. */
  change<Kind extends StripeObject>(object: Kind, patch: Partial<Kind> & Record<string, unknown>, type?: string): Kind {
    const previous: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(patch)) {
      const before: unknown = object[key];
      if (JSON.stringify(before) === JSON.stringify(value)) continue;
      previous[key] = before === undefined ? null : structuredClone(before);
    }
    Object.assign(object, patch);
    this.onChange();
    if (type && Object.keys(previous).length > 0) this.emit(type, object, previous);
    return object;
  }

  emit(type: string, object: StripeObject, previous?: Record<string, unknown>): StripeEvent {
    const customer = object.object === 'customer' ? object.id : (object['customer'] as string | null | undefined);
    const event: StripeEvent = {
      id: this.newId('event'),
      object: 'event',
      api_version: apiVersion,
      created: this.now(customer),
      data: { object: structuredClone(object), ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 0,
      request: { ...this.request },
      type,
    };
    this.events.push(event);
    this.onEvent(event);
    this.onChange();
    return event;
  }

  /** Moves all stored times of one customer into the past. To the product it looks as if that much time had passed. */
  shift(customerId: string, seconds: number): void {
    for (const table of this.tables.values()) {
      for (const object of table.values()) {
        if (object.id !== customerId && object['customer'] !== customerId && !this.belongsTo(object, customerId)) continue;
        shiftTimes(object, seconds);
        if (object.object === 'subscription') moveBillingAnchor(object as Subscription);
        const notes = this.noted.get(object.id);
        if (notes) shiftTimes(notes, seconds);
      }
    }
    this.onChange();
  }

  private belongsTo(object: StripeObject, customerId: string): boolean {
    const invoice = object.object === 'invoice_payment' ? this.find('invoice', object['invoice'] as string) : undefined;
    return invoice?.['customer'] === customerId;
  }

  reset(): void {
    this.tables.clear();
    this.noted.clear();
    this.events = [];
    this.secrets.clear();
    this.settings = defaultSettings();
    this.onChange();
  }

  snapshot(): WorldSnapshot {
    return {
      objects: [...this.tables.values()].flatMap((table) => [...table.values()]),
      notes: Object.fromEntries(this.noted),
      events: this.events.slice(-2_000),
      secrets: Object.fromEntries(this.secrets),
      settings: this.settings,
    };
  }

  load(snapshot: WorldSnapshot): void {
    this.reset();
    for (const object of snapshot.objects) this.put(object);
    this.noted = new Map(Object.entries(snapshot.notes));
    this.events = snapshot.events;
    this.secrets = new Map(Object.entries(snapshot.secrets));
    this.settings = { ...defaultSettings(), ...snapshot.settings };
  }
}

/** Months differ in length, so after a shift the billing anchor moves to the end of the current period; else periods would gain or lose days. */
function moveBillingAnchor(subscription: Subscription): void {
  const [item] = subscription.items.data;
  if (item) subscription.billing_cycle_anchor = item.current_period_end;
}

function shiftTimes(value: unknown, seconds: number): void {
  if (typeof value !== 'object' || value === null) return;
  const place = value as Record<string, unknown>;
  for (const [key, member] of Object.entries(place)) {
    // Prices belong to the catalogue, so their times do not move with a customer.
    if (key === 'price' || key === 'metadata') continue;
    if (isTime(key, member)) place[key] = member - seconds;
    else shiftTimes(member, seconds);
  }
}
