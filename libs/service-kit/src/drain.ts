import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { CONFIG } from './config.js';
import { HealthRegistry } from './health.js';

/**
 * First step of a stop: reports not ready, and continues to serve for `DRAIN_MS`. Load balancers keep sending requests until they notice, and clients
 * keep using open connections. All other steps (consumers, connections, the listening socket) come after this hook: Nest calls `onModuleDestroy` of
 * global modules last, so nothing else may use that hook (`apps/e2e/src/tree.spec.ts`).
 */
@Injectable()
export class Drain implements OnModuleDestroy {
  constructor(
    @Inject(CONFIG) private readonly config: { DRAIN_MS: number },
    private readonly health: HealthRegistry,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.health.stop();
    await sleep(this.config.DRAIN_MS);
  }

  /** During a stop, closes each connection after its response, so that the client's next request goes to another replica. */
  closeConnectionsOnStop(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (this.health.isStopping) void reply.header('connection', 'close');
      done(null, payload);
    });
    // The headers of a long response may be older than the stop. Its client would use the connection again until the replica closes it.
    fastify.addHook('onResponse', ({ raw }, _reply, done) => {
      if (this.health.isStopping) raw.socket.end();
      done();
    });
  }
}
