import { hash, keyOf } from '../population/hashing.js';
import { type OperationName, operations } from './operations.js';
import { type StyleName, styleNames } from './styles.js';
import { type BuildName, type BuildTraits, traitsOf } from './traits.js';

export interface Build {
  name: BuildName;
  traits: BuildTraits;
  /** Revision number, as `__rev` and `X-Instagram-AJAX` carry it. */
  revision: string;
  bloksVersion: string;
  asbdId: string;
  docIds: Record<OperationName, string>;
  classes: Record<StyleName, string>;
}

/** Computes everything that a rollout changes from the seed, the build's name and the number of the rollout. */
export function makeBuild(seed: string, name: BuildName, rollout: number): Build {
  const key = keyOf(`build:${seed}:${name}:${rollout}`);
  const digits = (salt: number, length: number): string =>
    Array.from({ length }, (_, place) => (place === 0 ? 2 + (hash(key, salt, place) % 2) : hash(key, salt, place) % 10)).join('');
  const letters = (salt: number): string => `x${hash(key, salt, 1).toString(36)}${hash(key, salt, 2).toString(36).slice(0, 2)}`;
  return {
    name,
    traits: traitsOf[name],
    revision: `10${digits(1, 8)}`,
    bloksVersion: Array.from({ length: 8 }, (_, part) => hash(key, 2, part).toString(16).padStart(8, '0')).join(''),
    asbdId: '359341',
    docIds: Object.fromEntries(Object.keys(operations).map((operation, place) => [operation, digits(100 + place, 17)])) as Record<
      OperationName,
      string
    >,
    classes: Object.fromEntries(styleNames.map((style, place) => [style, letters(500 + place)])) as Record<StyleName, string>,
  };
}

/** The path to which a build's page sends an operation, and the root field in its `x-root-field-name` header; null without that header. */
export function addressOf(
  { traits }: Pick<Build, 'traits'>,
  operation: OperationName,
): { path: '/graphql/query' | '/api/graphql'; rootHeader: string | null } {
  const { root, olderRoot, headerRoot, isFeed } = operations[operation];
  if (!isFeed && traits.graphqlPaths === 'split') return { path: '/api/graphql', rootHeader: null };
  return { path: '/graphql/query', rootHeader: headerRoot === undefined ? (traits.mutations === 'xdt' && olderRoot) || root : headerRoot };
}
