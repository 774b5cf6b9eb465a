import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock, CONFIG, Logger } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { z } from 'zod';
import type { BlogConfig } from '../config/config.js';
import { promptFrame } from '../texts/prompt-frame-texts.js';
import { type ChatAnswer, type ChatRequest, completeChat, receivedBefore, streamChat, textsOf } from './chat-call.js';
import { BrokenAnswerError, failureOf } from './failures.js';
import {
  BadAnswerError,
  CutAnswerError,
  ProviderBusyError,
  ProviderDownError,
  RefusedTopicError,
  RequestRefusedError,
} from './model.errors.js';
import { modelCalls } from './model-metrics.js';
import { type Features, ServerFeatures } from './server-features.js';
import { type CallOutcome, type CallPurpose, Spending, type Usage } from './spending.service.js';
import type { CallTimeouts } from './stream-watch.js';
import { formatAfter, parseAnswer, responseFormat, schemaInstruction, withoutThoughts } from './structured-answer.js';
import { throughOutage } from './through-outage.js';
import { estimateTokens } from './token-estimate.js';

interface Prompt {
  call: CallPurpose;
  /** What the model is to do. */
  instruction: string;
  /** Facts, as JSON that the prompt declares to be data: nothing in them is an instruction. */
  data: unknown;
  maxOutputTokens: number;
  /** Uses the model that reviews. */
  isReview?: boolean;
  /** Ends the call, when the run is not this replica's any more. */
  signal?: AbortSignal;
}

export interface StructuredPrompt<Schema extends z.ZodType> extends Prompt {
  /** Name of the answer, `[a-z_]+`. */
  name: string;
  /** Shape of the answer. Members that may be missing are nullable. */
  schema: Schema;
  timeoutMs?: number;
}

export interface TextPrompt extends Prompt {
  /** Called with the text so far. */
  onText?: (text: string) => void;
}

export type GeneratedPicture = { kind: 'bytes'; bytes: Buffer } | { kind: 'address'; url: string };

const structuredMs = 60_000;
/** Also while a person waits: a text that is cut off is paid and lost, and the person is answered before. */
const streamTimeouts: CallTimeouts = { firstByteMs: 20_000, silenceMs: 20_000, totalMs: 180_000 };
const imageMs = 90_000;
/** What a picture is booked with: servers do not agree on how to count it. */
const imageTokens = 2_000;
/** A server that asks to wait longer is not waited for within the call. */
const longestWaitMs = 60_000;
/** Answers of the wrong shape in one format, before the next less strict format is tried. */
const triesPerFormat = 2;

/**
 * The language model: any server that speaks OpenAI's Chat Completions. Every call is booked before it is made (`Spending`). The client repeats nothing by
 * itself: what failed for a moment is repeated here, and every other failure is one of the errors of `model.errors.ts`.
 */
@Injectable()
export class LanguageModel {
  private readonly client: OpenAI | null;
  private readonly features: ServerFeatures;

