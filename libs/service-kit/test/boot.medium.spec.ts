import http from 'node:http';
import { Body, Controller, Delete, Get, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  AppError,
  baseConfig,
  base64Key,
  CurrentCaller,
  CurrentUserId,
  createService,
  HealthRegistry,
  signCaller,
  callerHeader,
} from '../src/index.js';

const key = Buffer.alloc(32, 1).toString('base64');

class TeapotError extends AppError {
  readonly code = 'teapot';
  readonly status = 418;
}

/** The request to `slow`: when it has arrived, and when it is answered. */
const slow = { arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };

@Controller()
class ProbeController {
  @Get('rest/v1/refused') rest() {
    throw new TeapotError('chá', { hint: 'café' });
  }
  @Get('auth/v1/refused') auth() {
    throw new TeapotError('chá', { weak_password: { reasons: ['length'] } });
  }
  @Get('functions/v1/refused') functions() {
    throw new TeapotError('chá');
  }
  @Get(['functions/v1/bug', 'auth/v1/bug']) bug() {
    throw new Error('password=hunter2 in a stack');
  }
  @Post('functions/v1/echo') echo(@Body({ schema: z.object({ name: z.string().min(2) }) }) body: { name: string }) {
    return body;
  }
  @Delete('rest/v1/empty') empty() {
    return { ok: true };
  }
  @Get('functions/v1/me') me(@CurrentUserId() userId: string) {
    return { userId };
  }
  @Get('functions/v1/caller') caller(@CurrentCaller() caller: unknown) {
    return caller;
  }
  @Get('slow') async slow() {
    slow.arrived.resolve();
    await slow.released.promise;
    return { finished: true };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

describe('a booted service', () => {
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    app = await createService({
      name: 'probe',
      configSchema: baseConfig.extend({ INTERNAL_SIGNING_KEY: base64Key }),
      module: () => ProbeModule,
      environment: { PORT: '0', LOG_LEVEL: 'silent', INTERNAL_SIGNING_KEY: key },
    });
    url = await app.getUrl();
  });
  afterAll(() => app?.close());

  const call = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`${url}/${path}`, init);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };

  it('writes a refusal in the form of the API it belongs to', async () => {
    expect(await call('rest/v1/refused')).toMatchObject({
      status: 418,
      body: { code: 'teapot', message: 'chá', details: null, hint: 'café' },
    });
    expect(await call('functions/v1/refused')).toMatchObject({ status: 418, body: { error: 'chá', code: 'teapot' } });
    const dated = await call('auth/v1/refused', { headers: { 'x-supabase-api-version': '2024-01-01' } });
    expect(dated.body).toEqual({ code: 'teapot', message: 'chá', weak_password: { reasons: ['length'] } });
    expect(dated.headers.get('x-sb-error-code')).toBe('teapot');
    expect((await call('auth/v1/refused')).body).toEqual({
      code: 418,
      error_code: 'teapot',
      msg: 'chá',
      weak_password: { reasons: ['length'] },
    });
  });

  it('reveals nothing about a bug', async () => {
    const answer = await call('functions/v1/bug');
    expect(answer).toMatchObject({ status: 500, body: { error: '', code: 'internal_error' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|stack/);
  });

  it('includes the id of a failed request in the older error form of auth/v1', async () => {
    const id = randomUUID();
    const older = await call('auth/v1/bug', { headers: { 'x-request-id': id } });
    expect(older).toMatchObject({ status: 500, body: { code: 500, error_code: 'unexpected_failure', error_id: id } });
    const newer = await call('auth/v1/bug', { headers: { 'x-supabase-api-version': '2024-01-01' } });
    expect(Object.keys(newer.body)).toEqual(['code', 'message']);
  });

  it('answers an unknown route in the form of its API', async () => {
    expect(await call('rest/v1/a/b/c')).toMatchObject({ status: 404, body: { code: 'PGRST125' } });
    expect((await call('auth/v1/nothing')).status).toBe(404);
  });

  it('answers a malformed URL in the form of its API, not in Fastify’s', async () => {
    expect(await call('rest/v1/%zz')).toMatchObject({
      status: 400,
      body: { code: 'PGRST100', message: 'Bad request', details: null, hint: null },
    });
    expect(await call('auth/v1/%')).toMatchObject({ status: 400, body: { error_code: 'validation_failed' } });
    expect(await call('functions/v1/%c3')).toMatchObject({ status: 400, body: { error: 'Bad request', code: 'bad_request' } });
  });

  it('accepts an empty body with a JSON content type and refuses a broken one precisely', async () => {
    expect(await call('rest/v1/empty', { method: 'DELETE', headers: { 'content-type': 'application/json' } })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":' };
    expect(await call('functions/v1/echo', broken)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const deep = { ...broken, body: `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}` };
    expect(await call('functions/v1/echo', deep)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await call('rest/v1/echo', deep)).toMatchObject({ status: 400, body: { code: 'PGRST102' } });
    expect(await call('rest/v1/echo', broken)).toMatchObject({ status: 400, body: { code: 'PGRST102', message: 'Empty or invalid json' } });
  });

  it('validates bodies by their schema', async () => {
    const post = (body: unknown) =>
      call('functions/v1/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    expect(await post({ name: 'ana', extra: 1 })).toMatchObject({ status: 201, body: { name: 'ana' } });
    expect(await post({ name: 'a' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('accepts a caller only with the gateway’s signature', async () => {
    const userId = randomUUID();
    const header = signCaller(
      { role: 'authenticated', userId, sessionId: randomUUID(), aal: 'aal1', email: 'a@b.c', roles: [], expiresAt: 0 },
      key,
    );
    expect((await call('functions/v1/me', { headers: { [callerHeader]: header } })).body).toEqual({ userId });
    expect(await call('functions/v1/me')).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    expect(await call('functions/v1/me', { headers: { [callerHeader]: `${header}x` } })).toMatchObject({ status: 401 });
    expect((await call('functions/v1/caller')).body).toEqual({ role: 'anon' });
  });

  it('is ready only while all dependencies that requests need answer, and shows the others', async () => {
    expect((await call('health/ready')).status).toBe(200);
    app.get(HealthRegistry).observe('spare', () => Promise.reject(new Error('no connection')));
    expect(await call('health/ready')).toMatchObject({ status: 200, body: { parts: { spare: 'down: no connection' } } });
    app.get(HealthRegistry).register('broken', () => Promise.reject(new Error('no connection')));
    expect(await call('health/ready')).toMatchObject({ status: 503, body: { parts: { broken: 'down: no connection' } } });
    app.get(HealthRegistry).register('broken', () => Promise.resolve());
    expect((await call('health/live')).status).toBe(200);
  });

  it('serves metrics by route pattern', async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const line = text
      .split('\n')
      .find((each) => each.startsWith('http_request_duration_seconds_count') && each.includes('route="/rest/v1/refused"'));
    expect(line).toMatch(/status="418".* 1$/);
  });

  it('serves metrics of its process, each once', async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes'])
      expect(text.match(new RegExp(`^${name}\\{service="probe"\\} [\\d.e-]+$`, 'gm'))).toHaveLength(1);
  });

  it('finishes a request under way when it stops', async () => {
    const own = await createService({
      name: 'probe',
      configSchema: baseConfig,
      module: () => ProbeModule,
      environment: { PORT: '0', LOG_LEVEL: 'silent' },
    });
    const { port } = new URL(await own.getUrl());
    const answer = new Promise<string>((resolve, reject) => {
      http
        .get({ port, path: '/slow', host: '127.0.0.1' }, (response) => response.on('data', (chunk: Buffer) => resolve(chunk.toString())))
        .on('error', reject);
    });
    await slow.arrived.promise;
    const closing = own.close();
    slow.released.resolve();
    expect(await answer).toBe('{"finished":true}');
    await closing;
  });
});
