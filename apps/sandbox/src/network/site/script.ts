import { startApp } from '../browser/app.js';
import { createDom } from '../browser/dom.js';
import { createFollow } from '../browser/follow.js';
import { createLists } from '../browser/lists.js';
import { createOverlays } from '../browser/overlays.js';
import { createPages } from '../browser/pages.js';
import { createTransport } from '../browser/transport.js';

/**
 * The page's script. Each part is a closed function, so its compiled text is all that the browser needs; this puts the parts
 * together without a bundler, in the tests as in production.
 */
export function pageScript(): string {
  const parts = { createDom, createTransport, createOverlays, createFollow, createLists, createPages, startApp };
  const declarations = Object.entries(parts).map(([name, part]) => `const ${name} = ${String(part)};`);
  return `(() => {
'use strict';
${declarations.join('\n')}
const definitions = JSON.parse(document.getElementById('boot').textContent).define;
const boot = {};
for (const [, , value] of definitions) Object.assign(boot, value.site ?? {});
const dom = createDom(boot);
const transport = createTransport(boot);
const overlays = createOverlays(boot, dom);
const follow = createFollow(boot, dom, transport, overlays);
const lists = createLists(boot, dom, transport, overlays, follow);
const pages = createPages(boot, dom, transport, overlays, follow, lists);
startApp(boot, dom, overlays, pages);
})();`;
}
