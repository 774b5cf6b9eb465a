import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Agent } from 'undici';
import { createAgent, forward } from '../src/forward.js';

const megabyte = Buffer.alloc(1024 * 1024, 'x');

describe('readers who stop reading', () => {
  const connections = 2;
  let service: http.Server;
  let agent: Agent;
  let door: FastifyInstance;
  let url: URL;
  const readers: net.Socket[] = [];

  const open = async (limits: { headersTimeoutMs: number; readerSilenceMs: number }) => {
    door = fastify();
    door.get('/*', async (request, reply) => {
      const { port } = service.address() as AddressInfo;
      await forward(request, reply, {
        agent,
        address: `http://127.0.0.1:${port}`,
        caller: null,
        signingKey: '',
        clientAddress: '127.0.0.1',
        responseHeaders: {},
        ...limits,
      }).catch((error: Error) => (reply.raw.destroyed || reply.sent ? undefined : reply.status(504).send(error.name)));
    });
    url = new URL(await door.listen({ port: 0, host: '127.0.0.1' }));
  };

  /** Asks for more than any buffer holds, and takes its beginning alone. */
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
    agent = createAgent(30_000, connections);
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
    await door.close();
    await agent.destroy();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  it('get no more, so that everybody else is served', async () => {
    await open({ headersTimeoutMs: 30_000, readerSilenceMs: 2_000 });
    await Promise.all(Array.from({ length: connections }, stall));
    const answer = await fetch(new URL('/little', url));
    expect([answer.status, await answer.text()]).toEqual([200, 'little']);
  });

  it('make nobody wait longer than a silent service would', async () => {
    await open({ headersTimeoutMs: 3_000, readerSilenceMs: 60_000 });
    await Promise.all(Array.from({ length: connections }, stall));
    const answer = await fetch(new URL('/little', url));
    expect([answer.status, await answer.text()]).toEqual([504, 'HeadersTimeoutError']);
  });
});
