import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ListedAutomation } from './automations';
import { type ListState, listStates, matcherOf, viewOf } from './list-view';
import { listParameters as parameters } from './texts';

/** The address follows the search when the customer stops typing. */
const addressAfterMs = 300;

/**
 * Search, state and page of the list. They are part of the URL, so that a reload and the browser's back button keep them.
 * @param textOf everything that the search looks at in an automation; a new function makes the search index anew
 */
export function useListView(list: readonly ListedAutomation[], textOf: (automation: ListedAutomation) => string) {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get(parameters.search) ?? '';
  const [search, setSearch] = useState(inAddress);
  const [seen, setSeen] = useState({ inAddress, written: inAddress });
  if (inAddress !== seen.inAddress) {
    setSeen({ ...seen, inAddress });
    // Somebody else changed the address, such as a link to the dashboard.
    if (inAddress !== seen.written) setSearch(inAddress);
  }
  const state = listStates.find((each) => parameters.states[each] === params.get(parameters.state)) ?? null;

  const change = (patch: Record<string, string | null>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(patch)) {
          if (value === null) before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  const typed = search.trim();
  const writeAddress = useEffectEvent(() => {
    setSeen({ inAddress, written: typed });
    change({ [parameters.search]: typed || null, [parameters.page]: null });
  });
  const isAhead = typed !== inAddress;
  useEffect(() => {
    if (!isAhead) return;
    const timer = setTimeout(() => writeAddress(), addressAfterMs);
    return () => clearTimeout(timer);
  }, [typed, isAhead]);

  // What is typed begins at the first page, before the address says so.
  const page = isAhead ? 1 : Number(params.get(parameters.page) ?? 1) || 1;
  const searched = useDeferredValue(search);
  const matches = useMemo(() => matcherOf(textOf), [textOf]);
  const view = useMemo(() => viewOf(list, matches, { search: searched, state, page }), [list, matches, searched, state, page]);
  return {
    ...view,
    search,
    setSearch,
    state,
    setState: (next: ListState | null) =>
      change({ [parameters.state]: next === null ? null : parameters.states[next], [parameters.page]: null }),
    setPage: (next: number) => change({ [parameters.page]: next === 1 ? null : String(next) }),
    /** Shows everything again. */
    clear: () => {
      setSearch('');
      setSeen({ inAddress, written: '' });
      change({ [parameters.search]: null, [parameters.state]: null, [parameters.page]: null });
    },
  };
}
