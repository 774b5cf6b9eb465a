import { toast } from '../../lib/toast';
import { listTexts as texts } from './texts';

/** How long after a generation the list is read again: the page's cache hears of the article meanwhile. */
export const listReloadMs = 2_000;

/** An article's card in the list that the gateway has rendered. */
export interface ListedCard {
  id: string;
  title: string;
  /** Empty element at the end of the card, for its buttons. */
  tools: Element;
}

const list = (page: ParentNode) => page.querySelector('#blog-list');
const noCards: readonly ListedCard[] = [];
const listeners = new Set<() => void>();
/** Cards by their list, so that they stay the same array until the list is read again. */
const read = new WeakMap<Element, readonly ListedCard[]>();

function cardsOf(shown: Element): readonly ListedCard[] {
  return [...shown.querySelectorAll<HTMLElement>('[data-article-id]')].flatMap((card) => {
    const tools = card.querySelector('[data-article-tools]');
    const { articleId, articleTitle } = card.dataset;
    return tools && articleId ? [{ id: articleId, title: articleTitle ?? '', tools }] : [];
  });
}

/** Cards of the list that the page shows now; the same array until the list is read again. */
export function listedCards(): readonly ListedCard[] {
  const shown = list(document);
  if (!shown) return noCards;
  if (!read.has(shown)) read.set(shown, cardsOf(shown));
  return read.get(shown) ?? noCards;
}

/** Calls `listener` when the list was replaced. @returns what ends it */
export function subscribeToList(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Reads this page again and replaces its list with the new one, so that the panel keeps what it shows. */
export async function reloadList(): Promise<void> {
  try {
    // Neither the browser nor the gateway may answer with a page that is older than the change.
    const answer = await fetch(window.location.href, { cache: 'no-store', headers: { accept: 'text/html', 'cache-control': 'no-cache' } });
    if (!answer.ok) throw new Error(`the list answered ${answer.status}`);
    // The parser runs no scripts, and the page comes from our own server, as the one that stands here.
    const found = list(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    if (!found) throw new Error('the page has no list');
    const shown = list(document);
    if (!shown) return;
    shown.replaceChildren(...found.childNodes);
    read.delete(shown);
    for (const listener of [...listeners]) listener();
  } catch {
    toast.error(texts.loadFailed);
  }
}

/** A function of its own object, so that tests can replace it: jsdom cannot load pages. */
export const page = { reload: () => window.location.reload() };
