/** Who takes part in a wheel from this browser, and the key that makes a repeated spin meet the prize that was drawn. */
export interface KeptVisit {
  /** With `@`, lower-case. */
  handle: string;
  /** 32 lower-case hexadecimal characters. */
  spinKey: string;
}

const nameOf = (automationId: string) => `decola-wheel:${automationId}`;

/** @returns null when nothing is kept, and where storage is blocked, as it may be in a frame */
export function readKeptVisit(automationId: string): KeptVisit | null {
  try {
    const { handle, spinKey } = JSON.parse(localStorage.getItem(nameOf(automationId)) ?? '{}') as Partial<KeptVisit>;
    return typeof handle === 'string' && typeof spinKey === 'string' && /^[0-9a-f]{32}$/.test(spinKey) ? { handle, spinKey } : null;
  } catch {
    return null;
  }
}

export function keepVisit(automationId: string, visit: KeptVisit): void {
  try {
    localStorage.setItem(nameOf(automationId), JSON.stringify(visit));
  } catch {
    // Then a reload in the middle of a spin shows the form again, and the same handle its prize without the code.
  }
}

export function forgetVisit(automationId: string): void {
  try {
    localStorage.removeItem(nameOf(automationId));
  } catch {
    // Nothing was kept.
  }
}

export const newSpinKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
