import { ConcurrencyLimiter } from './concurrency-limiter.js';

describe('ConcurrencyLimiter', () => {
  it('runs as many calls of one key as allowed, and queues the next ones in order', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 2, maxWaitMs: 60_000 });
    const [first, second] = [await limiter.acquire('ana'), await limiter.acquire('ana')];
    const order: string[] = [];
    const third = limiter.acquire('ana').then((release) => (order.push('third'), release));
    const fourth = limiter.acquire('ana').then((release) => (order.push('fourth'), release));
    // Another key has places of its own; a fifth call of this key finds the queue full.
    expect(await limiter.acquire('bia')).not.toBeNull();
    expect(await limiter.acquire('ana')).toBeNull();
    first!();
    await third;
    expect(order).toEqual(['third']);
    second!();
    (await third)!();
    (await fourth)!();
    expect(order).toEqual(['third', 'fourth']);
    expect(await limiter.acquire('ana')).not.toBeNull();
  });

  it('refuses a call that waited too long, and gives its place in the queue to another', async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 1, maxWaitMs: 20 });
    const first = await limiter.acquire('ana');
    expect(await limiter.acquire('ana')).toBeNull();
    const next = limiter.acquire('ana');
    first!();
    expect(await next).not.toBeNull();
  });
});
