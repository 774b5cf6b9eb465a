import { type Answer, at } from './answers.js';

const scripts = /<script\b[^>]*\bdata-sjs\b[^>]*>([\s\S]*?)<\/script>/gi;
const preloader = /^adp_(\w+?)RelayPreloader/;

/**
 * Answers that a document contains (`script[data-sjs]`), which its page therefore does not request: each with the friendly name of the query
 * that it answers. They are read like answers to calls, by their root field.
 */
export function preloadedAnswers(html: string, path: string): Answer[] {
  const found: Answer[] = [];
  for (const [, text] of html.matchAll(scripts)) {
    if (!text?.includes('RelayPreloader')) continue;
    try {
      collect(JSON.parse(text), null, path, found);
    } catch {
      // A script without JSON contains no answers.
    }
  }
  return found;
}

/** Walks through a script's JSON. The name of a preloader is an element of the same array as its answer. */
function collect(node: unknown, name: string | null, path: string, found: Answer[]): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    const named = node.map((one) => (typeof one === 'string' ? preloader.exec(one)?.[1] : undefined)).find(Boolean) ?? name;
    for (const one of node) collect(one, named, path, found);
    return;
  }
  const result = at(node, 'result');
  if (name !== null && (at(result, 'data') !== undefined || at(result, 'errors') !== undefined)) {
    found.push({
      path,
      method: 'GET',
      status: 200,
      friendlyName: name,
      variables: at(node, 'variables') ?? null,
      json: result,
      further: [],
      notJson: null,
      redirectedTo: null,
    });
    return;
  }
  for (const one of Object.values(node)) collect(one, name, path, found);
}
