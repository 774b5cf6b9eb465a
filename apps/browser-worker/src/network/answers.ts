/** A call that the page makes, as far as its request tells. */
export interface PageCall {
  /** Path of the URL, without its query. */
  readonly path: string;
  readonly method: string;
  /** Friendly name that the page gave its GraphQL call; null for other calls. */
  readonly friendlyName: string | null;
}

/** The answer to a call that the page itself made, or an answer that its document contained. */
export interface Answer extends PageCall {
  readonly status: number;
  /** Variables of the GraphQL call; null for other calls. */
  readonly variables: unknown;
  /** The body's JSON, or its first JSON document; null when the body is something else. */
  readonly json: unknown;
  /** Further JSON documents of the same body, in their order: some answers arrive in parts. */
  readonly further: readonly unknown[];
  /**
   * What the body is when it is not JSON: `html`, `empty`, its first 40 characters, `lost` when it could not be read, or `left` when it could not
   * be read because the page was already opening another document. Null when it is JSON.
   */
  readonly notJson: string | null;
  /** Path that the call was redirected to; null when it was answered at its own path. */
  readonly redirectedTo: string | null;
}

/** The value below `keys`; undefined where a step is missing. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (current, key) => (typeof current === 'object' && current !== null ? (current as Record<string, unknown>)[key] : undefined),
    value,
  );
}

/** The root field of a GraphQL answer, from whichever of its documents has it; undefined when none has. */
export function rootOf(answer: Answer, root: string): unknown {
  const found = [answer.json, ...answer.further].map((document) => at(document, 'data', root)).filter((value) => value !== undefined);
  return found.find((value) => value !== null) ?? found[0];
}

/** True when an answer has `errors` and no root field with a value: null, masked, or no `data` at all (row 13 of instagram-web.md). */
export function isQueryError({ json }: Pick<Answer, 'json'>): boolean {
  const errors = at(json, 'errors');
  return Array.isArray(errors) && errors.length > 0 && !hasAnsweredRoot(json);
}

/** True when a root field below `data` has a value. `errors` beside it then concern only a part of it. */
export function hasAnsweredRoot(json: unknown): boolean {
  const data = at(json, 'data');
  return typeof data === 'object' && data !== null && Object.values(data).some((root) => root !== null && root !== undefined);
}

/** True for an answer whose own JSON says that it failed. */
export function saysFailed(answer: Pick<Answer, 'json'>): boolean {
  return at(answer.json, 'status') === 'fail' || isQueryError(answer);
}

const jsonGuard = /^\s*for\s*\(;;\);/;

/** A body as the page reads it. */
export type ParsedBody = Pick<Answer, 'json' | 'further' | 'notJson'>;

/** Parses a body, with or without the `for (;;);` guard before its JSON. */
export function parseBody(text: string): ParsedBody {
  const body = text.replace(jsonGuard, '').trim();
  const none = (notJson: string): ParsedBody => ({ json: null, further: [], notJson });
  if (body === '') return none('empty');
  if (/^<(!doctype|html)/i.test(body)) return none('html');
  try {
    return { json: JSON.parse(body), further: [], notJson: null };
  } catch {
    // Some answers are several documents, one a line; the first one says whether the call succeeded.
    const documents = body.split('\n').map(parseLine);
    return documents[0] === undefined
      ? none(body.slice(0, 40))
      : { json: documents[0], further: documents.slice(1).filter((document) => document !== undefined), notJson: null };
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line.replace(jsonGuard, ''));
  } catch {
    return undefined;
  }
}
