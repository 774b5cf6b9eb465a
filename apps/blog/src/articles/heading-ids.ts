import slugify from '@sindresorhus/slugify';
import { eachElement, type HastNode, textIn } from './hast.js';

/** Ids of headings begin with this, so that none is one of the page's own. */
const prefix = 's-';
/** In characters, of the part that comes from the text. */
const longest = 60;

/** Gives every heading an id from its text, unique in the article: links can lead to it. The same headings always get the same ids. */
export function setHeadingIds(tree: HastNode): void {
  const taken = new Set<string>();
  eachElement(tree, (node) => {
    if (!/^h[2-4]$/.test(node.tagName ?? '')) return;
    const words = slugify(textIn(node), { decamelize: false }).slice(0, longest).replace(/-+$/, '') || 'parte';
    let id = prefix + words;
    for (let number = 2; taken.has(id); number += 1) id = `${prefix}${words}-${number}`;
    taken.add(id);
    node.properties = { id, ...node.properties };
  });
}
