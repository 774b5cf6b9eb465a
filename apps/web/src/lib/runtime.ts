import { createClient, type SupabaseClient } from '@supabase/supabase-js';

export interface RuntimeConfiguration {
  publishableKey: string;
  productName: string;
  supportEmail: string;
  privacyEmail: string;
  dpoEmail: string;
}

let loaded: { configuration: RuntimeConfiguration; client: SupabaseClient } | undefined;

/** Reads the public configuration once, before the first page is shown. */
export async function loadRuntime(): Promise<void> {
  const answer = await fetch('/config.json');
  if (!answer.ok) throw new Error('configuration');
  const configuration = (await answer.json()) as RuntimeConfiguration;
  loaded = { configuration, client: createClient(window.location.origin, configuration.publishableKey) as SupabaseClient };
}

/** For tests: a client of their own. */
export function setRuntime(configuration: RuntimeConfiguration, client: SupabaseClient): void {
  loaded = { configuration, client };
}

function runtime() {
  if (!loaded) throw new Error('the runtime is not loaded');
  return loaded;
}

export const client = (): SupabaseClient => runtime().client;
export const configuration = (): RuntimeConfiguration => runtime().configuration;

/** A refusal with the text a person may read; empty when there is none. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string | null = null,
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
  const refusal = (await error.context?.json?.().catch(() => undefined)) as { error?: string; code?: string } | undefined;
  throw new ApiError(refusal?.error ?? '', refusal?.code ?? null);
}

/** Data of a table call. @throws ApiError with the server's text */
export function dataOf<Data>({ data, error }: { data: Data; error: { message: string; code?: string } | null }): NonNullable<Data> {
  if (error) throw new ApiError(error.message, error.code ?? null);
  return data as NonNullable<Data>;
}
