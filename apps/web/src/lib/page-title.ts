import { useEffect } from 'react';
import { configuration } from './configuration';

let pagesShown = 0;

/** Each page says what it is and, after a change of page, takes the focus, as a page that was loaded would. */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${configuration().productName}`;
    const heading = document.querySelector<HTMLElement>('h1');
    heading?.setAttribute('tabindex', '-1');
    if (pagesShown > 0) heading?.focus({ preventScroll: true });
    pagesShown += 1;
  }, [title]);
}
