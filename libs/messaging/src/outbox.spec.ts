import { defineJob } from '@decola/contracts';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { CheckedPayload, Outbox } from './outbox.js';

describe('a payload that its sender has checked', () => {
  let checks = 0;
  const job = defineJob(
    'test.job',
    z.object({ weight: z.number() }).refine(() => {
      checks += 1;
      return true;
    }),
  );
  const stored: unknown[] = [];
  const manager = {
    query: (_text: string, [rows]: string[]) => Promise.resolve(stored.push(JSON.parse(rows ?? ''))),
  } as unknown as EntityManager;
  const enqueue = (payload: { weight: number } | CheckedPayload<{ weight: number }>) =>
    new Outbox().enqueueMany(manager, job, [{ id: 'x', queue: 'q', subject: 's', payload }]);

  beforeEach(() => {
    checks = 0;
    stored.length = 0;
  });

  it('is stored without a second check', async () => {
    const payload = CheckedPayload.of(job, { weight: 3 });
    await enqueue(payload!);
    expect(checks).toBe(1);
    expect(stored).toEqual([[{ id: 'x', queue: 'q', subject: 's', payload: { weight: 3 } }]]);
  });

  it('is none when it does not fit, and every other payload is checked by the outbox', async () => {
    expect(CheckedPayload.of(job, { weight: '3' } as never)).toBeUndefined();
    await enqueue({ weight: 4 });
    expect(checks).toBe(1);
    await expect(enqueue({ weight: '4' } as never)).rejects.toThrow(z.ZodError);
  });
});
