/** `npm run bench`: what this machine does with this system. Prints a table; nothing here passes or fails. */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const os = await import('node:os');
const path = await import('node:path');
const { default: autocannon } = await import('autocannon');
const { pinnedNode } = await import('./lib/bootstrap.mjs');
const { createAutomation, ensurePlan, ensureSlots, signIn } = await import('./lib/customer.mjs');
const { infrastructureOrExit, infrastructureEnvironment } = await import('./lib/infrastructure.mjs');
const { createProgress } = await import('./lib/progress.mjs');
const { dropBroker, dropDatabase, dropKeys } = await import('./lib/provision.mjs');
const { ensureNetworkAccount, openNetworkSession } = await import('./lib/seed.mjs');
const { localSecrets } = await import('./lib/secrets.mjs');
const { repositoryRoot, run } = await import('./lib/shell.mjs');
const { System } = await import('./lib/system.mjs');

const progress = createProgress();
const infrastructure = await progress.step('PostgreSQL, RabbitMQ, Redis and Chromium', () => infrastructureOrExit({ log: progress.log }));
const names = { database: 'decola_bench', vhost: 'decola-bench', redisPrefix: 'decola-bench:' };
const clear = async () => {
  await dropDatabase({ adminUrl: infrastructure.postgres.url, database: names.database });
  await dropBroker({ managementUrl: infrastructure.rabbitmq.managementUrl, vhost: names.vhost });
  await dropKeys({ url: infrastructure.redis.url, prefix: names.redisPrefix });
};
const rows = [];
const lastLine = (output) => JSON.parse(output.trim().split('\n').at(-1));
const command = (file, environment) =>
  run(pinnedNode(), [path.join(repositoryRoot, file)], {
    cwd: repositoryRoot,
    env: { ...process.env, ...infrastructureEnvironment(infrastructure), ...environment },
  });

/** A customer with 25 automations reads their dashboard's list, 200 times a second. */
async function gatewayLatency(system) {
  const endpoints = { gateway: system.url('gateway'), publishableKey: system.secrets.publishableKey };
  const { client, userId } = await signIn(endpoints, { email: 'bench@example.com', password: 'Segredo!123' });
  await ensurePlan(client, 'premium');
  await ensureSlots(client, userId);
  await ensureNetworkAccount(system.url('network'), { username: 'conta.de.medida', followers: 10, following: 5, posts: 1 });
  await openNetworkSession(system.url('network'), 'conta.de.medida');
  for (let index = 0; index < 25; index++)
    await createAutomation(client, { userId, name: `Medida ${index}`, type: 'auto-like', configuration: {}, draft: true });
  const { data } = await client.auth.getSession();
  return autocannon({
    url: `${endpoints.gateway}/rest/v1/automations?select=*&user_id=eq.${userId}&order=created_at.desc`,
    headers: { apikey: endpoints.publishableKey, authorization: `Bearer ${data.session.access_token}` },
    connections: 20,
    overallRate: 200,
    duration: 15,
  });
}

try {
  await clear();
  const system = await System.create({ infrastructure, secrets: localSecrets(), ...names, usePreferredPorts: false });
  await progress.step('building', () => system.build());
  await run(pinnedNode(), [path.join(repositoryRoot, 'tools/build.mjs'), 'libs/messaging'], { cwd: repositoryRoot });
  const admin = new URL(system.databaseUrls.blog);
  const events = await progress.step('events: outbox → broker → inbox', async () =>
    lastLine(await command('libs/messaging/dist/events-bench.command.js', { DATABASE_URL: admin.href, RABBITMQ_URL: system.brokerUrl })),
  );
  rows.push(['events through outbox, broker and inbox', `${events.eventsPerSecond}/s, p50 ${events.p50Ms} ms, p99 ${events.p99Ms} ms`]);
  await system.migrate();
  const dispatch = await progress.step('scheduler: 100,000 due automations', async () =>
    lastLine(
      await command('apps/automations/dist/scheduler-bench.command.js', {
        DATABASE_URL: system.databaseUrls.automations,
        RABBITMQ_URL: system.brokerUrl,
      }),
    ),
  );
  rows.push(['runs dispatched by one scheduler, 100,000 due', `${dispatch.runsPerSecond}/s`]);
  await clear();
  const whole = await System.create({ infrastructure, secrets: localSecrets(), ...names, usePreferredPorts: false });
  await whole.migrate();
  await progress.step('starting the system', () => whole.start());
  try {
    const { latency, errors, non2xx } = await progress.step('gateway: 200 reads a second', () => gatewayLatency(whole));
    rows.push([
      'gateway read at 200/s',
      `p50 ${latency.p50} ms, p99 ${latency.p99} ms${errors + non2xx > 0 ? `, ${errors + non2xx} failed` : ''}`,
    ]);
  } finally {
    await whole.stop();
  }
  const worker = await progress.step('worker: follow runs against the sandbox network', async () => {
    const output = await run(pinnedNode(), [path.join(repositoryRoot, 'apps/browser-worker/bench/worker.bench.mjs'), '--json'], {
      cwd: repositoryRoot,
      env: { ...process.env, ...infrastructureEnvironment(infrastructure) },
    });
    return lastLine(output);
  });
  for (const { contexts, runsPerMinute, peakMb, mbPerContext } of worker)
    rows.push([
      `worker with ${contexts} ${contexts === 1 ? 'context' : 'contexts'}, follow runs of one person`,
      `${runsPerMinute} runs/min, at most ${peakMb} MB with its Chromium, ${mbPerContext} MB for each context`,
    ]);
} finally {
  await clear().catch(() => undefined);
  await infrastructure.stop();
}

console.log(
  `\n${os.cpus().length} cores (${os.cpus()[0].model.trim()}), ${Math.round(os.totalmem() / 2 ** 30)} GB, Node ${process.versions.node}\n`,
);
console.log('| Measured | Figure |\n|---|---|');
for (const [what, figure] of rows) console.log(`| ${what} | ${figure} |`);
process.exit(0);
