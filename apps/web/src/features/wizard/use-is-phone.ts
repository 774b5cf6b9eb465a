import { useSyncExternalStore } from 'react';

/** Below this width the cookie step refers to a computer, because browsers of phones do not show cookies. */
const phone = '(max-width: 767px)';

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(phone);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(phone).matches);
}
