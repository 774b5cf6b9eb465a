import net from 'node:net';
import { baseConfig, createService } from '@decola/service-kit';
import { All, Controller, Module, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { gatewayBench, type GatewayBench, publishableKey } from './support.js';

/** Returns the request as a service reads it. */
@Controller()
class EchoController {
  @All('auth/v1/token') token(@Req() request: FastifyRequest) {
    return { route: 'token', url: request.raw.url, query: request.query };
  }
  @All('*') any(@Req() request: FastifyRequest) {
    return { route: 'any', url: request.raw.url, query: request.query };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

interface Understood {
  status: number;
  body: string;
}

/** Sends a request line byte by byte as given. */
const say = (url: string, target: string, method = 'POST') =>
  new Promise<Understood>((resolve) => {
    const { hostname, port, host } = new URL(url);
    let text = '';
    const socket = net.connect(Number(port), hostname, () =>
      socket.write(
        Buffer.from(
          `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\napikey: ${publishableKey}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
          'latin1',
        ),
      ),
    );
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n', 2);
      resolve({ status: Number(head.split(' ')[1] ?? 0), body: /^[0-9a-f]+\r\n/.test(body) ? (body.split('\r\n')[1] ?? '') : body });
    });
  });

const bases = ['/auth/v1/token', '/auth/v1/token?grant_type=password', '/auth/v1/user', '/auth/v1/factors/x/verify'];
const marks = [
  '#',
  '\\',
  '%23',
  '%2f',
  '%5c',
  '%3f',
  ';',
  '?',
  '%',
  '%zz',
  '%c3',
  '%00',
  '%25',
  '..',
  '/',
  '//',
  '\t',
  '\x7f',
  '\x0b',
  'ç',
  '@',
  '*',
  '&',
  '%74',
];

/** Paths with each mark at the end, at the beginning, after the prefix and in the query; and every form of a request target. */
function targets(): string[] {
  const all = new Set<string>([
    '*',
    '',
    '#',
    '?',
    '/',
    '//',
    'auth/v1/token',
    '/auth/v1/%74oken',
    '/auth/v1/./token',
    '/auth/v1/x/../token',
  ]);
  for (const base of bases) {
    for (const mark of marks)
      for (const made of [
        `${base}${mark}`,
        `${base}${mark}x`,
        `${base.replace('/v1/', `/v1/${mark}`)}`,
        `${mark}${base}`,
        `${base}${mark}?a=1`,
        `${base}?a=${mark}&b=1`,
      ])
        all.add(made);
    for (const origin of [
      'http://mal.example',
      'https://mal.example:80',
      'http://',
      'http://mal.example#',
      'http://mal.example\\',
      '//mal.example',
    ])
      all.add(`${origin}${base}`);
  }
  return [...all].filter((target) => !/[ \r\n]/.test(target));
}

describe('a request target', () => {
  let gateway: GatewayBench;
  let service: NestFastifyApplication;
  let serviceUrl: string;

  beforeAll(async () => {
    service = await createService({
      name: 'echo',
      configSchema: baseConfig,
      module: () => EchoModule,
      environment: { PORT: '0', LOG_LEVEL: 'silent' },
    });
    serviceUrl = await service.getUrl();
    // The echo service stands for identity, so that it reports what is forwarded.
    gateway = await gatewayBench({
      IDENTITY_URL: serviceUrl,
      RATE_LIMIT_AUTH_PER_5_MINUTES: '1000000',
      RATE_LIMIT_TOKEN_PER_5_MINUTES: '1000000',
      RATE_LIMIT_MFA_PER_2_MINUTES: '1000000',
    });
  });
  afterAll(async () => {
    await gateway?.dispose();
    await service?.close();
  });

  it('is read in the same way by the gateway and by a service, or refused by both', async () => {
    const all = targets();
    expect(all.length).toBeGreaterThan(400);
    const counts = { refused: 0, forwarded: 0 };
    for (const target of all) {
      const [outer, inner] = [await say(gateway.url, target), await say(serviceUrl, target)];
      if (inner.status === 400) {
        expect([target, outer.status]).toEqual([target, 400]);
        counts.refused += 1;
        continue;
      }
      // The gateway answered itself.
      if (!outer.body.includes('"route"')) continue;
      counts.forwarded += 1;
      expect([target, outer.status, outer.body]).toEqual([target, inner.status, inner.body]);
      expect((JSON.parse(outer.body) as { url: string }).url).toBe(target);
    }
    expect(counts.refused).toBeGreaterThan(100);
    expect(counts.forwarded).toBeGreaterThan(100);
  });

  it('that is malformed is refused in the error format of its API', async () => {
    expect(await say(gateway.url, '/rest/v1/automations#x', 'GET')).toMatchObject({
      status: 400,
      body: '{"code":"PGRST100","message":"Bad request","details":null,"hint":null}',
    });
    expect(JSON.parse((await say(gateway.url, '/functions/v1/check-subscription#x')).body)).toEqual({
      error: 'Bad request',
      code: 'bad_request',
    });
    expect(JSON.parse((await say(gateway.url, '/auth/v1/token#x')).body)).toMatchObject({ code: 400, error_code: 'validation_failed' });
  });

  it('cannot be spelled so that a rate limit is bypassed', async () => {
    const few = await gatewayBench({ IDENTITY_URL: serviceUrl, RATE_LIMIT_TOKEN_PER_5_MINUTES: '15' });
    try {
      // 15 in five minutes are enforced as three per minute.
      const spellings = ['', '', '', '', '?x', '/', '?x#y', '#x', '%23', '?a=%23', ';', '%3f', '//'];
      const answers = [];
      for (const spelling of spellings) {
        const { body } = await say(few.url, `/auth/v1/token${spelling}`);
        answers.push(body.includes('"route":"token"') ? 'served' : 'not served');
      }
      expect(answers).toEqual(spellings.map((_, index) => (index < 3 ? 'served' : 'not served')));
    } finally {
      await few.dispose();
    }
  });
});
