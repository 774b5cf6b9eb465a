/**
 * The whole system as processes on one machine: sandboxes, services, gateway, browser workers. `npm start`, the browser
 * journeys and the benchmarks all run it through here, so that tests start the system in the same way.
 */
import { chownSync, closeSync, existsSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode } from './bootstrap.mjs';
import { chromiumSandboxStarts } from './chromium-sandbox.mjs';
import { isReachableByOthers, stateDirectory } from './parts/state.mjs';
import { freePort } from './ports.mjs';
import { openLog, passableDirectory, privateDirectory } from './private-files.mjs';
import { passwordOfRoles, provisionBroker, provisionDatabase, servicesWithDatabase } from './provision.mjs';
import { endProcesses, identify } from './processes.mjs';
import { waves } from './record.mjs';
import { compileCache, repositoryRoot, waitFor } from './shell.mjs';
import { Supervision } from './supervision.mjs';
import { heapOptions } from '../../tools/heap.mjs';

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
  model: 4204,
};

/**
 * The stand-ins for external services, one process each. `port` is the key in `ports`, `health` the path that answers 200 when the stand-in
 * is ready.
 */
const sandboxes = {
  'sandbox-network': { port: 'network', health: '/_sandbox/health' },
  'sandbox-stripe': { port: 'stripe', health: '/_emulator/health' },
  'sandbox-mailbox': { port: 'mailbox', health: '/health' },
  'sandbox-model': { port: 'model', health: '/_sandbox/health' },
};

const graceMs = 15_000;

/** The app that a process runs. The name of a further replica ends with a number. */
const appOf = (name) => name.replace(/-\d+$/, '');

function waveOf(name) {
  if (['gateway', 'browser-worker'].includes(appOf(name))) return waves.front;
  return name in sandboxes ? waves.sandbox : waves.service;
}

const plenty = '10000000';

/** On one machine all clients have the same address, so limits per address must not apply. */
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

const generousWheelLimits = {
  RATE_LIMIT_WHEEL_SPINS_PER_MINUTE: plenty,
  RATE_LIMIT_WHEEL_CHECKS_PER_MINUTE: plenty,
  RATE_LIMIT_WHEEL_LOOKUPS_PER_MINUTE: plenty,
};

