import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { heapMb, heapOptions } from '../../../tools/heap.mjs';
import { type Manifest, render, root } from './manifests.js';

const apps = ['gateway', 'identity', 'billing', 'automations', 'extraction', 'prize-wheel', 'blog', 'browser-worker'];

/** Stand-ins for external services: they run under Compose, never in a cluster. */
const sandboxes = ['sandbox-network', 'sandbox-stripe', 'sandbox-mailbox', 'sandbox-model'];

const all = render('k8s/overlays/production').map((manifest) => ({ manifest }));

describe('the Kubernetes manifests', () => {
  it('let the gateway trust the client address that the Ingress adds', () => {
    const gateway = all.find(({ manifest }) => manifest.kind === 'Deployment' && manifest.metadata.name === 'gateway')!.manifest;
    const { containers } = (gateway.spec as { template: { spec: { containers: { env: object[] }[] } } }).template.spec;
    expect(all.map(({ manifest }) => manifest.kind)).toContain('Ingress');
    expect(containers[0]!.env).toContainEqual({ name: 'TRUST_PROXY', value: 'true' });
  });

  it('deploys every app without privileges, with probes and limits', () => {
    const deployments = all.filter(({ manifest }) => manifest.kind === 'Deployment').map(({ manifest }) => manifest);
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual([...apps].sort());
    for (const { spec } of deployments) {
      const pod = (spec as { template: { spec: { securityContext: object; containers: Record<string, unknown>[] } } }).template.spec;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
      expect(pod.containers).toEqual([
        expect.objectContaining({
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
          livenessProbe: expect.anything(),
          readinessProbe: expect.anything(),
          resources: { requests: expect.anything(), limits: { memory: expect.anything() } },
        }),
      ]);
    }
  });
});

describe('the bounds of the heap', () => {
  it('are the same in both images as in every process that npm start and tests run', () => {
    const commands = [...readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8').matchAll(/^CMD (\[.*"dist\/main\.js"\])$/gm)];
    expect(commands).toHaveLength(2);
    for (const [, command] of commands) {
      const options = (JSON.parse(command!) as string[]).filter((word) => word.startsWith('--max-'));
      expect(options).toEqual(heapOptions);
    }
  });

  it('take at most two thirds of every memory limit: the rest is for buffers, code and stacks', () => {
    const limits = all
      .filter(({ manifest }) => manifest.kind === 'Deployment')
      .map(({ manifest }) => {
        type Container = { resources: { limits: { memory: string } } };
        const [container] = (manifest.spec as { template: { spec: { containers: Container[] } } }).template.spec.containers;
        return { name: manifest.metadata.name, mebibytes: Number(/^(\d+)Mi$/.exec(container!.resources.limits.memory)?.[1]) };
      });
    expect(limits).not.toHaveLength(0);
    expect(limits.filter(({ mebibytes }) => !(mebibytes * (2 / 3) >= heapMb.oldSpace + heapMb.semiSpace))).toEqual([]);
  });
});

describe('the network', () => {
  type Labels = Record<string, string>;
  interface Selector {
    matchLabels?: Labels;
    matchExpressions?: { key: string; operator: 'In' | 'NotIn'; values: string[] }[];
  }
  interface Policy {
    podSelector: Selector;
    policyTypes: string[];
    ingress?: { from?: { podSelector?: Selector; namespaceSelector?: Selector }[]; ports: { port: number }[] }[];
  }
  const fits = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels) =>
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => values.includes(labels[key] ?? '') === (operator === 'In'));
  const policies = all
    .filter(({ manifest }) => manifest.kind === 'NetworkPolicy')
    .map(({ manifest }) => manifest.spec as unknown as Policy);
  const labelsOf = (app: string) => {
    const { spec } = all.find(({ manifest }) => manifest.kind === 'Deployment' && manifest.metadata.name === app)!.manifest;
    return (spec as { template: { metadata: { labels: Labels } } }).template.metadata.labels;
  };
  type Origin = { pod: Labels } | { namespace: string } | 'anywhere';
  /** Whether the policies allow traffic from this origin to a port of an app, by Kubernetes' rules. */
  const reaches = (origin: Origin, app: string, port: number): boolean => {
    const own = policies.filter(({ podSelector, policyTypes }) => policyTypes.includes('Ingress') && fits(podSelector, labelsOf(app)));
    if (own.length === 0) return true;
    return own.some(({ ingress = [] }) =>
      ingress.some(
        ({ from, ports }) =>
          ports.some((each) => each.port === port) &&
          (from?.some(({ podSelector, namespaceSelector }) => {
            if (origin === 'anywhere') return false;
            if ('namespace' in origin)
              return namespaceSelector && fits(namespaceSelector, { 'kubernetes.io/metadata.name': origin.namespace });
            return podSelector && !namespaceSelector && fits(podSelector, origin.pod);
          }) ??
            true),
      ),
    );
  };

  it('lets the public reach only the gateway, and only the gateway reach the services', () => {
    expect(apps.filter((app) => reaches('anywhere', app, 8080))).toEqual(['gateway']);
    expect(apps.filter((app) => reaches({ pod: labelsOf('gateway') }, app, 8080))).toEqual(apps.filter((app) => app !== 'browser-worker'));
    for (const from of apps.filter((app) => app !== 'gateway'))
      expect([from, apps.filter((app) => reaches({ pod: labelsOf(from) }, app, 8080))]).toEqual([from, ['gateway']]);
  });

  it('lets the monitoring read metrics at the port named for them, and nobody else read the gateway’s', () => {
    type Pod = { metadata: { annotations: Record<string, string> }; spec: { containers: { env?: { name: string; value?: string }[] }[] } };
    for (const app of apps) {
      const { template } = all.find(({ manifest }) => manifest.kind === 'Deployment' && manifest.metadata.name === app)!.manifest
        .spec as unknown as {
        template: Pod;
      };
      const port = Number(template.metadata.annotations['prometheus.io/port']);
      expect([app, reaches({ namespace: 'monitoring' }, app, port)]).toEqual([app, true]);
      expect([app, reaches({ namespace: 'elsewhere' }, app, port)]).toEqual([app, false]);
      expect([app, reaches('anywhere', app, port)]).toEqual([app, false]);
      if (app === 'gateway') expect(template.spec.containers[0]!.env).toContainEqual({ name: 'METRICS_PORT', value: String(port) });
    }
  });
});

