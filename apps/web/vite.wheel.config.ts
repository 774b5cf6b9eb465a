import { defineConfig } from 'vite';
import { gatewayPages } from './src/build/gateway-pages.ts';

/** The pages of the prize wheel for visitors. `build/wheel-pages.ts` builds them with the app, into the same folder. */
export default defineConfig(
  gatewayPages({
    name: 'wheel',
    weights: { '/prize-wheel/:id': { modules: [/src\/wheel-pages\/main\.tsx$/], scripts: 85_000 } },
    routes: { routesIn: /src\/wheel-pages\/main\.tsx$/, shared: [/src\/wheel-pages\/main\.tsx$/] },
  }),
);
