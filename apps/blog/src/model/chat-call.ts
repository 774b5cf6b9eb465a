import OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionCreateParamsNonStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { BrokenAnswerError } from './failures.js';
import type { Features } from './server-features.js';
import { type CallTimeouts, StreamWatch } from './stream-watch.js';
import type { Usage } from './spending.service.js';
import { estimateTokens } from './token-estimate.js';

export interface ChatRequest {
  model: string;
  messages: ChatCompletionMessageParam[];
  maxOutputTokens: number;
  responseFormat?: ChatCompletionCreateParamsNonStreaming['response_format'];
  timeouts: CallTimeouts;
  /** The same for a repetition of the same call, by which a server may recognise it. */
  idempotencyKey: string;
  signal?: AbortSignal | undefined;
}

export interface ChatAnswer {
  text: string;
  /** `stop`; `length`: cut at its limit; `refused`: by a content filter or by the model itself. */
  end: 'stop' | 'length' | 'refused';
  usage: Usage;
}

const endOf = (reason: string | null | undefined, refusal: string | null | undefined): ChatAnswer['end'] =>
  refusal || reason === 'content_filter' ? 'refused' : reason === 'length' ? 'length' : 'stop';

export const textsOf = (messages: readonly ChatCompletionMessageParam[]): string[] =>
  messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content ?? '')));

function usageOf(
  usage: { prompt_tokens?: number; completion_tokens?: number } | null | undefined,
  request: ChatRequest,
  text: string,
): Usage {
  const [input, output] = [usage?.prompt_tokens, usage?.completion_tokens];
  if (typeof input === 'number' && typeof output === 'number' && input + output > 0) {
    return { inputTokens: input, outputTokens: output, isEstimated: false };
  }
  return { inputTokens: estimateTokens(textsOf(request.messages)), outputTokens: estimateTokens([text]), isEstimated: true };
}

const bodyOf = (request: ChatRequest, features: Features) => ({
  model: request.model,
  messages: request.messages,
  ...(features.knowsCompletionTokens ? { max_completion_tokens: request.maxOutputTokens } : { max_tokens: request.maxOutputTokens }),
  ...(request.responseFormat ? { response_format: request.responseFormat } : {}),
});

/** One call, never repeated by the client itself. @throws whatever the client throws, or BrokenAnswerError */
export async function completeChat(client: OpenAI, request: ChatRequest, features: Features): Promise<ChatAnswer> {
  const watch = new StreamWatch(request.timeouts, request.signal);
  try {
    const answer = (await client
      .withOptions({ fetch: watch.fetch })
      .chat.completions.create(
        { ...bodyOf(request, features), stream: false },
        { signal: watch.signal, maxRetries: 0, timeout: request.timeouts.totalMs, headers: { 'idempotency-key': request.idempotencyKey } },
      )) as ChatCompletion | string | null;
    // The client returns the text of a page that a proxy sent with status 200.
    const choice = typeof answer === 'object' && Array.isArray(answer?.choices) ? answer.choices[0] : undefined;
    if (typeof answer !== 'object' || !choice) throw new BrokenAnswerError('the answer is no completion', { mayCost: false });
    const { content, refusal } = choice.message ?? {};
    const text = content ?? '';
    return { text, end: endOf(choice.finish_reason, refusal), usage: usageOf(answer?.usage, request, text) };
  } finally {
    watch.stop();
  }
}

/**
 * One streamed call.
 * @param onText called with the whole text so far
 * @throws BrokenAnswerError when the stream ends without saying how; its text so far is charged
 */
export async function streamChat(
  client: OpenAI,
  request: ChatRequest,
  features: Features,
  onText: (text: string) => void,
): Promise<ChatAnswer> {
  const watch = new StreamWatch(request.timeouts, request.signal);
  let [text, refusal] = ['', ''];
  let finish: string | null = null;
  let usage: OpenAI.CompletionUsage | null | undefined;
  try {
    const stream = await client
      .withOptions({ fetch: watch.fetch })
      .chat.completions.create(
        { ...bodyOf(request, features), stream: true, ...(features.knowsStreamOptions ? { stream_options: { include_usage: true } } : {}) },
        { signal: watch.signal, maxRetries: 0, timeout: request.timeouts.totalMs, headers: { 'idempotency-key': request.idempotencyKey } },
      );
    for await (const chunk of stream) {
      usage = chunk.usage ?? usage;
      const choice = chunk.choices?.[0];
      refusal += choice?.delta?.refusal ?? '';
      finish = choice?.finish_reason ?? finish;
      const added = choice?.delta?.content ?? '';
      if (added === '') continue;
      text += added;
      onText(text);
    }
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new BrokenAnswerError(String(error)), { received: text });
  } finally {
    watch.stop();
  }
  // An aborted stream ends without an error.
  if (finish === null) {
    const reason = watch.reason instanceof Error ? watch.reason.message : 'the stream was cut';
    throw Object.assign(new BrokenAnswerError(reason), { received: text });
  }
  return { text, end: endOf(finish, refusal), usage: usageOf(usage, request, text) };
}

/** What a stream had sent when it broke. */
export const receivedBefore = (error: unknown): string | undefined => {
  const received = typeof error === 'object' && error !== null && 'received' in error ? error.received : undefined;
  return typeof received === 'string' ? received : undefined;
};
