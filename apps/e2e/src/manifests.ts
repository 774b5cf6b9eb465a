import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as client from '@kubernetes/client-node';
import { DaemonSet } from 'kubernetes-models/apps/v1/DaemonSet';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';

export const root = path.resolve(__dirname, '../../..');

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
}

export interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string }[];
}

/** The part of a Deployment, a DaemonSet or a Job that says what runs. */
export interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    securityContext: { seccompProfile?: { type: string; localhostProfile?: string } };
    containers: Container[];
    volumes?: { name: string; emptyDir?: { sizeLimit?: string } }[];
    topologySpreadConstraints?: { topologyKey: string }[];
  };
}

export const templateOf = ({ spec }: Manifest): PodTemplate => (spec as { template: PodTemplate }).template;

let kubectl: string | undefined;

/** What `kubectl apply -k` would apply. kubectl is downloaded where it is missing. */
export function render(folder: string): Manifest[] {
  kubectl ??= execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { obtainKubectl } from './scripts/lib/parts/kubectl.mjs';
       process.stdout.write((await obtainKubectl({ log: console.error })).path);`,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const text = execFileSync(kubectl, ['kustomize', folder], { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

type Model = new (data: never) => { validate(): void };
type AttributeTypes = { baseName: string; type: string }[];

/** Kubernetes' own kinds: the validator of required fields and types, and the client library's name for the same model. */
const kinds: Record<string, { model: Model; typeName: string }> = {
  'apps/v1/DaemonSet': { model: DaemonSet, typeName: 'V1DaemonSet' },
  'apps/v1/Deployment': { model: Deployment, typeName: 'V1Deployment' },
  'autoscaling/v2/HorizontalPodAutoscaler': { model: HorizontalPodAutoscaler, typeName: 'V2HorizontalPodAutoscaler' },
  'batch/v1/Job': { model: Job, typeName: 'V1Job' },
  'networking.k8s.io/v1/Ingress': { model: Ingress, typeName: 'V1Ingress' },
  'networking.k8s.io/v1/NetworkPolicy': { model: NetworkPolicy, typeName: 'V1NetworkPolicy' },
  'policy/v1/PodDisruptionBudget': { model: PodDisruptionBudget, typeName: 'V1PodDisruptionBudget' },
  'v1/ConfigMap': { model: ConfigMap, typeName: 'V1ConfigMap' },
  'v1/Namespace': { model: Namespace, typeName: 'V1Namespace' },
  'v1/PersistentVolumeClaim': { model: PersistentVolumeClaim, typeName: 'V1PersistentVolumeClaim' },
  'v1/Service': { model: Service, typeName: 'V1Service' },
  'v1/ServiceAccount': { model: ServiceAccount, typeName: 'V1ServiceAccount' },
};

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  'x-kubernetes-preserve-unknown-fields'?: true;
}

/** Operators' kinds, by `apiVersion/kind`: the extracts in `k8s/crds`. */
const operatorSchemas = new Map(
  readdirSync(path.join(root, 'k8s/crds'))
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(path.join(root, 'k8s/crds', file), 'utf8')))
    .map((document) => document.toJS() as { apiVersion: string; kind: string; openAPIV3Schema: Schema })
    .map(({ apiVersion, kind, openAPIV3Schema }) => [`${apiVersion}/${kind}`, openAPIV3Schema]),
);

/** What Kubernetes or an operator would refuse or ignore in a manifest: wrong types, missing fields, and fields that its kind does not have. */
export function problemsOf(manifest: Manifest): string[] {
  const name = `${manifest.apiVersion}/${manifest.kind}`;
  const kind = kinds[name];
  if (kind) {
    try {
      new kind.model(manifest as never).validate();
    } catch (error) {
      return [(error as Error).message];
    }
    return unknownFields(manifest, kind.typeName).map((field) => `${field} is unknown`);
  }
  const schema = operatorSchemas.get(name);
  if (!schema) return [`the kind ${name} is unknown`];
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  const isValid = ajv.compile(schema);
  const known: Schema = { properties: { ...schema.properties, apiVersion: {}, kind: {}, metadata: anything } };
  return [
    ...(isValid(manifest) ? [] : isValid.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`)),
    ...fieldsBeside(manifest, known).map((field) => `${field} is unknown`),
  ];
}

const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Paths in `value` that the schema of an operator's kind does not have: the server would drop them without a word. */
function fieldsBeside(value: unknown, schema: Schema, at = ''): string[] {
  if (typeof value !== 'object' || value === null || schema['x-kubernetes-preserve-unknown-fields']) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => fieldsBeside(item, schema.items ?? {}, `${at}[${index}]`));
  return Object.entries(value).flatMap(([key, item]) => {
    const own = schema.properties?.[key] ?? schema.additionalProperties;
    return own ? fieldsBeside(item, own, `${at}.${key}`) : [`${at}.${key}`];
  });
}

/** Paths in `value` that the API's model does not have, such as misspelt fields, which a schema with open objects accepts. */
export function unknownFields(value: unknown, typeName: string, at = ''): string[] {
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
