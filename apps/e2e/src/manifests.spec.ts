import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as client from '@kubernetes/client-node';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { parse, parseAllDocuments } from 'yaml';

const root = path.resolve(__dirname, '../../..');
const apps = ['gateway', 'identity', 'billing', 'automations', 'extraction', 'prize-wheel', 'blog', 'browser-worker'];

type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec?: Record<string, unknown> };
type Model = new (data: never) => { validate(): void };
type AttributeTypes = { baseName: string; type: string }[];

/** Kinds we use: the validator of required fields and types, and the client's name of the same model. */
const kinds: Record<string, { model: Model; typeName: string }> = {
  'apps/v1/Deployment': { model: Deployment, typeName: 'V1Deployment' },
  'autoscaling/v2/HorizontalPodAutoscaler': { model: HorizontalPodAutoscaler, typeName: 'V2HorizontalPodAutoscaler' },
  'batch/v1/Job': { model: Job, typeName: 'V1Job' },
  'networking.k8s.io/v1/Ingress': { model: Ingress, typeName: 'V1Ingress' },
  'policy/v1/PodDisruptionBudget': { model: PodDisruptionBudget, typeName: 'V1PodDisruptionBudget' },
  'v1/ConfigMap': { model: ConfigMap, typeName: 'V1ConfigMap' },
  'v1/Namespace': { model: Namespace, typeName: 'V1Namespace' },
  'v1/PersistentVolumeClaim': { model: PersistentVolumeClaim, typeName: 'V1PersistentVolumeClaim' },
  'v1/Service': { model: Service, typeName: 'V1Service' },
  'v1/ServiceAccount': { model: ServiceAccount, typeName: 'V1ServiceAccount' },
};

function manifestsIn(folder: string): { file: string; manifest: Manifest }[] {
  return readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .flatMap((file) =>
      parseAllDocuments(readFileSync(path.join(root, folder, file), 'utf8')).map((document) => {
        expect(document.errors).toEqual([]);
        return { file: `${folder}/${file}`, manifest: document.toJS() as Manifest };
      }),
    );
}

/** Paths in `value` that the API's model does not know: the misspelt field that a schema with open objects lets through. */
function unknownFields(value: unknown, typeName: string, at = ''): string[] {
  const list = /^Array<(.+)>$/.exec(typeName);
  if (list) return (value as unknown[]).flatMap((item, index) => unknownFields(item, list[1]!, `${at}[${index}]`));
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(typeName);
  if (map) return Object.entries(value as object).flatMap(([key, item]) => unknownFields(item, map[1]!, `${at}.${key}`));
  const model = (client as unknown as Record<string, { getAttributeTypeMap?: () => AttributeTypes } | undefined>)[typeName];
  if (!model?.getAttributeTypeMap || typeof value !== 'object' || value === null) return [];
  const types = new Map(model.getAttributeTypeMap().map(({ baseName, type }) => [baseName, type]));
  return Object.entries(value).flatMap(([key, item]) => {
    const type = types.get(key);
    return type === undefined ? [`${at}.${key}`] : unknownFields(item, type, `${at}.${key}`);
  });
}

const all = [...manifestsIn('k8s/base'), ...manifestsIn('k8s/overlays/production')].filter(
  ({ file }) => !file.endsWith('production/gateway.yaml'),
);

