import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runQueues } from '@decola/contracts';
import { parse } from 'yaml';
import { type Manifest, problemsOf, render, root, templateOf } from './manifests.js';

const base = render('k8s/base');
const production = render('k8s/overlays/production');
const servers = render('k8s/overlays/production-servers');
const nodes = render('deploy/seccomp');
const everything = {
  'k8s/base': base,
  'k8s/overlays/production': production,
  'k8s/overlays/production-servers': servers,
  'deploy/seccomp': nodes,
};

const ofKind = (manifests: Manifest[], ...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
const named = (manifests: Manifest[], kind: string, name: string) => {
  const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

describe.each(Object.entries(everything))('%s', (folder, manifests) => {
  it('is valid for the kinds of Kubernetes and of the operators', () => {
    expect(
      manifests.flatMap((manifest) => problemsOf(manifest).map((problem) => `${manifest.kind} ${manifest.metadata.name}: ${problem}`)),
    ).toEqual([]);
  });

  it('uses each of its files', () => {
    type Listed = { path: string };
    const kustomization = parse(readFileSync(path.join(root, folder, 'kustomization.yaml'), 'utf8')) as {
      resources: string[];
      patches?: Listed[];
      configMapGenerator?: { envs?: string[]; files?: string[] }[];
    };
    const { resources, patches = [], configMapGenerator = [] } = kustomization;
    const listed = [
      ...resources.filter((name) => !name.startsWith('..')),
      ...patches.map((patch) => patch.path),
      ...configMapGenerator.flatMap(({ envs = [], files = [] }) => [...envs, ...files]),
    ];
    const files = readdirSync(path.join(root, folder)).filter((file) => file !== 'kustomization.yaml' && !file.endsWith('.md'));
    expect(listed.toSorted()).toEqual(files.toSorted());
  });
});

describe('the validation', () => {
  const scaled = named(production, 'ScaledObject', 'browser-worker');

  it('refuses what an operator would refuse or ignore', () => {
    const { triggers, ...rest } = scaled.spec!;
    expect(problemsOf({ ...scaled, spec: rest })).toEqual([expect.stringContaining("'triggers'")]);
    expect(problemsOf({ ...scaled, spec: { ...rest, triggers, maxReplicas: 3 } })).toEqual(['.spec.maxReplicas is unknown']);
    expect(problemsOf({ ...scaled, spec: { ...rest, triggers, maxReplicaCount: 'many' } })).toEqual([
      expect.stringContaining('must be integer'),
    ]);
    expect(problemsOf({ ...scaled, kind: 'ScaledThing' })).toEqual([expect.stringContaining('is unknown')]);
  });

  it('refuses what Kubernetes would refuse or ignore', () => {
    const budget = named(production, 'PodDisruptionBudget', 'gateway');
    expect(problemsOf({ ...budget, spec: { ...budget.spec, maxUnavailble: 1 } })).toEqual(['.spec.maxUnavailble is unknown']);
    expect(problemsOf({ ...budget, spec: { ...budget.spec, selector: 7 } })).not.toEqual([]);
  });
});

describe('replicas', () => {
  const autoscaled = (manifests: Manifest[]) =>
    ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').map(
      ({ spec }) => (spec as { scaleTargetRef: { name: string } }).scaleTargetRef.name,
    );

  it('belong to an autoscaler in production, and to nobody else', () => {
    const deployments = ofKind(production, 'Deployment');
    expect(autoscaled(production).toSorted()).toEqual(deployments.map(({ metadata }) => metadata.name).toSorted());
    for (const { metadata, spec } of [...deployments, ...ofKind(base, 'Deployment')])
      expect([metadata.name, spec!['replicas']]).toEqual([metadata.name, undefined]);
  });

  it('let a node drain, whatever their number', () => {
    const budgets = ofKind(production, 'PodDisruptionBudget');
    expect(budgets.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      ofKind(production, 'Deployment')
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    );
    for (const { spec, metadata } of budgets) {
      expect(spec).toEqual({ maxUnavailable: 1, selector: { matchLabels: { 'app.kubernetes.io/name': metadata.name } } });
      expect(templateOf(named(production, 'Deployment', metadata.name)).metadata.labels['app.kubernetes.io/name']).toBe(metadata.name);
    }
  });

  it('of workers follow the sum of waiting and active runs', () => {
    const { triggers, advanced } = named(production, 'ScaledObject', 'browser-worker').spec as unknown as {
      triggers: { type: string; metadata: Record<string, string>; authenticationRef: { name: string } }[];
      advanced: { horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: number; policies: object[] } } } };
    };
    // Of several triggers the largest would count alone.
    expect(triggers).toHaveLength(1);
    const [{ type, metadata, authenticationRef }] = triggers as [(typeof triggers)[0]];
    expect(type).toBe('rabbitmq');
    // Only the management interface knows messages that are not acknowledged, which are the active runs.
    expect(metadata).toMatchObject({
      protocol: 'http',
      mode: 'QueueLength',
      excludeUnacknowledged: 'false',
      useRegex: 'true',
      operation: 'sum',
    });
    const pattern = new RegExp(metadata['queueName']!);
    for (const { name } of runQueues) {
      expect(name).toMatch(pattern);
      expect(`${name}.dead`).not.toMatch(pattern);
      expect(`${name}.retry`).not.toMatch(pattern);
    }
    // Full workers are never too many.
    const contexts = templateOf(named(production, 'Deployment', 'browser-worker')).spec.containers[0]!.env!.find(
      ({ name }) => name === 'WORKER_CONTEXTS',
    );
    expect(Number(metadata['value'])).toBeLessThanOrEqual(Number(contexts!.value));
    expect(advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.policies).toEqual([{ type: 'Pods', value: 1, periodSeconds: 300 }]);
    const authentication = named(production, 'TriggerAuthentication', authenticationRef.name).spec as {
      secretTargetRef: { parameter: string }[];
    };
    expect(authentication.secretTargetRef.map(({ parameter }) => parameter)).toEqual(['host']);
  });
});

