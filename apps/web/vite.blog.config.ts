import path from 'node:path';
import { defineConfig } from 'vite';
import { gatewayPages } from './src/build/gateway-pages.ts';

/**
 * The public pages of the blog. `build/blog-pages.ts` builds them with the app, into the same folder. Their script is for all visitors; the panel of
 * administrators (`features/blog-admin`) is a part of this build that only they load.
 */
export default defineConfig(
  gatewayPages({
    name: 'blog',
    weights: {
      '/blog': { modules: [/src\/blog-pages\/main\.ts$/], scripts: 6_000, styles: 15_000 },
      'The panel of /blog': { modules: [/src\/features\/blog-admin\/start\.tsx$/], scripts: 145_000 },
    },
    routes: {
      routesIn: /src\/blog-pages\/main\.ts$/,
      shared: [/react-dom-client\.production\.js$/, /@supabase\/auth-js\/.*\/GoTrueClient\.js$/],
    },
    // What the panel shares with every page of the app, though it is built apart: React, and the client with the session.
    groups: [
      { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
      { name: 'session', test: /node_modules\/(@supabase|@tanstack|p-timeout|tslib)\/|src\/session\/|src\/lib\/api-client\.ts$/ },
    ],
    alias: [{ find: /^@supabase\/(realtime|storage)-js$/, replacement: path.resolve(import.meta.dirname, 'src/lib/unused-supabase.ts') }],
  }),
);
