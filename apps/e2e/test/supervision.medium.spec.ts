import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sizeOf } from '@decola/testing';
import pg from 'pg';
import { knownInfrastructure } from '../../../scripts/lib/infrastructure.mjs';
import { endProcesses, identify, isAlive, processesMarked, withDescendants } from '../../../scripts/lib/processes.mjs';

const root = path.resolve(__dirname, '../../..');

interface Part {
  name: string;
  pid: number;
  start: string;
}

/** A command of this clone, run through npm and its shell as in a terminal, with a temporary state directory. */
class Command {
  output = '';
  readonly exit: Promise<number | null>;

  constructor(
    readonly npm: ChildProcess,
    private readonly state: string,
  ) {
    for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exit = new Promise((resolve) => npm.once('exit', resolve));
  }

  async says(words: string | RegExp): Promise<void> {
    await eventually(
      () => this.output.search(words) >= 0,
      () => `"${String(words)}" in ${this.output}`,
    );
  }

  /** Waits for the supervisor's record. @returns the supervisor and the processes on its record */
  async record(): Promise<{ mark: string; supervisor: Part; started: Part[] }> {
    return eventually(() => {
      const directory = path.join(this.state, 'processes');
      const file = existsSync(directory) && readdirSync(directory)[0];
      if (!file) return undefined;
      const [supervisor, ...started] = readFileSync(path.join(directory, file), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Part);
      return supervisor && { mark: path.basename(file, '.jsonl'), supervisor, started };
    }, 'a record of what was started');
  }
}

