import type { DefaultOptions } from '@tanstack/react-query';

/**
 * Without a connection a request fails, and says so at once. Kept back until the connection returns, a deletion would be carried out
 * behind the back of somebody who has long thought better of it, and whatever waits for an answer would wait for ever.
 */
export const queryDefaults = {
  // What is shown is read again when the connection returns, which this mode alone would not do.
  queries: { networkMode: 'always', refetchOnReconnect: true },
  mutations: { networkMode: 'always' },
} as const satisfies DefaultOptions;
