import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorBody, refusalOfParameters, StripeRefusal } from '../objects/errors.js';
import { expanded, type Includables } from '../objects/expand.js';
import { decodeForm, type Parameters } from '../objects/form.js';
import { answerProblem, apiVersion, requestProblems } from '../objects/schema.js';
import { randomText, type World } from '../objects/world.js';
import type { Handler } from './routes/parameters.js';

/** A fault that a test orders through the control interface. */
export interface Fault {
  method?: string;
  /** A substring of the path; without it every path matches. */
  path?: string;
  /** Number of requests that it hits. */
  times: number;
  /** `before`: the request has no effect. `after`: it takes effect, and the answer is lost. */
  when: 'before' | 'after';
  status?: number;
  error?: Partial<ErrorBody>;
  /** Sent literally in place of an error object: for answers without `error` or that are not JSON. */
  body?: string;
  latency_ms?: number;
  /** Closes the connection without an answer. */
  cut?: boolean;
  /** Stores the failure under the request's idempotency key, as Stripe does: a repeat gets the same failure. */
  kept?: boolean;
}

export interface LoggedRequest {
  id: string;
  method: string;
  path: string;
  status: number;
  idempotencyKey: string | null;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

interface Remembered {
  fingerprint: string;
  answer?: { status: number; body: string };
}

const maxLoggedRequests = 5_000;

interface CompiledRoute {
  method: string;
  template: string;
  pattern: RegExp;
  names: string[];
  handler: Handler;
}

function compile(key: string, handler: Handler): CompiledRoute {
  const [method = '', template = ''] = key.split(' ');
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`);
  return { method, template, pattern, names, handler };
}

/** The HTTP side of the API: API keys, versions, parameters, idempotency, expansion, errors and the schema check of every answer. */
export class Api {
  faults: Fault[] = [];
  requests: LoggedRequest[] = [];
  private remembered = new Map<string, Remembered>();
  private readonly routes: CompiledRoute[];

  constructor(
    private readonly world: World,
    handlers: Record<string, Handler>,
    private readonly extra: Includables,
    private readonly log: (line: Record<string, unknown>) => void,
  ) {
    // Routes with fewer placeholders first, so that `/v1/invoices/create_preview` is found before `/v1/invoices/{id}`.
    this.routes = Object.entries(handlers)
      .map(([key, handler]) => compile(key, handler))
      .sort((a, b) => a.names.length - b.names.length);
  }

  register(app: FastifyInstance): void {
    app.all('/v1/*', (request, reply) => this.serve(request, reply));
    app.all('/v1', (request, reply) => this.serve(request, reply));
    app.all('/v2/*', (request, reply) => this.serve(request, reply));
  }

  reset(): void {
    this.faults = [];
    this.requests = [];
    this.remembered.clear();
  }

  private async serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = `req_${randomText(14)}`;
    const [path = '', query = ''] = request.url.split('?', 2);
    const body = typeof request.body === 'string' ? request.body : '';
    const key = header(request, 'idempotency-key');
    reply.headers({
      'request-id': id,
      'stripe-version': apiVersion,
      ...(request.method === 'POST' && key ? { 'idempotency-key': key } : {}),
    });
    const fault = this.takeFault(request.method, path);
    if (fault?.latency_ms) await new Promise((resolve) => setTimeout(resolve, fault.latency_ms));
    if (fault?.when === 'before') return this.fail(fault, request, reply, id, path);
    const { status, text, replayed } = this.answer(request, id, path, query, body, key);
    if (replayed) reply.header('idempotent-replayed', 'true');
    this.note({ id, method: request.method, path, status, idempotencyKey: key ?? null, body, at: Date.now() });
    if (fault) return this.fail(fault, request, reply, id, path);
    return reply.status(status).type('application/json').send(text);
  }

  private note(line: LoggedRequest): void {
    this.requests.push(line);
    if (this.requests.length > maxLoggedRequests) this.requests.shift();
    this.log({ requestId: line.id, method: line.method, path: line.path, status: line.status });
  }

  private takeFault(method: string, path: string): Fault | undefined {
    const index = this.faults.findIndex(
      (fault) => (!fault.method || fault.method === method) && (!fault.path || path.includes(fault.path)),
    );
    const fault = this.faults[index];
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) this.faults.splice(index, 1);
    return fault;
  }

  private fail(fault: Fault, request: FastifyRequest, reply: FastifyReply, id: string, path: string): FastifyReply {
    const status = fault.status ?? 500;
    if (fault.when === 'before') this.note({ id, method: request.method, path, status, idempotencyKey: null, body: '', at: Date.now() });
    if (fault.cut) {
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    if (fault.body !== undefined)
      return reply
        .status(status)
        .type(fault.body.startsWith('<') ? 'text/html' : 'application/json')
        .send(fault.body);
    const type = status === 429 ? 'invalid_request_error' : 'api_error';
    const text = JSON.stringify({ error: { type, message: 'An error occurred (ordered by a test).', ...fault.error } });
    const key = header(request, 'idempotency-key');
    if (fault.kept && key && request.method === 'POST') {
      const body = typeof request.body === 'string' ? request.body : '';
      this.remembered.set(key, { fingerprint: fingerprintOf(request.method, path, body), answer: { status, body: text } });
    }
    return reply.status(status).type('application/json').send(text);
  }

  private answer(
    request: FastifyRequest,
    id: string,
    path: string,
    query: string,
    body: string,
    key: string | undefined,
  ): { status: number; text: string; replayed?: boolean } {
    try {
      this.admit(request);
      const route = this.routes.find(({ method, pattern }) => method === request.method && pattern.test(path));
      if (!route) throw unrecognized(request.method, path);
      const [, ...values] = route.pattern.exec(path) ?? [];
      const places = Object.fromEntries(route.names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
      const parameters = decodeForm(request.method === 'POST' ? body : query);
      const remember = request.method === 'POST' && key !== undefined;
      const fingerprint = fingerprintOf(request.method, path, body);
      if (remember) {
        if (key.length > 255)
          throw new StripeRefusal(400, { type: 'idempotency_error', message: 'Idempotency keys may be at most 255 characters long.' });
        const known = this.remembered.get(key);
        if (known && known.fingerprint !== fingerprint) throw reusedKey(key);
        if (known?.answer) return { status: known.answer.status, text: known.answer.body, replayed: true };
      }
      const problems = requestProblems(request.method, route.template, parameters);
      if (problems.length > 0) throw refusalOfParameters(problems);
      const result = this.run(route.handler, places, parameters, { id, idempotency_key: key ?? null });
      if (remember && result.remember) this.remembered.set(key, { fingerprint, answer: { status: result.status, body: result.text } });
      return result;
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return { status: error.status, text: JSON.stringify({ error: { ...error.body, request_log_url: `/_emulator/requests/${id}` } }) };
    }
  }

  private run(
    handler: Handler,
    places: Record<string, string>,
    parameters: Parameters,
    origin: World['request'],
  ): { status: number; text: string; remember: boolean } {
    const { expand = [], ...rest } = parameters as { expand?: string[] };
    this.world.request = origin;
    try {
      const body = expanded(this.world, this.extra, handler(places, rest), expand);
      return this.checked(200, body, true);
    } catch (error) {
      if (error instanceof StripeRefusal)
        return this.checked(
          error.status,
          { error: { ...error.body, request_log_url: `/_emulator/requests/${origin.id}` } },
          !error.byValidation,
        );
      this.log({ level: 'error', message: error instanceof Error ? error.stack : String(error) });
      return this.checked(500, { error: { type: 'api_error', message: 'The stand-in failed; see its log.' } }, true);
    } finally {
      this.world.request = { id: null, idempotency_key: null };
    }
  }

  /** Checks the answer against Stripe's schema in strict form; an answer that breaks it is a bug of the stand-in and becomes a 500. */
  private checked(status: number, body: unknown, remember: boolean): { status: number; text: string; remember: boolean } {
    const problem = answerProblem(body);
    if (!problem) return { status, text: JSON.stringify(body), remember };
    this.log({ level: 'error', message: `the answer breaks Stripe's schema: ${problem}` });
    return {
      status: 500,
      text: JSON.stringify({ error: { type: 'api_error', message: `The stand-in broke Stripe's schema: ${problem}` } }),
      remember: false,
    };
  }

