import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

/** The server is asked when the customer stops typing. */
const searchAfterMs = 350;

/**
 * The filter of a list with its search. It is part of the address, so that a reload and the browser's back button keep it.
 * @param searchParameter parameter of the address
 * @param searchIn what is searched for of what somebody typed or pasted
 */
export function useAddressFilter(searchParameter: string, searchIn: (typed: string) => string) {
  const [params, setParams] = useSearchParams();
  const search = searchIn(params.get(searchParameter) ?? '');
  const [typed, setTyped] = useState(search);
  /** Sets parameters; an empty value removes one. */
  const change = (patch: Readonly<Record<string, string>>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(patch)) {
          if (value === '') before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  const wanted = searchIn(typed);
  useEffect(() => {
    if (wanted === search) return;
    const timer = setTimeout(() => change({ [searchParameter]: wanted }), searchAfterMs);
    return () => clearTimeout(timer);
    // `change` is a new function in every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [wanted, search]);
  return { params, change, search, typed, setTyped };
}
