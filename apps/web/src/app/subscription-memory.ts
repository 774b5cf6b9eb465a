const prefix = 'decola.subscription.';

/** What this device last heard of a person's subscription, and when. */
export interface Remembered<State> {
  state: State;
  /** Milliseconds since 1970. */
  checkedAt: number;
}

export function rememberSubscription<State>(userId: string, state: State): void {
  try {
    localStorage.setItem(prefix + userId, JSON.stringify({ state, checkedAt: Date.now() } satisfies Remembered<State>));
  } catch {
    // A full or forbidden storage: the state is asked for again the next time.
  }
}

export function rememberedSubscription<State>(userId: string): Remembered<State> | null {
  try {
    return JSON.parse(localStorage.getItem(prefix + userId) ?? 'null') as Remembered<State> | null;
  } catch {
    return null;
  }
}

export function forgetSubscriptions(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
}
