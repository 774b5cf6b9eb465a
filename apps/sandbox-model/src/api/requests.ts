import { z } from 'zod';
import type { JsonSchema } from '../structured/json-schema.js';
import { sizes } from '../pictures/picture.js';

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).nullish();
const message = z.looseObject({ role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']), content });

const jsonSchemaFormat = z.object({
  type: z.literal('json_schema'),
  json_schema: z.object({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string().optional(),
    strict: z.boolean().nullish(),
    schema: z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null).optional(),
  }),
});

/** Parameters of a chat completion that change what the stand-in does. The others are taken and ignored, as long as OpenAI knows them. */
export const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1),
  n: z.literal(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() }).nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  max_tokens: z.number().int().positive().nullish(),
  response_format: z
    .discriminatedUnion('type', [z.object({ type: z.literal('text') }), z.object({ type: z.literal('json_object') }), jsonSchemaFormat])
    .nullish(),
});
export type ChatRequest = z.infer<typeof chatRequest>;

export const chatParameters: ReadonlySet<string> = new Set([
  ...Object.keys(chatRequest.shape),
  ...['audio', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs', 'metadata', 'modalities', 'moderation'],
  ...['parallel_tool_calls', 'prediction', 'presence_penalty', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['reasoning_effort', 'safety_identifier', 'seed', 'service_tier', 'stop', 'store', 'temperature', 'tool_choice', 'tools'],
  ...['top_logprobs', 'top_p', 'user', 'verbosity', 'web_search_options'],
]);

export const imageRequest = z.looseObject({
  model: z.string().nullish(),
  prompt: z.string().min(1).max(32_000),
  n: z.number().int().min(1).max(10).nullish(),
  size: z.enum([...sizes, 'auto']).nullish(),
  response_format: z.enum(['b64_json', 'url']).nullish(),
});
