import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Module, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { baseConfig, createService } from '../src/index.js';

/** In which the load sends some requests. */
const someRequestsMs = 500;

const slowMs = 2_000;
const drainMs = 1_500;
/** Interval of the balancer's readiness probes, short enough for several probes within `drainMs`. */
const probeMs = 200;

@Controller()
class WorkController {
  @Get('quick') quick() {
    return { done: true };
  }
  @Get('slow') async slow() {
    await sleep(slowMs);
    return { done: true };
  }
}

/** Of the long response that was begun last: ends it. */
let endLongResponse: () => void;

@Controller()
class LongController {
  @Get('long') long(@Res() reply: FastifyReply) {
    const body = new Readable({ read: () => undefined });
    body.push('begun');
    endLongResponse = () => body.push(null);
    void reply.send(body);
  }
}

@Module({ controllers: [WorkController, LongController] })
class WorkModule {}

const start = (port = 0): Promise<NestFastifyApplication> =>
  createService({
    name: 'drained',
    configSchema: baseConfig,
    module: () => WorkModule,
    environment: { PORT: String(port), LOG_LEVEL: 'silent', DRAIN_MS: String(drainMs) },
  });
const portOf = (app: NestFastifyApplication): number => (app.getHttpServer().address() as AddressInfo).port;

interface Answer {
  status: number;
  connection: string | undefined;
}

function get(port: number, path: string, agent?: http.Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path, ...(agent ? { agent } : {}) }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection }));
        answer.once('error', reject);
      })
      .once('error', reject);
  });
}

/** Load balancer: sends requests round robin to the replicas that are ready, over persistent connections. It retries no request. */
class Balancer {
  private readonly server: http.Server;
  private readonly agent = new http.Agent({ keepAlive: true });
  private ready: number[];
  private turn = 0;
  private readonly probing: NodeJS.Timeout;

  constructor(private readonly ports: readonly number[]) {
    this.ready = [...ports];
    this.server = http.createServer((request, response) => {
      const port = this.ready[this.turn++ % this.ready.length];
      if (port === undefined) return void response.writeHead(503).end('nobody is ready');
      get(port, request.url ?? '/', this.agent).then(
        ({ status }) => response.writeHead(status).end(),
        (error: Error) => response.writeHead(502, { 'x-why': error.message }).end(),
      );
    });
    this.probing = setInterval(() => void this.probe(), probeMs);
  }

  private async probe(): Promise<void> {
    const answers = await Promise.all(
      this.ports.map((port) =>
        get(port, '/health/ready').then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    );
    this.ready = this.ports.filter((_, index) => answers[index]);
  }

  get isComplete(): boolean {
    return this.ready.length === this.ports.length;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    clearInterval(this.probing);
    this.agent.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('a replica that stops', () => {
  it('loses no request when replicas are restarted one after the other under fifty requests a second', async () => {
    const replicas = [await start(), await start()];
    const ports = replicas.map(portOf);
    const balancer = new Balancer(ports);
    const entry = await balancer.listen();
    const entryAgent = new http.Agent({ keepAlive: true });
    const answers: Promise<string>[] = [];
    let sent = 0;
    const load = setInterval(() => {
      const path = sent++ % 10 === 0 ? '/slow' : '/quick';
      answers.push(
        get(entry, path, entryAgent).then(
          ({ status }) => String(status),
          (error: Error) => error.message,
        ),
      );
    }, 20);
    try {
      for (const [index, port] of ports.entries()) {
        await sleep(someRequestsMs);
        await replicas[index]!.close();
        replicas[index] = await start(port);
        while (!balancer.isComplete) await sleep(20);
      }
      await sleep(someRequestsMs);
    } finally {
      clearInterval(load);
      const outcomes = await Promise.all(answers);
      await balancer.close();
      entryAgent.destroy();
      await Promise.all(replicas.map((replica) => replica.close()));
      expect(outcomes.filter((outcome) => outcome !== '200')).toEqual([]);
      expect(outcomes.length).toBeGreaterThan(100);
    }
  });

  it('tells its clients to close unused connections before its stop could, and keeps them longer than nginx does', async () => {
    const replica = await start();
    const agent = new http.Agent({ keepAlive: true });
    const told = await new Promise<unknown>((resolve) =>
      http.get({ host: '127.0.0.1', port: portOf(replica), path: '/quick', agent }, (answer) => {
        answer.resume();
        resolve(answer.headers['keep-alive']);
      }),
    );
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = replica.getHttpServer() as http.Server & { keepAliveTimeoutBuffer: number };
    expect(told).toBe('timeout=4'); // compared with DRAIN_MS of the manifests in apps/e2e/src/manifests.spec.ts
    expect(keepAliveTimeout + keepAliveTimeoutBuffer).toBeGreaterThan(60_000);
    agent.destroy();
    await replica.close();
  });

  it('closes the connection of a long response that began before the stop when it ends, while it still serves', async () => {
    const replica = await start();
    const port = portOf(replica);
    const answer = await new Promise<http.IncomingMessage>((resolve) =>
      http.get({ host: '127.0.0.1', port, path: '/long', agent: new http.Agent({ keepAlive: true }) }, resolve),
    );
    expect(answer.headers.connection).toBe('keep-alive');
    const { socket } = answer;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const closing = replica.close();
    expect(await get(port, '/health/ready')).toMatchObject({ status: 503 });
    answer.resume();
    endLongResponse();
    await closed;
    expect(await get(port, '/health/live')).toMatchObject({ status: 200 });
    await closing;
  });

  it('reports not ready, continues to serve, and closes each connection after its response', async () => {
    const replica = await start();
    const port = portOf(replica);
    const agent = new http.Agent({ keepAlive: true });
    expect(await get(port, '/quick', agent)).toEqual({ status: 200, connection: 'keep-alive' });
    const slow = get(port, '/slow');
    const closing = replica.close();
    const begun = performance.now();
    expect(await get(port, '/health/ready')).toMatchObject({ status: 503 });
    expect(await get(port, '/health/live')).toMatchObject({ status: 200 });
    expect(await get(port, '/quick', agent)).toEqual({ status: 200, connection: 'close' });
    expect(await slow).toEqual({ status: 200, connection: 'close' });
    await closing;
    expect(performance.now() - begun).toBeGreaterThanOrEqual(drainMs - 50);
    agent.destroy();
    await expect(get(port, '/quick')).rejects.toThrow('ECONNREFUSED');
  });
});
