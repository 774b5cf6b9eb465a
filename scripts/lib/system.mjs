/**
 * The whole system as processes on one machine: sandbox, services, gateway, browser workers. `npm start`, the browser
 * journeys and the benchmarks all run it through here, so that what is tested is what is started.
 */
import { spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode } from './bootstrap.mjs';
import { chromiumSandboxStarts } from './chromium-sandbox.mjs';
import { isReachableByOthers, stateDirectory } from './parts/state.mjs';
import { freePort } from './ports.mjs';
import { provisionBroker, provisionDatabase, servicesWithDatabase } from './provision.mjs';
import { endProcess, repositoryRoot, run, waitFor } from './shell.mjs';

const usualPorts = {
  gateway: 8080,
  identity: 4101,
  billing: 4102,
  automations: 4103,
  extraction: 4104,
  'prize-wheel': 4105,
  blog: 4106,
  'browser-worker': 4107,
  network: 4200,
  stripe: 4201,
  mailbox: 4202,
  smtp: 4203,
};

const plenty = '10000000';

/** On one machine one address is everybody. */
const generousLimits = {
  RATE_LIMIT_REQUESTS_PER_MINUTE: plenty,
  RATE_LIMIT_USER_REQUESTS_PER_MINUTE: plenty,
  RATE_LIMIT_WEBHOOK_FAILURES_PER_MINUTE: plenty,
  RATE_LIMIT_AUTH_PER_5_MINUTES: plenty,
  RATE_LIMIT_TOKEN_PER_5_MINUTES: plenty,
  RATE_LIMIT_VERIFY_PER_5_MINUTES: plenty,
  RATE_LIMIT_ACCOUNT_PER_5_MINUTES: plenty,
  RATE_LIMIT_MFA_PER_2_MINUTES: plenty,
};

/** `nobody`, to whom Chromium's sandbox is open; root has none. */
const unprivileged = { uid: 65534, gid: 65534 };

export class System {
  #processes = new Map(); // name → { child, command, stopping }
  #listeners = new Set();
  #hasChromiumSandbox = false;
  #sandboxTrial;

  constructor({
    infrastructure,
    secrets,
    database = 'decola',
    vhost = 'decola',
    redisPrefix = 'decola:',
    dataDirectory,
    logDirectory,
    ports,
    overrides = {},
    restart = false,
    log = () => {},
  }) {
    Object.assign(this, {
      infrastructure,
      secrets,
      database,
      vhost,
      redisPrefix,
      dataDirectory,
      logDirectory,
      ports,
      overrides,
      restart,
      log,
    });
  }

  static async create(options) {
    const ports = {};
    for (const [name, port] of Object.entries(usualPorts))
      ports[name] = await freePort(options.usePreferredPorts === false ? undefined : port);
    const dataDirectory = options.dataDirectory ?? path.join(stateDirectory, 'files');
    const logDirectory = options.logDirectory ?? path.join(stateDirectory, 'logs');
    for (const directory of [dataDirectory, logDirectory]) mkdirSync(directory, { recursive: true });
    const system = new System({ ...options, dataDirectory, logDirectory, ports });
    const { infrastructure, secrets } = options;
    const provisioned = await provisionDatabase({
      adminUrl: infrastructure.postgres.url,
      database: system.database,
      password: secrets.databasePassword,
    });
    system.databaseUrl = provisioned.url;
    system.databaseUrls = provisioned.byService;
    system.brokerUrl = await provisionBroker({
      url: infrastructure.rabbitmq.url,
      managementUrl: infrastructure.rabbitmq.managementUrl,
      vhost: system.vhost,
    });
    return system;
  }

  url(name) {
    return `http://127.0.0.1:${this.ports[name]}`;
  }