/** Longest duration of a stop after draining: messages under way, then the longest request that the gateway waits for. */
const stopSeconds = (app: string) => 20 + (writesArticles(app) ? 118 : 60);
/** The functions of articles go from the gateway to blog, and take longer than others. */
const writesArticles = (app: string) => app === 'gateway' || app === 'blog';

describe('a stop', () => {
  /**
   * The gateway closes a connection that was unused for this long (`apps/gateway/src/proxy/service-agent.ts`), and all clients are told to do the same
   * (`libs/service-kit/src/boot.ts`).
   */
  const gatewayKeepsMs = 4_000;
  const isDrained = (app: string) => app !== 'browser-worker'; // nobody sends it requests

  it.each(apps)('of %s leaves Kubernetes time to notice it, and the process time to finish', (app) => {
    type Pod = {
      terminationGracePeriodSeconds: number;
      containers: { env?: { name: string; value?: string }[]; readinessProbe: { periodSeconds: number; failureThreshold: number } }[];
    };
    const manifest = all.find(({ manifest: each }) => each.kind === 'Deployment' && each.metadata.name === app)!.manifest;
    const pod = (manifest.spec as { template: { spec: Pod } }).template.spec;
    const common = all.find(({ manifest: each }) => each.kind === 'ConfigMap')!.manifest as unknown as { data: Record<string, string> };
    const { env = [], readinessProbe } = pod.containers[0]!;
    const drainMs = Number(env.find(({ name }) => name === 'DRAIN_MS')?.value ?? common.data['DRAIN_MS']);
    if (isDrained(app)) {
      expect(drainMs).toBeGreaterThan(gatewayKeepsMs);
      expect(drainMs).toBeGreaterThan(readinessProbe.periodSeconds * readinessProbe.failureThreshold * 1_000);
    } else expect(drainMs).toBe(0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainMs / 1_000 + stopSeconds(app));
  });

  it.each(apps)('of %s has that time in docker-compose.yml', (app) => {
    const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { stop_grace_period: string; environment: Record<string, string> }>;
    };
    const { stop_grace_period: grace, environment } = services[app]!;
    const drainMs = Number(environment['DRAIN_MS']);
    if (isDrained(app)) expect(drainMs).toBeGreaterThan(gatewayKeepsMs);
    else expect(drainMs).toBe(0);
    expect(Number(/^(\d+)s$/.exec(grace)?.[1])).toBeGreaterThanOrEqual(drainMs / 1_000 + stopSeconds(app));
  });
});

