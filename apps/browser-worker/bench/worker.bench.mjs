/**
 * Runs per minute, memory and processor time of one browser worker against the sandbox network, with the real broker, Redis and
 * Chromium. A follow run opens `/`, the account's own profile, a hashtag page and a profile, follows one person and reloads the profile as
 * proof; a like run opens `/`, a hashtag page and a post, likes it and reloads it. All pauses are zero, so the figures show the speed of the
 * machine and not the pace of the product.
 *
 *   node apps/browser-worker/bench/worker.bench.mjs [--plan follow|like] [--contexts 1,2,4] [--runs-per-context 8] [--json]
 */
import { spawn } from 'node:child_process';
import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import amqp from 'amqplib';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { processorTime } from '../../../scripts/lib/processor.mjs';
import { heapOptions } from '../../../tools/heap.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    plan: { type: 'string', default: 'follow' },
    contexts: { type: 'string', default: '1,2,4' },
    'runs-per-context': { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
});
const source = { kind: 'hashtag', hashtag: 'doces' };
const kinds = {
  follow: { automationType: 'auto-follow-unfollow', plan: { kind: 'follow', source, budget: 1, requestPrivate: true } },
  like: { automationType: 'auto-like', plan: { kind: 'like', source, budget: 1 } },
};
const kind = kinds[options.plan];
if (!kind) throw new Error(`--plan must be one of ${Object.keys(kinds).join(', ')}`);
const recordedFile = path.join(root, '.decola/infrastructure.json');
const recorded = existsSync(recordedFile) ? JSON.parse(readFileSync(recordedFile, 'utf8')) : {};
const known = (name, fallback) => {
  const value = process.env[name] ?? fallback;
  if (!value) throw new Error(`${name} is unknown; start "npm run infra" first`);
  return value;
};
const infrastructure = {
  rabbitmq: known('DECOLA_RABBITMQ_URL', recorded.rabbitmq?.url),
  management: known('DECOLA_RABBITMQ_MANAGEMENT_URL', recorded.rabbitmq?.managementUrl),
  redis: known('DECOLA_REDIS_URL', recorded.redis?.url),
  chromium: known('CHROMIUM_PATH', recorded.chromium?.path),
};

const sessionKey = Buffer.alloc(32, 5);
/** Seals like service-kit's Sealer; this script does not import the workspace's TypeScript. */
function seal(plain, additionalData) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sessionKey, nonce).setAAD(Buffer.from(additionalData));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return ['v1', 'bench', nonce.toString('base64url'), sealed.toString('base64url')].join('.');
}

