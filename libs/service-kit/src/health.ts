import { Controller, Get, HttpStatus, Injectable, OnApplicationShutdown, BeforeApplicationShutdown, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

const checkTimeoutMs = 2_000;

/** What must work before this replica takes traffic. Parts register a check that rejects while they are down. */
@Injectable()
export class HealthRegistry implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly checks = new Map<string, () => Promise<void>>();
  private stopping = false;

  register(name: string, check: () => Promise<void>): void {
    this.checks.set(name, check);
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  onApplicationShutdown(): void {
    this.checks.clear();
  }

  async report(): Promise<{ ready: boolean; parts: Record<string, string> }> {
    const entries = await Promise.all(
      [...this.checks].map(async ([name, check]) => {
        const answer = await withTimeout(check()).then(
          () => 'up',
          (error: unknown) => `down: ${error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown'}`,
        );
        return [name, answer] as const;
      }),
    );
    const parts = Object.fromEntries(entries);
    return {
      ready: !this.stopping && entries.every(([, answer]) => answer === 'up'),
      parts: this.stopping ? { ...parts, service: 'stopping' } : parts,
    };
  }
}

async function withTimeout(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), checkTimeoutMs);
  });
  try {
    await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
}

@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthRegistry) {}

  /** The process runs. */
  @Get('live')
  live() {
    return { status: 'up' };
  }

  /** The process can do its work now: everything it leans on answers. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const report = await this.health.report();
    reply.status(report.ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: report.ready ? 'ready' : 'not ready', parts: report.parts };
  }
}
