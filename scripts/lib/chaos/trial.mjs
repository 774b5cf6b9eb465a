/**
 * A trial: a whole system with separate parts, simulated customers who use it, and kills. Used by `npm run chaos` and by the kill matrix of
 * the tests.
 */
import path from 'node:path';
import { until } from '../customer.mjs';
import { localSecrets } from '../secrets.mjs';
import { System } from '../system.mjs';
import { violationsAtRest, violationsNow, whatIsWaitedFor } from './invariants.mjs';
import { keepBusy, kills, recovered } from './kills.mjs';
import { OwnParts } from './own-parts.mjs';
import { overrides } from './pace.mjs';
import { Customer, NetworkWitness } from './world.mjs';

const lastingMs = 90_000;

export class Trial {
  #abort = new AbortController();
  #writers = [];
  customers = [];
  /** The kills so far, in order, with the seconds until recovery. */
  recoveries = [];

  /**
   * @param followers people in each customer's list
   * @param builds true where nothing has built the services before
   */
  static async start({ customers = 2, followers = 240, builds = false, log = () => {} } = {}) {
    const trial = new Trial();
    trial.log = log;
    trial.parts = await OwnParts.start();
    try {
      trial.system = await System.create({
        infrastructure: trial.parts.infrastructure,
        secrets: localSecrets(),
        database: 'chaos',
        vhost: 'chaos',
        redisPrefix: 'chaos:',
        dataDirectory: path.join(trial.parts.directory, 'files'),
        logDirectory: path.join(trial.parts.directory, 'logs'),
        usePreferredPorts: false,
        overrides,
        log,
      });
      if (builds) await trial.system.build();
      await trial.system.migrate();
      await trial.system.start({ workers: 1 });
      trial.witness = new NetworkWitness(trial.system.url('network'));
      await trial.witness.openCeilings();
      for (let index = 0; index < customers; index += 1) {
        const listOf = `alvo.${index}.do.caos`;
        await trial.witness.accountWithWholeLists({ username: listOf, followers, following: 5, posts: 3 });
        trial.customers.push(await Customer.join(trial.system, trial.witness, { name: `caos.${index}`, listOf }));
      }
      trial.#writers = trial.customers.map((customer) => customer.write(trial.#abort.signal));
    } catch (error) {
      await trial.stop();
      throw error;
    }
    return trial;
  }

  /** Runs a kill and waits until everything serves again. @returns violations */
  async kill(name) {
    await keepBusy(this).catch(() => undefined);
    const began = performance.now();
    await kills[name](this);
    const readyMs = await recovered(this);
    const seconds = (performance.now() - began) / 1_000;
    this.recoveries.push({ name, seconds, afterRestartMs: readyMs });
    this.log(`${name}: served again ${seconds.toFixed(1)} s after it began`);
    return violationsNow(this);
  }

  /**
   * Waits until all work is done. @param timeoutMs longer than the five minutes for which trouble of the network holds an automation, and a lost
   * word its list
   * @returns the violations that remain
   */
  async settle({ timeoutMs = 420_000 } = {}) {
    this.#abort.abort();
    await Promise.all(this.#writers);
    try {
      await Promise.all(this.customers.map((customer) => customer.untilListIsOver(timeoutMs)));
    } catch (error) {
      throw new Error(`${error.message}\n${await whatIsWaitedFor(this)}`, { cause: error });
    }
    let last = [];
    let changedAt = Date.now();
    // Reports may still arrive, and later runs settle what dead workers left open. Violations that have not changed for a while are final.
    await until(
      'rest',
      async () => {
        const now = await violationsAtRest(this);
        if (JSON.stringify(now) !== JSON.stringify(last)) changedAt = Date.now();
        last = now;
        if (last.length > 0) await keepBusy(this);
        return last.length === 0 || Date.now() - changedAt > lastingMs;
      },
      { timeoutMs, everyMs: 2_000 },
    ).catch(() => undefined);
    return last;
  }

  get acknowledged() {
    return this.customers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  async stop() {
    this.#abort.abort();
    await Promise.allSettled(this.#writers);
    await this.system?.stop();
    await this.parts.stop();
  }
}

export const killNames = Object.keys(kills);
