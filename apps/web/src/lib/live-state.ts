import { useSyncExternalStore } from 'react';

/** How often a query polls, ms; false for never. */
type Interval = number | false;

let isOpen = false;
const listeners = new Set<() => void>();

/** Whether this page hears changes now. */
export const isLive = (): boolean => isOpen;

/** For `openLiveUpdates`. */
export function setLive(open: boolean): void {
  if (isOpen === open) return;
  isOpen = open;
  for (const listener of [...listeners]) listener();
}

/** Calls `listener` when changes begin or cease to be heard. @returns what ends it */
export function subscribeToLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * For `refetchInterval`, as a function, of a query whose table announces its changes: it polls only while they are not heard.
 * @param ms how often then
 * @param whileLive how often all the same, for rows that also change by the clock
 */
export const livePolling = (ms: Interval, whileLive: Interval = false): Interval => (isOpen ? whileLive : ms);

/** As `livePolling`, for components: false while changes are heard. */
export function useLivePolling(ms: Interval, whileLive: Interval = false): Interval {
  return useSyncExternalStore(subscribeToLive, isLive) ? whileLive : ms;
}
