import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@decola/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { BodyTooSlowError, RequestBody } from '../src/proxy/request-body.js';
import { forward } from '../src/proxy/forward.js';
import { ServiceAgent } from '../src/proxy/service-agent.js';
import { gatewayBench, type GatewayBench, publishableKey } from './support.js';

/** In which nothing may happen. */
const quietMs = 500;
const betweenPiecesMs = 100;

/** Opens a connection, sends the headers and the beginning of a body, and collects the answer. */
function upload(url: string, head: string, first: Buffer | string = '') {
  const { hostname, port } = new URL(url);
  const state = { text: '', isOpen: true, socket: net.connect(Number(port), hostname) };
  state.socket.on('data', (chunk) => (state.text += chunk.toString('latin1')));
  state.socket.on('error', () => undefined);
  state.socket.on('close', () => (state.isOpen = false));
  state.socket.write(head);
  state.socket.write(first);
  return state;
}

describe('request bodies', () => {
  let own: GatewayBench;
  beforeAll(async () => {
    own = await gatewayBench();
  });
  beforeEach(() => own.reset());
  afterAll(() => own?.dispose());

  const length = 11 * 1024 * 1024;
  const head = (line: string, more = '', bytes = length) =>
    `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${more}\r\n`;
  const seenBodies = () => Object.values(own.services).flatMap(({ seen }) => seen.filter(({ body }) => body.length > 0));

  it('are not read when the request is refused without them, and their connections are closed', async () => {
    const key = `apikey: ${publishableKey}\r\n`;
    const cases: [line: string, more: string, status: number][] = [
      ['POST /', '', 404],
      ['POST /rest/v1/automations', '', 413],
      ['POST /rest/v1/blog_articles', '', 401],
      ['POST /rest/v1/blog_articles', 'apikey: nope\r\n', 401],
      ['POST /rest/v1/blog_articles', key, 413],
      ['POST /rest/v1/nada', key, 413],
      ['DELETE /rest/v1/automations?id=eq.1', key, 413],
      ['POST /functions/v1/nada', '', 413],
      ['POST /webhooks/stripe', '', 413],
      ['POST /realtime/v1/x', '', 404],
      ['OPTIONS /rest/v1/automations', '', 204],
    ];
    await Promise.all(
      cases.map(async ([line, more, status]) => {
        const answered = upload(own.url, head(line, more));
        await eventually(() => expect([line, more, answered.text.slice(0, 13)]).toEqual([line, more, `HTTP/1.1 ${status} `]));
        await eventually(() => expect(answered.isOpen).toBe(false));
      }),
    );
    expect(seenBodies()).toEqual([]);
  });

  it('that are refused unread end their connection, so that the client opens a new one', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const send = (bytes: number) =>
      new Promise<[number, string | undefined]>((resolve, reject) => {
        const request = http.request(
          `${own.url}/rest/v1/automations`,
          { method: 'POST', agent, headers: { apikey: publishableKey, 'content-length': bytes } },
          (response) => {
            response.resume().on('end', () => resolve([response.statusCode ?? 0, response.headers.connection]));
          },
        );
        request.on('error', reject);
        request.end(Buffer.alloc(bytes, 'x'));
      });
    // Small enough for the socket buffers, so the client believes that it was sent.
    expect(await send(1024 * 1024 + 1)).toEqual([413, 'close']);
    for (let count = 0; count < 3; count++) expect(await send(10)).toEqual([200, 'keep-alive']);
    agent.destroy();
  });

  it('without a declared length are refused at the limit', async () => {
    const answer = await new Promise<{ status: number; code: unknown }>((resolve, reject) => {
      const request = http.request(
        `${own.url}/functions/v1/create-checkout`,
        { method: 'POST', headers: { apikey: publishableKey, 'content-type': 'application/json', 'transfer-encoding': 'chunked' } },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, code: (JSON.parse(text) as { code: unknown }).code }));
        },
      );
      request.on('error', reject);
      request.end(Buffer.alloc(1024 * 1024 + 1, 'x'));
    });
    expect(answer).toEqual({ status: 413, code: 'payload_too_large' });
    expect(own.services.billing.seen).toEqual([]);
  });

  it('are forwarded as they arrive, and completely', async () => {
    const bytes = Buffer.from('ação '.repeat(200_000));
    const [service, token] = [own.services.extraction, await own.token()];
    const running = upload(
      own.url,
      head('POST /rest/v1/extracted_data', `apikey: ${publishableKey}\r\nauthorization: Bearer ${token}\r\n`, bytes.length),
      bytes.subarray(0, 100_000),
    );
    await sleep(betweenPiecesMs);
    running.socket.write(bytes.subarray(100_000));
    await eventually(() => expect(running.text).toMatch(/^HTTP\/1\.1 200 /));
    expect(service.seen.at(-1)?.body.equals(bytes)).toBe(true);
    expect(service.seen.at(-1)?.headers).toMatchObject({ 'content-length': String(bytes.length) });
    running.socket.destroy();
  });

  it('of many megabytes are forwarded two at a time per person', async () => {
    const token = await own.token();
    let [open, most] = [0, 0];
    const { answer } = own.services.extraction;
    own.services.extraction.answer = (seen) => {
      if (seen.body.length > 0) open += 1;
      most = Math.max(most, open);
      return { silent: true };
    };
    const gone = new AbortController();
    const calls = Array.from({ length: 6 }, () =>
      own
        .call('/rest/v1/extracted_data', {
          method: 'POST',
          body: 'x'.repeat(2 * 1024 * 1024),
          headers: { authorization: `Bearer ${token}` },
          signal: gone.signal,
        })
        .catch(() => undefined),
    );
    await eventually(() => expect(open).toBe(2));
    await sleep(quietMs);
    expect(most).toBe(2);
    gone.abort();
    await Promise.all(calls);
    own.services.extraction.answer = answer;
  });
});

