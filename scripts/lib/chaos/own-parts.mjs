/** PostgreSQL, RabbitMQ and Redis for one trial, which it may kill and start again with the same data and addresses. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { obtainChromium } from '../parts/chromium.mjs';
import { installedPostgres, startPostgres } from '../parts/postgres.mjs';
import { startRabbitmq } from '../parts/rabbitmq.mjs';
import { installedRedis, startRedis } from '../parts/redis.mjs';
import { dataDirectory, readState } from '../parts/state.mjs';
import { freePort } from '../ports.mjs';
import { Supervision } from '../supervision.mjs';

export const partNames = ['postgres', 'rabbitmq', 'redis'];

export class OwnParts {
  #pids = {};
  #supervision = new Supervision('a trial');

  static async start() {
    const parts = new OwnParts();
    // Servers that run as other users must be able to enter it.
    parts.directory = mkdtempSync(path.join(os.tmpdir(), 'decola-chaos-'));
    chmodSync(parts.directory, 0o755);
    parts.ports = { postgres: await freePort(), rabbitmq: await freePort(), management: await freePort(), redis: await freePort() };
    mkdirSync(dataDirectory(), { recursive: true });
    const chromium = await obtainChromium({ log: () => {}, programs: dataDirectory(), previous: readState().chromium });
    const [postgres, rabbitmq, redis] = await Promise.all(partNames.map((name) => parts.revive(name)));
    parts.infrastructure = { postgres, rabbitmq, redis, chromium };
    return parts;
  }

  /** Starts or restarts a part and waits until it answers. @returns its address */
  async revive(name) {
    const directory = path.join(this.directory, name);
    const { startPart: start, run } = this.#supervision;
    const begin = {
      postgres: () =>
        startPostgres({ bin: installedPostgres(), directory: path.join(directory, 'data'), port: this.ports.postgres, start, run }),
      rabbitmq: () => startRabbitmq({ directory, port: this.ports.rabbitmq, managementPort: this.ports.management, name: 'chaos', start }),
      redis: () => startRedis({ binary: installedRedis(), directory, port: this.ports.redis, start }),
    }[name];
    const part = await begin();
    this.#pids[name] = part.pid;
    return part;
  }

  /** Kills all processes of a part at once, like a power failure. */
  kill(name) {
    process.kill(-this.#pids[name], 'SIGKILL');
  }

  /** Sends a signal to all processes of a part, for example SIGSTOP to simulate a machine that hangs. */
  signal(name, signal) {
    process.kill(-this.#pids[name], signal);
  }

  async stop() {
    await this.#supervision.end();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
  }
}