  /** Process ids of what runs now, by name. */
  pids() {
    return Object.fromEntries(
      [...this.#processes]
        .filter(([, { child }]) => child.exitCode === null && child.signalCode === null)
        .map(([name, { child }]) => [name, child.pid]),
    );
  }

  /** Calls `listener` whenever a process was started again. */
  onRestart(listener) {
    this.#listeners.add(listener);
  }

  async build() {
    const projects = ['sandbox', 'gateway', 'browser-worker', 'web', ...servicesWithDatabase].map((name) => `@decola/${name}`).join(',');
    await run(
      pinnedNode(),
      [path.join(repositoryRoot, 'node_modules/nx/dist/bin/nx.js'), 'run-many', '-t', 'build', '-p', projects, '--outputStyle=static'],
      {
        cwd: repositoryRoot,
        env: { ...this.#path(), NX_DAEMON: 'false', NX_TUI: 'false' },
      },
    );
  }

  /** The commands start side by side; each waits for its turn in the database by itself. */
  async migrate() {
    await Promise.all(
      servicesWithDatabase.map((service) =>
        run(pinnedNode(), [path.join(repositoryRoot, 'apps', service, 'dist/migrate.command.js')], {
          env: { ...this.#path(), DATABASE_URL: this.databaseUrls[service] },
        }),
      ),
    );
  }

  /** Starts everything side by side; resolves when every part says that it is ready. */
  async start({ workers = 1 } = {}) {
    await Promise.all([
      this.#startMoney(),
      ...servicesWithDatabase.filter((service) => service !== 'billing').map((service) => this.startProcess(service)),
      this.startProcess('gateway'),
      ...Array.from({ length: workers }, (_, index) => this.startWorker(index)),
    ]);
  }

  /** Billing needs a secret that the sandbox's Stripe hands out. */
  async #startMoney() {
    await this.startSandbox();
    await this.#prepareStripe();
    await Promise.all([
      this.startProcess('billing'),
      run(pinnedNode(), [path.join(repositoryRoot, 'apps/billing/dist/provision.command.js')], {
        cwd: path.join(repositoryRoot, 'apps/billing'),
        env: { ...this.#path(), ...this.environment('billing') },
      }),
    ]);
  }

  async startSandbox() {
    await this.startProcess('sandbox');
  }

  async startWorker(index = 0) {
    const name = index === 0 ? 'browser-worker' : `browser-worker-${index + 1}`;
    if (index > 0) this.ports[name] ??= await freePort();
    return this.startProcess(name);
  }

  /** Stripe tells an endpoint's secret only when it is made, so each start makes a new one in place of the last. */
  async #prepareStripe() {
    const headers = { authorization: `Bearer ${this.secrets.stripeSecretKey}`, 'content-type': 'application/x-www-form-urlencoded' };
    const endpoints = `${this.url('stripe')}/v1/webhook_endpoints`;
    const existing = await (await fetch(`${endpoints}?limit=100`, { headers })).json();
    for (const { id } of existing.data ?? []) await fetch(`${endpoints}/${id}`, { method: 'DELETE', headers });
    const body = new URLSearchParams({ url: `${this.url('gateway')}/webhooks/stripe`, 'enabled_events[0]': '*' });
    const answer = await fetch(endpoints, { method: 'POST', headers, body });
    const endpoint = await answer.json();
    if (!answer.ok || !endpoint.secret)
      throw new Error(`the sandbox's Stripe made no webhook endpoint: ${JSON.stringify(endpoint).slice(0, 300)}`);
    this.webhookSecret = endpoint.secret;
  }

  environment(name) {
    const service = name.startsWith('browser-worker') ? 'browser-worker' : name;
    const { infrastructure, secrets } = this;
    const common = {
      HOST: '127.0.0.1',
      PORT: String(this.ports[name] ?? this.ports[service] ?? 0),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
      NODE_ENV: 'production',
      ...this.#tracing(),
    };
    const internal = {
      ...common,
      INTERNAL_SIGNING_KEY: secrets.internalSigningKey,
      RABBITMQ_URL: this.brokerUrl,
      REDIS_URL: infrastructure.redis.url,
      REDIS_PREFIX: this.redisPrefix,
      SITE_URL: this.url('gateway'),
    };
    const byService = {
      sandbox: {
        ...common,
        NETWORK_PORT: String(this.ports.network),
        STRIPE_PORT: String(this.ports.stripe),
        MAILBOX_PORT: String(this.ports.mailbox),
        SMTP_PORT: String(this.ports.smtp),
        SANDBOX_DATA_DIR: path.join(this.dataDirectory, 'sandbox'),
        SEED: '20261121',
      },
      gateway: {
        ...internal,
        ...generousLimits,
        // One machine does everything at once here, tests too: a slow log-in is no failure yet.
        AUTH_TIMEOUT_MS: '30000',
        PUBLISHABLE_KEY: secrets.publishableKey,
        PRODUCT_NAME: 'Decola',
        SUPPORT_EMAIL: 'suporte@decola.example',
        PRIVACY_EMAIL: 'privacidade@decola.example',
        DPO_EMAIL: 'encarregado@decola.example',
        WEB_DIST: process.env.DECOLA_WEB_DIST ?? path.join(repositoryRoot, 'apps/web/dist'),
        ...Object.fromEntries(servicesWithDatabase.map((each) => [`${each.toUpperCase().replaceAll('-', '_')}_URL`, this.url(each)])),
      },
      identity: {
        ...internal,
        TOKEN_KEYS: secrets.tokenKeys,
        FACTOR_KEY_RING: secrets.factorKeyRing,
        MAIL_KEY_RING: secrets.mailKeyRing,
        TOKEN_ISSUER: `${this.url('gateway')}/auth/v1`,
        SMTP_URL: `smtp://127.0.0.1:${this.ports.smtp}`,
        MAIL_FROM: 'Decola <nao-responda@decola.example>',
        PRODUCT_NAME: 'Decola',
        SUPPORT_EMAIL: 'suporte@decola.example',
      },
      billing: {
        ...internal,
        STRIPE_SECRET_KEY: secrets.stripeSecretKey,
        STRIPE_WEBHOOK_SECRETS: this.webhookSecret ?? '',
        STRIPE_API_BASE: this.url('stripe'),
        STRIPE_LIVEMODE: 'false',
        TRIAL_PEPPER: secrets.trialPepper,
      },
      automations: { ...internal, SESSION_KEY_RING: secrets.sessionKeyRing, ACCOUNT_KEY_PEPPER: secrets.accountKeyPepper },
      extraction: { ...internal, DOWNLOAD_SIGNING_KEY: secrets.downloadSigningKey },
      'prize-wheel': internal,
      blog: internal,
      'browser-worker': {
        ...internal,
        SESSION_KEY_RING: secrets.sessionKeyRing,
        NETWORK_URL: this.url('network'),
        CHROMIUM_PATH: infrastructure.chromium.path,
        CHROMIUM_SANDBOX: String(this.#hasChromiumSandbox),
        WORKER_CONTEXTS: '3',
        ARTIFACTS_DIR: path.join(this.dataDirectory, 'artifacts'),
      },
    };
    const own = byService[service];
    if (this.databaseUrls[service]) own.DATABASE_URL = this.databaseUrls[service];
    return { ...own, ...(this.overrides[service] ?? {}), ...(this.overrides[name] ?? {}) };
  }

  /** Chromium's sandbox needs another user than root, who must be able to read the clone. */
  #workerUser() {
    return process.getuid?.() === 0 && isReachableByOthers(repositoryRoot) ? unprivileged : undefined;
  }

  /** Tried once, with the user the worker runs as; root has no sandbox at all. */
  #tryChromiumSandbox(user) {
    return (this.#sandboxTrial ??= (async () => {
      const isRoot = process.getuid?.() === 0 && user === undefined;
      this.#hasChromiumSandbox = !isRoot && (await chromiumSandboxStarts(this.infrastructure.chromium.path, user));
      if (!this.#hasChromiumSandbox) this.log("Chromium's own sandbox does not start on this machine: the worker goes without it");
    })());
  }

