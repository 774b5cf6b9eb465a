import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { knownInfrastructure } from '../../../scripts/lib/infrastructure.mjs';

const root = path.resolve(__dirname, '../../..');
const compose = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8')) as { services: Record<string, { image: string }> };

interface CreateRequest {
  Image: string;
  Env?: string[];
  Cmd?: string[];
  HostConfig: { PortBindings: Record<string, { HostIp?: string; HostPort: string }[]> };
}

/**
 * A fake of those calls of a container engine's API that the library makes. Instead of starting a container, it maps the container's port
 * to the server of the same kind that already runs on this machine.
 */
class Engine {
  readonly created: CreateRequest[] = [];
  readonly copiedTo: string[] = [];
  /** `Connection` header of each ping. */
  readonly pingConnections: (string | undefined)[] = [];
  private readonly server = http.createServer((request, response) => void this.answer(request, response));

  constructor(
    readonly socket: string,
    private readonly portBehind: Record<number, number>,
  ) {
    // An engine keeps idle connections open. Node's server ends them after 5 s, and a client that stood still for longer would write to one.
    this.server.keepAliveTimeout = 0;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(this.socket, resolve));
  }

  close(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await new Promise<string>((resolve) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      request.on('end', () => resolve(text));
    });
    const { pathname, searchParams } = new URL(request.url!.replace(/^\/v[\d.]+/, ''), 'http://engine');
    const send = (status: number, answer: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : JSON.stringify(answer));
    const container = /^\/containers\/(\d+)\//.exec(pathname)?.[1];
    if (pathname === '/_ping') {
      this.pingConnections.push(request.headers.connection);
      return void response.end('OK');
    }
    if (pathname === '/info')
      return void send(200, { ServerVersion: '29.0.0', OperatingSystem: 'Linux', OSType: 'linux', Architecture: 'x86_64' });
    if (pathname === '/containers/json') return void send(200, []);
    if (pathname.startsWith('/images/')) return void send(200, { Id: 'sha256:1' });
    if (pathname === '/containers/create') {
      this.created.push(JSON.parse(body) as CreateRequest);
      return void send(201, { Id: String(this.created.length), Warnings: [] });
    }
    if (pathname.endsWith('/archive')) {
      this.copiedTo.push(`${searchParams.get('path')} ${/etc\/[\w./-]+/.exec(body)?.[0]}`);
      return void response.writeHead(200).end();
    }
    if (pathname.endsWith('/start')) return void send(204, null);
    if (container && pathname.endsWith('/json')) return void send(200, this.inspect(container));
    send(404, { message: `no ${request.method} ${pathname}` });
  }

  private inspect(id: string): object {
    const { HostConfig } = this.created[Number(id) - 1]!;
    const ports = Object.fromEntries(
      Object.entries(HostConfig.PortBindings).map(([port, [binding]]) => [
        port,
        [{ HostIp: binding!.HostIp, HostPort: String(this.portBehind[Number.parseInt(port)]) }],
      ]),
    );
    const state = { Running: true, Status: 'running', StartedAt: new Date().toISOString(), FinishedAt: '' };
    return {
      Id: id,
      Name: `/c${id}`,
      Config: { Hostname: id, Labels: {} },
      State: state,
      HostConfig,
      NetworkSettings: { Ports: ports, Networks: {} },
    };
  }
}

