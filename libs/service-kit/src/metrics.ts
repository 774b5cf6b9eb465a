import { createServer } from 'node:http';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Registry of this process. Features create their metrics with `registers: [metrics]`. */
export const metrics = new Registry();

const httpSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of HTTP requests by route and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metrics],
});

/** Where the process keeps its own registry: on the package, which is loaded once, while tests load this module again for each file. */
const ofProcess = Symbol.for('decola.metrics.process');
const kept = Registry as unknown as { [ofProcess]?: Registry };

/** Metrics of the process itself: memory, processor time, garbage collection, delay of the event loop. Whoever observes these never stops, so they are begun once. */
function processMetrics(): Registry {
  if (kept[ofProcess]) return kept[ofProcess];
  const registry = (kept[ofProcess] = new Registry());
  // A tenth of the default: it wakes the process that often, also one that has nothing to do, and a loop that is blocked for longer is seen all the same.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  return registry;
}

const everything = async (): Promise<string> => (await processMetrics().metrics()) + (await metrics.metrics());

/** Measures requests by route pattern, not by URL, so that ids do not become labels. */
export function measureHttp(fastify: FastifyInstance, service: string): void {
  for (const registry of [processMetrics(), metrics]) registry.setDefaultLabels({ service });
  fastify.addHook('onResponse', (request, reply, done) => {
    httpSeconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
}

@Controller('metrics')
export class MetricsController {
  @Get()
  async read(@Res({ passthrough: true }) reply: FastifyReply) {
    reply.header('content-type', metrics.contentType);
    return everything();
  }
}

/** Serves the metrics on a separate port, which the public cannot reach, until the application is closed. */
export async function serveMetrics(fastify: FastifyInstance, port: number, host: string): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    everything().then(
      (text) => response.setHeader('content-type', metrics.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  fastify.addHook('onClose', (_instance, done) => {
    server.closeAllConnections();
    server.close(() => done());
  });
}