async function eventually<Answer>(attempt: () => Answer | undefined | false, what: string | (() => string)): Promise<Answer> {
  const deadline = Date.now() + 90_000;
  for (;;) {
    const answer = attempt();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`never: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

let directory: string;
let commands: Command[];
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'decola-supervision-'));
  chmodSync(directory, 0o755); // root's PostgreSQL runs as somebody else
  commands = [];
});
afterEach(async () => {
  for (const { npm } of commands) if (npm.exitCode === null && npm.signalCode === null) npm.kill('SIGKILL');
  await nothingIsLeft();
  rmSync(directory, { recursive: true, force: true });
});

const state = () => path.join(directory, 'state');

/** Environment of a command with its own parts and data. `shared`: parts that it takes from the infrastructure of the tests. */
function environment(shared: ('rabbitmq' | 'redis')[]): NodeJS.ProcessEnv {
  const { DECOLA_POSTGRES_URL: _postgres, DECOLA_RABBITMQ_URL: _broker, DECOLA_REDIS_URL: _redis, ...rest } = process.env;
  const { rabbitmq, redis, chromium } = knownInfrastructure();
  return {
    ...rest,
    [testVariable]: path.basename(directory),
    DECOLA_STATE_DIR: state(),
    DECOLA_DATA_DIR: path.join(directory, 'data'),
    DECOLA_OBTAIN: 'installed,docker,apt,embedded',
    CHROMIUM_PATH: chromium.path,
    ...(shared.includes('rabbitmq')
      ? { DECOLA_RABBITMQ_URL: rabbitmq.url, DECOLA_RABBITMQ_MANAGEMENT_URL: rabbitmq.managementUrl ?? '' }
      : {}),
    ...(shared.includes('redis') ? { DECOLA_REDIS_URL: redis.url } : {}),
  };
}

function npm(script: 'start' | 'infra', shared: ('rabbitmq' | 'redis')[] = ['rabbitmq']): Command {
  const child = spawn('npm', ['run', script], { cwd: root, env: environment(shared), stdio: ['ignore', 'pipe', 'pipe'] });
  const command = new Command(child, state());
  commands.push(command);
  return command;
}

/** Variable that marks all processes that the test starts. */
const testVariable = 'DECOLA_SUPERVISION_TEST';

/** Asserts that every process that the commands of this test started has ended, whether it was on record or not. */
async function nothingIsLeft(): Promise<void> {
  await eventually(() => processesMarked(testVariable, path.basename(directory)).length === 0, 'an end of all that was started');
  const records = path.join(state(), 'processes');
  await eventually(() => !existsSync(records) || readdirSync(records).length === 0, 'an end of all that is on record');
}

const answers = async (url: string) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ one: number }>('select 1 as one')).rows[0]?.one === 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};
const urlIn = (output: string) => /DECOLA_POSTGRES_URL='([^']+)'/.exec(output)![1]!;

describe('the processes of a command', () => {
  it(`end when the command is killed, their children too${sizeOf({ gate: '', long: ', the broker’s port mapper among them' })}`, async () => {
    const first = npm('infra', sizeOf({ gate: ['rabbitmq'], long: [] }));
    await first.says('Ready.');
    const { mark, supervisor, started } = await first.record();
    expect(started.map(({ name }) => name).sort()).toEqual(
      expect.arrayContaining(sizeOf({ gate: ['postgres', 'redis'], long: ['postgres', 'rabbitmq', 'redis'] })),
    );
    const all = [...started, ...processesMarked('DECOLA_SUPERVISOR', mark)];
    expect(all.length).toBeGreaterThan(started.length); // children of the servers
    process.kill(supervisor.pid, 'SIGKILL');
    await nothingIsLeft();
    expect(all.filter(isAlive)).toEqual([]);
    expect(processesMarked('DECOLA_SUPERVISOR', mark)).toEqual([]);
  });

  it('are ended by the next command when the guard was killed as well', async () => {
    const first = npm('infra');
    await first.says('Ready.');
    const { supervisor, started, mark } = await first.record();
    const guard = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .find((line) => line.includes('guard.mjs') && line.includes(mark))!;
    // Stopped by SIGSTOP, so that it cannot start another guard before it is killed.
    process.kill(supervisor.pid, 'SIGSTOP');
    process.kill(Number.parseInt(guard), 'SIGKILL');
    process.kill(supervisor.pid, 'SIGKILL');
    await first.exit;
    expect(started.filter(isAlive)).toEqual(started);
    const second = npm('infra');
    await second.says('Ready.');
    expect(second.output).toMatch(/ended what npm run infra left when it was killed: (postgres, redis|redis, postgres)/);
    expect(started.filter(isAlive)).toEqual([]);
    expect(await answers(urlIn(second.output))).toBe(true);
    second.npm.kill('SIGTERM');
    await nothingIsLeft();
  });

  it('end when npm gets a signal at any moment of the start, and an interrupted start does not prevent the next one', async () => {
    const data = path.join(directory, 'data');
    const moments: [NodeJS.Signals, (command: Command) => Promise<unknown>][] = [
      ['SIGTERM', (command) => command.record()],
      ['SIGHUP', () => eventually(() => existsSync(path.join(data, 'postgres.new')), 'first data in the making')],
      ['SIGKILL', () => eventually(() => existsSync(path.join(data, 'postgres/postmaster.pid')), 'a server that starts')],
    ];
    for (const [signal, moment] of moments) {
      const command = npm('infra');
      await moment(command);
      const { mark, supervisor } = await command.record();
      command.npm.kill(signal);
      await command.exit;
      await nothingIsLeft();
      await eventually(() => !isAlive(supervisor), 'the end of the supervisor');
      expect([signal, processesMarked('DECOLA_SUPERVISOR', mark)]).toEqual([signal, []]);
    }
    const again = npm('infra');
    await again.says('Ready.');
    expect(await answers(urlIn(again.output))).toBe(true);
    again.npm.kill('SIGTERM');
    await nothingIsLeft();
  });

  it('are not confused with later processes that have the same id', async () => {
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    const found = identify(stranger.pid!)!;
    const earlier = { ...found, start: `${found.start}0` };
    expect([isAlive(found), isAlive(earlier)]).toEqual([true, false]);
    await endProcesses([earlier], { leadsGroup: true });
    expect(isAlive(found)).toBe(true);
    await endProcesses([found]);
    expect(isAlive(found)).toBe(false);
  });

  it('end when a system is killed, the children of its services too', async () => {
    const script = `import { Supervision } from './scripts/lib/supervision.mjs';
      const supervision = new Supervision('a system');
      const child = supervision.start({ name: 'service' }, process.execPath, ['-e', "require('node:child_process').spawn('sleep', ['300'], { detached: true }).unref(); setInterval(() => {}, 1000); console.log('up')"], { stdio: ['ignore', 'inherit', 'inherit'] });
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: environment([]) });
    const command = new Command(child, state());
    commands.push(command);
    await command.says('up');
    const { mark, started } = await command.record();
    const all = processesMarked('DECOLA_SUPERVISOR', mark);
    expect(all).toHaveLength(2);
    expect(all).toEqual(expect.arrayContaining(started.map(({ pid, start }) => ({ pid, start }))));
    child.kill('SIGKILL');
    await nothingIsLeft();
    expect(all.filter(isAlive)).toEqual([]);
  });
});

