import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { baseConfig, createService } from '@decola/service-kit';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FakeService, gatewayBench, publishableKey } from './support.js';

/** How long a replica takes to answer. */
const answerMs = 20;
/** In which the load sends some requests. */
const someRequestsMs = 500;
/** After which the cluster has removed a replica. */
const removalMs = 500;

/** Longer than the gateway keeps an unused connection. */
const drainMs = 6_000;

@Controller('rest/v1')
class PlansController {
  @Get('subscription_plans') async plans() {
    await sleep(answerMs);
    return [];
  }
}

@Module({ controllers: [PlansController] })
class PlansModule {}

const startReplica = (port = 0): Promise<NestFastifyApplication> =>
  createService({
    name: 'plans',
    configSchema: baseConfig,
    module: () => PlansModule,
    environment: { PORT: String(port), LOG_LEVEL: 'silent', DRAIN_MS: String(drainMs) },
  });

/** Distributes new connections over the given replicas and keeps existing ones, as the address of a service in a cluster does. */
async function address(ports: number[]): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const server = net.createServer((client) => {
    const replica = net.connect(ports[turn++ % ports.length]!, '127.0.0.1');
    client.pipe(replica).pipe(client);
    const end = () => [client, replica].forEach((socket) => socket.destroy());
    for (const socket of [client, replica]) socket.on('error', end).once('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const headers = { apikey: publishableKey };

describe('behind the gateway', () => {
  it('replicas can be restarted one after the other under load without a failed request', async () => {
    const replicas = [await startReplica(), await startReplica()];
    const ports = await Promise.all(replicas.map(async (replica) => Number(new URL(await replica.getUrl()).port)));
    const named = [...ports];
    const service = await address(named);
    const gateway = await gatewayBench({ BILLING_URL: service.url });
    const answers: Promise<number | string>[] = [];
    const ask = () =>
      answers.push(
        fetch(`${gateway.url}/rest/v1/subscription_plans`, { headers }).then(
          async ({ status, body }) => (await body?.cancel(), status),
          (error: Error) => error.message,
        ),
      );
    // Each phase has a burst, since the number of ticks depends on the machine. It opens more connections than the load needs, so that some
    // stay unused.
    const burst = () => Array.from({ length: 30 }).forEach(ask);
    const load = setInterval(ask, 20);
    try {
      for (const [index, port] of ports.entries()) {
        burst();
        await sleep(someRequestsMs);
        const closing = replicas[index]!.close();
        burst();
        await sleep(removalMs);
        named.splice(0, named.length, ...ports.filter((each) => each !== port));
        burst();
        await closing;
        replicas[index] = await startReplica(port);
        named.splice(0, named.length, ...ports);
      }
    } finally {
      clearInterval(load);
      const outcomes = await Promise.all(answers);
      await gateway.dispose();
      await service.close();
      await Promise.all(replicas.map((replica) => replica.close()));
      expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
    }
  });

  it('reads of a replica that dies are sent again; nothing else is sent twice', async () => {
    const seen: string[] = [];
    const identity: { answers?: FakeService['answer'] } = {};
    // Closes the connection without an answer when a request comes for the first time.
    const replica = http.createServer((request, response) => {
      const what = `${request.method} ${request.url}`;
      seen.push(what);
      if (seen.filter((each) => each === what).length === 1) request.socket.destroy();
      else {
        const own = identity.answers?.({ method: 'GET', url: request.url ?? '', headers: {}, body: Buffer.alloc(0) });
        response.setHeader('content-type', 'application/json').end(own?.body ?? '[]');
      }
    });
    await new Promise<void>((resolve) => replica.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(replica.address() as AddressInfo).port}`;
    const gateway = await gatewayBench({ BILLING_URL: url, IDENTITY_URL: url });
    try {
      const bearer = { authorization: `Bearer ${await gateway.token()}` };
      const ask = async (method: string, path: string, more = {}) =>
        (await fetch(`${gateway.url}${path}`, { method, headers: { ...headers, ...more } })).status;
      expect(await ask('GET', '/rest/v1/subscription_plans')).toBe(200);
      expect(await ask('POST', '/rest/v1/subscription_plans')).toBe(503);
      expect(await ask('GET', '/auth/v1/user')).toBe(200);
      expect(await ask('GET', '/functions/v1/unsubscribe?token=t')).toBe(200);
      // Reads with side effects: a link is used up, a mail is sent.
      expect(await ask('GET', '/auth/v1/verify?token=t&type=signup')).toBe(503);
      expect(await ask('GET', '/auth/v1/%76erify?token=t&type=signup')).toBe(503);
      expect(await ask('GET', '/auth/v1/reauthenticate')).toBe(503);
      expect(seen).toEqual([
        'GET /rest/v1/subscription_plans',
        'GET /rest/v1/subscription_plans',
        'POST /rest/v1/subscription_plans',
        'GET /auth/v1/user',
        'GET /auth/v1/user',
        'GET /functions/v1/unsubscribe?token=t',
        'GET /functions/v1/unsubscribe?token=t',
        'GET /auth/v1/verify?token=t&type=signup',
        'GET /auth/v1/%76erify?token=t&type=signup',
        'GET /auth/v1/reauthenticate',
      ]);
      // The gateway's own questions to identity, about keys and sessions.
      seen.length = 0;
      identity.answers = gateway.services.identity.answer;
      expect(await ask('GET', '/rest/v1/subscription_plans?select=id', bearer)).toBe(200);
      expect(seen.filter((each) => each.includes('jwks'))).toHaveLength(2);
      expect(seen.filter((each) => each.includes('/internal/sessions/'))).toHaveLength(2);
    } finally {
      await gateway.dispose();
      replica.closeAllConnections();
      await new Promise((resolve) => replica.close(resolve));
    }
  });
});
