import { useEffect, useState } from 'react';

export type Configuration = Record<string, unknown>;

function kept(key: string): Configuration {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Configuration;
  } catch {
    return {};
  }
}

/** A half-filled wizard survives a reload and a lost session, for this person in this tab; the pasted cookie never does. */
export function useDraft(key: string, initial: Configuration) {
  const [configuration, setConfiguration] = useState<Configuration>(() => ({ ...initial, ...kept(key) }));
  // What was kept before a reload is unsaved still.
  const [isChanged, setChanged] = useState(() => Object.keys(kept(key)).length > 0);
  useEffect(() => {
    // Kept only once something was filled in: an untouched copy would hide what the server knows better the next time.
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