describe('one clone', () => {
  it('runs one system at a time, and says which command runs it', async () => {
    const first = npm('start');
    await first.says('PostgreSQL, RabbitMQ');
    const { supervisor } = await first.record();
    const second = npm('start');
    expect(await second.exit).toBe(1);
    expect(second.output).toMatch(
      new RegExp(`npm start \\(process ${supervisor.pid}, since \\d\\d:\\d\\d:\\d\\d\\) has the system of this clone`),
    );
    expect(isAlive(supervisor)).toBe(true);
    first.npm.kill('SIGTERM');
    await first.exit;
    await nothingIsLeft();
    await eventually(() => !isAlive(supervisor), 'the end of the supervisor');
    // The lock was released when the command ended.
    const third = npm('start');
    await third.says('PostgreSQL, RabbitMQ');
    third.npm.kill('SIGTERM');
    await third.exit;
  });

  it('starts its parts once: a second command waits for them and uses them', async () => {
    const first = npm('infra');
    await first.record();
    const second = npm('infra');
    expect(await second.exit).toBe(0);
    expect(second.output).toContain('Everything was running already.');
    expect(urlIn(second.output)).toBe(urlIn(first.output));
    expect(await answers(urlIn(first.output))).toBe(true);
    // Only the owner can read the files that it writes.
    const files = (readdirSync(state(), { recursive: true }) as string[])
      .map((name) => path.join(state(), name))
      .filter((name) => statSync(name).isFile());
    expect(files.map((name) => path.basename(name))).toEqual(expect.arrayContaining(['infrastructure.json', 'guard.log', 'postgres.log']));
    const readable = files.filter((name) => (statSync(name).mode & 0o077) !== 0 && (statSync(path.dirname(name)).mode & 0o077) !== 0);
    expect(readable).toEqual([]);
    first.npm.kill('SIGTERM');
  });

  it('lends parts whose data are temporary to tests only: another command waits for its own data', async () => {
    const temporary = path.join(directory, 'temporary');
    mkdirSync(temporary);
    const { postgres } = knownInfrastructure();
    /** Obtains the parts as the options say, prints where Redis keeps its data, and ends them when its input ends. */
    const obtain = (options: string) => {
      const script = `import { ensureInfrastructure } from './scripts/lib/infrastructure.mjs';
        import { createClient } from '@redis/client';
        const { redis, stop } = await ensureInfrastructure({ log: console.log, ${options} });
        const client = await createClient({ url: redis.url }).connect();
        console.log('data in ' + (await client.configGet('dir')).dir);
        client.destroy();
        process.stdin.resume().once('end', () => void stop().then(() => process.exit(0)));`;
      const env = { ...environment(['rabbitmq']), DECOLA_POSTGRES_URL: postgres.url };
      const command = new Command(spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env }), state());
      commands.push(command);
      return command;
    };
    const whole = obtain(`isForTests: true, data: ${JSON.stringify(temporary)}`);
    await whole.says(`data in ${path.join(temporary, 'redis')}\n`);
    const other = obtain('');
    await other.says('has parts without the data of this clone: this goes on when it has ended');
    const test = obtain('isForTests: true');
    await test.says(`data in ${path.join(temporary, 'redis')}\n`);
    test.npm.stdin!.end();
    expect(await test.exit).toBe(0);
    expect(other.output).not.toContain('data in');
    whole.npm.stdin!.end();
    await other.says(`data in ${path.join(directory, 'data', 'redis')}\n`);
    other.npm.stdin!.end();
    expect(await other.exit).toBe(0);
  });

  it('does not take servers of another clone that run at the ports of its own, which have ended', async () => {
    const { postgres, redis } = knownInfrastructure();
    const ended = { ...identify(process.pid)!, start: 'earlier' };
    mkdirSync(state());
    const known = { postgres: { ...postgres, ...ended }, redis: { ...redis, ...ended } };
    writeFileSync(path.join(state(), 'infrastructure.json'), JSON.stringify(known));
    const command = npm('infra');
    await command.says('Ready.');
    expect(command.output).toMatch(/DECOLA_POSTGRES_URL=/);
    for (const { url } of [postgres, redis]) expect(command.output).not.toContain(url);
    command.npm.kill('SIGTERM');
    await nothingIsLeft();
  });

  it('gives the lock of a dead command to exactly one of several processes that ask at the same time', async () => {
    /**
     * A process that tries to take the lock when it reads its first line of input, prints the result, and holds the lock until its input
     * ends.
     */
    const ask = () => {
      const script = `import { takeLock } from './scripts/lib/lock.mjs';
        console.log('asks');
        process.stdin.once('data', () => {
          try { takeLock('system', 'somebody'); console.log('taken'); } catch (error) { console.log(error.constructor.name); }
        });`;
      const command = new Command(
        spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: environment([]) }),
        state(),
      );
      commands.push(command);
      return command;
    };
    const first = ask();
    await first.says('asks');
    first.npm.stdin!.write('now\n');
    await first.says('taken');
    first.npm.kill('SIGKILL');
    await first.exit;
    const others = Array.from({ length: 5 }, ask);
    for (const each of others) await each.says('asks');
    for (const each of others) each.npm.stdin!.write('now\n');
    for (const each of others) await each.says(/taken|LockedError/);
    expect(others.filter(({ output }) => output.includes('taken'))).toHaveLength(1);
    for (const each of others) each.npm.stdin!.end();
    await Promise.all(others.map(({ exit }) => exit));
  });
});

