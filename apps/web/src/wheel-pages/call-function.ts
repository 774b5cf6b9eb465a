import { configuration } from '../lib/configuration';

/** A call that got no answer for the page: no connection, a fault of the server, or too many calls. */
export class CallError extends Error {
  constructor(
    /** HTTP status; null when there was no answer. */
    readonly status: number | null,
    /** A sentence for the person; empty when the server sent none. */
    message = '',
    /** Seconds after which the server wants to be asked again; null when it did not say. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = 'CallError';
  }
}

/** Statuses whose sentence is written for people: the limits of the public functions. */
const sentenceStatuses: ReadonlySet<number> = new Set([429, 503]);

interface CallOptions {
  /** Token of a person who is signed in. */
  accessToken?: string | null;
  signal?: AbortSignal;
}

/** Sends a call to a server function. @throws CallError unless the server answered 200 */
export async function sendCall(name: string, body: unknown, { accessToken, signal }: CallOptions = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/functions/v1/${name}`, {
      method: 'POST',
      headers: {
        apikey: configuration().publishableKey,
        'content-type': 'application/json',
        ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  } catch {
    throw new CallError(null);
  }
  if (response.ok) return response;
  const { error } = ((await response.json().catch(() => null)) ?? {}) as { error?: unknown };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new CallError(
    response.status,
    sentenceStatuses.has(response.status) && typeof error === 'string' ? error : '',
    Number.isFinite(seconds) ? seconds : null,
  );
}

/** Calls a server function. Its refusals are answers, too: `success` tells them apart. @throws CallError without an answer, or with one that is not JSON */
export async function callFunction<Answer>(name: string, body: unknown, options?: CallOptions): Promise<Answer> {
  const response = await sendCall(name, body, options);
  try {
    return (await response.json()) as Answer;
  } catch {
    throw new CallError(response.status);
  }
}
