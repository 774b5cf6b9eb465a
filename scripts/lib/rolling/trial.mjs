/** Rolling restarts on a system of its own: every service is restarted, then killed, again and again, while customers use it. */
import path from 'node:path';
import { OwnParts } from '../chaos/own-parts.mjs';
import { localSecrets } from '../secrets.mjs';
import { System } from '../system.mjs';
import { Cluster } from './cluster.mjs';
import { failuresByKind, Load } from './load.mjs';
import { brokenWrites } from './rows.mjs';

const perSecond = 50;

export class RollingTrial {
  #round = 0;

  /** @param builds true where nothing has built the services before */
  static async start({ builds = false, log = () => {} } = {}) {
    const trial = new RollingTrial();
    trial.log = log;
    trial.parts = await OwnParts.start();
    try {
      trial.cluster = await Cluster.create();
      const system = (trial.system = await System.create({
        infrastructure: trial.parts.infrastructure,
        secrets: localSecrets(),
        database: 'rolling',
        vhost: 'rolling',
        redisPrefix: 'rolling:',
        dataDirectory: path.join(trial.parts.directory, 'files'),
        logDirectory: path.join(trial.parts.directory, 'logs'),
        usePreferredPorts: false,
        overrides: trial.cluster.overrides,
        log,
      }));
      if (builds) await system.build();
      await system.migrate();
      await system.start({ workers: 0 });
      await trial.cluster.serve({
        ports: system.ports,
        start: (name) => system.startProcess(name),
        stop: (name) => system.stopProcess(name),
        kill: (name) => system.kill(name),
      });
    } catch (error) {
      await trial.stop();
      throw error;
    }
    return trial;
  }

  /** Restarts both replicas of every service, then kills one of each. @returns violations */
  async round() {
    this.#round += 1;
    // New people, because the rows of one are limited.
    const customers = await this.cluster.join(this.system.secrets.publishableKey);
    const { url, ingress } = this.cluster;
    const restarts = await this.#under(url, customers, 'restart', () => this.cluster.restartEach(this.log));
    const kills = await this.#under(ingress.url, customers, 'kill', () => this.cluster.killEach(this.log));
    return [
      ...restarts.failed.map(({ method, path: asked, outcome }) => `SIGTERM: ${method} ${asked} failed: ${outcome}`),
      ...restarts.streams.filter((end) => end !== 'restart').map((end) => `SIGTERM: a stream of live changes ended without a word: ${end}`),
      ...kills.failed
        .filter(({ method }) => method === 'GET')
        .map(({ path: asked, outcome }) => `SIGKILL: GET ${asked} failed: ${outcome}`),
      ...restarts.broken,
      ...kills.broken,
    ].map((sentence) => ({ check: 'rollingRestarts', sentence }));
  }

  async #under(url, customers, name, work) {
    const { publishableKey } = this.system.secrets;
    const load = new Load({ name: `${name} ${this.#round}`, url, publishableKey, customers, perSecond });
    load.start();
    await work().finally(() => load.stop());
    const { requests, failed, streams } = load;
    this.log(`round ${this.#round}, ${name}: ${requests.length} requests, ${failed.length} failed`);
    for (const [kind, count] of Object.entries(failuresByKind(failed))) this.log(`  ${count} × ${kind}`);
    return { failed, streams, broken: await brokenWrites({ url: this.cluster.url, publishableKey, customers }, load.written) };
  }

  async stop() {
    await this.cluster?.close();
    for (const name of Object.keys(this.system?.pids() ?? {})) await this.system.kill(name);
    await this.system?.stop();
    await this.parts.stop();
  }
}
