import { startApp } from '../browser/app.js';
import { createComments } from '../browser/comments.js';
import { createDirect } from '../browser/direct.js';
import { createDom } from '../browser/dom.js';
import { createFeed } from '../browser/feed.js';
import { createFollow } from '../browser/follow.js';
import { createLikes } from '../browser/likes.js';
import { createLists } from '../browser/lists.js';
import { createOverlays } from '../browser/overlays.js';
import { createPages } from '../browser/pages.js';
import { createPosts } from '../browser/posts.js';
import { createScreenParts } from '../browser/screen-parts.js';
import { createStories } from '../browser/stories.js';
import { createTransport } from '../browser/transport.js';
import { texts } from '../texts/texts.js';

/**
 * The page's script. Each part is a function without outside references, so its source text works in the browser; the parts are joined
 * without a bundler. The site's texts are in the script and not in the documents, so that a driver which searches a document for the
 * words of a block finds them only while the page shows them.
 */
export function pageScript(): string {
  const parts = {
    createDom,
    createTransport,
    createOverlays,
    createFollow,
    createLikes,
    createComments,
    createFeed,
    createLists,
    createScreenParts,
    createPages,
    createPosts,
    createStories,
    createDirect,
    startApp,
  };
  const declarations = Object.entries(parts).map(([name, part]) => `const ${name} = ${String(part)};`);
  return `(() => {
'use strict';
${declarations.join('\n')}
const definitions = JSON.parse(document.getElementById('boot').textContent).define;
const boot = {};
for (const [, , value] of definitions) Object.assign(boot, value.site ?? {});
boot.texts = ${JSON.stringify(texts)}[boot.language];
const dom = createDom(boot);
const transport = createTransport(boot);
const overlays = createOverlays(boot, dom);
const follow = createFollow(boot, dom, transport, overlays);
const likes = createLikes(boot, dom, transport, overlays);
const lists = createLists(boot, dom, transport, overlays, follow);
const screenParts = createScreenParts(boot, dom);
const feed = createFeed(boot, dom, transport, overlays, follow, likes, screenParts);
const pages = createPages(boot, dom, transport, overlays, follow, lists, feed, screenParts);
const comments = createComments(boot, dom, transport, overlays, likes, screenParts);
const posts = createPosts(boot, dom, transport, overlays, follow, likes, comments, screenParts);
const stories = createStories(boot, dom, transport, overlays, likes, screenParts, pages);
const direct = createDirect(boot, dom, transport, overlays, likes, screenParts);
startApp(boot, dom, overlays, screenParts, pages, posts, stories, direct);
})();`;
}
