import { isPagePath, pagePaths } from './pages.js';

it.each([...pagePaths.filter((path) => !path.includes(':type')), '/adm/', '/ADM', '/automation/auto-like', '/blog/um-artigo'])(
  'knows the page %s',
  (path) => expect(isPagePath(path)).toBe(true),
);

it.each(['/nada', '/adm/nada', '/blog/a/b', '/automation', '/automation/nada', '/prize-wheel', '/sitemapxxml', '/constructor'])(
  'knows no page %s',
  (path) => expect(isPagePath(path)).toBe(false),
);
