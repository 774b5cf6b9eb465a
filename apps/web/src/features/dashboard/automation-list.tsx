import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Failure, Skeleton } from '../../components/ui/surface';
import { formatRelativeTime } from '../../lib/relative-time';
import { useUser } from '../../session/session';
import { useSubscription, useUsedSlots } from '../../session/subscription';
import { type InstagramAccount, instagramAccountsQuery } from '../instagram-accounts/stopped-accounts';
import { AutomationItem } from './automation-item';
import {
  dependentsOf,
  type ExtractionRow,
  extractionsQuery,
  type ListedAutomation,
  listNamer,
  listsOf,
  titleOf,
  type useAutomations,
} from './automations';
import { DeleteDialog } from './delete-dialog';
import { FirstSteps } from './first-steps';
import { ListBar, NothingFound, Pages } from './list-bar';
import { fewAutomations, listStateOf } from './list-view';
import { automationListTexts as texts } from './texts';
import { useListView } from './use-list-view';
import { useNow } from './use-now';
import { whatItDoes } from './what-it-does';

const noExtractions: readonly ExtractionRow[] = [];
const noAutomations: readonly ListedAutomation[] = [];

/** One line of numbers: how many automations are active, how many are stopped, and when the next one runs. */
export function overviewOf(list: readonly ListedAutomation[], now: Date = new Date()): string {
  const active = list.filter((each) => listStateOf(each) === 'active');
  const stopped = list.filter((each) => listStateOf(each) === 'stopped').length;
  const times = active.flatMap(({ nextRunAt }) => (nextRunAt === null ? [] : Date.parse(nextRunAt))).filter((at) => at > now.getTime());
  const next = times.length > 0 && new Date(Math.min(...times)).toISOString();
  return [texts.active(active.length), stopped > 0 && texts.stopped(stopped), next && texts.nextRun(formatRelativeTime(next, now))]
    .filter(Boolean)
    .join(' · ');
}

interface AutomationListProps {
  automations: ReturnType<typeof useAutomations>;
  onMoreSlots: () => void;
}

export function AutomationList({ automations: { list, isError, retry }, onMoreSlots }: AutomationListProps) {
  const { id: userId } = useUser();
  const extractions = useQuery(extractionsQuery(userId)).data ?? noExtractions;
  const total = useSubscription().data?.max_slots ?? 0;
  const used = useUsedSlots();
  const [toDelete, setToDelete] = useState<ListedAutomation | null>(null);
  const nameOfList = useMemo(() => listNamer(list ?? noAutomations, extractions), [list, extractions]);
  const dependents = toDelete ? dependentsOf(toDelete, list ?? noAutomations, extractions) : [];
  const title = useRef<HTMLHeadingElement>(null);
  const showFromTop = useCallback(() => {
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView?.({ block: 'start' });
  }, []);
  return (
    <section aria-labelledby="automations">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="mr-auto">
          <h2 id="automations" ref={title} tabIndex={-1} className="scroll-mt-24 text-xl">
            {texts.title}
          </h2>
          {list && list.length > 0 && <p className="mt-0.5 text-md text-muted">{overviewOf(list)}</p>}
        </div>
        <div className="flex flex-wrap-reverse items-center gap-x-4">
          <Button variant="secondary" onClick={onMoreSlots}>
            {texts.moreSlots}
          </Button>
          {used >= total && (
            <Link to="/planos" className="link inline-flex min-h-11 items-center">
              {texts.upgradePlan}
            </Link>
          )}
        </div>
      </div>
      <div className="mt-4">
        {list ? (
          <Rows list={list} extractions={extractions} nameOfList={nameOfList} onDelete={setToDelete} onPage={showFromTop} />
        ) : isError ? (
          <Failure text={texts.loadFailed} onRetry={() => void retry()} />
        ) : (
          <div role="status" aria-label={texts.loading} className="grid gap-3">
            <Skeleton className="h-26 rounded-panel" />
            <Skeleton className="h-26 rounded-panel" />
          </div>
        )}
      </div>
      <DeleteDialog
        automation={toDelete}
        what={toDelete ? whatItDoes(toDelete, nameOfList) : []}
        lists={toDelete ? listsOf(toDelete.id, extractions).withPeople : []}
        dependents={dependents.map((each) => ({ id: each.id, name: each.name, what: whatItDoes(each, nameOfList) }))}
        onClose={() => setToDelete(null)}
      />
    </section>
  );
}

interface RowsProps {
  list: readonly ListedAutomation[];
  extractions: readonly ExtractionRow[];
  nameOfList: (id: string) => string | undefined;
  onDelete: (automation: ListedAutomation) => void;
  /** Called when another page of the list is shown. */
  onPage: () => void;
}

const noAccounts: readonly InstagramAccount[] = [];

/** Rendered again only for what it shows: a dialog over it, or another part of the page, leaves it alone. */
const Rows = memo(function Rows({ list, extractions, nameOfList, onDelete, onPage }: RowsProps) {
  const { id: userId } = useUser();
  const accounts = useQuery(instagramAccountsQuery(userId)).data ?? noAccounts;
  const accountOf = useMemo(() => new Map(accounts.map((account) => [account.id, account])), [accounts]);
  const textOf = useCallback(
    (automation: ListedAutomation) =>
      [
        automation.name,
        titleOf(automation),
        ...whatItDoes(automation, nameOfList),
        accountOf.get(automation.accountId ?? '')?.username ?? automation.sessionAccount ?? '',
      ].join(' '),
    [nameOfList, accountOf],
  );
  const view = useListView(list, textOf);
  const now = useNow();
  // The same elements while somebody types in the search: React then renders the cards once, with the result.
  const cards = useMemo(
    () =>
      view.rows.map((automation) => (
        <AutomationItem
          key={automation.id}
          automation={automation}
          lists={listsOf(automation.id, extractions)}
          account={accountOf.get(automation.accountId ?? '')}
          what={whatItDoes(automation, nameOfList)}
          now={now}
          onDelete={() => onDelete(automation)}
        />
      )),
    [view.rows, extractions, accountOf, nameOfList, now, onDelete],
  );
  if (list.length === 0) return <FirstSteps />;
  // What narrows the list down stays within reach, also when deletions made it short.
  const isLong = list.length > fewAutomations || view.search !== '' || view.state !== null;
  return (
    <>
      {isLong && <ListBar view={view} />}
      {view.rows.length === 0 && <NothingFound onClear={view.clear} />}
      <ul className="grid grid-cols-1 gap-3">{cards}</ul>
      <Pages
        view={view}
        onPage={(page) => {
          view.setPage(page);
          onPage();
        }}
      />
    </>
  );
});
