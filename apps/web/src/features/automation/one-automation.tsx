import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Failure, Skeleton } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { useUser } from '../../session/session';
import {
  dependentsOf,
  extractionsQuery,
  type ListedAutomation,
  listNamer,
  type Lists,
  listsOf,
  useAutomations,
} from '../dashboard/automations';
import { DeleteDialog } from '../dashboard/delete-dialog';
import { whatItDoes } from '../dashboard/what-it-does';
import { pageTexts as texts } from './texts';

export interface OneAutomationProps {
  automation: ListedAutomation;
  lists: Lists;
  /** What it does, as `whatItDoes` returns it. */
  what: readonly string[];
  onDelete: () => void;
}

/** The automation whose id is in the address, for a page about it: finds it, says when it is loading or unknown, and deletes it. */
export function OneAutomation({ children }: { children: (props: OneAutomationProps) => ReactNode }) {
  const { automationId = '' } = useParams();
  const { id: userId } = useUser();
  const { list, isError, retry } = useAutomations(userId);
  const extractions = useQuery(extractionsQuery(userId)).data ?? [];
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [toDelete, setToDelete] = useState<ListedAutomation | null>(null);
  const found = list?.find(({ id }) => id === automationId);
  // While its deletion is confirmed and told, the page stays as it was.
  const automation = found ?? (toDelete?.id === automationId ? toDelete : undefined);
  const nameOfList = listNamer(list ?? [], extractions);
  const dependents = toDelete ? dependentsOf(toDelete, list ?? [], extractions) : [];
  const closeDialog = () => {
    setToDelete(null);
    // Asked now: this function is older than the deletion that it follows.
    const rows = toDelete && queryClient.getQueryData<{ id: string }[]>([toDelete.table, userId]);
    if (rows && !rows.some(({ id }) => id === toDelete.id)) void navigate('/adm', { replace: true });
  };
  if (!list) return isError ? <Failure text={texts.loadFailed} onRetry={() => void retry()} /> : <PageSkeleton />;
  return (
    <>
      {automation ? (
        <Fragment key={automation.id}>
          {children({
            automation,
            lists: listsOf(automation.id, extractions),
            what: whatItDoes(automation, nameOfList),
            onDelete: () => setToDelete(automation),
          })}
        </Fragment>
      ) : (
        <Unknown />
      )}
      <DeleteDialog
        automation={toDelete}
        what={toDelete ? whatItDoes(toDelete, nameOfList) : []}
        lists={toDelete ? listsOf(toDelete.id, extractions).withPeople : []}
        dependents={dependents.map((each) => ({ id: each.id, name: each.name, what: whatItDoes(each, nameOfList) }))}
        onClose={closeDialog}
      />
    </>
  );
}

/** The automation was deleted, or the address is of nobody's or of somebody else's: the answer is the same. */
function Unknown() {
  usePageTitle(texts.unknown.title);
  return (
    <div className="grid min-h-[50vh] content-center justify-items-center gap-3 px-4 py-12 text-center">
      <b aria-hidden className="display text-[clamp(4rem,20vw,8rem)] leading-[0.9] font-[680] tracking-[-0.05em]">
        404
      </b>
      <h1 className="text-xl outline-none">{texts.unknown.title}</h1>
      <p className="max-w-[34em] text-muted">{texts.unknown.text}</p>
      <Button asChild size="large" className="mt-2">
        <Link to="/adm">{texts.unknown.back}</Link>
      </Button>
    </div>
  );
}

function PageSkeleton() {
  return (
    <div role="status" aria-label={texts.loading} className="grid gap-5 lg:gap-7">
      <div className="flex items-center gap-4">
        <Skeleton className="size-18 rounded-full lg:size-22" />
        <div className="grid flex-1 gap-2">
          <Skeleton className="h-5 w-24" />
          <Skeleton className="h-8 w-full max-w-96" />
          <Skeleton className="h-5 w-full max-w-64" />
        </div>
      </div>
      <Skeleton className="h-64 rounded-panel" />
      <Skeleton className="h-96 rounded-panel" />
    </div>
  );
}
