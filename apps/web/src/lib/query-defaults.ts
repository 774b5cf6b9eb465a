import type { DefaultOptions } from '@tanstack/react-query';

/**
 * Offline, a request fails at once instead of waiting for the connection: a deletion that is sent an hour later could surprise a person who
 * has changed their mind, and pages would wait without end.
 */
export const queryDefaults = {
  // `networkMode: 'always'` disables this by default.
  queries: { networkMode: 'always', refetchOnReconnect: true },
  mutations: { networkMode: 'always' },
} as const satisfies DefaultOptions;
