import { appPagePaths } from '@decola/contracts';
import type { RouteObject } from 'react-router-dom';
import { router } from './router';

it('has a page for exactly the paths that the gateway knows as pages', () => {
  const pathsOf = (routes: readonly RouteObject[]): string[] =>
    routes.flatMap(({ path, children = [] }) => [...(path === undefined ? [] : [path]), ...pathsOf(children)]);
  expect(pathsOf(router.routes).sort()).toEqual([...appPagePaths, '*'].sort());
});
