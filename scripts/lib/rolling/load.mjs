/** Customers' requests at a fixed rate, as long as the machine keeps up, by a client that repeats nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';

const describe = (error) => String(error.code ?? error.cause?.code ?? error.message);

/** What a customer reads, in the order of the services. */
const reads = ({ userId, wheel }) => [
  '/rest/v1/profiles?select=user_id',
  '/rest/v1/subscription_plans?select=id',
  '/rest/v1/automations?select=id&limit=5',
  '/rest/v1/extracted_data?select=id&limit=5',
  '/rest/v1/prize_wheel_participations?select=id&limit=1',
  '/rest/v1/user_keywords?select=id&limit=5',
  '/auth/v1/user',
  `/rest/v1/subscriptions?select=id&user_id=eq.${userId}`,
  '/blog',
  new URL(wheel.link).pathname + new URL(wheel.link).search,
];

/** Functions that customers and visitors call. */
const calls = ({ userId, wheel }) => [
  ['/functions/v1/check-subscription', {}],
  ['/rest/v1/rpc/get_available_slots', { p_user_id: userId }],
  ['/functions/v1/prize-extractor', { automationId: wheel.id, token: wheel.token, action: 'state' }],
  ['/rest/v1/rpc/get_extracted_slots', { p_user_id: userId, p_allowed_types: ['auto-follow-unfollow'] }],
  ['/rest/v1/rpc/generate_random_token', {}],
];

/** Requests under way at once. A machine that does not keep up gets fewer a second: a queue that grows would end in time-outs that no restart caused. */
const mostOpen = 32;

export class Load {
  /** Of each request: `kind`, `method`, `path` without query, `outcome` (`ok`, a status or the code of an error). */
  requests = [];
  /** Names of rows whose insert was answered with success, by table; and of all that were sent. */
  written = { user_keywords: { sent: [], answered: [] }, automations: { sent: [], answered: [] } };
  /** How each stream of live changes ended. */
  streams = [];
  #open = new Set();
  #abort = new AbortController();
  #sessions = [];
  #dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  #count = 0;

  /** @param customers signed in: `email`, `password`, `userId`, `accessToken`; the first has a wheel */
  constructor({ name, url, publishableKey, customers, perSecond }) {
    Object.assign(this, { name, url, publishableKey, customers, perSecond });
    this.reads = reads(customers[0]);
    this.calls = calls(customers[0]);
  }

  start() {
    this.running = [this.#everyTick(), this.#slowWrites(), this.#liveStream(), this.#liveStream()];
  }

  /** Stops, and waits for the requests under way. */
  async stop() {
    this.#abort.abort();
    await Promise.all(this.running);
    await Promise.all(this.#open);
    await this.#dispatcher.destroy();
  }

  get failed() {
    return this.requests.filter(({ outcome }) => outcome !== 'ok');
  }

  async #everyTick() {
    const intervalMs = 1_000 / this.perSecond;
    const { signal } = this.#abort;
    for (let next = performance.now(); !signal.aborted;) {
      const now = performance.now();
      next = Math.max(next, now - 1_000);
      for (; next <= now && this.#open.size < mostOpen; next += intervalMs) this.#one(this.#count++);
      await wait(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Of 50 requests: one log-in, one refresh, six writes, six calls of functions; the others read. */
  #one(count) {
    const place = count % 50;
    if (place === 0) return this.#logIn();
    if (place === 25 && this.#sessions.length > 0) return this.#refresh(this.#sessions.shift());
    if (place % 16 === 5) return this.#write('user_keywords', { keyword: `${this.name} ${count}` }, `${this.name} ${count}`);
    if (place % 16 === 13) return this.#write('automations', this.#draft(`${this.name} ${count}`), `${this.name} ${count}`);
    if (place % 6 === 3) {
      const [path, body] = this.calls[Math.floor(count / 6) % this.calls.length];
      return this.#send('function', 'POST', path, body);
    }
    return this.#send('read', 'GET', this.reads[count % this.reads.length]);
  }

  #draft(name) {
    return { name, type: 'auto-follow-unfollow', configuration: {}, is_draft: true, is_active: false };
  }

  async #logIn() {
    const { email, password } = this.customers[0];
    const session = await this.#send('log-in', 'POST', '/auth/v1/token?grant_type=password', { email, password }, null);
    if (session) this.#sessions.push(session.refresh_token);
  }

  #refresh(token) {
    return this.#send('refresh', 'POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: token }, null);
  }

  /** In turn for each customer: how many rows they may have is limited. @param body its bytes, instead of the row's JSON */
  async #write(table, row, name, body = undefined) {
    const written = this.written[table];
    const customer = this.customers[written.sent.length % this.customers.length];
    const whole = { user_id: customer.userId, ...row };
    written.sent.push(name);
    const answer = await this.#send('write', 'POST', `/rest/v1/${table}`, body?.(JSON.stringify(whole)) ?? whole, customer);
    if (answer !== undefined) written.answered.push(name);
  }

  /** Always one request under way whose body takes three seconds to send. */
  async #slowWrites() {
    for (let number = 0; !this.#abort.signal.aborted; number += 1) {
      const keyword = `${this.name} devagar ${number}`;
      const body = async function* (text) {
        for (let from = 0; from < text.length; from += 16) {
          yield text.slice(from, from + 16);
          await wait(400);
        }
      };
      void this.#write('user_keywords', { keyword }, keyword, body);
      await wait(1_500, undefined, { signal: this.#abort.signal }).catch(() => undefined);
    }
  }

  /** A page that follows changes, and opens the stream again when it has ended. */
  async #liveStream() {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      let text = '';
      try {
        const answer = await this.#request('GET', '/live/v1', undefined, this.customers[0], signal);
        for await (const chunk of answer.body) text += chunk;
        this.streams.push(/event: bye\ndata: \{"reason":"(\w+)"\}/.exec(text)?.[1] ?? `cut after ${answer.statusCode}`);
      } catch (error) {
        if (!signal.aborted) this.streams.push(describe(error));
      }
      await wait(200, undefined, { signal }).catch(() => undefined);
    }
  }

  #request(method, path, body, customer, signal = null) {
    return this.#dispatcher.request({
      origin: this.url,
      path,
      method,
      headers: {
        apikey: this.publishableKey,
        ...(customer ? { authorization: `Bearer ${customer.accessToken}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : Symbol.asyncIterator in body ? body : JSON.stringify(body),
      signal,
    });
  }

  /** @returns what was answered; undefined when it failed */
  #send(kind, method, path, body, customer = this.customers[0]) {
    const one = this.#attempt(kind, method, path, body, customer);
    this.#open.add(one);
    void one.finally(() => this.#open.delete(one));
    return one;
  }

  async #attempt(kind, method, path, body, customer) {
    const began = performance.now();
    let outcome = 'ok';
    let answered;
    try {
      const { statusCode, body: answer } = await this.#request(method, path, body, customer);
      const text = await answer.text();
      if (statusCode >= 400) outcome = `${statusCode} ${text.slice(0, 200)}`;
      else answered = text.startsWith('{') ? JSON.parse(text) : text;
    } catch (error) {
      outcome = describe(error);
    }
    this.requests.push({
      kind,
      method,
      path: path.replace(/\?.*/, ''),
      outcome,
      ms: Math.round(performance.now() - began),
      at: new Date(),
    });
    return answered;
  }
}

/** Failed requests by kind, method and outcome. */
export function failuresByKind(failed) {
  const counts = {};
  for (const { kind, method, outcome } of failed) {
    const key = `${kind} ${method}: ${outcome.slice(0, 60)}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
