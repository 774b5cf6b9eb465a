import { useEffect } from 'react';
import { configuration } from './configuration';

let pagesShown = 0;

/**
 * Each page says what it is and, after a change of page, its heading takes the focus, as a page that was loaded would.
 * @param keepsFocus for a page whose first field takes the focus itself.
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
