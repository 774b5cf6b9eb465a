/** `npm run bench`: measures the system on this machine and prints a table. It has no limits that could fail. */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const os = await import('node:os');
const path = await import('node:path');
const { default: autocannon } = await import('autocannon');
const { pinnedNode } = await import('./lib/bootstrap.mjs');
const { blogGoals, blogRows, fillBlog, measureBlog } = await import('./lib/blog-speed.mjs');
const { eventRows, measureEvents } = await import('./lib/event-speed.mjs');
const { createAutomation, ensurePlan, ensureSlots, publishWheel, signIn } = await import('./lib/customer.mjs');
const { infrastructureOrExit, infrastructureEnvironment } = await import('./lib/infrastructure.mjs');
const { automations, fillLists, goalMs, measureInteractions } = await import('./lib/interaction-speed.mjs');
const { diaryLines, fillDiary, measureDiary } = await import('./lib/long-diary.mjs');
const { measurePages } = await import('./lib/page-speed.mjs');
const { createProgress } = await import('./lib/progress.mjs');
const { dropBroker, dropDatabase, dropKeys } = await import('./lib/provision.mjs');
const { ensureNetworkAccount, openNetworkSession } = await import('./lib/seed.mjs');
const { localSecrets } = await import('./lib/secrets.mjs');
const { dueAutomations, measureSchedulers, schedulerRows } = await import('./lib/scheduler-speed.mjs');
const { repositoryRoot } = await import('./lib/shell.mjs');
const { Supervision, whenAskedToEnd } = await import('./lib/supervision.mjs');
const { System } = await import('./lib/system.mjs');
const { measureTables, processesOfReads, tableRows } = await import('./lib/table-speed.mjs');
const { measureWheel, wheelRows } = await import('./lib/wheel-speed.mjs');
const { goalFps, measureTurn, slowdown: turnSlowdown } = await import('./lib/wheel-turn.mjs');

const progress = createProgress();
const supervision = new Supervision('npm run bench');
whenAskedToEnd(() => void supervision.end().then(() => process.exit(1)));
const infrastructure = await progress.step('PostgreSQL, RabbitMQ, Redis and Chromium', () =>
  infrastructureOrExit({ log: progress.log, supervision }),
);
const names = { database: 'decola_bench', vhost: 'decola-bench', redisPrefix: 'decola-bench:' };
const createSystem = () => System.create({ infrastructure, secrets: localSecrets(), ...names, usePreferredPorts: false });
const clear = async () => {
  await dropDatabase({ adminUrl: infrastructure.postgres.url, database: names.database });
  await dropBroker({ managementUrl: infrastructure.rabbitmq.managementUrl, vhost: names.vhost });
  await dropKeys({ url: infrastructure.redis.url, prefix: names.redisPrefix });
};
const rows = [];
const lastLine = (output) => JSON.parse(output.trim().split('\n').at(-1));

/** Latency of reads through the gateway: a customer with 25 automations reads their dashboard's list 200 times a second. */
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

/**
 * One person sends the most expensive request that is allowed, always 24 at the same time; meanwhile another person reads their dashboard's
 * list 50 times a second.
 */
async function latencyBesideGreed(system) {
  const endpoints = { gateway: system.url('gateway'), publishableKey: system.secrets.publishableKey };
  const greedy = await signIn(endpoints, { email: 'guloso@example.com', password: 'Segredo!123' });
  const rows = Array.from({ length: 20 }, (_, index) => ({
    user_id: greedy.userId,
    name: `Grande ${index}`,
    type: 'auto-like',
    configuration: { notes: Array.from({ length: 20_000 }, (_, place) => place * index) },
    is_draft: true,
    is_active: false,
  }));
  for (let made = 0; made < 100; made += 5) {
    const { error } = await greedy.client
      .from('automations')
      .insert(rows.slice(0, 5).map((row) => ({ ...row, name: `${row.name} ${made}` })));
    if (error) throw new Error(`rows for the measure: ${error.message}`);
  }
  const dearest = Array.from({ length: 10 }, (_, path) => `configuration->notes->${19_000 + path}.desc`).join(',');
  const reader = await signIn(endpoints, { email: 'bench@example.com', password: 'Segredo!123' });
  const bearerOf = async ({ client }) => (await client.auth.getSession()).data.session.access_token;
  const headersOf = async (who) => ({ apikey: endpoints.publishableKey, authorization: `Bearer ${await bearerOf(who)}` });
  const duration = 15;
  const [attack, { latency, errors, non2xx }] = await Promise.all([
    autocannon({
      url: `${endpoints.gateway}/rest/v1/automations?select=id&order=${dearest}`,
      headers: await headersOf(greedy),
      connections: 24,
      timeout: 30,
      duration,
    }),
    autocannon({
      url: `${endpoints.gateway}/rest/v1/automations?select=*&user_id=eq.${reader.userId}&order=created_at.desc`,
      headers: await headersOf(reader),
      connections: 10,
      overallRate: 50,
      duration,
    }),
  ]);
  return { latency, failed: errors + non2xx, attacks: attack.requests.total, attackP50: attack.latency.p50 };
}