describe('a part that the environment names', () => {
  /** A broker that takes as long as one on a busy machine: what it sends arrives five seconds after somebody connected. */
  const slowBroker = async (brokerUrl: string) => {
    const { port, hostname } = new URL(brokerUrl);
    const server = net.createServer((client) => {
      const upstream = net.connect(Number(port), hostname);
      for (const socket of [client, upstream]) {
        socket.on('error', () => socket.destroy());
        socket.once('close', () => [client, upstream].forEach((each) => each.destroy()));
      }
      client.pipe(upstream);
      setTimeout(() => upstream.pipe(client), 5_000);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(brokerUrl);
    url.port = String((server.address() as net.AddressInfo).port);
    return { url: url.href, close: () => server.close() };
  };

  it('is used, however slowly it answers, and refused when it does not take the password', async () => {
    const { postgres, redis, rabbitmq } = knownInfrastructure();
    const script = `import { infrastructureOrExit } from './scripts/lib/infrastructure.mjs';
      const { rabbitmq, stop } = await infrastructureOrExit();
      await stop();
      console.log(rabbitmq.url);`;
    const obtain = async (broker: string) => {
      const named = { DECOLA_POSTGRES_URL: postgres.url, DECOLA_REDIS_URL: redis.url, DECOLA_RABBITMQ_URL: broker };
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: { ...environment([]), ...named } });
      const command = new Command(child, state());
      commands.push(command);
      return { code: await command.exit, output: command.output.trim() };
    };
    const slow = await slowBroker(rabbitmq.url);
    try {
      expect(await obtain(slow.url)).toEqual({ code: 0, output: slow.url });
      expect(await obtain(rabbitmq.url.replace(/:[^:@]+@/, ':unknown@'))).toEqual({
        code: 1,
        output: 'DECOLA_RABBITMQ_URL is set, but no RabbitMQ answers there with these credentials.',
      });
    } finally {
      slow.close();
    }
  });
});

