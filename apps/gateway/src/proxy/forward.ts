import { type Caller, callerHeader, clientAddressHeaders, signCaller } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pTimeout from 'p-timeout';
import { type Dispatcher, errors } from 'undici';
import { declaredLength, hasBody, RequestBody, type MinimumRate } from './request-body.js';
import type { ServiceAgent } from './service-agent.js';

/** Headers that belong to one connection, and headers that only the gateway may set. */
const droppedRequestHeaders: ReadonlySet<string> = new Set([
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
const droppedResponseHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'x-powered-by',
  'set-cookie',
  'access-control-allow-origin', // CORS is the gateway's
  'access-control-expose-headers',
]);

/** An answer of up to this length is sent in one piece: a stream costs more than such a body. */
const shortBodyBytes = 64 * 1024;

/** A client that reads nothing of an answer for this time is disconnected. */
const defaultStalledReaderMs = 60_000;

export interface ForwardOptions {
  agent: ServiceAgent;
  serviceUrl: string;
  /** Null when the service checks tokens itself (identity): then the client's own headers are forwarded. */
  caller: Caller | null;
  signingKey: string;
  clientAddress: string;
  /** Added to the answer. */
  responseHeaders?: Record<string, string>;
  /** The largest body. Default: bodies are not forwarded. */
  maxBodyBytes?: number;
  /** How long the service may take to begin its answer after the last chunk of the body, the wait for a free connection included. */
  headersTimeoutMs: number;
  /** A read of this address has no side effects: it is sent again when the connection breaks. Default: false */
  isReadRepeatable?: boolean;
  /** The slowest rate of a body that is accepted. */
  minimumRate?: MinimumRate | undefined;
  /** How long the client may read nothing of the answer. Default: a minute */
  stalledReaderMs?: number;
}

/**
 * Forwards a request to a service, streaming both bodies unchanged; only a short answer is read before it is sent, in one piece. Rejects when
 * the service cannot be reached or does not begin to answer in time, and with the errors of `RequestBody`. When the client disconnects or stops
 * reading, the request to the service is aborted too.
 * @returns status of the answer
 */
export async function forward(request: FastifyRequest, reply: FastifyReply, options: ForwardOptions): Promise<number> {
  const abort = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // The timeout of the agent begins when it has a free connection, and a request that waits for one cannot be aborted. So this one begins here.
  const timeout = setTimeout(() => abort.abort(new errors.HeadersTimeoutError()), options.headersTimeoutMs);
  const { maxBodyBytes } = options;
  const body =
    maxBodyBytes !== undefined && !isRead && hasBody(request.raw)
      ? new RequestBody(request.raw, {
          maxBytes: maxBodyBytes,
          onProgress: () => timeout.refresh(),
          minimumRate: options.minimumRate,
        })
      : null;
  const headers = headersFor(request, options, body !== null);
  const sent = options.agent.request({
    origin: options.serviceUrl,
    path: request.raw.url ?? '/',
    method: request.method,
    headers,
    body,
    headersTimeout: options.headersTimeoutMs,
    signal: abort.signal,
    isRepeatable: isRead && (options.isReadRepeatable ?? false),
  });
  // No fixed time limit: `timeout` is refreshed while the body is sent, and ends the wait by the signal.
  const answer = await pTimeout(sent, { milliseconds: Number.POSITIVE_INFINITY, signal: abort.signal }).finally(() =>
    clearTimeout(timeout),
  );
  const payload = (await shortBody(request.method, answer)) ?? answer.body;
  // Neither Node nor undici times out an answer that is paused because the client does not read.
  reply.raw.setTimeout(options.stalledReaderMs ?? defaultStalledReaderMs, () => reply.raw.destroy());
  void reply.status(answer.statusCode);
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !droppedResponseHeaders.has(name)) void reply.header(name, value);
  void reply.headers(options.responseHeaders ?? {});
  await reply.send(payload);
  return answer.statusCode;
}

/** The body of an answer that declares a short one; undefined for every other answer. */
async function shortBody(method: string, { statusCode, headers, body }: Dispatcher.ResponseData): Promise<Buffer | undefined> {
  const length = headers['content-length'];
  if (typeof length !== 'string' || method === 'HEAD' || statusCode === 304 || !(Number(length) <= shortBodyBytes)) return undefined;
  return Buffer.from(await body.arrayBuffer());
}

/** The client's headers, with the caller and the client's address signed by the gateway (decision 0001). */
function headersFor(
  request: FastifyRequest,
  { caller, clientAddress, signingKey }: ForwardOptions,
  withBody: boolean,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !droppedRequestHeaders.has(name) && !name.startsWith('x-decola-')) headers[name] = value;
  headers['x-request-id'] = request.id;
  Object.assign(headers, clientAddressHeaders(clientAddress, signingKey));
  if (caller) {
    headers[callerHeader] = signCaller(caller, signingKey);
    delete headers['authorization'];
    delete headers['apikey'];
  }
  const length = declaredLength(request.raw);
  if (withBody && length !== undefined) headers['content-length'] = String(length);
  return headers;
}
