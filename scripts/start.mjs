/** `npm start`: everything on one machine, until Ctrl-C. */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const path = await import('node:path');
const { ensureInfrastructure } = await import('./lib/infrastructure.mjs');
const { pinnedNode } = await import('./lib/bootstrap.mjs');
const { removeEndpoints, runningSystem, writeEndpoints } = await import('./lib/endpoints.mjs');
const { lockSystemOrExit } = await import('./lib/one-system.mjs');
const { createProgress } = await import('./lib/progress.mjs');
const { adminPerson, demoPerson, seedDemo } = await import('./lib/seed.mjs');
const { localSecrets } = await import('./lib/secrets.mjs');
const { endLeftovers } = await import('./lib/record.mjs');
const { repositoryRoot } = await import('./lib/shell.mjs');
const { Supervision, whenAskedToEnd } = await import('./lib/supervision.mjs');
const { System } = await import('./lib/system.mjs');

const supervision = new Supervision('npm start');
const progress = createProgress();
let ending = false;

async function end(code) {
  if (ending) return;
  ending = true;
  console.log('\n· ending everything that was started …');
  removeEndpoints();
  await supervision.end().catch((error) => console.error(error.message));
  console.log('✓ ended; the data stay until npm run reset');
  process.exit(code);
}

await lockSystemOrExit('npm start');
whenAskedToEnd(() => void end(0));
await endLeftovers(progress.log);
const running = await runningSystem();
if (running) {
  console.log(`Decola runs already: ${running.gateway}. Another version of this clone started it: end it first.`);
  process.exit(1);
}

/** Settings for a demo that can be watched for some minutes. Production has the cautious defaults of automations. */
const open = Object.fromEntries(
  ['follow', 'unfollow', 'like', 'comment', 'view-story', 'message', 'list-page', 'page-view'].map((kind) => [
    kind,
    kind === 'list-page' || kind === 'page-view' ? 5_000 : 150,
  ]),
);
const demoPace = {
  automations: {
    ACTION_GAP_MS: '1500-3000',
    PAGE_GAP_MS: '150-400',
    QUIET_HOURS: 'null',
    CEILINGS: JSON.stringify({ byAge: [{ untilDay: null, perDay: open }], perHour: open, halvedDays: 14 }),
  },
  // Slow enough to see an article grow.
  'sandbox-model': { TOKENS_PER_SECOND: '300' },
};

try {
  const infrastructure = await progress.step('PostgreSQL, RabbitMQ, Redis and Chromium', () =>
    ensureInfrastructure({ log: progress.log, supervision }),
  );
  const secrets = localSecrets();
  const system = await System.create({ infrastructure, secrets, overrides: demoPace, restart: true, log: progress.log, supervision });
  await progress.step('building', () => system.build());
  await progress.step('migrating the databases', () => system.migrate());
  await progress.step('starting sandboxes, services, gateway and browser worker', () => system.start());
  const gateway = system.url('gateway');
  const publicEndpoints = { gateway, publishableKey: secrets.publishableKey };
  await progress.step('preparing the demo customer', () =>
    seedDemo({
      endpoints: publicEndpoints,
      network: system.url('network'),
      demoPassword: secrets.demoPassword,
      adminPassword: secrets.adminPassword,
      grantRole: (email, role) =>
        supervision.run(pinnedNode(), [path.join(repositoryRoot, 'apps/identity/dist/grant-role.command.js'), email, role], {
          env: { ...process.env, DATABASE_URL: system.databaseUrls.identity },
        }),
    }),
  );
  const describe = () => ({
    ...publicEndpoints,
    site: gateway,
    mailbox: system.url('mailbox'),
    network: system.url('network'),
    stripe: system.url('stripe'),
    model: system.url('model'),
    demo: { email: demoPerson.email, password: secrets.demoPassword },
    admin: { email: adminPerson.email, password: secrets.adminPassword },
    postgres: system.databaseUrl,
    rabbitmq: system.brokerUrl,
    redis: infrastructure.redis.url,
    processes: {
      supervisor: process.pid,
      ...Object.fromEntries(infrastructure.started.map(({ name, pid }) => [name, pid])),
      ...system.pids(),
    },
  });
  writeEndpoints(describe());
  system.onRestart(() => writeEndpoints(describe()));
  console.log(`
Decola is ready (${progress.total()}).

  Site      ${gateway}
  Log-in    ${demoPerson.email}  /  ${secrets.demoPassword}
  Network   ${system.url('network')}/_sandbox/   (what the automations do there, live)
  Mailbox   ${system.url('mailbox')}

Ctrl-C ends everything. npm run demo (in another terminal) does the main job once and tells what happened.`);
} catch (error) {
  // While the command is ending, errors only say that a process was ended.
  if (!ending) console.error(`\n${error.message}`);
  await end(1);
}