/** Reads of one automation's diary through the gateway, one after another. */
async function diaryReads(system) {
  const endpoints = { gateway: system.url('gateway'), publishableKey: system.secrets.publishableKey };
  const { client, userId } = await signIn(endpoints, { email: 'diario@example.com', password: 'Segredo!123' });
  await ensurePlan(client, 'premium');
  await ensureSlots(client, userId);
  const { id } = await createAutomation(client, { userId, name: 'Diário', type: 'auto-like', configuration: {}, draft: true });
  await fillDiary(system.databaseUrls.automations, { userId, automationId: id });
  return measureDiary(client, id);
}

/** How soon the page answers a customer with 1,000 automations and a diary of 100,000 lines. */
async function interactions(system) {
  const endpoints = { gateway: system.url('gateway'), publishableKey: system.secrets.publishableKey };
  const person = { email: 'listas@example.com', password: 'Segredo!123' };
  const { client, userId } = await signIn(endpoints, person);
  await ensurePlan(client, 'premium');
  await ensureSlots(client, userId);
  const automationId = await fillLists(system.databaseUrls.automations, { userId });
  return measureInteractions({ chromium: infrastructure.chromium.path, gateway: endpoints.gateway, person, automationId });
}

const pageNames = {
  automations: `list of ${automations.toLocaleString('en')} automations`,
  diary: `diary of ${diaryLines.toLocaleString('en')} lines`,
};