  #tracing() {
    const endpoint = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    return endpoint
      ? { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, NODE_OPTIONS: `--import ${path.join(repositoryRoot, 'deploy/tracing.mjs')}` }
      : {};
  }

  #path() {
    return { PATH: process.env.PATH, HOME: process.env.HOME ?? '/tmp', ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}) };
  }

  /** Starts one part and waits until it is ready. */
  async startProcess(name) {
    const isWorker = name.startsWith('browser-worker');
    const app = isWorker ? 'browser-worker' : name;
    const directory = path.join(repositoryRoot, 'apps', app);
    const entry = path.join(directory, 'dist/main.js');
    if (!existsSync(entry)) throw new Error(`${app} is not built`);
    const user = isWorker ? this.#workerUser() : undefined;
    if (isWorker) await this.#tryChromiumSandbox(user);
    const environment = { ...this.#path(), ...this.environment(name) };
    if (isWorker) {
      mkdirSync(environment.ARTIFACTS_DIR, { recursive: true });
      if (user) {
        chownSync(environment.ARTIFACTS_DIR, user.uid, user.gid);
        environment.HOME = '/tmp';
      }
    }
    const logFile = path.join(this.logDirectory, `${name}.log`);
    const output = openSync(logFile, 'a');
    // A group of its own: Ctrl-C in the terminal reaches this supervisor alone, which then ends the parts in order.
    // Little garbage at a time: memory stays flat. The images start with the same.
    const heap = ['--max-old-space-size=192', '--max-semi-space-size=8'];
    const child = spawn(pinnedNode(), [...heap, '--enable-source-maps', entry], {
      cwd: directory,
      env: environment,
      stdio: ['ignore', output, output],
      detached: true,
      ...user,
    });
    closeSync(output);
    const record = { child, stopping: false };
    this.#processes.set(name, record);
    child.on('exit', (code, signal) => this.#onExit(name, record, code, signal));
    await waitFor(() => this.#isReady(name), { describe: name, timeoutMs: 90_000, everyMs: 100, logFile, child });
    return child.pid;
  }

  async #isReady(name) {
    const probe = async (url) => (await fetch(url, { signal: AbortSignal.timeout(2500) })).ok;
    if (name !== 'sandbox') return probe(`http://127.0.0.1:${this.ports[name]}/health/ready`);
    const answers = await Promise.all([
      probe(`${this.url('network')}/_sandbox/health`),
      probe(`${this.url('stripe')}/_emulator/health`),
      probe(`${this.url('mailbox')}/health`),
    ]);
    return answers.every(Boolean);
  }

  #onExit(name, record, code, signal) {
    if (record.stopping || this.#processes.get(name) !== record) return;
    if (!this.restart) return;
    record.restarts = (record.restarts ?? 0) + 1;
    this.log(`${name} ended (${signal ?? `code ${code}`}); starting it again`);
    setTimeout(() => {
      if (record.stopping) return;
      this.startProcess(name).then(
        () => this.#listeners.forEach((listener) => listener(name)),
        (error) => this.log(`${name} did not come back: ${error.message.split('\n')[0]}`),
      );
    }, 500);
  }

  /** Kills a part without warning. */
  kill(name) {
    const record = this.#processes.get(name);
    if (!record) throw new Error(`${name} does not run`);
    record.stopping = true;
    const gone = new Promise((resolve) =>
      record.child.exitCode === null && record.child.signalCode === null ? record.child.once('exit', resolve) : resolve(),
    );
    try {
      // The worker's browser is in its group and goes with it, as on a machine that dies.
      process.kill(-record.child.pid, 'SIGKILL');
    } catch {
      // already gone
    }
    return gone;
  }

  async stopProcess(name) {
    const record = this.#processes.get(name);
    if (!record) return;
    record.stopping = true;
    if (record.child.exitCode === null && record.child.signalCode === null) await endProcess(record.child.pid, { graceMs: 15_000 });
    this.#processes.delete(name);
  }

  /** Ends everything: workers and the gateway first, then the services, the sandbox last. */
  async stop() {
    for (const record of this.#processes.values()) record.stopping = true;
    const names = [...this.#processes.keys()];
    const first = names.filter((name) => name === 'gateway' || name.startsWith('browser-worker'));
    await Promise.all(first.map((name) => this.stopProcess(name)));
    await Promise.all(names.filter((name) => !first.includes(name) && name !== 'sandbox').map((name) => this.stopProcess(name)));
    await this.stopProcess('sandbox');
  }
}