async function until(what, condition, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function startProcess(project, environment, readyUrl) {
  const main = path.join(root, project, 'dist/main.js');
  if (!existsSync(main)) throw new Error(`${project} is not built; run "npm run build" first`);
  const child = spawn(process.execPath, [...heapOptions, main], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await until(`${project} is ready`, () =>
    fetch(readyUrl).then(
      (answer) => answer.ok,
      () => false,
    ),
  );
  return {
    child,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** A process and all its descendants, the process itself first. */
function processTree(pid) {
  const children = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // it ended meanwhile
    }
  }
  const tree = [pid];
  for (let index = 0; index < tree.length; index += 1) tree.push(...(children.get(tree[index]) ?? []));
  return tree;
}

/** Memory in MB (proportional share): of a process itself, and of all its descendants. */
function memoryOf(pid) {
  const pss = (one) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  };
  const [node, ...descendants] = processTree(pid).map(pss);
  return { node, browser: descendants.reduce((sum, one) => sum + one, 0) };
}

/** Processor time in seconds of a process and its descendants, also of those that have ended, by what they do. */
function processorTimeOf(pid) {
  const times = { worker: 0, browser: 0, renderers: 0, network: 0, gpu: 0, other: 0 };
  for (const one of processTree(pid)) {
    try {
      const { own, ofEnded } = processorTime(one);
      const command = readFileSync(`/proc/${one}/cmdline`, 'utf8');
      times[roleOf(command, one === pid)] += own;
      // The zygote starts the renderers and counts those that have ended.
      times[command.includes('--type=zygote') ? 'renderers' : 'other'] += ofEnded;
    } catch {
      // it ended meanwhile; its parent counts it
    }
  }
  return times;
}

function roleOf(command, isWorker) {
  if (isWorker) return 'worker';
  if (command.includes('network.mojom.NetworkService')) return 'network';
  const type = /--type=([\w-]+)/.exec(command)?.[1];
  // A process that has ended and was not collected yet has no command any more: most often a renderer.
  if (type === 'renderer' || command === '') return 'renderers';
  if (type === 'gpu-process') return 'gpu';
  return type === undefined && /chrom/.test(command) ? 'browser' : 'other';
}

/** Differences of two records of numbers, for each run, in milliseconds. */
function perRun(before, after, runs) {
  return Object.fromEntries(Object.keys(after).map((role) => [role, Math.round(((after[role] - before[role]) / runs) * 1_000)]));
}

const management = async (method, where, body) => {
  const address = new URL(infrastructure.management);
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`).toString('base64')}`;
  address.username = address.password = '';
  const answer = await fetch(new URL(`/api${where}`, address), {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status}`);
};

const vhost = `bench-${randomBytes(6).toString('hex')}`;
const brokerUrl = Object.assign(new URL(infrastructure.rabbitmq), { pathname: `/${vhost}` }).href;
const networkPort = await freePort();
const networkUrl = `http://127.0.0.1:${networkPort}`;
const artifacts = mkdtempSync(path.join(os.tmpdir(), 'worker-bench-'));
const cleanUp = [() => rmSync(artifacts, { recursive: true, force: true })];

async function measure(sandbox, contexts, runsPerContext) {
  const connection = await amqp.connect(brokerUrl);
  const channel = await connection.createConfirmChannel();
  await channel.assertExchange('decola.events', 'topic', { durable: true });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, 'decola.events', 'run.finished');
  const ends = [];
  await channel.consume(queue, (message) => ends.push({ at: performance.now(), ...JSON.parse(message.content.toString()) }), {
    noAck: true,
  });
  // Automations that grants every request.
  const answers = {
    'run.may_go_on': () => ({ goOn: true }),
    'run.reserve': ({ candidates }) => ({
      reserved: candidates.map((candidate) => ({ ...candidate, reservationId: randomUUID() })),
      refused: [],
      stop: null,
    }),
  };
  for (const [name, answerTo] of Object.entries(answers)) {
    await channel.assertQueue(`requests.${name}`, { durable: false, autoDelete: true });
    await channel.consume(
      `requests.${name}`,
      (message) => {
        const answer = answerTo(JSON.parse(message.content.toString()));
        channel.sendToQueue(message.properties.replyTo, Buffer.from(JSON.stringify({ ok: true, answer })), {
          correlationId: message.properties.correlationId,
        });
      },
      { noAck: true },
    );
  }
  const port = await freePort();
  const worker = await startProcess(
    'apps/browser-worker',
    {
      PORT: String(port),
      LOG_LEVEL: 'error',
      RABBITMQ_URL: brokerUrl,
      REDIS_URL: infrastructure.redis,
      REDIS_PREFIX: `${vhost}:`,
      SESSION_KEY_RING: `bench:${sessionKey.toString('base64')}`,
      NETWORK_URL: networkUrl,
      CHROMIUM_PATH: infrastructure.chromium,
      CHROMIUM_SANDBOX: String(process.getuid?.() !== 0),
      WORKER_CONTEXTS: String(contexts),
      ARTIFACTS_DIR: artifacts,
    },
    `http://127.0.0.1:${port}/health/ready`,
  );
  const send = async (count) => {
    for (let index = 0; index < count; index += 1) {
      const username = `bench.${randomBytes(6).toString('hex')}`;
      const call = async (where, body) => {
        const answer = await fetch(`${networkUrl}/_sandbox${where}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        });
        if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
        return answer.json();
      };
      await call('/accounts', { username, followers: 10, following: 10 });
      const session = await call('/sessions', { username });
      const sessionId = randomUUID();
      const runId = randomUUID();
      const job = {
        runId,
        automationId: randomUUID(),
        automationType: kind.automationType,
        userId: randomUUID(),
        accountKey: `bench-account-${session.accountId}`,
        session: {
          envelope: seal(JSON.stringify(session.cookies.map((cookie) => ({ ...cookie, sameSite: 'Lax' }))), sessionId),
          sessionId,
          networkUserId: session.accountId,
        },
        plan: kind.plan,
        unsettled: [],
        pace: { actionGapMs: { min: 0, max: 0 }, pageGapMs: { min: 0, max: 0 } },
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      };
      channel.sendToQueue('browser.runs.scheduled', Buffer.from(JSON.stringify(job)), { persistent: true, messageId: runId });
    }
    await channel.waitForConfirms();
  };
  try {
    await send(1); // starts Chromium and warms its caches
    await until('the first run', () => ends.length === 1);
    const idle = memoryOf(worker.child.pid);
    const total = contexts * runsPerContext;
    let peak = { node: 0, browser: 0 };
    const sampler = setInterval(() => {
      const now = memoryOf(worker.child.pid);
      if (now.browser > peak.browser) peak = now;
    }, 200);
    const before = { ...processorTimeOf(worker.child.pid), sandbox: processorTimeOf(sandbox.child.pid).worker };
    const began = performance.now();
    await send(total);
    await until('all runs', () => ends.length === total + 1, 600_000);
    clearInterval(sampler);
    const after = { ...processorTimeOf(worker.child.pid), sandbox: processorTimeOf(sandbox.child.pid).worker };
    const failed = ends.filter(({ outcome, tried }) => outcome !== 'done' || tried !== 1);
    if (failed.length > 0) throw new Error(`${failed.length} runs did not do their work: ${JSON.stringify(failed[0])}`);
    const minutes = (ends.at(-1).at - began) / 60_000;
    const actions = ends.slice(1).reduce((sum, { tried }) => sum + tried, 0);
    const peakMb = peak.node + peak.browser;
    return {
      plan: options.plan,
      contexts,
      runs: total,
      runsPerMinute: Math.round(total / minutes),
      actionsPerMinuteAndGiB: Math.round(actions / minutes / (peakMb / 1024)),
      processorMs: perRun(before, after, total),
      idleMb: Math.round(idle.node + idle.browser),
      peakMb: Math.round(peakMb),
      mbPerContext: Math.round((peak.browser - idle.browser) / contexts),
    };
  } finally {
    await worker.stop();
    await connection.close();
  }
}

try {
  await management('PUT', `/vhosts/${vhost}`, {});
  cleanUp.unshift(() => management('DELETE', `/vhosts/${vhost}`));
  const user = decodeURIComponent(new URL(infrastructure.rabbitmq).username);
  await management('PUT', `/permissions/${vhost}/${user}`, { configure: '.*', write: '.*', read: '.*' });
  const sandbox = await startProcess(
    'apps/sandbox-network',
    { PORT: String(networkPort), HOST: '127.0.0.1', SEED: 'bench', LOG_LEVEL: 'error' },
    `${networkUrl}/_sandbox/health`,
  );
  cleanUp.unshift(sandbox.stop);
  const results = [];
  for (const contexts of options.contexts.split(',').map(Number))
    results.push(await measure(sandbox, contexts, Number(options['runs-per-context'])));
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
  else {
    process.stdout.write(`${os.cpus().length} cores (${os.cpus()[0].model}), ${Math.round(os.totalmem() / 2 ** 30)} GB\n`);
    const columns = [
      ['contexts', ({ contexts }) => contexts],
      ['runs', ({ runs }) => runs],
      ['runs/min', ({ runsPerMinute }) => runsPerMinute],
      ['actions/min/GiB', ({ actionsPerMinuteAndGiB }) => actionsPerMinuteAndGiB],
      ['idle MB', ({ idleMb }) => idleMb],
      ['peak MB', ({ peakMb }) => peakMb],
      ['MB/context', ({ mbPerContext }) => mbPerContext],
    ];
    const write = (cells) =>
      process.stdout.write(`${cells.map((cell, index) => String(cell).padStart(columns[index][0].length + 2)).join('')}\n`);
    write(columns.map(([name]) => name));
    for (const one of results) write(columns.map(([, value]) => value(one)));
    process.stdout.write('processor time of a run in ms\n');
    for (const { contexts, processorMs } of results)
      process.stdout.write(
        `${String(contexts).padStart(10)}  ${Object.entries(processorMs)
          .map(([role, ms]) => `${role} ${ms}`)
          .join(', ')}; together ${Object.values(processorMs).reduce((sum, ms) => sum + ms, 0)}\n`,
      );
  }
} finally {
  for (const undo of cleanUp) await undo();
}
