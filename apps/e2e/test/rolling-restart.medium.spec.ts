import { Cluster, type LoadCustomer } from '../../../scripts/lib/rolling/cluster.mjs';
import { Load } from '../../../scripts/lib/rolling/load.mjs';
import { brokenWrites } from '../../../scripts/lib/rolling/rows.mjs';
import { ownSystem, type OwnSystem } from './own-system.js';

/** Twenty-one boots and fourteen stops, on a machine that may be busy. */
const patienceMs = 400_000;

/** What was asked and how it ended, without what differs in each run. */
const described = ({ kind, method, path, outcome }: Load['failed'][number]) => `${kind} ${method} ${path}: ${outcome}`;

describe('two replicas of each built service behind addresses like those of Kubernetes, with 50 requests a second', () => {
  let cluster: Cluster;
  let system: OwnSystem;
  let customers: LoadCustomer[];

  const loadAt = (url: string, name: string) => new Load({ name, url, publishableKey: system.publishableKey, customers, perSecond: 50 });
  const brokenOf = (load: Load) => brokenWrites({ url: cluster.url, publishableKey: system.publishableKey, customers }, load.written);

  beforeAll(async () => {
    cluster = await Cluster.create();
    system = await ownSystem(cluster.overrides);
    await cluster.serve({
      ports: system.ports,
      start: (name) => system.order('start', name),
      stop: (name) => system.order('stop', name),
      kill: (name) => system.order('kill', name),
    });
    customers = await cluster.join(system.publishableKey);
  }, patienceMs);
  afterAll(async () => {
    await cluster?.close();
    await system?.dispose({ isDrained: false });
  });

  it(
    'are stopped by SIGTERM and started again, all of them, and no request fails',
    async () => {
      const load = loadAt(cluster.url, 'reinício');
      load.start();
      try {
        await cluster.restartEach();
      } finally {
        await load.stop();
      }
      expect(load.failed.map(described)).toEqual([]);
      expect(await brokenOf(load)).toEqual([]);
      // Every page was told that its replica stops. The two streams met the restarts of both gateways.
      expect(new Set(load.streams)).toEqual(new Set(['restart']));
      expect(load.streams.length).toBeGreaterThanOrEqual(2);
      // No replica had closed before its address was removed.
      expect(cluster.refused).toEqual({});
      expect(load.requests.length).toBeGreaterThan(500); // in twenty seconds of draining alone, also where the machine is busy
    },
    patienceMs,
  );

  it(
    'are killed, one of each, and no read fails; what was answered exists once',
    async () => {
      const load = loadAt(cluster.ingress.url, 'morte');
      load.start();
      try {
        await cluster.killEach();
      } finally {
        await load.stop();
      }
      expect(load.failed.filter(({ method }) => method === 'GET').map(described)).toEqual([]);
      expect(await brokenOf(load)).toEqual([]);
      expect(load.requests.length).toBeGreaterThan(100);
    },
    patienceMs,
  );
});
