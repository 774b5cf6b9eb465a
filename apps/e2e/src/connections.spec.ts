import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { servicesWithDatabase } from '../../../scripts/lib/provision.mjs';
import { type Manifest, render, root } from './manifests.js';

/** PostgreSQL keeps these for superusers, such as an operator in trouble (`superuser_reserved_connections`). */
const reserved = 3;
/** Operators' sessions and commands, exporters of metrics, CloudNativePG's own. */
const headroom = 15;
/** Every replica's relay, whose session holds a lock and listens, and the session lock of one long work (blog's pictures). */
const directOfReplica = 1;
const sessionLocks = 1;
/** The Job: a connection that holds the lock, and one that migrates. */
const ofJob = 2;
/** A replica's probe while the database is away. */
const probeOfReplica = 1;

const configuration = JSON.parse(
  execFileSync(process.execPath, ['tools/describe.mjs', '--json'], { cwd: root, encoding: 'utf8' }),
) as Record<string, Record<string, { default: string | null }>>;
const poolSize = (service: string) => Number(configuration[service]!['DATABASE_POOL_SIZE']!.default);
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** Replicas that may run at the same time: the most that its autoscaler wants, and those that a rollout adds (a quarter, rounded up). */
function mostReplicas(manifests: Manifest[], service: string): number {
  const scaler = manifests.find(({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === service);
  const deployment = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === service)!;
  type Strategy = { type?: string; rollingUpdate?: { maxSurge?: number | string } };
  const { replicas = 1, strategy = {} } = deployment.spec as { replicas?: number; strategy?: Strategy };
  const most = (scaler?.spec as { maxReplicas: number } | undefined)?.maxReplicas ?? replicas;
  if (strategy.type === 'Recreate') return most;
  const surge = strategy.rollingUpdate?.maxSurge ?? '25%';
  return most + (typeof surge === 'number' ? surge : Math.ceil((most * parseInt(surge, 10)) / 100));
}

describe('connections to PostgreSQL', () => {
  it('fit on a cluster, with as many replicas as its autoscalers allow and a rollout of all of them', () => {
    const production = render('k8s/overlays/production');
    const servers = render('k8s/overlays/production-servers');
    const [cluster] = servers.filter(({ kind }) => kind === 'Cluster') as unknown as {
      spec: { postgresql: { parameters: Record<string, string> } };
    }[];
    const [pooler, ...others] = servers.filter(({ kind }) => kind === 'Pooler') as unknown as {
      spec: { instances: number; pgbouncer: { poolMode: string; parameters: Record<string, string> } };
    }[];
    expect(others).toEqual([]);
    const { instances, pgbouncer } = pooler!.spec;
    expect(pgbouncer.poolMode).toBe('transaction');

    const replicas = Object.fromEntries(servicesWithDatabase.map((service) => [service, mostReplicas(production, service)]));
    expect(Math.min(...Object.values(replicas))).toBeGreaterThan(1);
    // Each PgBouncer has a pool for each role.
    const pooled = instances * servicesWithDatabase.length * Number(pgbouncer.parameters['default_pool_size']);
    const direct = sum(Object.values(replicas)) * directOfReplica + sessionLocks + ofJob;
    const most = Number(cluster!.spec.postgresql.parameters['max_connections']);
    expect(pooled + direct + reserved + headroom).toBeLessThanOrEqual(most);

    // A single PgBouncer that is left takes all clients.
    const clients = sum(servicesWithDatabase.map((service) => replicas[service]! * (poolSize(service) + probeOfReplica)));
    expect(clients).toBeLessThanOrEqual(Number(pgbouncer.parameters['max_client_conn']));
  });

  it('go to PgBouncer in pools, and past it where a session is needed', () => {
    for (const service of servicesWithDatabase) {
      const deployment = render('k8s/base').find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === service)!;
      type Pod = { containers: { env: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[] }[] };
      const { env } = (deployment.spec as { template: { spec: Pod } }).template.spec.containers[0]!;
      const keys = env.filter(({ name }) => /^DATABASE_(DIRECT_)?URL$/.test(name)).map(({ valueFrom }) => valueFrom?.secretKeyRef?.key);
      expect([service, keys]).toEqual([service, ['DATABASE_URL', 'DATABASE_DIRECT_URL']]);
    }
  });

  it('fit under Compose, where no pooler stands between', () => {
    const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { command?: unknown; environment?: Record<string, string> }>;
    };
    const withDatabase = Object.entries(services).filter(([, { environment }]) => environment?.['DATABASE_URL']);
    expect(withDatabase.map(([service]) => service).toSorted()).toEqual(servicesWithDatabase.toSorted());
    expect(services['postgres']!.command).toBeUndefined(); // PostgreSQL's default of max_connections
    const wanted = sum(withDatabase.map(([service]) => poolSize(service) + directOfReplica + probeOfReplica));
    expect(wanted + sessionLocks + ofJob + reserved).toBeLessThanOrEqual(100);
  });
});