describe('every pod', () => {
  const running = [...ofKind(production, 'Deployment', 'Job'), ...ofKind(nodes, 'DaemonSet')];

  it('has an image by digest, and none has a tag', () => {
    expect(running.length).toBeGreaterThan(9);
    for (const manifest of running)
      for (const { image } of templateOf(manifest).spec.containers) expect(image).toMatch(/^[\w.-]+\/decola\/[\w-]+@sha256:[0-9a-f]{64}$/);
    const texts = JSON.stringify(Object.values(everything));
    expect(texts).not.toMatch(/:latest\b/);
  });

  it('of a service names it in traces', () => {
    for (const manifest of [...ofKind(production, 'Deployment'), ...ofKind(base, 'Deployment')]) {
      const { name } = manifest.metadata;
      const { env = [] } = templateOf(manifest).spec.containers[0]!;
      expect(env.filter((each) => each.name === 'OTEL_SERVICE_NAME')).toEqual([{ name: 'OTEL_SERVICE_NAME', value: name }]);
    }
  });

  it('of a service is spread over zones and nodes, and its volumes are limited', () => {
    for (const manifest of ofKind(production, 'Deployment')) {
      const { topologySpreadConstraints = [], volumes = [] } = templateOf(manifest).spec;
      expect(topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ]);
      const temporary = volumes.filter(({ emptyDir }) => emptyDir);
      expect(temporary).not.toEqual([]);
      for (const { emptyDir } of temporary) expect(emptyDir!.sizeLimit).toMatch(/^\d+[MG]i$/);
    }
  });

  it('reads a ConfigMap that is named by its content', () => {
    const [config] = ofKind(production, 'ConfigMap') as [Manifest];
    expect(config.metadata.name).toMatch(/^decola-common-[a-z0-9]{10}$/);
    for (const manifest of ofKind(production, 'Deployment'))
      expect(JSON.stringify(templateOf(manifest).spec)).toContain(`"configMapRef":{"name":"${config.metadata.name}"}`);
  });

  it('of browser workers has the profile that is put on the nodes, and every other the default', () => {
    for (const manifest of [...running, ...ofKind(base, 'Deployment')]) {
      const { seccompProfile } = templateOf(manifest).spec.securityContext;
      expect([manifest.metadata.name, seccompProfile]).toEqual([
        manifest.metadata.name,
        manifest.metadata.name === 'browser-worker'
          ? { type: 'Localhost', localhostProfile: 'decola/chromium.json' }
          : { type: 'RuntimeDefault' },
      ]);
    }
    const [config] = ofKind(nodes, 'ConfigMap') as [Manifest];
    expect(JSON.parse(config.data!['chromium.json']!)).toEqual(
      JSON.parse(readFileSync(path.join(root, 'deploy/seccomp/chromium.json'), 'utf8')),
    );
    const pod = templateOf(named(nodes, 'DaemonSet', 'seccomp-profiles')).spec as unknown as {
      volumes: { configMap?: { name: string }; hostPath?: { path: string } }[];
    };
    expect(pod.volumes).toEqual([
      expect.objectContaining({ configMap: { name: config.metadata.name } }),
      expect.objectContaining({ hostPath: { path: '/var/lib/kubelet/seccomp/decola', type: 'DirectoryOrCreate' } }),
    ]);
    const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { security_opt?: string[] }>;
    };
    expect(services['browser-worker']!.security_opt).toEqual(['no-new-privileges:true', 'seccomp:./deploy/seccomp/chromium.json']);
  });
});

