import { z } from 'zod';
import { answerProblems, promptFrame } from '../texts/prompt-frame-texts.js';

/** How a server is asked for JSON, the strictest first. `text`: only in words. */
export const answerFormats = ['json_schema', 'json_object', 'text'] as const;
export type AnswerFormat = (typeof answerFormats)[number];

/** The next less strict format; null after the last. */
export const formatAfter = (format: AnswerFormat): AnswerFormat | null => answerFormats[answerFormats.indexOf(format) + 1] ?? null;

/**
 * JSON schema of an answer, as strict servers want it: every member is required and no other one is allowed, and no limits of length, which some of them
 * refuse. Limits are checked after parsing.
 */
export function wireSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const limit of ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'pattern', 'format']) {
        delete (jsonSchema as Record<string, unknown>)[limit];
      }
      if (jsonSchema.type === 'object') jsonSchema.additionalProperties = false;
    },
  }) as Record<string, unknown>;
  return json;
}

/** The `response_format` of a request; undefined for `text`. */
export function responseFormat(format: AnswerFormat, name: string, schema: z.ZodType) {
  if (format === 'json_schema') return { type: 'json_schema' as const, json_schema: { name, strict: true, schema: wireSchema(schema) } };
  return format === 'json_object' ? { type: 'json_object' as const } : undefined;
}

/** What the prompt adds where the format itself does not carry the schema. */
export function schemaInstruction(format: AnswerFormat, schema: z.ZodType): string {
  if (format === 'json_schema') return '';
  return promptFrame.schema(JSON.stringify(wireSchema(schema)));
}

export type ParsedAnswer<Value> = { ok: true; value: Value } | { ok: false; problem: string };

/** Longest description of a problem that is quoted to the model. */
const longestProblem = 600;

/** Reads the answer as JSON of this shape. Thoughts, fences and words around the object are dropped. */
export function parseAnswer<Schema extends z.ZodType>(text: string, schema: Schema): ParsedAnswer<z.infer<Schema>> {
  const json = withoutThoughts(text);
  const [from, to] = [json.indexOf('{'), json.lastIndexOf('}')];
  if (from < 0 || to < from) return { ok: false, problem: answerProblems.noObject };
  let value: unknown;
  try {
    value = JSON.parse(json.slice(from, to + 1));
  } catch (error) {
    return { ok: false, problem: answerProblems.badJson((error as Error).message).slice(0, longestProblem) };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const problem = parsed.error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || answerProblems.root}: ${message}`)
    .join('; ');
  return { ok: false, problem: problem.slice(0, longestProblem) };
}

/** Removes what reasoning models of some servers put before their answer. */
export const withoutThoughts = (text: string): string => text.replace(/<think(ing)?>[\s\S]*?<\/think(ing)?>/gi, '').trim();
