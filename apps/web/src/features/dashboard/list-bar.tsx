import { Button } from '../../components/ui/button';
import { FilterButtons, FilterCount, SearchInput } from '../../components/ui/filter-bar';
import { formatCount } from '../../lib/format';
import { listStates, type ListView, pageSize } from './list-view';
import { listBarTexts as texts } from './texts';
import type { useListView } from './use-list-view';

type View = ReturnType<typeof useListView>;

/** Search and states of a long list, each with the number of automations that match. */
export function ListBar({ view }: { view: View }) {
  const filters = [null, ...listStates] as const;
  return (
    <div className="mb-4 grid grid-cols-1 gap-2 lg:grid-cols-[auto_minmax(12rem,18rem)] lg:items-center lg:justify-between lg:gap-4">
      <FilterButtons
        label={texts.states}
        filters={filters.map((each) => ({
          value: each,
          content: (
            <>
              {texts.filters[each ?? 'all']} <FilterCount>{formatCount(view.counts[each ?? 'all'])}</FilterCount>
            </>
          ),
        }))}
        chosen={view.state}
        onChoose={view.setState}
        className="-mx-4 px-4 py-1 lg:mx-0 lg:px-0"
      />
      <SearchInput label={texts.search} value={view.search} onChange={view.setSearch} className="lg:order-last" />
      <p role="status" className="sr-only">
        {texts.found(formatCount(view.found.length))}
      </p>
    </div>
  );
}

/** Shown when nothing matches the search. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className="rounded-panel p-5 inset-ring-[1.5px] inset-ring-line sm:p-6">
      <p className="display text-lg">{texts.nothing.title}</p>
      <p className="mt-1 text-md text-muted">{texts.nothing.text}</p>
      <Button variant="secondary" className="mt-4" onClick={onClear}>
        {texts.nothing.clear}
      </Button>
    </div>
  );
}

interface PagesProps {
  view: Pick<ListView, 'page' | 'pages' | 'found'>;
  onPage: (page: number) => void;
}

/** Leads to the other pages of a long list. */
export function Pages({ view: { page, pages, found }, onPage }: PagesProps) {
  if (pages === 1) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, found.length);
  return (
    <nav aria-label={texts.pages} className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-muted">{texts.range(formatCount(first), formatCount(last), formatCount(found.length))}</p>
      <div className="flex gap-2">
        <Button variant="secondary" disabled={page === 1} onClick={() => onPage(page - 1)}>
          {texts.previous}
        </Button>
        <Button variant="secondary" disabled={page === pages} onClick={() => onPage(page + 1)}>
          {texts.next}
        </Button>
      </div>
    </nav>
  );
}
