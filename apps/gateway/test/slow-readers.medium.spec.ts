import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { forward } from '../src/proxy/forward.js';
import { ServiceAgent } from '../src/proxy/service-agent.js';

const megabyte = Buffer.alloc(1024 * 1024, 'x');

describe('clients that stop reading', () => {
  const connections = 2;
  let service: http.Server;
  let agent: ServiceAgent;
  let server: FastifyInstance;
  let url: URL;
  const readers: net.Socket[] = [];

  const open = async (limits: { headersTimeoutMs: number; stalledReaderMs: number }) => {
    server = fastify();
    server.get('/*', async (request, reply) => {
      const { port } = service.address() as AddressInfo;
      await forward(request, reply, {
        agent,
        serviceUrl: `http://127.0.0.1:${port}`,
        caller: null,
        signingKey: '',
        clientAddress: '127.0.0.1',
        ...limits,
      }).catch((error: Error) => (reply.raw.destroyed || reply.sent ? undefined : reply.status(504).send(error.name)));
    });
    url = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
  };

  /** Requests more than any buffer can hold, and reads only the beginning. */
  const stall = () =>
    new Promise<void>((resolve) => {
      const reader = net.connect(Number(url.port), url.hostname, () => reader.write('GET /much HTTP/1.1\r\nhost: x\r\n\r\n'));
      readers.push(reader);
      reader.on('error', () => undefined);
      reader.once('readable', () => {
        expect(String(reader.read(12))).toBe('HTTP/1.1 200');
        resolve();
      });
    });

  beforeEach(async () => {
    agent = new ServiceAgent({ headersTimeoutMs: 30_000, connections });
    service = http.createServer((request, response) => {
      if (request.url !== '/much') return void response.end('little');
      const more = () => {
        while (!response.destroyed && response.write(megabyte));
      };
      response.on('drain', more);
      return more();
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.destroy();
    await server?.close();
    await agent?.close();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  it('are disconnected, so that others are served', async () => {
    await open({ headersTimeoutMs: 30_000, stalledReaderMs: 2_000 });
    await Promise.all(Array.from({ length: connections }, stall));
    const answer = await fetch(new URL('/little', url));
    expect([answer.status, await answer.text()]).toEqual([200, 'little']);
  });

  it('make others wait no longer than the timeout of a service', async () => {
    await open({ headersTimeoutMs: 3_000, stalledReaderMs: 60_000 });
    await Promise.all(Array.from({ length: connections }, stall));
    const answer = await fetch(new URL('/little', url));
    expect([answer.status, await answer.text()]).toEqual([504, 'HeadersTimeoutError']);
  });
});
