import { useEffect, useState } from 'react';

/** Calls things later, unless the component has unmounted by then. */
export function useTimers() {
  const [timers] = useState(() => {
    const running = new Set<ReturnType<typeof setTimeout>>();
    return {
      later: (what: () => void, ms: number) => void running.add(setTimeout(what, ms)),
      clear: () => running.forEach((timer) => clearTimeout(timer)),
    };
  });
  useEffect(() => timers.clear, [timers]);
  return timers.later;
}
