import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { textOf } from '../requests/messages.js';
import type { Fault } from '../state/faults.js';
import type { LedgerEntry, Usage } from '../state/ledger.js';
import type { ModelState } from '../state/model-state.js';
import { strictProblem } from '../structured/json-schema.js';
import { requireKey, requireModel, requireParameters } from './access.js';
import { compose, type Said, spoiled, tokensOf, within } from './compose.js';
import { invalidRequest } from './errors.js';
import { meetFault, recordedCall } from './recorded-call.js';
import { chatParameters, type ChatRequest, chatRequest } from './requests.js';
import { Sending } from './sending.js';

/** Tokens that a message costs beside its text. */
const messageOverhead = 3;
/** Length of the pieces of a stream, in characters. */
const pieceLength = 16;

/** `POST /v1/chat/completions`, in one piece or streamed. */
export function chatCompletions(app: FastifyInstance, state: ModelState): void {
  app.post<{ Body: Record<string, unknown> }>('/v1/chat/completions', (request, reply) => {
    const body = request.body ?? {};
    const { stream, response_format: format } = body as Partial<ChatRequest>;
    const schemaName = format?.type === 'json_schema' ? (format.json_schema?.name ?? null) : null;
    return recordedCall(state, request, { call: 'chat', schemaName, isStreamed: stream === true }, (entry) =>
      answer(state, request, reply, body, entry),
    );
  });
}

async function answer(
  state: ModelState,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Record<string, unknown>,
  entry: LedgerEntry,
): Promise<FastifyReply> {
  requireKey(request);
  const parsed = chatRequest.parse(body);
  requireModel(parsed.model);
  requireParameters(body, chatParameters, state.settings);
  requireFormat(parsed, state);

  const met = meetFault(state, 'chat', body, reply, entry);
  if (!met) return reply;
  const { fault, sending } = met;

  const said = spoiled(within(parsed.max_completion_tokens ?? parsed.max_tokens, compose(parsed, state.seed)), fault?.kind);
  const usage: Usage = {
    promptTokens: parsed.messages.reduce((sum, message) => sum + tokensOf(textOf(message)) + messageOverhead, 0),
    completionTokens: tokensOf(said.content ?? said.refusal ?? ''),
  };
  await Sending.watching(entry, async () => {
    await sending.waitFirst();
    if (parsed.stream) await stream(state, parsed, said, usage, sending, entry, fault);
    else await whole(state, parsed, said, usage, sending, entry, fault);
  });
  return reply;
}

/** Sends the answer as one JSON body. */
async function whole(
  state: ModelState,
  { model }: ChatRequest,
  said: Said,
  usage: Usage,
  sending: Sending,
  entry: LedgerEntry,
  fault: Fault | undefined,
): Promise<void> {
  // The provider charges a text once it is written, whether or not it arrives.
  entry.usage = usage;
  await sending.pause(msFor(usage.completionTokens, state));
  const text = JSON.stringify({
    ...envelope('chat.completion', model),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: said.content, refusal: said.refusal, annotations: [] },
        logprobs: null,
        finish_reason: said.finishReason,
      },
    ],
    ...(fault?.kind === 'no-usage' ? {} : { usage: wireUsage(usage) }),
  });
  const length = String(Buffer.byteLength(text));
  const pieces = text.match(/[\s\S]{1,400}/g) ?? [];
  await sending.send({ 'content-type': 'application/json', 'content-length': length }, pieces, () => Promise.resolve());
}

/** Sends the answer as server-sent events, with the usage last when the client asked for it. */
async function stream(
  state: ModelState,
  { model, stream_options: options }: ChatRequest,
  said: Said,
  usage: Usage,
  sending: Sending,
  entry: LedgerEntry,
  fault: Fault | undefined,
): Promise<void> {
  const asksUsage = options?.include_usage === true && fault?.kind !== 'no-usage';
  const head = envelope('chat.completion.chunk', model);
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const chunk = (delta: Record<string, unknown>, finishReason: string | null = null) =>
    event({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(asksUsage ? { usage: null } : {}),
    });
  const name = said.content === null ? 'refusal' : 'content';
  const texts = (said.content ?? said.refusal ?? '').match(new RegExp(`[\\s\\S]{1,${pieceLength}}`, 'g')) ?? [];
  const pieces = [
    chunk({ role: 'assistant', content: said.content === null ? null : '', refusal: null }),
    ...texts.map((text) => chunk({ [name]: text })),
    chunk({}, said.finishReason),
    ...(asksUsage ? [event({ ...head, choices: [], usage: wireUsage(usage) })] : []),
    'data: [DONE]\n\n',
  ];
  const tokensPerPiece = tokensOf(' '.repeat(pieceLength));
  entry.usage = { ...usage, completionTokens: 0 };
  await sending.send({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }, pieces, async (index) => {
    entry.usage = { ...usage, completionTokens: Math.min(usage.completionTokens, index * tokensPerPiece) };
    await sending.pause(msFor(tokensPerPiece, state));
  });
}

/** How long the model writes so many tokens, in ms. */
function msFor(tokens: number, { settings: { tokensPerSecond } }: ModelState): number {
  return tokensPerSecond > 0 ? (tokens / tokensPerSecond) * 1_000 : 0;
}

const envelope = (object: string, model: string) => ({
  id: `chatcmpl-${randomBytes(12).toString('hex')}`,
  object,
  created: Math.floor(Date.now() / 1_000),
  model,
  service_tier: 'default',
  system_fingerprint: 'fp_sandbox',
});

const wireUsage = ({ promptTokens, completionTokens }: Usage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
});

/** Checks the wanted form of the answer as OpenAI does, and as servers do that know fewer forms. */
function requireFormat({ response_format: format, messages }: ChatRequest, { settings: { responseFormats } }: ModelState): void {
  if (!format) return;
  if (!responseFormats.includes(format.type))
    throw invalidRequest(
      `'response_format.type' must be one of ${responseFormats.map((each) => `'${each}'`).join(', ')}`,
      'response_format',
      'unsupported_value',
    );
  if (format.type === 'json_object' && !messages.some((message) => /json/i.test(textOf(message))))
    throw invalidRequest(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      'messages',
      null,
    );
  if (format.type !== 'json_schema') return;
  const { name, strict, schema } = format.json_schema;
  const problem = strict ? strictProblem(schema ?? {}) : undefined;
  if (problem) throw invalidRequest(`Invalid schema for response_format '${name}': ${problem}`, 'response_format');
}