describe('the servers of tests', () => {
  const real = knownInfrastructure();
  const portOf = (url: string) => Number(new URL(url).port);
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'decola-engine-'));
    chmodSync(directory, 0o755); // root's PostgreSQL runs as somebody else
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /**
   * Obtains the servers in a separate process, as a command that runs tests or as one that does not. Uses a temporary state directory
   * instead of the clone's.
   */
  const obtain = (isForTests: boolean, environment: Record<string, string>) => {
    const { DECOLA_POSTGRES_URL: _postgres, DECOLA_RABBITMQ_URL: _broker, DECOLA_REDIS_URL: _redis, ...rest } = process.env;
    const script = `import { createRequire } from 'node:module';
      import { infrastructureOrExit } from './scripts/lib/infrastructure.mjs';
      const { stop, postgres, rabbitmq, redis } = await infrastructureOrExit({ isForTests: ${isForTests} });
      await stop();
      const loaded = Object.keys(createRequire(process.cwd() + '/package.json').cache);
      console.log(JSON.stringify({ postgres, rabbitmq, redis, isLoaded: loaded.some((file) => file.includes('/testcontainers/')) }));
      process.exit(0);`;
    const env = {
      ...rest,
      DECOLA_STATE_DIR: path.join(directory, 'state'),
      DECOLA_DATA_DIR: path.join(directory, 'data'),
      CHROMIUM_PATH: real.chromium.path,
      TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1', // also where this test itself runs in a container
      TESTCONTAINERS_RYUK_DISABLED: 'true', // the reaper is a container too, and nothing runs in these
      ...environment,
    };
    type Place = { url: string; managementUrl?: string; container?: string; pid?: number };
    type Obtained = Record<'postgres' | 'rabbitmq' | 'redis', Place> & { isLoaded: boolean };
    return new Promise<Obtained>((resolve, reject) => {
      execFile(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env }, (error, output, errors) =>
        error ? reject(new Error(errors)) : resolve(JSON.parse(output) as Obtained),
      );
    });
  };

  const startEngine = async () => {
    const engine = new Engine(path.join(directory, 'engine.sock'), {
      5432: portOf(real.postgres.url),
      5672: portOf(real.rabbitmq.url),
      15672: portOf(real.rabbitmq.managementUrl!),
      6379: portOf(real.redis.url),
    });
    await engine.listen();
    return engine;
  };

  it('come from a container engine where one answers: the images of docker-compose.yml, on loopback only', async () => {
    const engine = await startEngine();
    try {
      const found = await obtain(true, { DOCKER_HOST: `unix://${engine.socket}`, DECOLA_OBTAIN: 'containers' });
      const { isLoaded, postgres, rabbitmq, redis } = found;
      expect(isLoaded).toBe(true);
      for (const each of [postgres, rabbitmq, redis]) expect(each.container).toMatch(/^\d$/);
      expect([postgres, rabbitmq, redis].map(({ url }) => portOf(url))).toEqual(
        [real.postgres, real.rabbitmq, real.redis].map(({ url }) => portOf(url)),
      );
      expect(portOf(rabbitmq.managementUrl!)).toBe(portOf(real.rabbitmq.managementUrl!));
      expect(engine.created.map(({ Image }) => Image).sort()).toEqual(
        ['postgres', 'rabbitmq', 'redis'].map((service) => compose.services[service]!.image).sort(),
      );
      const bindings = engine.created.flatMap(({ HostConfig }) => Object.values(HostConfig.PortBindings).flat());
      expect(bindings).toHaveLength(4);
      expect(bindings.every(({ HostIp }) => HostIp === '127.0.0.1')).toBe(true);
      expect(engine.created.find(({ Image }) => Image.startsWith('postgres'))!.Cmd).toContain('synchronous_commit=on');
      expect(engine.copiedTo).toEqual(['/ etc/rabbitmq/conf.d/20-decola.conf']);
      expect(engine.pingConnections).toEqual(['close']); // the library must not write to a connection that was kept since the ping
    } finally {
      await engine.close();
    }
  });

  it('are the installed ones where no engine answers, and the library is not loaded', async () => {
    const found = await obtain(true, {
      DOCKER_HOST: `unix://${path.join(directory, 'nobody.sock')}`,
      DECOLA_OBTAIN: 'containers,installed,embedded',
      DECOLA_RABBITMQ_URL: real.rabbitmq.url,
      DECOLA_RABBITMQ_MANAGEMENT_URL: real.rabbitmq.managementUrl!,
      DECOLA_REDIS_URL: real.redis.url,
    });
    expect(found).toMatchObject({ isLoaded: false, postgres: { pid: expect.any(Number) }, redis: { url: real.redis.url } });
  });

  it('do not run in containers for commands that run no tests', async () => {
    const engine = await startEngine();
    try {
      const found = await obtain(false, {
        DOCKER_HOST: `unix://${engine.socket}`,
        DECOLA_OBTAIN: 'containers,installed,embedded',
        DECOLA_RABBITMQ_URL: real.rabbitmq.url,
        DECOLA_RABBITMQ_MANAGEMENT_URL: real.rabbitmq.managementUrl!,
        DECOLA_REDIS_URL: real.redis.url,
      });
      expect(found.isLoaded).toBe(false);
      expect(engine.created).toEqual([]);
    } finally {
      await engine.close();
    }
  });

  it('do not come from an engine on another machine', async () => {
    await expect(obtain(true, { DOCKER_HOST: 'tcp://192.0.2.1:2375', DECOLA_OBTAIN: 'containers' })).rejects.toThrow(
      'PostgreSQL is missing',
    );
  });
});
