import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallKind } from '../state/fault-kinds.js';
import type { Fault } from '../state/faults.js';
import type { LedgerEntry } from '../state/ledger.js';
import type { ModelState } from '../state/model-state.js';
import { ApiRefusal } from './errors.js';
import { pageBy, refusalBy } from './refuse.js';
import { Sending } from './sending.js';

/** A request for a text or a picture. */
export type CallRequest = FastifyRequest<{ Body: Record<string, unknown> }>;

/** Opens the ledger's entry of a request, lets `answer` answer it, and records a refusal. */
export async function recordedCall(
  state: ModelState,
  request: CallRequest,
  about: Pick<LedgerEntry, 'call' | 'schemaName' | 'isStreamed'>,
  answer: (entry: LedgerEntry) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const model = request.body?.['model'];
  const key = request.headers['idempotency-key'];
  const entry = state.ledger.open({
    id: `req_${randomBytes(12).toString('hex')}`,
    at: Date.now(),
    model: typeof model === 'string' ? model : null,
    idempotencyKey: typeof key === 'string' ? key : null,
    body: request.body,
    ...about,
  });
  try {
    return await answer(entry);
  } catch (error) {
    entry.outcome = 'refused';
    entry.status = error instanceof ApiRefusal ? error.status : 400;
    throw error;
  }
}

/**
 * Looks for a scripted fault of a call, before its answer is made.
 * @returns undefined when the fault has answered the call, or cut its connection
 * @throws ApiRefusal when the fault is a refusal
 */
export function meetFault(
  state: ModelState,
  call: CallKind,
  body: Record<string, unknown>,
  reply: FastifyReply,
  entry: LedgerEntry,
): { fault: Fault | undefined; sending: Sending } | undefined {
  const fault = state.faults.meet(call, JSON.stringify(body));
  entry.fault = fault?.kind ?? null;
  const sending = new Sending(reply, entry, fault, state.released);
  if (fault?.kind === 'reset') {
    sending.cut();
    return undefined;
  }
  const refusal = fault && refusalBy(fault, call, body);
  if (refusal) throw refusal;
  const page = fault && pageBy(fault);
  if (page) {
    entry.outcome = 'broken';
    entry.status = page.status;
    void reply.status(page.status).type('text/html').send(page.html);
    return undefined;
  }
  return { fault, sending };
}
