import { useState } from 'react';

/**
 * A page whose address ends with the code of a prize. `attempt` grows with every code and every new try: as the `key` of what loads the page, it begins
 * anew.
 * @param folder `/comprovante`
 */
export function useCodePage(first: string, folder: string) {
  const [{ code, attempt }, setPage] = useState({ code: first, attempt: 0 });
  const open = (next: string) => {
    // The address that led nowhere is not worth going back to.
    window.history.replaceState(null, '', `${folder}/${next}`);
    setPage({ code: next, attempt: attempt + 1 });
  };
  const retry = () => setPage({ code, attempt: attempt + 1 });
  return { code, attempt, open, retry };
}
