import { Writable } from 'node:stream';
import type { TokenVerdict } from '../tokens/token-verifier.js';
import { LiveStream } from './live-stream.js';

const change = (table: string, automation: string | null = 'a', account: string | null = null) => ({
  tables: [table],
  automation_id: automation,
  account_id: account,
});

describe('a stream of live changes', () => {
  let verdict: TokenVerdict;
  const active = { ok: true, caller: {} } as unknown as TokenVerdict;
  let ends: number;

  beforeEach(() => {
    jest.useFakeTimers();
    verdict = active;
    ends = 0;
  });
  afterEach(() => jest.useRealTimers());

  function open({ expiresIn = 3_600 }: { expiresIn?: number } = {}) {
    const stream = new LiveStream({
      verify: () => Promise.resolve(verdict),
      expiresAt: Date.now() / 1_000 + expiresIn,
      onEnd: () => (ends += 1),
    });
    let text = '';
    stream.body.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const read = async (afterMs = 0) => {
      await jest.advanceTimersByTimeAsync(afterMs);
      const all = text;
      text = '';
      return all;
    };
    return { stream, read };
  }

  it('sends the first change at once, and those of the next second together', async () => {
    const { stream, read } = open();
    expect(await read()).toBe(': open\n\n');
    stream.change(change('automations'));
    expect(await read()).toBe('event: changed\ndata: {"tables":["automations"],"automation_id":"a","account_id":null}\n\n');
    stream.change(change('run_diary', 'a', 'x'));
    stream.change(change('automations', 'a', 'x'));
    stream.change(change('run_diary', 'a', 'x'));
    expect(await read(990)).toBe('');
    expect(await read(10)).toBe('event: changed\ndata: {"tables":["run_diary","automations"],"automation_id":"a","account_id":"x"}\n\n');
    stream.change(change('automations', 'a'));
    stream.change(change('automations', 'b'));
    expect(await read(1_000)).toContain('"automation_id":null');
    expect(await read(5_000)).toBe('');
    stream.change(change('previews'));
    expect(await read()).toContain('previews');
  });

  it('sends a comment every 20 seconds', async () => {
    const { read } = open();
    await read();
    expect(await read(19_990)).toBe('');
    expect(await read(10)).toBe(':\n\n');
    expect(await read(40_000)).toBe(':\n\n:\n\n');
  });

  it.each(['ended', 'second-factor', 'unknown'] as const)('sends no change and closes when its session is %s', async (reason) => {
    const { stream, read } = open();
    await read();
    verdict = { ok: false, reason };
    stream.change(change('automations'));
    expect(await read()).toBe('event: bye\ndata: {"reason":"session"}\n\n');
    stream.change(change('automations'));
    expect(await read(60_000)).toBe('');
    expect([stream.body.readableEnded, ends]).toEqual([true, 1]);
  });

  it('closes at the next heartbeat after its session has ended, also without changes', async () => {
    const { read } = open();
    await read();
    verdict = { ok: false, reason: 'ended' };
    expect(await read(20_000)).toBe('event: bye\ndata: {"reason":"session"}\n\n');
  });

  it('closes when its token expires', async () => {
    const { read } = open({ expiresIn: 30 });
    expect(await read(29_000)).toBe(': open\n\n:\n\n');
    expect(await read(1_000)).toBe('event: bye\ndata: {"reason":"token"}\n\n');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('disconnects a client that does not read before much waits for it', async () => {
    const { stream } = open();
    stream.body.removeAllListeners('data');
    stream.body.pipe(new Writable({ highWaterMark: 1, write: () => undefined })); // takes one chunk and never the next
    const tables = ['x'.repeat(4_000)];
    let most = 0;
    for (let n = 0; n < 20; n++) {
      stream.change({ tables, automation_id: null, account_id: null });
      await jest.advanceTimersByTimeAsync(1_000);
      most = Math.max(most, stream.body.readableLength);
    }
    expect([stream.body.destroyed, ends]).toEqual([true, 1]);
    expect(most).toBeLessThan(16 * 1024 + 4_200);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends once when the client disconnects', async () => {
    const { stream, read } = open();
    await read();
    stream.body.destroy();
    expect(await read()).toBe('');
    stream.end('restart');
    stream.change(change('automations'));
    await stream.resync();
    expect([await read(60_000), ends]).toEqual(['', 1]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
