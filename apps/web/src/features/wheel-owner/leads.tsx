import { formatPrizeCode, type PrizeState } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, X } from 'lucide-react';
import { type RefObject, useId, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { FilterButtons, FilterCount, SearchInput } from '../../components/ui/filter-bar';
import { Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import type { ListedAutomation, Lists } from '../dashboard/automations';
import { DownloadButtons } from '../dashboard/download-buttons';
import { useNow } from '../dashboard/use-now';
import { LeadHead, LeadLine } from './lead-line';
import { leadCountsQuery, leadPageQuery, leadsPerPage, leadStates } from './lead-queries';
import { leadTexts as texts } from './texts';
import type { useLeadFilter } from './use-lead-filter';

interface LeadsProps {
  userId: string;
  automation: ListedAutomation;
  lists: Lists;
  /** Names of the prizes, for the filter. */
  prizes: readonly string[];
  filters: ReturnType<typeof useLeadFilter>;
  /** Number of leads of the wheel. */
  total: number;
  onCheck: (code: string) => void;
}

/** Everybody who spun the wheel, newest first: search, filters, files, pages. */
export function Leads({ userId, automation, lists, prizes, filters, total, onCheck }: LeadsProps) {
  const title = useId();
  const searchField = useRef<HTMLInputElement>(null);
  const { filter } = filters;
  const counts = useQuery(leadCountsQuery(userId, automation.id, filter)).data;
  return (
    <section aria-labelledby={title}>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id={title} className="text-xl">
            {texts.title}
          </h2>
          <p className="mt-0.5 text-md text-muted">{texts.lead(total)}</p>
        </div>
        <DownloadButtons automation={automation} lists={lists} />
      </div>
      <div className="lit mt-4 overflow-clip rounded-panel shadow-2">
        <LeadBar filters={filters} counts={counts} prizes={prizes} searchField={searchField} />
        {/* Another filter begins with its first page. */}
        <LeadPages
          key={JSON.stringify(filter)}
          userId={userId}
          automationId={automation.id}
          filters={filters}
          count={counts?.[filter.state ?? 'all']}
          searchField={searchField}
          onCheck={onCheck}
        />
      </div>
    </section>
  );
}

type Counts = Record<PrizeState | 'all', number>;

interface LeadBarProps extends Pick<LeadsProps, 'filters' | 'prizes'> {
  counts: Counts | undefined;
  searchField: RefObject<HTMLInputElement | null>;
}

/** Filters with their counts, prize and search in one bar. States that no lead has are left out. */
function LeadBar({ filters: { filter, typed, setTyped, setState, setPrize, setNumbers }, counts, prizes, searchField }: LeadBarProps) {
  const groups = [null, ...leadStates].filter(
    (state) => state === null || state === 'won' || state === 'delivered' || state === filter.state || (counts?.[state] ?? 0) > 0,
  );
  // A prize of the address may have been renamed since.
  const names = filter.prize === '' || prizes.includes(filter.prize) ? prizes : [...prizes, filter.prize];
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line p-4 md:px-5">
      <FilterButtons
        label={texts.states}
        filters={groups.map((state) => ({
          value: state,
          content: (
            <>
              {state === null ? texts.all : texts.groups[state]}
              <FilterCount>{counts ? formatCount(counts[state ?? 'all']) : '…'}</FilterCount>
            </>
          ),
        }))}
        chosen={filter.state}
        onChoose={setState}
        className="-mx-1 max-w-full p-1 max-[56.1875rem]:w-[calc(100%+0.5rem)]"
      />
      {names.length > 1 && (
        <span className="relative block min-w-40 flex-1 min-[56.25rem]:ml-auto min-[56.25rem]:max-w-56">
          <select
            aria-label={texts.prize}
            value={filter.prize}
            onChange={(event) => setPrize(event.target.value)}
            className="min-h-12 w-full appearance-none truncate rounded-control bg-surface pr-11 pl-3.5 text-ink inset-ring inset-ring-edge transition-shadow duration-150 hover:inset-ring-ink focus-visible:inset-ring-ink"
          >
            <option value="">{texts.allPrizes}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <ChevronDown className="pointer-events-none absolute inset-y-0 right-3.5 my-auto size-5 text-muted" aria-hidden />
        </span>
      )}
      <SearchInput
        ref={searchField}
        label={texts.search}
        placeholder={texts.searchHint}
        value={typed}
        onChange={setTyped}
        className="min-w-52 flex-1 min-[56.25rem]:max-w-72"
      />
      {filter.numbers !== null && (
        <Button variant="soft" size="small" className="hover:text-ink" onClick={() => setNumbers(null)}>
          {texts.network(filter.numbers.length)} <X className="size-4" aria-hidden />
          <span className="sr-only">{texts.nothingFound.clear}</span>
        </Button>
      )}
    </div>
  );
}

interface LeadPagesProps extends Pick<LeadsProps, 'userId' | 'filters' | 'onCheck'> {
  automationId: string;
  /** How many leads match; undefined while unknown. */
  count: number | undefined;
  searchField: RefObject<HTMLInputElement | null>;
}

function LeadPages({ userId, automationId, filters, count, searchField, onCheck }: LeadPagesProps) {
  const now = useNow(60_000);
  /** The last lead of each page before this one. */
  const [before, setBefore] = useState<readonly number[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const page = useQuery(leadPageQuery(userId, automationId, filters.filter, before.at(-1) ?? null));
  const { data: leads, isError, isPlaceholderData } = page;
  const go = (next: readonly number[]) => {
    setBefore(next);
    list.current?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: 'start' });
  };
  if (!leads)
    return isError ? (
      <div className="p-4">
        <Failure text={texts.failed} onRetry={() => void page.refetch()} />
      </div>
    ) : (
      <LeadsSkeleton />
    );
  if (leads.length === 0 && before.length === 0)
    return (
      <NothingFound
        onClear={() => {
          filters.clear();
          // The button disappears, and the focus with it.
          searchField.current?.focus();
        }}
      />
    );
  const first = before.length * leadsPerPage + 1;
  const last = first + leads.length - 1;
  const end = leads.at(-1)?.number;
  const hasNext = leads.length === leadsPerPage && (count === undefined || count > last) && end !== undefined;
  return (
    <>
      <LeadHead />
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={texts.title}
        aria-busy={isPlaceholderData}
        className="scroll-mt-20 divide-y divide-line outline-none aria-busy:opacity-60"
      >
        {leads.map((lead) => (
          <LeadLine key={lead.id} lead={lead} now={now} onCheck={() => onCheck(formatPrizeCode(lead.code))} />
        ))}
      </ul>
      <nav
        aria-label={texts.pages}
        className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-sm text-muted md:px-5"
      >
        <p>{texts.range(first, last, Math.max(count ?? 0, last))}</p>
        <span className="flex gap-1">
          {before.length > 0 && (
            <Button variant="quiet" onClick={() => go(before.slice(0, -1))}>
              {texts.previous}
            </Button>
          )}
          {hasNext && (
            <Button variant="quiet" disabled={isPlaceholderData} onClick={() => go([...before, end])}>
              {texts.next}
            </Button>
          )}
        </span>
      </nav>
    </>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className="grid justify-items-center gap-2 px-5 py-14 text-center">
      <h3 className="text-lg">{texts.nothingFound.title}</h3>
      <p className="max-w-[34em] text-muted">{texts.nothingFound.text}</p>
      <Button variant="secondary" className="mt-3" onClick={onClear}>
        {texts.nothingFound.clear}
      </Button>
    </div>
  );
}

export function LeadsSkeleton() {
  return (
    <div role="status" aria-label={texts.loading} className="grid gap-3 p-4 md:px-6">
      {Array.from({ length: 5 }, (_, index) => (
        <Skeleton key={index} className="h-11" />
      ))}
    </div>
  );
}
