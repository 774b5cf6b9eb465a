import { type LiveBye, type LiveChange, livePath, liveTables } from '@decola/contracts';
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { createParser } from 'eventsource-parser';
import pTimeout from 'p-timeout';
import { useEffect } from 'react';
import { client, configuration } from './api-client';
import { setLive } from './live-state';

export { isLive, livePolling, useLivePolling } from './live-state';

/** A connection that is silent for longer is dead: the gateway sends a comment every 20 seconds. */
const silenceMs = 45_000;
/** A tab that is hidden for longer closes its stream. */
const hiddenMs = 15_000;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
/** Pages of a replica that stops come back within this time, not all at once. */
const restartMs = 3_000;
/** A connection that lasted so long was no failure: the next one is tried at once. */
const steadyMs = 10_000;
/** Longest wait for queries that are being read again, before further changes are heeded. */
const readMs = 15_000;
const mutationPauseMs = 200;

export interface LiveOptions {
  queryClient: QueryClient;
  /** The access token of the session; null when nobody is signed in. */
  token: () => Promise<string | null>;
  apiKey: string;
  /** For tests. */
  send?: typeof fetch;
  random?: () => number;
}

const isHidden = (): boolean => document.visibilityState === 'hidden';

interface QueryFacts {
  queryKey: QueryKey;
  meta: Record<string, unknown> | undefined;
}

/** Tables that a query shows: the first element of its key, or `meta.tables` when it reads several. */
function tablesOf({ queryKey, meta }: QueryFacts): readonly unknown[] {
  return Array.isArray(meta?.['tables']) ? (meta['tables'] as unknown[]) : [queryKey[0]];
}

/**
 * Reads the queries of changed tables again. While they are being read, further changes wait, so that a slow connection that gets a change every second
 * still finishes its requests.
 */
class Refetches {
  private readonly changed = new Set<string>();
  private isRunning = false;

  constructor(private readonly queries: QueryClient) {}

  add(tables: readonly string[]): void {
    for (const table of tables) this.changed.add(table);
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.changed.size > 0) {
      // A row that is read before its change is stored would show the old value for a moment. A change reads everything again when it is done.
      while (this.queries.isMutating() > 0) await sleep(mutationPauseMs);
      const tables = new Set<unknown>(this.changed);
      this.changed.clear();
      const reading = this.queries.invalidateQueries({ predicate: (query) => tablesOf(query).some((table) => tables.has(table)) });
      await pTimeout(reading, { milliseconds: readMs, fallback: () => undefined });
    }
    this.isRunning = false;
  }
}

/**
 * Keeps one stream of changes open while the tab is visible, and reads queries again when their tables change. After every connection everything is read
 * again, since changes may have been missed. @returns what closes it
 */
export function openLiveUpdates({
  queryClient,
  token,
  apiKey,
  send = (...args) => fetch(...args),
  random = Math.random,
}: LiveOptions): () => void {
  const refetches = new Refetches(queryClient);
  const closing = new AbortController();
  const wake = new Wake(closing.signal);
  let connection: AbortController | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  const onVisibility = () => {
    clearTimeout(hiding);
    if (isHidden()) hiding = setTimeout(() => connection?.abort(), hiddenMs);
    else wake.call();
  };
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('online', wake.call);

  const lose = () => {
    setLive(false);
    // Makes every observer look at its interval again.
    void queryClient.invalidateQueries({ refetchType: 'none', predicate: isAnnounced });
  };

  async function run(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      if (isHidden()) {
        await wake.wait();
        continue;
      }
      const began = performance.now();
      connection = new AbortController();
      const end = await connect(connection).catch((): End => ({ afterMs: null }));
      connection.abort();
      if (end.wasOpen) lose();
      if (closing.signal.aborted || isHidden()) continue;
      failures = end.wasOpen && performance.now() - began > steadyMs ? 0 : failures + 1;
      const backOffMs = failures === 0 ? firstRetryMs : Math.min(longestRetryMs, firstRetryMs * 2 ** failures);
      await wake.wait(Math.max(end.afterMs ?? 0, backOffMs) * (0.5 + random()));
    }
  }

  async function connect(current: AbortController): Promise<End> {
    const bearer = await token();
    if (bearer === null || closing.signal.aborted) return { afterMs: longestRetryMs };
    const response = await send(livePath, {
      headers: { apikey: apiKey, authorization: `Bearer ${bearer}`, accept: 'text/event-stream' },
      cache: 'no-store',
      signal: current.signal,
    });
    if (!response.ok || !response.body) return { afterMs: Number(response.headers.get('retry-after') ?? 0) * 1_000 };
    setLive(true);
    refetches.add(liveTables);
    let afterMs: number | null = null;
    await read(response.body, (name, data) => {
      if (name === 'changed') refetches.add((JSON.parse(data) as LiveChange).tables);
      else if (name === 'resync') refetches.add(liveTables);
      else if (name === 'bye') {
        const { reason } = JSON.parse(data) as LiveBye;
        if (reason === 'restart') afterMs = restartMs;
        // The next answer shows whether the session is over, or only its token.
        else if (reason === 'session') refetches.add(liveTables);
      }
    }).catch(() => undefined);
    return { wasOpen: true, afterMs };
  }

  void run();
  return () => {
    closing.abort();
    connection?.abort();
    clearTimeout(hiding);
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('online', wake.call);
    setLive(false);
  };
}

interface End {
  wasOpen?: boolean;
  /** How long the gateway asks to wait, ms; null when it did not say. */
  afterMs: number | null;
}

/** Reads events until the stream ends. @throws Error when it breaks, or is silent for too long */
async function read(body: ReadableStream<Uint8Array>, onEvent: (name: string, data: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ event, data }) => onEvent(event ?? 'message', data) });
  for (;;) {
    const chunk = await pTimeout(reader.read(), { milliseconds: silenceMs });
    if (chunk.done) return;
    parser.feed(decoder.decode(chunk.value, { stream: true }));
  }
}

/** Whether changes of a query's tables are announced. */
const isAnnounced = (query: QueryFacts): boolean => tablesOf(query).some((table) => liveTables.some((known) => known === table));

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A pause that can be ended before its time. */
class Wake {
  private resolve: (() => void) | undefined;

  constructor(closing: AbortSignal) {
    closing.addEventListener('abort', this.call);
  }

  readonly call = (): void => this.resolve?.();

  wait(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.resolve = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Hears what changes while the page is shown. For the layout of signed-in pages, once. */
export function useLiveUpdates(userId: string): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      openLiveUpdates({
        queryClient,
        token: async () => (await client().auth.getSession()).data.session?.access_token ?? null,
        apiKey: configuration().publishableKey,
      }),
    [queryClient, userId],
  );
}