describe('the host', () => {
  it('is named in one place', () => {
    const folder = path.join(root, 'k8s/overlays/production');
    const mentions = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(yaml|env)$/.test(file))
      .filter((file) => readFileSync(path.join(folder, file), 'utf8').includes('decola.example'));
    expect(mentions).toEqual(['site.env']);
  });

  it('is the same in the Ingress, in the issuer of tokens and in the addresses', () => {
    const [config] = ofKind(production, 'ConfigMap') as [Manifest];
    const { host } = new URL(config.data!['SITE_URL']!);
    expect(named(production, 'Ingress', 'decola').spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: [host] }],
      rules: [{ host }],
    });
    const { env } = templateOf(named(production, 'Deployment', 'identity')).spec.containers[0]!;
    expect(env).toContainEqual({ name: 'TOKEN_ISSUER', value: `https://${host}/auth/v1` });
    for (const name of ['SUPPORT_EMAIL', 'PRIVACY_EMAIL', 'DPO_EMAIL']) expect(config.data![name]).toMatch(new RegExp(`^[a-z]+@${host}$`));
  });
});

describe('the servers', () => {
  it('have three nodes, and RabbitMQ the policies that its README names', () => {
    expect(named(servers, 'RabbitmqCluster', 'rabbitmq').spec).toMatchObject({ replicas: 3 });
    const readme = readFileSync(path.join(root, 'libs/messaging/README.md'), 'utf8');
    const documented = [...readme.matchAll(/set_policy --vhost <vhost> --apply-to (\w+) ([\w-]+) '([^']+)' '([^']+)'/g)].map(
      ([, applyTo, name, pattern, definition]) => ({ applyTo, name, pattern, definition: JSON.parse(definition!) as object }),
    );
    expect(documented).toHaveLength(2);
    expect(ofKind(servers, 'Policy').map(({ spec }) => spec)).toEqual(
      documented.map((policy) => ({ ...policy, rabbitmqClusterReference: { name: 'rabbitmq' } })),
    );
  });

  it('have a PostgreSQL with a pooler and nightly backups', () => {
    expect(named(servers, 'Cluster', 'postgres').spec).toMatchObject({
      instances: 3,
      plugins: [{ isWALArchiver: true, parameters: { barmanObjectName: named(servers, 'ObjectStore', 'backups').metadata.name } }],
    });
    expect(named(servers, 'Pooler', 'postgres-pooler').spec).toMatchObject({
      cluster: { name: 'postgres' },
      pgbouncer: { poolMode: 'transaction' },
    });
    expect(named(servers, 'ScheduledBackup', 'nightly').spec).toMatchObject({ cluster: { name: 'postgres' }, method: 'plugin' });
    // Deleting what the services are made of must not reach them.
    expect(new Set(servers.map(({ kind, metadata }) => (kind === 'Namespace' ? metadata.name : metadata.namespace)))).toEqual(
      new Set(['decola-servers']),
    );
  });
});

describe('deploy/check-images.mjs', () => {
  const digest = 'a'.repeat(63);
  const check = (...images: string[]) => {
    const input = images.map((image) => `      containers:\n        - name: x\n          image: ${image}\n`).join('');
    const { status, stderr } = spawnSync(process.execPath, ['deploy/check-images.mjs'], { cwd: root, input, encoding: 'utf8' });
    return { status, lines: stderr.trim().split('\n') };
  };

  it('accepts images by digest', () => {
    expect(check(`registry.example/decola/blog@sha256:${digest}1`).status).toBe(0);
  });

  it.each(['registry.example/decola/blog', 'decola/blog:latest', 'decola/blog:1.2.3', `decola/blog@sha256:${digest}`])(
    'refuses %s',
    (image) => {
      expect(check(`decola/gateway@sha256:${digest}2`, image)).toEqual({ status: 1, lines: [`${image} has no digest`] });
    },
  );

  it('refuses the placeholders of the overlay, and no image at all', () => {
    const ours = ofKind(production, 'Deployment').map((manifest) => templateOf(manifest).spec.containers[0]!.image);
    const { status, lines } = check(...ours);
    expect(status).toBe(1);
    expect(lines).toHaveLength(ours.length);
    expect(check().status).toBe(1);
  });
});
