import { type Caller, callerHeader, signCaller } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Agent, errors } from 'undici';

/** Headers that belong to one connection, and those that only we may set. */
const notForwarded = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'proxy-authorization',
  'expect',
  'content-length',
  'cookie',
]);
const notReturned = new Set(['connection', 'keep-alive', 'transfer-encoding', 'x-powered-by', 'set-cookie']);

/** Most connections to one service. Each may be held by somebody who reads slowly, while all others wait for a free one. */
const mostConnections = 512;
/** A reader who takes nothing of an answer for so long gets no more of it. */
const readerSilenceMs = 60_000;

/** Connections to the services, kept open. */
export function createAgent(headersTimeout: number, connections = mostConnections): Agent {
  return new Agent({
    connections,
    keepAliveTimeout: 30_000,
    headersTimeout,
    bodyTimeout: 120_000,
    connect: { timeout: 3_000 },
  });
}

export interface ForwardOptions {
  agent: Agent;
  /** Address of the service. */
  address: string;
  /** Null leaves the caller to the service (identity checks tokens itself). */
  caller: Caller | null;
  signingKey: string;
  clientAddress: string;
  responseHeaders: Record<string, string>;
  /** How long the service may take to begin its answer, the wait for a free connection included. */
  headersTimeoutMs: number;
  /** How long the reader may take nothing of the answer. Default: a minute. */
  readerSilenceMs?: number;
}

/**
 * Passes a request on, its bytes untouched, and streams the answer back. Rejects when the service cannot be reached or does not begin to answer in
 * time. A client that goes away, or takes nothing of the answer for too long, ends the service's work too. @returns status of the answer
 */
export async function forward(request: FastifyRequest, reply: FastifyReply, options: ForwardOptions): Promise<number> {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !notForwarded.has(name) && !name.startsWith('x-decola-')) headers[name] = value;
  }
  headers['x-request-id'] = request.id;
  headers['x-decola-client-ip'] = options.clientAddress;
  if (options.caller) {
    headers[callerHeader] = signCaller(options.caller, options.signingKey);
    delete headers['authorization'];
    delete headers['apikey'];
  }
  const body = Buffer.isBuffer(request.body) ? request.body : null;
  const asked = options.agent.request({
    origin: options.address,
    path: request.raw.url ?? '/',
    method: request.method,
    headers,
    body: body && body.length > 0 ? body : null,
    signal: gone.signal,
  });
  // The agent's own time begins when a connection is free, and until then it does not hear that nobody waits any more.
  const tooLate = setTimeout(() => gone.abort(new errors.HeadersTimeoutError()), options.headersTimeoutMs);
  const answer = await Promise.race([asked, rejection(gone.signal)]).finally(() => clearTimeout(tooLate));
  // A paused answer has no time-out of its own.
  reply.raw.setTimeout(options.readerSilenceMs ?? readerSilenceMs, () => reply.raw.destroy());
  void reply.status(answer.statusCode);
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !notReturned.has(name)) void reply.header(name, value);
  void reply.headers(options.responseHeaders);
  await reply.send(answer.body);
  return answer.statusCode;
}

/** Rejects when the signal says so. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
}