describe('slow bodies', () => {
  let service: http.Server;
  let server: FastifyInstance;
  let agent: ServiceAgent;
  let [begun, aborted] = [0, 0];

  beforeEach(async () => {
    agent = new ServiceAgent({ headersTimeoutMs: 30_000 });
    [begun, aborted] = [0, 0];
    service = http.createServer((request, response) => {
      begun += 1;
      request.on('close', () => {
        if (!request.complete) aborted += 1;
      });
      request.resume().on('end', () => response.end('done'));
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await server?.close();
    await agent?.close();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  const open = async (minimumRate: { graceMs: number; bytesPerSecond: number }, headersTimeoutMs = 30_000) => {
    server = fastify();
    server.addContentTypeParser('*', (_request, _body, done) => done(null, undefined));
    server.post('/*', async (request, reply) => {
      const { port } = service.address() as AddressInfo;
      await forward(request, reply, {
        agent,
        serviceUrl: `http://127.0.0.1:${port}`,
        caller: null,
        signingKey: '',
        clientAddress: '127.0.0.1',
        maxBodyBytes: 1024 * 1024,
        headersTimeoutMs,
        minimumRate,
      }).catch((error: unknown) => (reply.raw.destroyed ? undefined : reply.status(error instanceof BodyTooSlowError ? 408 : 500).send()));
    });
    return server.listen({ port: 0, host: '127.0.0.1' });
  };
  /** Sends `atOnce` bytes with the head, the others one by one. */
  const drip = (url: string, bytes: number, everyMs: number, atOnce = 0) => {
    const sent = upload(url, `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`, 'x'.repeat(atOnce));
    let left = bytes - atOnce;
    const timer = setInterval(() => {
      if (left-- > 0 && sent.isOpen) sent.socket.write('x');
      else clearInterval(timer);
    }, everyMs);
    return {
      ...sent,
      get text() {
        return sent.text;
      },
      end: () => (clearInterval(timer), sent.socket.destroy()),
    };
  };

  it('are refused, and the request to the service is aborted', async () => {
    const url = await open({ graceMs: 500, bytesPerSecond: 8_192 });
    const crumbs = drip(url, 100_000, 50);
    await eventually(() => expect(crumbs.text).toMatch(/^HTTP\/1\.1 408 /));
    await eventually(() => expect(aborted).toBe(1));
    crumbs.end();
  });

  it('may take longer than the timeout of a service, as long as they keep the minimum rate', async () => {
    // What came at once is enough for 40 seconds, in which a busy machine may send nothing more.
    const url = await open({ graceMs: 500, bytesPerSecond: 5 }, 1_000);
    const steady = drip(url, 240, 50, 200);
    await eventually(() => expect(steady.text).toMatch(/^HTTP\/1\.1 200 /));
    steady.end();
  });

  it('that the client aborts abort the request to the service', async () => {
    const url = await open({ graceMs: 60_000, bytesPerSecond: 1 });
    const sent = upload(url, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n', 'half');
    await eventually(() => expect(begun).toBe(1));
    sent.socket.destroy();
    await eventually(() => expect(aborted).toBe(1));
  });
});

it('a body of which nothing was read can be sent on another connection', async () => {
  const closed = net.createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const agent = new ServiceAgent({ headersTimeoutMs: 30_000 });
  const body = new RequestBody({ headers: { 'content-length': '4' } } as never, { maxBytes: 4, onProgress: () => undefined });
  const asked = agent.request({
    origin: `http://127.0.0.1:${port}`,
    path: '/',
    method: 'POST',
    headers: { 'content-length': '4' },
    body,
  });
  await expect(asked).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(body.isStarted).toBe(false);
  await agent.close();
});