describe('the Kubernetes manifests', () => {
  it.each(
    all
      .filter(({ manifest }) => manifest.kind !== 'ScaledObject')
      .map((each) => [`${each.manifest.kind} ${each.manifest.metadata.name}`, each] as const),
  )('%s is valid', (_, { manifest }) => {
    const kind = kinds[`${manifest.apiVersion}/${manifest.kind}`];
    expect(kind).toBeDefined();
    new kind!.model(manifest as never).validate();
    expect(unknownFields(manifest, kind!.typeName)).toEqual([]);
  });

  it.each(['k8s/base', 'k8s/overlays/production'])('%s lists every file it holds, and no other', (folder) => {
    const { resources, patches = [] } = parse(readFileSync(path.join(root, folder, 'kustomization.yaml'), 'utf8')) as {
      resources: string[];
      patches?: { path: string }[];
    };
    const listed = [...resources.filter((name) => !name.startsWith('..')), ...patches.map((patch) => patch.path)].sort();
    expect(listed).toEqual(
      readdirSync(path.join(root, folder))
        .filter((file) => file !== 'kustomization.yaml')
        .sort(),
    );
  });

  it('tell the gateway whose address a request has where an Ingress stands before it', () => {
    const folder = path.join(root, 'k8s/overlays/production');
    const patch = parse(readFileSync(path.join(folder, 'gateway.yaml'), 'utf8')) as Manifest;
    expect(unknownFields(patch, 'V1Deployment')).toEqual([]);
    expect(manifestsIn('k8s/overlays/production').map(({ manifest }) => manifest.kind)).toContain('Ingress');
    expect(patch).toMatchObject({
      metadata: { name: 'gateway' },
      spec: { template: { spec: { containers: [{ name: 'gateway', env: [{ name: 'TRUST_PROXY', value: 'true' }] }] } } },
    });
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

it('docker-compose.yml runs every app, the sandbox and the parts they lean on', () => {
  const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, Record<string, unknown>>;
  };
  expect(Object.keys(services).sort()).toEqual([...apps, 'sandbox', 'migrate', 'postgres', 'rabbitmq', 'redis'].sort());
  for (const app of apps)
    expect(services[app]).toMatchObject({
      build: { args: { APP: app } },
      depends_on: { migrate: { condition: 'service_completed_successfully' } },
    });
  const published = Object.values(services).flatMap(({ ports }) => (ports as string[] | undefined) ?? []);
  expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

describe('every variable that a service must be given', () => {
  type Facts = { isRequired: boolean };
  const configuration = JSON.parse(
    execFileSync(process.execPath, ['tools/describe.mjs', '--json'], { cwd: root, encoding: 'utf8' }),
  ) as Record<string, Record<string, Facts>>;
  const required = (app: string) =>
    Object.entries(configuration[app]!)
      .filter(([, { isRequired }]) => isRequired)
      .map(([name]) => name)
      .sort();
  /** What the image itself sets. */
  const ofImage = [...readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8').matchAll(/^\s*ENV (.+)$/gm)].flatMap(([, line]) =>
    [...line!.matchAll(/(\w+)=/g)].map(([, name]) => name!),
  );
  /** Keys of the secret `decola-common`, which is made outside of the repository. */
  const ofCommonSecret = ['INTERNAL_SIGNING_KEY', 'RABBITMQ_URL', 'REDIS_URL'];
  const missing = (app: string, given: readonly string[]) =>
    required(app).filter((name) => !given.includes(name) && !ofImage.includes(name));

  it.each(apps)('of %s is in docker-compose.yml, and none that it does not know', (app) => {
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

  it.each(apps)('of %s is in k8s/, and none that it does not know', (app) => {
    type Container = { env?: { name: string }[]; envFrom?: unknown[] };
    const deployment = all.find(({ manifest }) => manifest.kind === 'Deployment' && manifest.metadata.name === app)!.manifest;
    const [container] = (deployment.spec as { template: { spec: { containers: Container[] } } }).template.spec.containers;
    expect(container!.envFrom).toEqual([{ configMapRef: { name: 'decola-common' } }, { secretRef: { name: 'decola-common' } }]);
    const common = all.find(({ manifest }) => manifest.kind === 'ConfigMap')!.manifest as unknown as { data: Record<string, string> };
    const own = (container!.env ?? []).map(({ name }) => name);
    expect(missing(app, [...own, ...Object.keys(common.data), ...ofCommonSecret])).toEqual([]);
    expect(own.filter((name) => !(name in configuration[app]!))).toEqual([]);
  });
});
