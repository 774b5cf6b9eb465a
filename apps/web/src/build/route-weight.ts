import type { Plugin } from 'vite';
import { type BuiltAsset, type BuiltChunk, chunksOf, scriptBytes } from './page-weight.ts';

/** Most compressed bytes of scripts that a route loads beyond what all routes share. */
export const ownScriptsLimit = 60_000;

export interface RouteBudgets {
  /** Modules that import the routes' modules dynamically: every such import is a route. */
  routesIn: RegExp;
  /** Modules that every route loads; the entry is added. */
  shared: readonly RegExp[];
  /** Routes that do not keep the limit yet, each with a limit of its own, so that they do not grow. */
  heavier?: readonly (readonly [RegExp, number])[];
}

/** Compressed bytes of the scripts that a route loads beyond those of `shared`, without what it loads later. */
export function ownScriptBytes(built: Readonly<Record<string, BuiltChunk | BuiltAsset>>, route: RegExp, shared: readonly RegExp[]): number {
  const known = new Set(chunksOf(built, shared));
  return scriptBytes(chunksOf(built, [route]).filter((chunk) => !known.has(chunk)));
}

const exactly = (id: string) => new RegExp(`^${id.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`);

/** Fails the build when the own scripts of a route exceed their limit. New routes are found by themselves. */
export function routeWeight({ routesIn, shared, heavier = [] }: RouteBudgets): Plugin {
  return {
    name: 'route-weight',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const importers = [...this.getModuleIds()].filter((id) => routesIn.test(id));
      const routes = new Set(importers.flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? []));
      if (routes.size === 0) this.error(`no route is imported by ${routesIn.source}`);
      for (const [route] of heavier)
        if (![...routes].some((id) => route.test(id))) this.error(`no route fits ${route.source}, which has a limit of its own`);
      for (const id of routes) {
        const name = id.replace(/^.*\/src\//, '');
        const limit = heavier.find(([route]) => route.test(id))?.[1] ?? ownScriptsLimit;
        const bytes = ownScriptBytes(bundle, exactly(id), shared);
        if (bytes > limit)
          this.error(`${name} loads ${bytes} bytes of compressed JavaScript beyond what all routes share, more than ${limit}.`);
        this.info(`${name} loads ${bytes} bytes of compressed JavaScript beyond what all routes share.`);
      }
    },
  };
}
