/** The key's name is older than the report's; another one would send the report once more from every browser. */
const key = 'decola.place';

/** What this device reported to the server last; null when it reported nothing or storage is disabled. */
export function lastReportedLocale(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function setReportedLocale(report: string): void {
  try {
    localStorage.setItem(key, report);
  } catch {
    // Storage is full or disabled: the next visit compares again.
  }
}

export function clearReportedLocale(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is disabled: nothing is stored.
  }
}
