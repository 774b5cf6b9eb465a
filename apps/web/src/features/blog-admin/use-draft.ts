import { useState } from 'react';

/**
 * What is being typed, kept for this browser tab: over a change of the panel's tabs, and when the page is loaded again. Signing out deletes it, as all drafts.
 * @param initial what stands there at first, and again after `forget`
 * @returns the value, its setter, `forget`
 */
export function useDraft<Value>(name: string, initial: () => Value) {
  const key = `decola.blog-${name}`;
  const [value, setValue] = useState<Value>(() => {
    try {
      const stored = sessionStorage.getItem(key);
      // A draft of an older version may lack fields.
      return stored === null ? initial() : { ...initial(), ...(JSON.parse(stored) as Value) };
    } catch {
      return initial();
    }
  });
  const set = (next: Value) => {
    setValue(next);
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Storage is full or disabled: the draft lasts as long as its form is shown.
    }
  };
  const forget = () => {
    setValue(initial());
    sessionStorage.removeItem(key);
  };
  return [value, set, forget] as const;
}
