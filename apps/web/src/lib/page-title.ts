import { useEffect } from 'react';
import { configuration } from './configuration';

let pagesShown = 0;

/**
 * Sets the title of the browser tab and, after a navigation inside the app, focuses the page's heading, so that screen readers announce it.
 * @param keepsFocus for a page whose first field takes the focus itself
 */
export function usePageTitle(title: string, { keepsFocus = false } = {}) {
  useEffect(() => {
    document.title = `${title} · ${configuration().productName}`;
    const heading = document.querySelector<HTMLElement>('h1') ?? document.querySelector<HTMLElement>('main');
    heading?.setAttribute('tabindex', '-1');
    if (pagesShown > 0 && !keepsFocus) heading?.focus({ preventScroll: true });
    pagesShown += 1;
  }, [title, keepsFocus]);
}
