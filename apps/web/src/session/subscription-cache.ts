const prefix = 'decola.subscription.';

/** The last known subscription of a person on this device, and when it was checked. */
export interface Remembered<State> {
  state: State;
  /** Milliseconds since 1970-01-01 (UTC). */
  checkedAt: number;
}

export function cacheSubscription<State>(userId: string, state: State): void {
  try {
    localStorage.setItem(prefix + userId, JSON.stringify({ state, checkedAt: Date.now() } satisfies Remembered<State>));
  } catch {
    // Storage is full or disabled: the next visit has no cached state.
  }
}

export function cachedSubscription<State>(userId: string): Remembered<State> | null {
  try {
    return JSON.parse(localStorage.getItem(prefix + userId) ?? 'null') as Remembered<State> | null;
  } catch {
    return null;
  }
}

export function clearCachedSubscriptions(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
}
