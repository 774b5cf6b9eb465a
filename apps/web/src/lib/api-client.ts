import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { loadConfiguration, type PublicConfiguration, setConfiguration } from './configuration';
import { recordMailLink } from './mail-link';
import { fetchReportingUnauthorized, refreshOrSignOut } from './unauthorized';

export { configuration, type PublicConfiguration } from './configuration';

let loaded: SupabaseClient | undefined;

/** Loads the public configuration and creates the client once, before the first page that needs it is shown. */
export async function loadApiClient(): Promise<void> {
  const { publishableKey } = await loadConfiguration();
  if (!loaded) recordMailLink();
  loaded ??= createClient(window.location.origin, publishableKey, {
    global: { fetch: fetchReportingUnauthorized(() => void refreshOrSignOut(client())) },
  });
}

/** For tests: replaces the client. */
export function setApiClient(configuration: PublicConfiguration, client: SupabaseClient): void {
  setConfiguration(configuration);
  recordMailLink();
  loaded = client;
}

export function client(): SupabaseClient {
  if (!loaded) throw new Error('the API client is not loaded');
  return loaded;
}

/** A request that failed. `message` is a text for the customer, empty when there is none. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string | null = null,
    /** HTTP status of the response; null when there was none. */
    readonly status: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Calls a server function. @throws ApiError with the function's message */
export async function callFunction<Answer>(name: string, body?: unknown): Promise<Answer> {
  const { data, error } = (await client().functions.invoke(name, body === undefined ? {} : { body: body as Record<string, unknown> })) as {
    data: Answer | null;
    error: { context?: Response } | null;
  };
  if (!error) return data as Answer;
  const refusal = (await error.context?.json?.().catch(() => undefined)) as { error?: string; code?: string | number } | undefined;
  throw new ApiError(refusal?.error ?? '', refusal?.code === undefined ? null : String(refusal.code), error.context?.status ?? null);
}

/** Codes of rest/v1 whose messages are written for customers; all other messages are for developers, in English. */
const customerFacingCodes: ReadonlySet<string> = new Set(['P0001', 'insufficient_aal']);

/** Data of a table request. @throws ApiError, with the server's message only if it is written for customers */
export function unwrap<Data>({ data, error }: { data: Data; error: { message: string; code?: string } | null }): NonNullable<Data> {
  if (error) throw new ApiError(customerFacingCodes.has(error.code ?? '') ? error.message : '', error.code ?? null);
  return data as NonNullable<Data>;
}

/** Checks that a table request changed a row. @throws ApiError when it was refused, or when no row of the person matched */
export function requireChangedRow(answer: { data: unknown[] | null; error: { message: string; code?: string } | null }): void {
  if (unwrap(answer).length === 0) throw new ApiError('');
}