/** The user `nobody`: Chromium's sandbox does not work for root. */
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
    supervision = new Supervision('a system'),
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
      supervision,
    });
  }

  static async create(options) {
    const ports = {};
    for (const [name, port] of Object.entries(usualPorts))
      ports[name] = await freePort(options.usePreferredPorts === false ? undefined : port);
    const dataDirectory = options.dataDirectory ?? path.join(stateDirectory, 'files');
    const logDirectory = options.logDirectory ?? path.join(stateDirectory, 'logs');
    passableDirectory(dataDirectory);
    privateDirectory(path.join(dataDirectory, 'sandbox'));
    privateDirectory(logDirectory);
    const system = new System({ ...options, dataDirectory, logDirectory, ports });
    const { infrastructure } = options;
    const adminUrl = infrastructure.postgres.url;
    const password = await passwordOfRoles(adminUrl);
    const provisioned = await provisionDatabase({
      adminUrl,
      database: system.database,
      passwords: Object.fromEntries(servicesWithDatabase.map((service) => [service, password])),
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

  /** Ids of the running processes, by name. */
  pids() {
    return Object.fromEntries(
      [...this.#processes]
        .filter(([, { child }]) => child.exitCode === null && child.signalCode === null)
        .map(([name, { child }]) => [name, child.pid]),
    );
  }

  /** Calls `listener` after each restart of a process. */
  onRestart(listener) {
    this.#listeners.add(listener);
  }

  async build(apps = [...Object.keys(sandboxes), 'gateway', 'browser-worker', 'web', ...servicesWithDatabase]) {
    const projects = apps.map((name) => `@decola/${name}`).join(',');
    await this.supervision.run(
      pinnedNode(),
      [path.join(repositoryRoot, 'node_modules/nx/dist/bin/nx.js'), 'run-many', '-t', 'build', '-p', projects, '--outputStyle=static'],
      {
        cwd: repositoryRoot,
        env: { ...this.#inherited(), NX_DAEMON: 'false', NX_TUI: 'false' },
      },
    );
  }

  /** Migrates the services in parallel; a lock in the database makes the migrations wait for each other. */
  async migrate(services = servicesWithDatabase) {
    await Promise.all(
      services.map((service) =>
        this.supervision.run(pinnedNode(), [path.join(repositoryRoot, 'apps', service, 'dist/migrate.command.js')], {
          env: { ...this.#inherited(), DATABASE_URL: this.databaseUrls[service] },
        }),
      ),
    );
  }

  /** Starts all processes in parallel; resolves when all are ready. */
  async start({ workers = 1 } = {}) {
    await Promise.all([
      this.#startMoney(),
      this.startProcess('sandbox-network'),
      this.startProcess('sandbox-mailbox'),
      this.startProcess('sandbox-model'),
      ...servicesWithDatabase.filter((service) => service !== 'billing').map((service) => this.startProcess(service)),
      this.startProcess('gateway'),
      ...Array.from({ length: workers }, (_, index) => this.startWorker(index)),
    ]);
  }

  /** Billing needs the webhook secret that the stand-in for Stripe creates. */
  async #startMoney() {
    await this.startProcess('sandbox-stripe');
    await this.#prepareStripe();
    await Promise.all([
      this.startProcess('billing'),
      this.supervision.run(pinnedNode(), [path.join(repositoryRoot, 'apps/billing/dist/provision.command.js')], {
        cwd: path.join(repositoryRoot, 'apps/billing'),
        env: { ...this.#inherited(), ...this.environment('billing') },
      }),
    ]);
  }

  async startWorker(index = 0) {
    const name = index === 0 ? 'browser-worker' : `browser-worker-${index + 1}`;
    return this.startProcess(name);
  }

  /** Replaces the webhook endpoint at each start, because Stripe returns an endpoint's secret only when the endpoint is created. */
  async #prepareStripe() {
    const headers = { authorization: `Bearer ${this.secrets.stripeSecretKey}`, 'content-type': 'application/x-www-form-urlencoded' };
    const endpoints = `${this.url('stripe')}/v1/webhook_endpoints`;
    const existing = await (await fetch(`${endpoints}?limit=100`, { headers })).json();
    for (const { id } of existing.data ?? []) await fetch(`${endpoints}/${id}`, { method: 'DELETE', headers });
    const body = new URLSearchParams({ url: `${this.url('gateway')}/webhooks/stripe`, 'enabled_events[0]': '*' });
    const answer = await fetch(endpoints, { method: 'POST', headers, body });
    const endpoint = await answer.json();
    if (!answer.ok || !endpoint.secret)
      throw new Error(`sandbox-stripe made no webhook endpoint: ${JSON.stringify(endpoint).slice(0, 300)}`);
    this.webhookSecret = endpoint.secret;
  }

  environment(name) {
    const service = appOf(name);
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
    const mails = {
      MAIL_KEY_RING: secrets.mailKeyRing,
      SMTP_URL: `smtp://127.0.0.1:${this.ports.smtp}`,
      MAIL_FROM: 'Decola <nao-responda@decola.example>',
      PRODUCT_NAME: 'Decola',
      SUPPORT_EMAIL: 'suporte@decola.example',
    };
    // Each sandbox writes its own file there.
    const ofSandbox = { PORT: String(this.ports[sandboxes[name]?.port]), DATA_DIR: path.join(this.dataDirectory, 'sandbox') };
    const byService = {
      'sandbox-network': { ...common, ...ofSandbox, SEED: '20261121' },
      'sandbox-stripe': { ...common, ...ofSandbox },
      'sandbox-mailbox': { ...common, ...ofSandbox, SMTP_PORT: String(this.ports.smtp) },
      'sandbox-model': { ...common, ...ofSandbox, SEED: '20261121' },
      gateway: {
        ...internal,
        ...generousLimits,
        // Everything runs on one machine here, tests included, so a log-in may take long.
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
        ...mails,
        TOKEN_ISSUER: `${this.url('gateway')}/auth/v1`,
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
      extraction: { ...internal, ...mails, DOWNLOAD_SIGNING_KEY: secrets.downloadSigningKey, WEBHOOK_KEY_RING: secrets.webhookKeyRing },
      'prize-wheel': { ...internal, ...generousWheelLimits, SEED_KEY_RING: secrets.seedKeyRing, WHEEL_HMAC_KEY: secrets.wheelHmacKey },
      blog: {
        ...internal,
        ...mails,
        AI_BASE_URL: `${this.url('model')}/v1`,
        AI_API_KEY: secrets.aiApiKey,
        AI_MODEL: 'sandbox-text',
        AI_REVIEW_MODEL: 'sandbox-review',
        AI_IMAGE_MODEL: 'sandbox-image',
        // Where the stand-in's pictures are, when it sends an address.
        OUTGOING_HTTP_HOSTS: `127.0.0.1:${this.ports.model}`,
        IMAGES_DIR: path.join(this.dataDirectory, 'images'),
        WEBHOOK_TOKEN_KEY_RING: secrets.webhookTokenKeyRing,
      },
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

  /**
   * The user that runs the worker: `nobody` instead of root, because Chromium's sandbox does not work for root. That user must be able to
   * read the clone.
   */
  #workerUser() {
    return process.getuid?.() === 0 && isReachableByOthers(repositoryRoot) ? unprivileged : undefined;
  }

  /** Checks once whether Chromium's sandbox works for the worker's user. It never works for root. */
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

  #inherited() {
    return {
      PATH: process.env.PATH,
      HOME: process.env.HOME ?? '/tmp',
      ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}),
      NODE_COMPILE_CACHE: compileCache,
    };
  }

  /** Starts the process of an app, or a further replica of it (`billing-2`), and waits until it is ready. */
  async startProcess(name) {
    const app = appOf(name);
    const isWorker = app === 'browser-worker';
    if (app !== name) this.ports[name] ??= await freePort();
    const directory = path.join(repositoryRoot, 'apps', app);
    const entry = path.join(directory, 'dist/main.js');
    if (!existsSync(entry)) throw new Error(`${app} is not built`);
    const user = isWorker ? this.#workerUser() : undefined;
    if (isWorker) await this.#tryChromiumSandbox(user);
    const environment = { ...this.#inherited(), ...this.environment(name) };
    if (isWorker) {
      privateDirectory(environment.ARTIFACTS_DIR);
      if (user) {
        environment.HOME = '/tmp';
        environment.NODE_COMPILE_CACHE = privateDirectory(`${compileCache}-worker`);
        for (const own of [environment.ARTIFACTS_DIR, environment.NODE_COMPILE_CACHE]) chownSync(own, user.uid, user.gid);
      }
    }
    const logFile = path.join(this.logDirectory, `${name}.log`);
    const output = openLog(logFile);
    let child;
    try {
      child = this.supervision.start({ name, wave: waveOf(name), graceMs }, pinnedNode(), [...heapOptions, '--enable-source-maps', entry], {
        cwd: directory,
        env: environment,
        stdio: ['ignore', output, output],
        ...user,
      });
    } finally {
      closeSync(output);
    }
    const record = { child, identity: identify(child.pid), stopping: false };
    this.#processes.set(name, record);
    child.on('exit', (code, signal) => this.#onExit(name, record, code, signal));
    await waitFor(() => this.#isReady(name), { describe: name, timeoutMs: 90_000, everyMs: 100, logFile, child });
    return child.pid;
  }

  async #isReady(name) {
    const { port = name, health = '/health/ready' } = sandboxes[name] ?? {};
    return (await fetch(this.url(port) + health, { signal: AbortSignal.timeout(2500) })).ok;
  }

  #onExit(name, record, code, signal) {
    if (record.stopping || this.supervision.isEnding || this.#processes.get(name) !== record) return;
    if (!this.restart) {
      this.log(`${name} ended by itself (${signal ?? `code ${code}`})`);
      return;
    }
    record.restarts = (record.restarts ?? 0) + 1;
    this.log(`${name} ended (${signal ?? `code ${code}`}); starting it again`);
    setTimeout(() => {
      if (record.stopping || this.supervision.isEnding) return;
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
      // Kills the process group, because the worker's browser is in it: the same as when the machine dies.
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
    const drainMs = Number(this.environment(name).DRAIN_MS ?? 0);
    if (record.identity) await endProcesses([record.identity], { graceMs: graceMs + drainMs, leadsGroup: true });
    this.#processes.delete(name);
  }

  /**
   * Ends all processes: workers and the gateway first, then the services, then the sandboxes, then everything else that the supervision
   * started.
   */
  async stop() {
    await this.supervision.end();
    this.#processes.clear();
  }
}
