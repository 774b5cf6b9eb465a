import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { loadConfiguration, type RuntimeConfiguration, setConfiguration } from './configuration';
import { noteArrival } from './mail-link';
import { renewOrLeave, tellingRefusals } from './refused-session';

export { configuration, type RuntimeConfiguration } from './configuration';

let loaded: SupabaseClient | undefined;

/** Reads the public configuration and makes the client once, before the first page that needs it is shown. */
export async function loadRuntime(): Promise<void> {
  const { publishableKey } = await loadConfiguration();
  if (!loaded) noteArrival();
  loaded ??= createClient(window.location.origin, publishableKey, {
    global: { fetch: tellingRefusals(() => void renewOrLeave(client())) },
  }) as SupabaseClient;
}

/** For tests: a client of their own. */
export function setRuntime(configuration: RuntimeConfiguration, client: SupabaseClient): void {
  setConfiguration(configuration);
  noteArrival();
  loaded = client;
}

export function client(): SupabaseClient {
  if (!loaded) throw new Error('the runtime is not loaded');
  return loaded;
}

/** A refusal with the text a person may read; empty when there is none. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string | null = null,
    /** HTTP status of the answer; null when there was none. */
    readonly status: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Calls a server function. @throws ApiError with the function's own text */
export async function callFunction<Answer>(name: string, body?: unknown): Promise<Answer> {
  const { data, error } = (await client().functions.invoke(name, body === undefined ? {} : { body: body as Record<string, unknown> })) as {
    data: Answer | null;
    error: { context?: Response } | null;
  };
  if (!error) return data as Answer;
  const refusal = (await error.context?.json?.().catch(() => undefined)) as { error?: string; code?: string | number } | undefined;
  throw new ApiError(refusal?.error ?? '', refusal?.code === undefined ? null : String(refusal.code), error.context?.status ?? null);
}

/** Codes of rest/v1 whose text was written for the person; every other text is for developers, and in English. */
const toldToPeople: ReadonlySet<string> = new Set(['P0001', 'insufficient_aal']);

/** Data of a table call. @throws ApiError with the server's text where it is for people, else with none */
export function dataOf<Data>({ data, error }: { data: Data; error: { message: string; code?: string } | null }): NonNullable<Data> {
  if (error) throw new ApiError(toldToPeople.has(error.code ?? '') ? error.message : '', error.code ?? null);
  return data as NonNullable<Data>;
}

/** That a table call changed what it was to change. @throws ApiError when it was refused, and when the row is gone or never was the person's */
export function mustChange(answer: { data: unknown[] | null; error: { message: string; code?: string } | null }): void {
  if (dataOf(answer).length === 0) throw new ApiError('');
}
