/** Replicas of one service, as a Kubernetes Service knows them: those whose readiness probe succeeds get new connections. */
import { setTimeout as wait } from 'node:timers/promises';

/** A replica that does not run refuses connections, or breaks them. */
const closed = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);
/** A replica that hangs. */
const longestProbeMs = 30_000;

export class Endpoints {
  #turn = 0;
  #replicas; // { port, isReady, failures }
  #stopping = new AbortController();
  #probing = [];
  /** Connections that a ready replica refused. Their requests went to another one, since the client of a real Service would connect again. */
  refused = 0;

  /**
   * @param probe as in a manifest: `periodSeconds` and `failureThreshold`. Its time-out does not count: one machine runs everything here, and when it is busy,
   * all replicas are slow at once.
   */
  constructor(ports, probe) {
    this.#replicas = ports.map((port) => ({ port, isReady: false, failures: 0 }));
    // Every kubelet probes at its own moments.
    this.#probing = this.#replicas.map((replica, index) =>
      this.#probe(replica, probe, (index * probe.periodSeconds * 1_000) / ports.length),
    );
  }

  async #probe(replica, { periodSeconds, failureThreshold }, delayMs) {
    const { signal } = this.#stopping;
    try {
      await wait(delayMs, undefined, { signal });
      for (;;) {
        const isReady = await fetch(`http://127.0.0.1:${replica.port}/health/ready`, {
          headers: { connection: 'close' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(longestProbeMs)]),
        }).then(
          async (answer) => (await answer.arrayBuffer(), answer.ok),
          (error) => (closed.has(error.cause?.code) ? false : undefined),
        );
        if (isReady !== undefined) replica.failures = isReady ? 0 : replica.failures + 1;
        if (isReady) replica.isReady = true;
        else if (replica.failures >= failureThreshold) replica.isReady = false;
        await wait(periodSeconds * 1_000, undefined, { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Ports of the replicas for one connection, the first to try first. */
  inTurn() {
    const ready = this.#replicas.filter(({ isReady }) => isReady).map(({ port }) => port);
    const from = ready.length === 0 ? 0 : this.#turn++ % ready.length;
    return [...ready.slice(from), ...ready.slice(0, from)];
  }

  /** Waits until a replica gets connections, or gets none any more. */
  async until(port, isReady) {
    while (this.#replicas.find((replica) => replica.port === port).isReady !== isReady) await wait(50);
  }

  async close() {
    this.#stopping.abort();
    await Promise.all(this.#probing);
  }
}
