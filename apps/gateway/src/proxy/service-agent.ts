import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { metrics } from '@decola/service-kit';
import { Counter } from 'prom-client';
import { Agent, type Dispatcher } from 'undici';
import type { RequestBody } from './request-body.js';

const repeated = new Counter({
  name: 'gateway_repeated_requests_total',
  help: 'Requests to services that were sent again, by reason: the connection was refused (every time), or broke before the answer',
  labelNames: ['reason'],
  registers: [metrics],
});

/** Connections to one service. A client that reads slowly holds one while others wait, so there are many. */
const maxConnections = 512;

/**
 * An unused connection is closed from this side after this time, whatever the service offers. A service that stops keeps serving for longer
 * (`DRAIN_MS`) and closes each connection with its next answer, so no request is sent on a connection that the service is closing.
 */
const keepAliveMs = 4_000;

/**
 * How long new connections are tried while they are refused. A cluster distributes connections over replicas at random, and removes the address of one
 * that died after a second or two: until then every other connection may be refused.
 */
const connectPatienceMs = 3_000;
const [firstPauseMs, longestPauseMs] = [25, 250];

const pauseMs = (refusals: number) => Math.min(firstPauseMs * 2 ** (refusals - 1), longestPauseMs);

/** The connection broke before the answer began. The service may or may not have handled the request. */
const brokenConnectionErrors: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Whether there was no connection, so that the request was not sent. The system call decides, not the code: a connection that is in use can also end
 * with EHOSTUNREACH.
 */
function isUnsent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnsent); // one error for each address of a name
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

function isBroken(error: unknown): boolean {
  return brokenConnectionErrors.has((error as { code?: unknown } | null)?.code);
}

/** Resolves a name to all its addresses, as `dns.lookup` does with `all`. */
export type ResolveAll = (
  hostname: string,
  options: dns.LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/** Replicas may be several addresses of one name (Compose). Resolvers sort them, so they are mixed for each connection; Node tries them in turn. */
const mixing =
  (resolveAll: ResolveAll): LookupFunction =>
  (hostname, options, done) =>
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const mixed = addresses.map((each) => ({ ...each, place: Math.random() })).sort((a, b) => a.place - b.place);
      if (options.all) done(null, mixed);
      else done(null, mixed[0]!.address, mixed[0]!.family);
    });

export interface ServiceRequest extends Omit<Dispatcher.RequestOptions, 'body' | 'origin'> {
  origin: string;
  body?: string | RequestBody | null;
  /** A read without side effects: it is sent a second time when the connection breaks before the answer begins. Default: false */
  isRepeatable?: boolean;
}

export interface ServiceAgentOptions {
  headersTimeoutMs: number;
  connections?: number;
  /** Default: the system's resolver */
  resolveAll?: ResolveAll;
}

/** Sends requests to the services over kept connections, and sends again what a replica that is gone did not handle (decision 0062). */
export class ServiceAgent {
  private readonly kept: Agent;
  /** For second tries, one connection for each request: kept ones may lead to the replica that is gone. */
  private readonly fresh: Agent;

  constructor({ headersTimeoutMs, connections = maxConnections, resolveAll = dns.lookup }: ServiceAgentOptions) {
    const options = {
      connections,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: 120_000,
      connect: { timeout: 3_000, lookup: mixing(resolveAll) },
    };
    this.kept = new Agent({ ...options, keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs });
    this.fresh = new Agent({ ...options, pipelining: 0 });
  }

  /** @throws the error of the last try */
  async request({ isRepeatable = false, body = null, ...options }: ServiceRequest): Promise<Dispatcher.ResponseData> {
    const { signal } = options as { signal?: AbortSignal | null };
    const patientUntil = performance.now() + connectPatienceMs;
    const canSend = () => !signal?.aborted && (body === null || typeof body === 'string' || !body.isStarted);
    let agent = this.kept;
    let hasBroken = false;
    for (let refusals = 0; ;) {
      try {
        return await agent.request({ ...options, body: body === null || typeof body === 'string' ? body : body.stream() });
      } catch (error) {
        if (!canSend()) throw error;
        if (isUnsent(error) && (refusals === 0 || performance.now() < patientUntil)) {
          repeated.inc({ reason: 'refused' });
          // The first time at once: the address most likely leads to another replica now.
          if (refusals > 0) await sleep(pauseMs(refusals), undefined, signal ? { signal } : {}).catch(() => Promise.reject(error as Error));
          refusals += 1;
        } else if (isBroken(error) && isRepeatable && !hasBroken) {
          repeated.inc({ reason: 'broken' });
          hasBroken = true;
        } else throw error;
        agent = this.fresh;
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.kept.close(), this.fresh.close()]);
  }
}
