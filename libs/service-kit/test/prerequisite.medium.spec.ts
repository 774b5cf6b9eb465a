import { setTimeout as sleep } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { baseConfig, createService } from '../src/index.js';

@Module({})
class EmptyModule {}

describe('a service that lacks its prerequisite', () => {
  it('is alive and not ready, runs nothing of its module, and starts by itself when it is there', async () => {
    const port = await freePort();
    let missing: string | undefined = '2 migrations are not applied';
    let modules = 0;
    const starting = createService({
      name: 'probe',
      configSchema: baseConfig,
      module: () => {
        modules += 1;
        return EmptyModule;
      },
      prerequisite: () => Promise.resolve(missing),
      environment: { PORT: String(port), LOG_LEVEL: 'silent' },
    });
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: answer.status, body: await answer.json() };
    };
    const live = async () => {
      for (;;) {
        const answer = await get('/health/live').catch(() => undefined); // it does not listen yet
        if (answer) return answer;
        await sleep(10);
      }
    };
    expect(await live()).toEqual({ status: 200, body: { status: 'up' } });
    const notReady = { status: 503, body: { status: 'not ready', parts: { prerequisite: 'down: 2 migrations are not applied' } } };
    expect(await get('/health/ready')).toEqual(notReady);
    expect(await get('/rest/v1/notes')).toMatchObject({ status: 503 });
    expect(modules).toBe(0);
    missing = undefined;
    const app = await starting;
    try {
      expect(await get('/health/ready')).toEqual({ status: 200, body: { status: 'ready', parts: {} } });
    } finally {
      await app.close();
    }
  });
});
