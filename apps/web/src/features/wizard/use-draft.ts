import { useEffect, useState } from 'react';

export type Configuration = Record<string, unknown>;

function kept(key: string): Configuration {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Configuration;
  } catch {
    return {};
  }
}

/**
 * Keeps a half-filled wizard in the tab's session storage, so that it survives a reload and an expired session. The pasted cookie is never
 * stored.
 */
export function useDraft(key: string, initial: Configuration) {
  const [configuration, setConfiguration] = useState<Configuration>(() => ({ ...initial, ...kept(key) }));
  // A restored draft counts as unsaved.
  const [isChanged, setChanged] = useState(() => Object.keys(kept(key)).length > 0);
  useEffect(() => {
    // Store changes only: an untouched copy would hide newer values of the server on the next visit.
    if (!isChanged) return;
    const { sessionCookie: _never, ...rest } = configuration;
    sessionStorage.setItem(key, JSON.stringify(rest));
  }, [key, configuration, isChanged]);
  const change = (patch: Configuration) => {
    setChanged(true);
    setConfiguration((before) => ({ ...before, ...patch }));
  };
  const forget = () => {
    setChanged(false);
    sessionStorage.removeItem(key);
  };
  return { configuration, change, forget, isChanged };
}