  private admit(request: FastifyRequest): void {
    const authorization = header(request, 'authorization') ?? '';
    const basic = /^Basic (.+)$/i.exec(authorization)?.[1];
    const key = basic ? Buffer.from(basic, 'base64').toString('utf8').split(':', 1)[0] : /^Bearer (.+)$/i.exec(authorization)?.[1];
    if (!key)
      throw new StripeRefusal(401, {
        type: 'invalid_request_error',
        message: 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
      });
    if (!/^(sk|rk)_test_\w+/.test(key))
      throw new StripeRefusal(401, {
        type: 'invalid_request_error',
        message: /^(sk|rk)_live_/.test(key)
          ? 'A live key was sent to a stand-in. It is refused.'
          : `Invalid API Key provided: ${key.slice(0, 8)}****`,
      });
    const version = header(request, 'stripe-version');
    if (version && version !== apiVersion)
      throw new StripeRefusal(400, {
        type: 'invalid_request_error',
        message: `Invalid Stripe API version: ${version}. This stand-in speaks ${apiVersion} only.`,
      });
  }
}

function fingerprintOf(method: string, path: string, body: string): string {
  return createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex');
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function unrecognized(method: string, path: string): StripeRefusal {
  return new StripeRefusal(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  });
}

function reusedKey(key: string): StripeRefusal {
  return new StripeRefusal(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}