function interactionText({ what, paintMs, worstMs, shownMs }) {
  const details = [worstMs > paintMs && `worst ${Math.round(worstMs)}`, shownMs !== null && `result after ${Math.round(shownMs)}`].filter(
    Boolean,
  );
  return `${what} ${Math.round(paintMs)} ms${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

/** One row for each page and slowdown: until the next paint, which the goal is about, and until the result, which the server may have to answer. */
function addInteractionRows(measured) {
  for (const { list, slowdown, interactions: found } of measured) {
    const nodes = Math.max(...found.map((each) => each.nodes));
    const missed = found.filter(({ paintMs }) => paintMs > goalMs).map(({ what }) => what);
    rows.push([
      `${pageNames[list]}, in Chromium${slowdown > 1 ? `, processor ${slowdown} times slower` : ''}: until the next paint (goal ${goalMs} ms)`,
      `${found.map(interactionText).join('; ')}; ` +
        `at most ${nodes} nodes; ${missed.length === 0 ? 'goal met' : `goal missed: ${missed.join(', ')}`}`,
    ]);
  }
}

/** Spins of prize wheels beside pgbench, on a database of their own. */
async function addWheelRows() {
  const system = await createSystem();
  await progress.step('building', () => system.build(['prize-wheel', 'web']));
  await system.migrate(['prize-wheel']);
  try {
    rows.push(...wheelRows(await measureWheel({ system, supervision, step: (name, work) => progress.step(name, work) })));
  } finally {
    await system.stop();
    await clear();
  }
}

/** Events through outbox, broker and inbox, on a database and a virtual host of their own. */
async function addEventRows() {
  const system = await createSystem();
  try {
    const environment = { DATABASE_URL: new URL(system.databaseUrls.blog).href, RABBITMQ_URL: system.brokerUrl };
    rows.push(...eventRows(await progress.step('events: outbox → broker → inbox', () => measureEvents({ supervision, environment }))));
  } finally {
    await system.stop();
    await clear();
  }
}

/** Reads of tables through the gateway, on a database of their own. */
async function addTableRows() {
  const system = await createSystem();
  const services = processesOfReads.filter((name) => name !== 'gateway');
  await progress.step('building', () => system.build([...processesOfReads, 'web']));
  await system.migrate(services);
  try {
    await progress.step('starting gateway and services', () => Promise.all(processesOfReads.map((name) => system.startProcess(name))));
    rows.push(...tableRows(await progress.step('tables: as many reads as possible, and 300 a second', () => measureTables(system))));
  } finally {
    await system.stop();
    await clear();
  }
}

/** A wheel on air. @returns the address of its public page */
async function publicWheel(system) {
  const endpoints = { gateway: system.url('gateway'), publishableKey: system.secrets.publishableKey };
  const { client, userId } = await signIn(endpoints, { email: 'roleta@example.com', password: 'Segredo!123' });
  await ensurePlan(client, 'starter');
  await ensureSlots(client, userId);
  const prizes = ['Caneca', 'Café', 'Pão', 'Bolo', 'Desconto', 'Chá', 'Suco', 'Biscoito'];
  const { link } = await publishWheel(
    endpoints,
    { client, userId },
    {
      name: 'Roleta de inverno',
      prizes: prizes.map((name, index) => ({ id: `${index}`, name, quantity: 1_000, type: 'physical', message: '' })),
      leadFields: [{ name: 'instagram', label: 'Instagram (@)', required: true }],
      promotion: { company: 'Torrefação Aurora', authorisation: 'to_check' },
      consent: { channels: [] },
    },
  );
  return link;
}

const goodPage = 'at least 95 each; LCP under 2 s, CLS under 0.02; 110 KB of script, 90 KB of fonts and styles';
const goodBlogPage =
  `at least ${blogGoals.score} each; LCP under ${blogGoals.lcpMs / 1_000} s, CLS under ${blogGoals.cls}; ` +
  `${blogGoals.scriptKb} KB of script, ${blogGoals.styleKb} KB of styles beside the font`;

/**
 * Measures pages as a phone loads them, and adds a row for each.
 * @param pages with `limits` in words, and `isIndexed` unless search engines are told to leave the page alone, which costs points there
 */
async function addRowsOfPages(pages) {
  const urls = pages.map(({ url }) => url);
  const measured = await progress.step('pages as a phone loads them', () => measurePages(infrastructure.chromium.path, urls));
  measured.forEach(({ scores, lcpMs, cls, scriptKb, styleKb, fontKb }, index) => {
    const { what, limits, isIndexed } = pages[index];
    rows.push([
      `${what} on a phone (${limits})`,
      `performance ${scores.performance}, accessibility ${scores.accessibility}, best practices ${scores['best-practices']}` +
        `${isIndexed ? `, SEO ${scores.seo}` : ''}; LCP ${(lcpMs / 1000).toFixed(1)} s, CLS ${cls.toFixed(3)}; ` +
        `${scriptKb.toFixed(0)} KB of script, ${styleKb.toFixed(0)} KB of styles and ${fontKb.toFixed(0)} KB of fonts`,
    ]);
  });
}

/** The pages of the blog as a phone loads them, and visits of them at the gateway. */
async function addBlogRows(system) {
  const slug = await fillBlog(system.databaseUrls.blog);
  const gateway = system.url('gateway');
  await addRowsOfPages([
    { url: `${gateway}/blog`, what: '/blog', limits: goodBlogPage, isIndexed: true },
    { url: `${gateway}/blog/${slug}`, what: 'article of the blog', limits: goodBlogPage, isIndexed: true },
  ]);
  rows.push(...blogRows(await progress.step('blog: 300 visits a second', () => measureBlog({ gateway, slug }))));
}

/** The pages that strangers open first, as a phone loads them, and how a wheel turns there. */
async function addPageRows(system) {
  const wheel = await publicWheel(system);
  const gateway = system.url('gateway');
  await addRowsOfPages([
    { url: `${gateway}/`, what: '/', limits: goodPage, isIndexed: true },
    { url: `${gateway}/auth`, what: '/auth', limits: goodPage, isIndexed: true },
    { url: wheel, what: 'public page of a wheel', limits: 'LCP under 2 s; 85 KB of script', isIndexed: false },
  ]);
  const { fps, longestMs } = await progress.step('turn of a wheel', () =>
    measureTurn({ chromium: infrastructure.chromium.path, url: wheel }),
  );
  rows.push([
    `wheel that turns, processor ${turnSlowdown} times slower (goal: at least ${goalFps} frames a second)`,
    `${fps.toFixed(0)} frames a second, longest gap ${longestMs.toFixed(0)} ms`,
  ]);
}

/** Schedulers on a database that is migrated, without the rest of the system. */
async function addSchedulerRows(system) {
  const measured = await progress.step(`schedulers: ${dueAutomations.toLocaleString('en')} due automations`, () =>
    measureSchedulers({
      databaseUrl: system.databaseUrls.automations,
      brokerUrl: system.brokerUrl,
      supervision,
      step: (name, work) => progress.step(name, work),
    }),
  );
  rows.push(...schedulerRows(measured, os.cpus().length));
}

async function measureSchedulersOnly() {
  const system = await createSystem();
  await progress.step('building', () => system.build(['automations']));
  await system.migrate(['automations']);
  await addSchedulerRows(system);
}

/** Starts a whole system for one part of the table. */
async function withSystem(measure) {
  const system = await createSystem();
  await progress.step('building', () => system.build());
  await system.migrate();
  await progress.step('starting the system', () => system.start());
  try {
    await measure(system);
  } finally {
    await system.stop();
  }
}

const measureInteractionsOnly = () =>
  withSystem(async (system) => addInteractionRows(await progress.step('interactions with long lists', () => interactions(system))));

async function measureAll() {
  await addWheelRows();
  await addEventRows();
  await addTableRows();
  const system = await createSystem();
  await progress.step('building', () => system.build());
  await system.migrate();
  await addSchedulerRows(system);
  await clear();
  const whole = await createSystem();
  await whole.migrate();
  await progress.step('starting the system', () => whole.start());
  try {
    const { latency, errors, non2xx } = await progress.step('gateway: 200 reads a second', () => gatewayLatency(whole));
    rows.push([
      'gateway read at 200/s',
      `p50 ${latency.p50} ms, p99 ${latency.p99} ms${errors + non2xx > 0 ? `, ${errors + non2xx} failed` : ''}`,
    ]);
    const beside = await progress.step('gateway: 50 reads a second beside one greedy person', () => latencyBesideGreed(whole));
    rows.push([
      'gateway read at 50/s while one person has 24 of the dearest requests open (to stay under 300 ms)',
      `p50 ${beside.latency.p50} ms, p99 ${beside.latency.p99} ms${beside.failed > 0 ? `, ${beside.failed} failed` : ''}; of theirs ${beside.attacks} in 15 s`,
    ]);
    for (const { what, p50, max } of await progress.step('diary: reads of one with 100,000 lines', () => diaryReads(whole)))
      rows.push([
        `${what} of a diary of ${diaryLines.toLocaleString('en')} lines, through the gateway`,
        `p50 ${p50.toFixed(1)} ms, at most ${max.toFixed(1)} ms`,
      ]);
    addInteractionRows(await progress.step('interactions with long lists', () => interactions(whole)));
    await addPageRows(whole);
    await addBlogRows(whole);
  } finally {
    await whole.stop();
  }
  await addWorkerRows();
}

/** Goals for one worker with two contexts, on two cores beside the sandbox network. */
const workerGoals = { runsPerMinute: 160, peakMb: 400 };

async function addWorkerRows() {
  for (const plan of ['follow', 'like']) {
    const measured = await progress.step(`worker: ${plan} runs against the sandbox network`, async () => {
      const output = await supervision.run(
        pinnedNode(),
        [path.join(repositoryRoot, 'apps/browser-worker/bench/worker.bench.mjs'), '--plan', plan, '--contexts', '1,2', '--json'],
        { cwd: repositoryRoot, env: { ...process.env, ...infrastructureEnvironment(infrastructure) } },
      );
      return lastLine(output);
    });
    for (const { contexts, runsPerMinute, actionsPerMinuteAndGiB, peakMb, processorMs } of measured) {
      const isGoal = contexts === 2;
      rows.push([
        `worker with ${contexts} ${contexts === 1 ? 'context' : 'contexts'}, ${plan} runs of one action`,
        `${runsPerMinute} runs/min${isGoal ? ` (goal ${workerGoals.runsPerMinute})` : ''}, ${actionsPerMinuteAndGiB} actions/min and GiB, ` +
          `at most ${peakMb} MB with its Chromium${isGoal ? ` (goal under ${workerGoals.peakMb})` : ''}; ` +
          `processor time of a run: ${Object.entries(processorMs)
            .map(([role, ms]) => `${role} ${ms} ms`)
            .join(', ')}`,
      ]);
    }
  }
}

async function measureWorkerOnly() {
  const system = await createSystem();
  await progress.step('building', () => system.build(['browser-worker', 'sandbox-network']));
  await addWorkerRows();
}

/** Parts of the table that can be measured alone: `npm run bench -- wheel`. */
const parts = {
  interactions: measureInteractionsOnly,
  pages: () => withSystem(addPageRows),
  schedulers: measureSchedulersOnly,
  wheel: addWheelRows,
  events: addEventRows,
  tables: addTableRows,
  blog: () => withSystem(addBlogRows),
  worker: measureWorkerOnly,
};

try {
  await clear();
  await (parts[process.argv[2]] ?? measureAll)();
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
