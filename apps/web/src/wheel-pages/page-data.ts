import type { PublicConfiguration } from '../lib/configuration';

/** What the gateway sends with each of these pages, in a block of JSON (`apps/gateway/src/site/wheel-pages.ts`). */
export interface PageData {
  configuration: PublicConfiguration;
  /** The answer of `prize-extractor` to `state`, as it was; null on other pages, and when it did not come in time. */
  state: unknown;
}

export const pageDataId = 'page-data';

/** @throws Error when the page was not sent by the gateway */
export function readPageData(): PageData {
  const block = document.getElementById(pageDataId);
  if (!block) throw new Error('the page has no data');
  return JSON.parse(block.textContent) as PageData;
}
