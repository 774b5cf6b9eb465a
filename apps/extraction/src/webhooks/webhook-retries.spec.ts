import { nextStep } from './webhook-retries.js';

const pauses = [60, 540, 3_000];
const answered = (status: number, retryAfter: string | null = null) => ({ status, retryAfter });

describe('after an attempt to deliver', () => {
  it.each([200, 201, 204, 299])('%i is success', (status) =>
    expect(nextStep(answered(status), 1, pauses, 0.5)).toEqual({ kind: 'delivered' }),
  );

  it('410 ends the webhook', () => expect(nextStep(answered(410), 1, pauses, 0.5)).toEqual({ kind: 'ended' }));

  it.each([301, 302, 400, 401, 404, 429, 500, 503])('%i is tried again after growing pauses, then given up', (status) => {
    expect([1, 2, 3, 4].map((attempts) => nextStep(answered(status), attempts, pauses, 0.5))).toEqual([
      { kind: 'retry', afterSeconds: 60 },
      { kind: 'retry', afterSeconds: 540 },
      { kind: 'retry', afterSeconds: 3_000 },
      { kind: 'failed' },
    ]);
  });

  it('a call without an answer is tried again, too', () =>
    expect(nextStep({ failure: 'timeout' }, 1, pauses, 0.5)).toEqual({ kind: 'retry', afterSeconds: 60 }));

  it('pauses differ by a tenth', () => {
    expect([0, 1].map((chance) => nextStep(answered(500), 1, pauses, chance))).toEqual([
      { kind: 'retry', afterSeconds: 54 },
      { kind: 'retry', afterSeconds: 66 },
    ]);
  });

  it('a server may ask for a longer pause, up to a day', () => {
    expect(nextStep(answered(503, '600'), 1, pauses, 0.5)).toEqual({ kind: 'retry', afterSeconds: 600 });
    expect(nextStep(answered(429, '9999999'), 1, pauses, 0.5)).toEqual({ kind: 'retry', afterSeconds: 86_400 });
    expect(nextStep(answered(429, 'Wed, 21 Oct 2026 07:28:00 GMT'), 1, pauses, 0.5)).toEqual({ kind: 'retry', afterSeconds: 60 });
  });
});