describe('PostgreSQL', () => {
  it('loses no committed write when it is killed', async () => {
    const all = ['rabbitmq', 'redis'] as const;
    const acknowledged: number[] = [];
    for (let round = 0; round < sizeOf({ gate: 1, long: 3 }); round++) {
      const command = npm('infra', [...all]);
      await command.says('Ready.');
      const url = urlIn(command.output);
      const { started } = await command.record();
      const clients = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const client = new pg.Client({ connectionString: url });
          client.on('error', () => undefined);
          await client.connect();
          return client;
        }),
      );
      await clients[0]!.query('create table if not exists writes (id integer primary key)');
      const { rows } = await clients[0]!.query<{ id: number }>('select id from writes');
      expect(acknowledged.filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
      const until = acknowledged.length + 300;
      let next = round * 1_000_000;
      const lost = Promise.all(
        clients.map(async (client) => {
          for (;;) {
            const id = next++;
            try {
              await client.query('insert into writes values ($1)', [id]);
            } catch {
              return;
            }
            acknowledged.push(id);
          }
        }),
      );
      await eventually(() => acknowledged.length >= until, 'writes');
      for (const { pid } of withDescendants(started)) process.kill(pid, 'SIGKILL');
      await lost;
      await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
      command.npm.kill('SIGTERM');
      await command.exit;
      await nothingIsLeft();
    }
    const command = npm('infra', [...all]);
    await command.says('Ready.');
    const client = new pg.Client({ connectionString: urlIn(command.output) });
    await client.connect();
    const { rows } = await client.query<{ id: number }>('select id from writes');
    const settings = await client.query<{ setting: string }>(
      "select setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')",
    );
    await client.end();
    const kept = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(sizeOf({ gate: 300, long: 900 }));
    expect(settings.rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
    command.npm.kill('SIGTERM');
  });

  it('starts from its npm package in a clone that only its owner may enter', () => {
    mkdirSync(path.join(root, '.decola'), { recursive: true });
    const closed = mkdtempSync(path.join(root, '.decola/closed-'));
    chmodSync(closed, 0o700);
    const clone = path.join(closed, 'clone');
    try {
      for (const each of ['scripts', 'package.json']) cpSync(path.join(root, each), path.join(clone, each), { recursive: true });
      // Links instead of copies, because copying all files would take long.
      execFileSync('cp', ['-al', path.join(root, 'node_modules'), path.join(clone, 'node_modules')]);
      const script = `import { infrastructureOrExit } from './scripts/lib/infrastructure.mjs';
        import { dataDirectory } from './scripts/lib/parts/state.mjs';
        const { postgres, stop } = await infrastructureOrExit();
        const { default: pg } = await import('pg');
        const client = new pg.Client({ connectionString: postgres.url });
        await client.connect();
        const { rows } = await client.query("select 1 as one, current_setting('data_directory') as data");
        await client.end();
        await stop();
        console.log(JSON.stringify({ ...rows[0], directory: dataDirectory() }));`;
      const { DECOLA_STATE_DIR: _state, DECOLA_DATA_DIR: _data, ...rest } = environment(['rabbitmq', 'redis']);
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: clone,
        env: { ...rest, DECOLA_OBTAIN: 'embedded' },
        encoding: 'utf8',
      });
      const { one, data, directory: place } = JSON.parse(output) as { one: number; data: string; directory: string };
      try {
        expect({ one, data }).toEqual({ one: 1, data: path.join(place, 'postgres') });
        // Only the user that it runs as can read its data.
        expect(statSync(data).mode & 0o077).toBe(0);
      } finally {
        if (!place.startsWith(closed)) rmSync(place, { recursive: true, force: true });
      }
    } finally {
      rmSync(closed, { recursive: true, force: true });
    }
  });
});
