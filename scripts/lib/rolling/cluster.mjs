/** Two replicas of every service behind addresses like those of Kubernetes, restarted or killed one service after another. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { ensurePlan, ensureSlots, publishWheel, signIn } from '../customer.mjs';
import { freePort } from '../ports.mjs';
import { servicesWithDatabase } from '../provision.mjs';
import { repositoryRoot } from '../shell.mjs';
import { Ingress, ServiceAddress } from './balancers.mjs';
import { Endpoints } from './endpoints.mjs';

const parts = [...servicesWithDatabase, 'gateway'];
const manifest = (file) => readFileSync(path.join(repositoryRoot, 'k8s/base', file), 'utf8');

/** As production has it. */
const [, DRAIN_MS] = /^DRAIN_MS=(\d+)$/m.exec(manifest('common.env'));
const probeOf = (part) =>
  parseAllDocuments(manifest(`${part}.yaml`))
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0].readinessProbe;

const urlVariable = (part) => `${part.toUpperCase().replaceAll('-', '_')}_URL`;

const customerCount = 4;

/** Between the restarts of two services. Each restart takes longer than this, so that some overlap. */
const staggerMs = 1_000;

export class Cluster {
  #addresses = new Map();

  /** Takes the addresses, so that the gateway can be told where the services are. */
  static async create() {
    const cluster = new Cluster();
    for (const part of parts) cluster.#addresses.set(part, await ServiceAddress.at(await freePort()));
    return cluster;
  }

  /** Environment of the services, by service. */
  get overrides() {
    const gateway = Object.fromEntries(servicesWithDatabase.map((part) => [urlVariable(part), this.#addresses.get(part).url]));
    return { ...Object.fromEntries(servicesWithDatabase.map((part) => [part, { DRAIN_MS }])), gateway: { DRAIN_MS, ...gateway } };
  }

  /**
   * Starts the second replicas, and serves when all are ready.
   * @param control `ports`, `start(name)`, `stop(name)` and `kill(name)` of a running system
   */
  async serve(control) {
    this.control = control;
    await Promise.all(parts.map((part) => control.start(`${part}-2`)));
    for (const part of parts) {
      const ports = [control.ports[part], control.ports[`${part}-2`]];
      this.#addresses.get(part).endpoints = new Endpoints(ports, probeOf(part));
    }
    await Promise.all(parts.flatMap((part) => ['', '-2'].map((suffix) => this.#untilReady(part + suffix, part, true))));
    this.ingress = await Ingress.at(await freePort(), this.#addresses.get('gateway').endpoints);
  }

  #untilReady(name, part, isReady) {
    return this.#addresses.get(part).endpoints.until(this.control.ports[name], isReady);
  }

  /** Address of the gateways as a Service: nothing repeats a request. */
  get url() {
    return this.#addresses.get('gateway').url;
  }

  /** Connections that went to a replica which no longer listened, although it still counted as ready. */
  get refused() {
    return Object.fromEntries(parts.map((part) => [part, this.#addresses.get(part).endpoints.refused]).filter(([, count]) => count > 0));
  }

  /** Customers, signed in; the first has a plan and a published wheel. */
  async join(publishableKey) {
    const endpoints = { gateway: this.url, publishableKey };
    const joined = [];
    for (let number = 0; number < customerCount; number += 1) {
      const person = { email: `reinicio.${number}.${Date.now()}@example.com`, password: 'Senha!forte#123', fullName: 'Ana Souza' };
      const { client, userId } = await signIn(endpoints, person);
      const { data } = await client.auth.getSession();
      joined.push({ ...person, client, userId, accessToken: data.session.access_token });
    }
    const [{ client, userId }] = joined;
    await ensurePlan(client, 'premium');
    await ensureSlots(client, userId, 1);
    const wheel = await publishWheel(
      endpoints,
      { client, userId },
      {
        name: 'Roleta',
        prizes: [{ id: 'vale', name: 'Vale', quantity: 5, type: 'digital', message: 'Use no caixa.' }],
        leadFields: [{ name: 'instagram', label: 'Instagram (@)', required: true }],
      },
    );
    return joined.map(({ client: _client, ...customer }, index) => (index === 0 ? { ...customer, wheel } : customer));
  }

  /** Stops one replica of each service by SIGTERM and starts it again, one service after another; then the other replicas. */
  async restartEach(note = () => {}) {
    for (const suffix of ['', '-2'])
      await this.#oneAfterAnother(async (part) => {
        note(`SIGTERM ${part}${suffix}`);
        await this.control.stop(part + suffix);
        await this.control.start(part + suffix);
        await this.#untilReady(part + suffix, part, true);
        note(`ready   ${part}${suffix}`);
      });
  }

  /** Kills one replica of each service and starts it again. */
  async killEach(note = () => {}) {
    await this.#oneAfterAnother(async (part) => {
      note(`SIGKILL ${part}`);
      await this.control.kill(part);
      await this.control.start(part);
      note(`ready   ${part}`);
    });
  }

  #oneAfterAnother(work) {
    return Promise.all(parts.map((part, place) => wait(place * staggerMs).then(() => work(part))));
  }

  async close() {
    await this.ingress?.close();
    await Promise.all([...this.#addresses.values()].map((address) => address.close()));
  }
}
