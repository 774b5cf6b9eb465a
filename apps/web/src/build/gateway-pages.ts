import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { AliasOptions, UserConfig } from 'vite';
import { compressedFiles } from './compressed-files.ts';
import { typeface } from './font.ts';
import { pageWeight } from './page-weight.ts';
import { pureContracts } from './pure-contracts.ts';
import { type RouteBudgets, routeWeight } from './route-weight.ts';

/** Pages that the gateway renders, which are built beside the app. */
interface GatewayPages {
  /** Their HTML file is `<name>.html`, and what all their visitors load is one file, `<name>-….js`: each file costs a request, and compresses on its own. */
  name: string;
  weights: Parameters<typeof pageWeight>[0];
  routes: RouteBudgets;
  alias?: AliasOptions;
  /** Parts that later releases change seldom, each a file of its own. */
  groups?: readonly { name: string; test: RegExp }[];
}

/** @returns how Vite builds these pages */
export function gatewayPages({ name, weights, routes, alias, groups = [] }: GatewayPages): UserConfig {
  return {
    plugins: [react(), tailwindcss(), typeface(), pureContracts(), pageWeight(weights), routeWeight(routes), compressedFiles()],
    resolve: { conditions: ['@decola/source', 'module', 'browser', 'development|production'], ...(alias && { alias }) },
    build: {
      sourcemap: false,
      target: 'es2022',
      copyPublicDir: false,
      // Every browser that runs these scripts knows the links.
      modulePreload: { polyfill: false },
      rolldownOptions: { input: `${name}.html`, output: { codeSplitting: { groups: [{ name, tags: ['$initial'] }, ...groups] } } },
    },
  };
}
