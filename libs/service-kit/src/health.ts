import { Controller, Get, HttpStatus, Injectable, OnApplicationShutdown, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import pTimeout from 'p-timeout';

const checkTimeoutMs = 2_000;

type Check = () => Promise<void>;

/**
 * Readiness of this replica: whether it can answer HTTP requests. Load balancers send a replica that is not ready no requests, so only dependencies
 * without which requests fail may decide it (decision 0057).
 */
@Injectable()
export class HealthRegistry implements OnApplicationShutdown {
  private readonly checks = new Map<string, { check: Check; isNeeded: boolean }>();
  private stopping = false;

  /** Adds a dependency without which requests fail. @param check rejects while the dependency is down */
  register(name: string, check: Check): void {
    this.checks.set(name, { check, isNeeded: true });
  }

  /** Adds a dependency that readiness shows and does not depend on. @param check rejects while the dependency is down */
  observe(name: string, check: Check): void {
    this.checks.set(name, { check, isNeeded: false });
  }

  /** From now on the replica is not ready, whatever the checks say. */
  stop(): void {
    this.stopping = true;
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  onApplicationShutdown(): void {
    this.checks.clear();
  }

  async report(): Promise<{ ready: boolean; parts: Record<string, string> }> {
    const entries = await Promise.all(
      [...this.checks].map(async ([name, { check, isNeeded }]) => {
        const answer = await pTimeout(check(), { milliseconds: checkTimeoutMs, message: 'no answer in time' }).then(
          () => 'up',
          (error: unknown) => `down: ${error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown'}`,
        );
        return { name, answer, isNeeded };
      }),
    );
    const parts = Object.fromEntries(entries.map(({ name, answer }) => [name, answer]));
    return {
      ready: !this.stopping && entries.every(({ answer, isNeeded }) => !isNeeded || answer === 'up'),
      parts: this.stopping ? { ...parts, service: 'stopping' } : parts,
    };
  }
}

@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthRegistry) {}

  /** The process is running. */
  @Get('live')
  live() {
    return { status: 'up' };
  }

  /** The process can serve requests: every dependency that requests need answers. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const report = await this.health.report();
    reply.status(report.ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: report.ready ? 'ready' : 'not ready', parts: report.parts };
  }
}