  constructor(
    private readonly spending: Spending,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {
    this.features = new ServerFeatures(config.AI_STRUCTURED);
    this.client = config.AI_BASE_URL
      ? new OpenAI({
          baseURL: config.AI_BASE_URL,
          apiKey: config.AI_API_KEY,
          // The client would read these from the environment.
          organization: null,
          project: null,
          maxRetries: 0,
          logLevel: 'off',
        })
      : null;
  }

  /** Whether articles can be written at all. */
  get isConfigured(): boolean {
    return this.client !== null && this.config.AI_MODEL !== undefined;
  }

  /**
   * Asks for an answer of this shape. An answer that does not fit is asked for once more with its problem, then in the next less strict format.
   * @throws BadAnswerError, CutAnswerError, RefusedTopicError, and what `call` throws
   */
  async structured<Schema extends z.ZodType>(prompt: StructuredPrompt<Schema>): Promise<z.infer<Schema>> {
    const model = this.modelFor(prompt);
    let [badTries, isShorter, steppedDown] = [0, false, 0];
    let problem: string | null = null;
    for (;;) {
      const formatOf = (features: Features) =>
        Array.from({ length: steppedDown }).reduce<Features['format']>((format) => formatAfter(format) ?? format, features.format);
      const answer: ChatAnswer = await this.call(prompt, model, (features) => {
        const format = formatOf(features);
        const corrections = [...(problem ? [promptFrame.wrongShape(problem)] : []), ...(isShorter ? [promptFrame.shorter] : [])];
        const request = {
          messages: messagesOf(prompt, corrections, schemaInstruction(format, prompt.schema)),
          timeouts: { firstByteMs: prompt.timeoutMs ?? structuredMs, silenceMs: structuredMs, totalMs: prompt.timeoutMs ?? structuredMs },
        };
        const responses = responseFormat(format, prompt.name, prompt.schema);
        return responses ? { ...request, responseFormat: responses } : request;
      });
      if (answer.end === 'length') {
        if (isShorter) throw new CutAnswerError(`${prompt.call.step}: cut twice`);
        isShorter = true;
        continue;
      }
      const parsed = parseAnswer(answer.text, prompt.schema);
      if (parsed.ok) return parsed.value;
      problem = parsed.problem;
      badTries += 1;
      const format = formatOf(this.features.of(model, this.clock.now()));
      this.logger.warn({ step: prompt.call.step, run: prompt.call.runId, problem, format }, 'the model answered with the wrong shape');
      if (badTries < triesPerFormat) continue;
      const canStepDown = this.config.AI_STRUCTURED === 'auto' && steppedDown === 0 && formatAfter(format) !== null;
      if (!canStepDown) throw new BadAnswerError(`${prompt.call.step}: ${problem}`);
      steppedDown = 1;
    }
  }

  /** Asks for a text, streamed. @throws CutAnswerError, RefusedTopicError, BadAnswerError when it is empty, and what `call` throws */
  async text(prompt: TextPrompt): Promise<string> {
    const model = this.modelFor(prompt);
    let isShorter = false;
    for (;;) {
      const corrections = isShorter ? [promptFrame.shorter] : [];
      const answer: ChatAnswer = await this.call(
        prompt,
        model,
        () => ({ messages: messagesOf(prompt, corrections, ''), timeouts: streamTimeouts }),
        prompt.onText ?? (() => undefined),
      );
      if (answer.end === 'length') {
        if (isShorter) throw new CutAnswerError(`${prompt.call.step}: cut twice`);
        isShorter = true;
        continue;
      }
      const text = withoutThoughts(answer.text);
      if (text === '') throw new BadAnswerError(`${prompt.call.step}: an empty text`);
      return text;
    }
  }

  /**
   * Asks for a picture.
   * @param options.size such as `1536x1024`
   * @returns null when no model for pictures is configured
   * @throws RefusedTopicError, BadAnswerError, and what `call` throws
   */
  async image({
    call,
    prompt,
    size,
    signal,
  }: {
    call: CallPurpose;
    prompt: string;
    size: '1024x1024' | '1536x1024' | '1792x1024';
    signal?: AbortSignal;
  }): Promise<GeneratedPicture | null> {
    const model = this.config.AI_IMAGE_MODEL;
    const { client } = this;
    if (!client || !model) return null;
    return this.withRetries(call, model, signal, async () => {
      const id = await this.spending.reserve(call, model, imageTokens);
      return this.settling(id, call, model, { inputTokens: 0, outputTokens: imageTokens, isEstimated: true }, async () => {
        const limit = AbortSignal.any([AbortSignal.timeout(imageMs), ...(signal ? [signal] : [])]);
        const answer = await client.images.generate({ model, prompt, size, n: 1 }, { signal: limit, timeout: imageMs, maxRetries: 0 });
        const picture = typeof answer === 'object' && Array.isArray(answer.data) ? answer.data[0] : undefined;
        if (!picture) throw new BrokenAnswerError('the answer is no picture');
        const [input, output] = [answer.usage?.input_tokens, answer.usage?.output_tokens];
        const usage =
          typeof input === 'number' && typeof output === 'number'
            ? { inputTokens: input, outputTokens: output, isEstimated: false }
            : { inputTokens: 0, outputTokens: imageTokens, isEstimated: true };
        return { value: pictureOfAnswer(picture), usage, outcome: 'ok' as const };
      });
    });
  }

  /**
   * One answer of a chat, whatever tries it takes.
   * @param requestFor the rest of the request, for what the server of the model knows
   * @param onText streams the answer
   * @throws BudgetReachedError, ProviderDownError, ProviderBusyError, RequestRefusedError, RefusedTopicError
   */
  private async call(
    prompt: Prompt,
    model: string,
    requestFor: (features: Features) => Pick<ChatRequest, 'messages' | 'timeouts' | 'responseFormat'>,
    onText?: (text: string) => void,
  ): Promise<ChatAnswer> {
    const client = this.requireClient();
    const answer = await this.withRetries(prompt.call, model, prompt.signal, async () => {
      const features = this.features.of(model, this.clock.now());
      const rest = requestFor(features);
      const request: ChatRequest = {
        model,
        maxOutputTokens: prompt.maxOutputTokens,
        idempotencyKey: idempotencyKey(prompt.call, rest.messages),
        signal: prompt.signal,
        ...rest,
      };
      const worst = { inputTokens: estimateTokens(textsOf(rest.messages)), outputTokens: prompt.maxOutputTokens, isEstimated: true };
      const id = await this.spending.reserve(prompt.call, model, worst.inputTokens + worst.outputTokens);
      return this.settling(id, prompt.call, model, worst, async () => {
        const value = onText ? await streamChat(client, request, features, onText) : await completeChat(client, request, features);
        const outcome: CallOutcome = value.end === 'stop' ? 'ok' : value.end === 'length' ? 'cut' : 'refused';
        return { value, usage: value.usage, outcome };
      });
    });
    if (answer.end === 'refused') throw new RefusedTopicError(`${prompt.call.step}: the model refused`);
    return answer;
  }

  /** Makes a booked call and settles it, whatever comes of it. */
  private async settling<Value>(
    id: string,
    { step }: CallPurpose,
    model: string,
    worst: Usage,
    make: () => Promise<{ value: Value; usage: Usage; outcome: CallOutcome }>,
  ): Promise<Value> {
    const startedAt = performance.now();
    const settle = async (usage: Usage, outcome: CallOutcome) => {
      modelCalls.inc({ step, outcome });
      const ms = Math.round(performance.now() - startedAt);
      await throughOutage(() => this.spending.settle(id, usage, outcome, ms));
    };
    let made;
    try {
      made = await make();
    } catch (error) {
      const failure = failureOf(error, this.clock.now());
      const received = receivedBefore(error);
      const output = received === undefined ? worst.outputTokens : Math.min(worst.outputTokens, estimateTokens([received]));
      const mayCost = failure.kind === 'transient' && failure.mayCost;
      this.logger.warn({ err: error, step, model, failure: failure.kind }, 'a call to the model failed');
      await settle(
        mayCost ? { ...worst, outputTokens: output } : { inputTokens: 0, outputTokens: 0, isEstimated: false },
        failure.kind === 'transient' ? 'busy' : failure.kind === 'refused' ? 'refused' : 'error',
      );
      throw error;
    }
    await settle(made.usage, made.outcome);
    return made.value;
  }

  /** Repeats a call that failed for a moment, and one whose server does not know a parameter. Every other failure becomes an error of ours. */
  private async withRetries<Value>(
    call: CallPurpose,
    model: string,
    signal: AbortSignal | undefined,
    make: () => Promise<Value>,
  ): Promise<Value> {
    for (let tries = 0; ;) {
      signal?.throwIfAborted();
      try {
        return await make();
      } catch (error) {
        signal?.throwIfAborted();
        if (!isOfProvider(error)) throw error;
        const message = `${call.step}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500);
        const failure = failureOf(error, this.clock.now());
        switch (failure.kind) {
          case 'unsupported':
            if (!this.features.stepDown(model, failure.parameter, this.clock.now())) throw new RequestRefusedError(message);
            continue;
          case 'down':
            throw new ProviderDownError(failure.why, message);
          case 'refused':
            throw new RefusedTopicError(message);
          case 'request':
            throw new RequestRefusedError(message);
          case 'transient': {
            const pauseMs = failure.retryAfterMs ?? (this.config.AI_RETRY_SECONDS[tries] ?? 0) * 1_000;
            if (tries >= this.config.AI_RETRY_SECONDS.length || pauseMs > longestWaitMs)
              throw new ProviderBusyError(message, failure.retryAfterMs);
            tries += 1;
            await sleep(pauseMs, undefined, signal ? { signal } : {});
          }
        }
      }
    }
  }

  private requireClient(): OpenAI {
    if (!this.client) throw new ProviderDownError('not_configured', 'AI_BASE_URL is not set');
    return this.client;
  }

  private modelFor({ isReview = false }: Prompt): string {
    const model = isReview ? (this.config.AI_REVIEW_MODEL ?? this.config.AI_MODEL) : this.config.AI_MODEL;
    if (!model) throw new ProviderDownError('not_configured', 'AI_MODEL is not set');
    return model;
  }
}

function messagesOf({ instruction, data }: Prompt, corrections: readonly string[], schema: string): ChatCompletionMessageParam[] {
  return [
    { role: 'system', content: `${instruction}${schema}` },
    { role: 'user', content: promptFrame.data(JSON.stringify(data)) },
    ...corrections.map((content) => ({ role: 'user' as const, content })),
  ];
}

const pictureOfAnswer = ({ b64_json: base64, url }: { b64_json?: string; url?: string }): GeneratedPicture => {
  if (base64) return { kind: 'bytes', bytes: Buffer.from(base64, 'base64') };
  if (url) return { kind: 'address', url };
  throw new BadAnswerError('image: neither bytes nor an address');
};

/** The same call of the same run has the same key, so that a server that keeps keys answers a repetition after a crash without charging it again. */
const idempotencyKey = ({ runId, step }: CallPurpose, messages: readonly ChatCompletionMessageParam[]): string =>
  createHash('sha256')
    .update(JSON.stringify([runId, step, messages]))
    .digest('hex')
    .slice(0, 32);

/** Whether an error came from the call itself, and not from our database or our own code. */
function isOfProvider(error: unknown): boolean {
  if (error instanceof OpenAI.APIError || error instanceof BrokenAnswerError) return true;
  // A cut body, or one that is no JSON: undici and the parser throw these.
  return (
    error instanceof Error &&
    (error.name === 'AbortError' || error.name === 'TimeoutError' || error instanceof SyntaxError || isNetworkError(error))
  );
}

const isNetworkError = (error: Error): boolean =>
  error instanceof TypeError && /terminated|fetch failed|other side closed|network/i.test(error.message);
