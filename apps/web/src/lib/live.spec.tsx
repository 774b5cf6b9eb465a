import '@testing-library/jest-dom';
import { act, cleanup, render, screen } from '@testing-library/react';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { isLive, livePolling, openLiveUpdates, useLivePolling } from './live';

/** What the gateway would do with one connection. */
interface Connection {
  headers: Record<string, string>;
  say: (text: string) => void;
  /** The connection breaks, or ends. */
  cut: () => void;
  end: () => void;
  isAborted: () => boolean;
}

const changed = (...tables: string[]) => `event: changed\ndata: ${JSON.stringify({ tables, automation_id: null, account_id: null })}\n\n`;

describe('live updates', () => {
  let queryClient: QueryClient;
  let connections: Connection[];
  /** Decides the answer to the next connections; null for an open stream. */
  let refusal: { status: number; retryAfter?: string } | null;
  let reads: Record<string, number>;
  let token: string | null;
  let close: () => void;
  let visibility: DocumentVisibilityState;

  const send = ((_address: string, init: RequestInit) => {
    const pending: { value?: Uint8Array; done: boolean }[] = [];
    let waiting: { resolve: (chunk: { value?: Uint8Array; done: boolean }) => void; reject: (error: Error) => void } | undefined;
    const push = (chunk: { value?: Uint8Array; done: boolean }) => {
      if (waiting) waiting.resolve(chunk);
      else pending.push(chunk);
      waiting = undefined;
    };
    const cut = () => {
      waiting?.reject(new Error('network'));
      waiting = undefined;
    };
    init.signal?.addEventListener('abort', cut);
    connections.push({
      headers: init.headers as Record<string, string>,
      say: (text) => push({ value: new TextEncoder().encode(text), done: false }),
      end: () => push({ done: true }),
      cut,
      isAborted: () => init.signal?.aborted ?? false,
    });
    const read = () => {
      const chunk = pending.shift();
      return chunk ? Promise.resolve(chunk) : new Promise((resolve, reject) => (waiting = { resolve, reject }));
    };
    return Promise.resolve({
      ok: refusal === null,
      status: refusal?.status ?? 200,
      headers: new Headers(refusal?.retryAfter === undefined ? {} : { 'retry-after': refusal.retryAfter }),
      body: { getReader: () => ({ read }) },
    });
  }) as unknown as typeof fetch;

  function Table({ name, meta, pollMs = 2_000 }: { name: string; meta?: { tables: string[] }; pollMs?: number }) {
    const { data } = useQuery({
      queryKey: [name, 'u1'],
      queryFn: () => {
        reads[name] = (reads[name] ?? 0) + 1;
        return reads[name];
      },
      ...(meta ? { meta } : {}),
      refetchInterval: () => livePolling(pollMs),
    });
    const polling = useLivePolling(5_000);
    return (
      <p>
        {name} {data} {String(polling)}
      </p>
    );
  }

  function open(...tables: { name: string; meta?: { tables: string[] } }[]) {
    render(
      <QueryClientProvider client={queryClient}>
        {tables.map((table) => (
          <Table key={table.name} {...table} />
        ))}
      </QueryClientProvider>,
    );
    close = openLiveUpdates({ queryClient, token: () => Promise.resolve(token), apiKey: 'key', send, random: () => 0.5 });
    return pass(0);
  }
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const say = async (text: string, at = connections.length - 1) => {
    connections[at]!.say(text);
    await pass(0);
  };
  const show = (state: DocumentVisibilityState) => {
    visibility = state;
    document.dispatchEvent(new Event('visibilitychange'));
    return pass(0);
  };

  beforeEach(() => {
    jest.useFakeTimers();
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
    visibility = 'visible';
    queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
    connections = [];
    reads = {};
    refusal = null;
    token = 't1';
  });
  afterEach(async () => {
    act(() => close());
    cleanup();
    queryClient.clear();
    await jest.advanceTimersByTimeAsync(0);
    expect(isLive()).toBe(false);
    jest.useRealTimers();
  });

  it('read the queries of changed tables again, and no others; nothing polls meanwhile', async () => {
    await open({ name: 'automations' }, { name: 'run_diary' });
    expect(connections.map(({ headers }) => headers)).toEqual([{ apikey: 'key', authorization: 'Bearer t1', accept: 'text/event-stream' }]);
    expect(isLive()).toBe(true);
    const before = { ...reads };
    await pass(20_000);
    await say(':\n\n');
    expect(reads).toEqual(before);
    await say(changed('automations'));
    expect(reads).toEqual({ automations: before['automations']! + 1, run_diary: before['run_diary'] });
    expect(screen.getByText(`automations ${reads['automations']} false`)).toBeInTheDocument();
    await say('event: chan');
    await say('ged\ndata: {"tables":["run_diary","unknown"],"automation_id":null,"account_id":null}\n\n');
    expect(reads['run_diary']).toBe(before['run_diary']! + 1);
  });

  it('know queries that read several tables', async () => {
    await open({ name: 'stopped', meta: { tables: ['automations', 'blog_automations'] } }, { name: 'plans' });
    const before = { ...reads };
    await say(changed('blog_automations'));
    expect(reads).toEqual({ stopped: before['stopped']! + 1, plans: before['plans'] });
  });

  it('let queries poll while the stream is cut, come back with delays that grow, and then read everything again', async () => {
    await open({ name: 'automations' });
    await pass(11_000);
    const before = reads['automations']!;
    refusal = { status: 503 };
    connections[0]!.cut();
    await pass(0);
    expect(isLive()).toBe(false);
    expect(screen.getByText(`automations ${before} 5000`)).toBeInTheDocument();
    await pass(2_000);
    expect(reads['automations']).toBe(before + 1);
    expect(connections).toHaveLength(2);
    await pass(2_000);
    expect([connections.length, reads['automations']]).toEqual([3, before + 2]);
    await pass(2_900);
    expect(connections).toHaveLength(3);
    refusal = null;
    await pass(200);
    expect([connections.length, isLive()]).toEqual([4, true]);
    const after = reads['automations']!;
    expect(after).toBeGreaterThan(before + 3);
    await pass(15_000);
    expect(reads['automations']).toBe(after);
    await say(changed('automations'));
    expect(reads['automations']).toBe(after + 1);
  });

  it('wait as long as the gateway asks, and try at once when the device is online again', async () => {
    refusal = { status: 429, retryAfter: '30' };
    await open({ name: 'automations' });
    expect(connections).toHaveLength(1);
    await pass(29_000);
    expect(connections).toHaveLength(1);
    await pass(1_000);
    expect(connections).toHaveLength(2);
    refusal = null;
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect([connections.length, isLive()]).toEqual([3, true]);
  });

  it('read everything again when changes were missed', async () => {
    await open({ name: 'automations' }, { name: 'plans' });
    const before = { ...reads };
    await say('event: resync\ndata: {}\n\n');
    expect(reads).toEqual({ automations: before['automations']! + 1, plans: before['plans'] });
  });

  it('come back with the session’s new token when the old one has expired, and a little later when a replica stops', async () => {
    await open({ name: 'automations' });
    await pass(11_000);
    await say(':\n\n');
    token = 't2';
    await say('event: bye\ndata: {"reason":"token"}\n\n');
    connections[0]!.end();
    await pass(1_000);
    expect(connections[1]!.headers['authorization']).toBe('Bearer t2');
    await pass(11_000);
    await say('event: bye\ndata: {"reason":"restart"}\n\n');
    connections[1]!.end();
    await pass(2_900);
    expect(connections).toHaveLength(2);
    await pass(100);
    expect(connections).toHaveLength(3);
  });

  it('notice a connection that is dead without a word', async () => {
    await open({ name: 'automations' });
    await pass(40_000);
    await say(':\n\n');
    await pass(44_000);
    expect([connections.length, isLive()]).toEqual([1, true]);
    await pass(1_000);
    expect([connections[0]!.isAborted(), isLive()]).toEqual([true, false]);
    await pass(1_000);
    expect([connections.length, isLive()]).toEqual([2, true]);
  });

  it('rest while the tab is hidden for longer, and begin again when it is shown', async () => {
    await open({ name: 'automations' });
    await show('hidden');
    await pass(10_000);
    await show('visible');
    await pass(20_000);
    expect([connections.length, isLive()]).toEqual([1, true]);
    await show('hidden');
    await pass(15_000);
    expect([connections[0]!.isAborted(), isLive()]).toEqual([true, false]);
    await pass(600_000);
    expect(connections).toHaveLength(1);
    await show('visible');
    expect([connections.length, isLive()]).toEqual([2, true]);
  });

  it('finish reading before they read again, however many changes come', async () => {
    let finish: (() => void) | undefined;
    let begun = 0;
    const slow = queryClient.getQueryCache().build(queryClient, {
      queryKey: ['run_diary'],
      queryFn: () => new Promise<number>((resolve) => ((begun += 1), (finish = () => resolve(begun)))),
    });
    function Diary() {
      return <p>{useQuery<number>({ queryKey: ['run_diary'], queryFn: slow.options.queryFn as () => Promise<number> }).data ?? 'lendo'}</p>;
    }
    render(
      <QueryClientProvider client={queryClient}>
        <Diary />
      </QueryClientProvider>,
    );
    await pass(0);
    finish!();
    await open();
    finish!();
    await pass(0);
    const before = begun;
    for (let n = 0; n < 5; n++) await say(changed('run_diary'));
    expect(begun).toBe(before + 1);
    finish!();
    await pass(0);
    expect(begun).toBe(before + 2);
    finish!();
    await pass(0);
    await pass(30_000);
    expect(begun).toBe(before + 2);
  });

  it('do not read while the customer’s own change is being stored', async () => {
    await open({ name: 'automations' });
    let store: (() => void) | undefined;
    const mutation = queryClient
      .getMutationCache()
      .build(queryClient, { mutationFn: () => new Promise<void>((resolve) => (store = resolve)) });
    const storing = mutation.execute(undefined);
    await pass(0);
    const before = reads['automations'];
    await say(changed('automations'));
    await pass(1_000);
    expect(reads['automations']).toBe(before);
    store!();
    await storing;
    await pass(200);
    expect(reads['automations']).toBe(before! + 1);
  });

  it('open nothing without a session, and nothing after they were closed', async () => {
    token = null;
    await open({ name: 'automations' });
    await pass(30_000);
    expect(connections).toHaveLength(0);
    token = 't1';
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(connections).toHaveLength(1);
    act(() => close());
    await pass(120_000);
    expect([connections.length, connections[0]!.isAborted(), isLive()]).toEqual([1, true, false]);
  });
});