describe('the broker', () => {
  it('lets a run take as long under Compose as with npm start', () => {
    const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { volumes: string[] }>;
    };
    const mounts = services['rabbitmq']!.volumes.map((volume) => volume.split(':'));
    const [file] = mounts.find(([, target]) => /^\/etc\/rabbitmq\/conf\.d\/[\w-]+\.conf$/.test(target ?? ''))!;
    const timeoutIn = (text: string) => Number(/^\W*consumer_timeout = (\d+)/m.exec(text)?.[1]);
    const shipped = timeoutIn(readFileSync(path.join(root, file!), 'utf8'));
    expect(shipped).toBeGreaterThanOrEqual(6 * 3_600_000);
    expect(shipped).toBe(timeoutIn(readFileSync(path.join(root, 'scripts/lib/parts/rabbitmq.mjs'), 'utf8')));
    // The README tells operators of other brokers the same value.
    expect(readFileSync(path.join(root, 'libs/messaging/README.md'), 'utf8')).toContain(`"consumer-timeout":${shipped}`);
  });
});

it('docker-compose.yml runs every app, the sandboxes and the servers that they need', () => {
  const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, Record<string, unknown>>;
  };
  expect(Object.keys(services).sort()).toEqual([...apps, ...sandboxes, 'migrate', 'postgres', 'rabbitmq', 'redis'].sort());
  for (const app of sandboxes) expect(services[app]).toMatchObject({ build: { args: { APP: app } } });
  for (const app of apps)
    expect(services[app]).toMatchObject({
      build: { args: { APP: app } },
      depends_on: { migrate: { condition: 'service_completed_successfully' } },
    });
  const published = Object.values(services).flatMap(({ ports }) => (ports as string[] | undefined) ?? []);
  expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

describe('every required variable', () => {
  type Facts = { isRequired: boolean };
  const configuration = JSON.parse(
    execFileSync(process.execPath, ['tools/describe.mjs', '--json'], { cwd: root, encoding: 'utf8' }),
  ) as Record<string, Record<string, Facts>>;
  const required = (app: string) =>
    Object.entries(configuration[app]!)
      .filter(([, { isRequired }]) => isRequired)
      .map(([name]) => name)
      .sort();
  /** Variables that the image sets. */
  const ofImage = [...readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8').matchAll(/^\s*ENV (.+)$/gm)].flatMap(([, line]) =>
    [...line!.matchAll(/(\w+)=/g)].map(([, name]) => name!),
  );
  /** Keys of the secret `decola-common`, which operators create outside of the repository. */
  const ofCommonSecret = ['INTERNAL_SIGNING_KEY', 'RABBITMQ_URL', 'REDIS_URL'];
  const missing = (app: string, given: readonly string[]) =>
    required(app).filter((name) => !given.includes(name) && !ofImage.includes(name));

  it.each(apps)('of %s is in docker-compose.yml, and no unknown one', (app) => {
    const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { environment: Record<string, string> }>;
    };
    expect(missing(app, Object.keys(services[app]!.environment))).toEqual([]);
    const common = Object.keys(
      (parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8')) as Record<string, object>)['x-environment']!,
    );
    const unknown = Object.keys(services[app]!.environment).filter((name) => !common.includes(name) && !(name in configuration[app]!));
    expect(unknown).toEqual([]);
  });

  it.each(apps)('of %s is in k8s/, and no unknown one', (app) => {
    type Container = { env?: { name: string }[]; envFrom?: unknown[] };
    const deployment = all.find(({ manifest }) => manifest.kind === 'Deployment' && manifest.metadata.name === app)!.manifest;
    const [container] = (deployment.spec as { template: { spec: { containers: Container[] } } }).template.spec.containers;
    const common = all.find(({ manifest }) => manifest.kind === 'ConfigMap')!.manifest as Manifest & { data: Record<string, string> };
    expect(container!.envFrom).toEqual([{ configMapRef: { name: common.metadata.name } }, { secretRef: { name: 'decola-common' } }]);
    const own = (container!.env ?? []).map(({ name }) => name);
    expect(missing(app, [...own, ...Object.keys(common.data), ...ofCommonSecret])).toEqual([]);
    // OTEL_… is read by OpenTelemetry (deploy/tracing.mjs).
    expect(own.filter((name) => !(name in configuration[app]!) && !name.startsWith('OTEL_'))).toEqual([]);
  });
});
