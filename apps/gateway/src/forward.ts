import { type Caller, callerHeader, signCaller } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Agent, type Dispatcher } from 'undici';

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

/** Connections to the services, kept open. */
export function createAgent(headersTimeout: number): Agent {
  return new Agent({
    connections: 128,
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
  /** How long the service may take to begin its answer. Default: that of the agent. */
  headersTimeoutMs?: number;
}

/**
 * Passes a request on, its bytes untouched, and streams the answer back. Rejects when the service cannot be reached or does not begin to answer in
 * time. A client that goes away ends the service's work too. @returns status of the answer
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
  const answer: Dispatcher.ResponseData = await options.agent.request({
    origin: options.address,
    path: request.raw.url ?? '/',
    method: request.method,
    headers,
    body: body && body.length > 0 ? body : null,
    signal: gone.signal,
    headersTimeout: options.headersTimeoutMs ?? null,
  });
  void reply.status(answer.statusCode);
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !notReturned.has(name)) void reply.header(name, value);
  void reply.headers(options.responseHeaders);
  await reply.send(answer.body);
  return answer.statusCode;
}
