import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { RequestBody } from '../src/proxy/request-body.js';
import { type ResolveAll, ServiceAgent } from '../src/proxy/service-agent.js';

interface Replica {
  address: string;
  port: number;
  /** Requests by connection, in the order of the connections. */
  seen: string[][];
  /** Decides what happens to a request; default: it is answered. */
  onRequest?: (socket: Socket, connection: number) => boolean;
  close(): Promise<void>;
}

async function replica(address: string, port = 0): Promise<Replica> {
  const sockets: Socket[] = [];
  const server = http.createServer((request, response) => {
    const connection = sockets.indexOf(request.socket);
    self.seen[connection]!.push(request.method ?? '');
    if (self.onRequest?.(request.socket, connection) === false) return;
    request.resume().on('end', () => response.end(address));
  });
  server.on('connection', (socket) => {
    sockets.push(socket);
    self.seen.push([]);
  });
  server.listen(port, address);
  await once(server, 'listening');
  const self: Replica = {
    address,
    port: (server.address() as AddressInfo).port,
    seen: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return self;
}

/** Resolves every name to the addresses that `next` returns. */
const resolving =
  (next: () => string[]): ResolveAll =>
  (_hostname, _options, done) =>
    done(
      null,
      next().map((address) => ({ address, family: 4 })),
    );

const bodyOf = (text: string) => {
  const request = Object.assign(Readable.from([Buffer.from(text)]), { headers: { 'content-length': String(text.length) }, complete: true });
  return new RequestBody(request as unknown as http.IncomingMessage, { maxBytes: 1_000, onProgress: () => undefined });
};

describe('requests to services', () => {
  const agents: ServiceAgent[] = [];
  const replicas: Replica[] = [];
  const agentWith = (next: () => string[]) => {
    const agent = new ServiceAgent({ headersTimeoutMs: 10_000, resolveAll: resolving(next) });
    agents.push(agent);
    return agent;
  };
  const started = async (address: string, port?: number) => {
    const each = await replica(address, port);
    replicas.push(each);
    return each;
  };
  afterEach(async () => {
    await Promise.all(agents.splice(0).map((agent) => agent.close()));
    await Promise.all(replicas.splice(0).map((each) => each.close()));
  });

  it('that were refused again and again reach a replica once, writes and their bodies too', async () => {
    const living = await started('127.0.0.1');
    const named = ['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.2'];
    const agent = agentWith(() => [named.shift() ?? living.address]);
    const headers = { 'content-length': '5' };
    const request = { origin: `http://service.test:${living.port}`, path: '/', method: 'POST', headers, body: bodyOf('corpo') } as const;
    const answer = await agent.request(request);
    expect([answer.statusCode, await answer.body.text()]).toEqual([200, '127.0.0.1']);
    expect([named, living.seen]).toEqual([[], [['POST']]]);
  });

  it('go to every address of a name, and past one that refuses', async () => {
    const first = await started('127.0.0.1');
    const second = await started('127.0.0.2', first.port);
    const agent = agentWith(() => ['127.0.0.1', '127.0.0.2']);
    const ask = async (method: 'GET' | 'POST') => {
      const { body } = await agent.request({
        origin: `http://service.test:${first.port}`,
        path: '/',
        method,
        headers: { connection: 'close' },
      });
      return body.text();
    };
    const reached = new Set<string>();
    for (let count = 0; count < 40; count++) reached.add(await ask('POST'));
    expect([...reached].sort()).toEqual(['127.0.0.1', '127.0.0.2']);
    replicas.splice(replicas.indexOf(second), 1);
    await second.close();
    expect([await ask('POST'), await ask('GET'), await ask('POST')]).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  });

  it('are repeated on a new connection, since all kept ones may lead to the replica that died', async () => {
    const living = await started('127.0.0.1');
    const agent = agentWith(() => [living.address]);
    const get = { origin: `http://service.test:${living.port}`, path: '/', method: 'GET', isRepeatable: true } as const;
    const ask = async () => (await agent.request(get)).body.text();
    await Promise.all([ask(), ask(), ask()]);
    const kept = living.seen.length;
    expect(kept).toBe(3);
    living.onRequest = (socket, connection) => {
      if (connection >= kept) return true;
      socket.destroy();
      return false;
    };
    expect(await ask()).toBe('127.0.0.1');
    expect(living.seen.slice(kept)).toEqual([['GET']]);
  });

  it('are repeated once, and never when they may have been handled and are no reads', async () => {
    const dying = await started('127.0.0.1');
    dying.onRequest = (socket) => {
      socket.destroy();
      return false;
    };
    const agent = agentWith(() => [dying.address]);
    const request = { origin: `http://service.test:${dying.port}`, path: '/' } as const;
    await expect(agent.request({ ...request, method: 'GET', isRepeatable: true })).rejects.toThrow();
    await expect(agent.request({ ...request, method: 'DELETE' })).rejects.toThrow();
    await expect(agent.request({ ...request, method: 'POST', body: '{}' })).rejects.toThrow();
    expect(dying.seen.flat().sort()).toEqual(['DELETE', 'GET', 'GET', 'POST']);
  });

  it('that nobody accepts fail with the reason, and at once when they are aborted', async () => {
    const agent = agentWith(() => ['127.0.0.2']);
    const closed = await replica('127.0.0.2');
    await closed.close();
    const request = { origin: `http://service.test:${closed.port}`, path: '/', method: 'POST' } as const;
    await expect(agent.request(request)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const abort = new AbortController();
    const asked = agent.request({ ...request, signal: abort.signal });
    abort.abort();
    await expect(asked).rejects.toThrow();
  });
});
