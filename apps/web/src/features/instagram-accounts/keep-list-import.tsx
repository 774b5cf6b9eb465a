import { normaliseUsername, splitTargets } from '@decola/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { ChoiceField, FieldError } from '../../components/ui/field';
import { Failure, Skeleton } from '../../components/ui/surface';
import { client, unwrap } from '../../lib/api-client';
import { firstExtractorPath } from '../../lib/first-extractor';
import { classes } from '../../lib/classes';
import { formatCount, formatDate } from '../../lib/format';
import { livePolling } from '../../lib/live-state';
import { useUser } from '../../session/session';
import { type KeptAccount, keepListQuery } from './keep-list';
import { keepListImportTexts as texts } from './texts';

/** How often a list that is still being collected is asked for. */
const pollMs = 15_000;

interface FollowingList {
  id: string;
  state: 'waiting' | 'running' | 'complete' | 'ended_short' | 'expired';
  total_records: number;
  profile_total: number | null;
  created_at: string;
}

/**
 * The newest "following" list of the account itself, of each extractor. A list belongs to the target that its extractor names now: with another
 * target the extractor gets another list.
 * @param name `@name`
 */
async function loadOwnLists(userId: string, name: string): Promise<FollowingList[]> {
  const api = client();
  const [automations, lists] = await Promise.all([
    api
      .from('automations')
      .select('configuration')
      .eq('user_id', userId)
      .overrideTypes<{ configuration: Record<string, unknown> }[], { merge: false }>(),
    api
      .from('extracted_data')
      .select('id,state,total_records,profile_total,created_at')
      .eq('user_id', userId)
      .eq('data_type', 'following')
      .order('created_at', { ascending: false })
      .overrideTypes<FollowingList[], { merge: false }>(),
  ]);
  const own = new Set(
    unwrap(automations).flatMap(({ configuration }) => {
      const { targets, extractedDataId } = configuration;
      const [target = ''] = splitTargets(typeof targets === 'string' ? targets : '');
      return `@${normaliseUsername(target)}` === name ? [extractedDataId] : [];
    }),
  );
  return unwrap(lists).filter(({ id }) => own.has(id));
}

const isBeingCollected = ({ state }: FollowingList) => state === 'waiting' || state === 'running';
const isUsable = ({ state, total_records }: FollowingList) => (state === 'complete' || state === 'ended_short') && total_records > 0;

function described({ total_records: collected, profile_total: total, created_at: at }: FollowingList): string {
  return total !== null && collected < total
    ? texts.shortList(formatCount(collected), formatCount(total), formatDate(at))
    : texts.list(formatCount(collected), formatDate(at));
}

/** Adds everybody whom the account follows, as one of the customer's extractions found them, to the people whom it keeps. */
export function KeepListImport({ account: { id, name }, className }: { account: KeptAccount; className?: string }) {
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const titleId = useId();
  const errorId = useId();
  const [asked, setAsked] = useState('');
  const lists = useQuery({
    queryKey: ['own-following-lists', userId, name],
    queryFn: () => loadOwnLists(userId, name),
    meta: { tables: ['extracted_data', 'automations'] },
    refetchInterval: ({ state }) => livePolling(state.data?.some(isBeingCollected) ? pollMs : false),
  });
  const protect = useMutation({
    mutationFn: async (extractedDataId: string) =>
      unwrap(await client().rpc('import_keep_list', { p_account_id: id, p_extracted_data_id: extractedDataId })) as number,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keepListQuery(id).queryKey }),
  });
  if (lists.isPending) return <Skeleton className="h-28 rounded-control" />;
  if (lists.isLoadingError) return <Failure text={texts.loadFailed} onRetry={() => void lists.refetch()} />;
  const usable = lists.data.filter(isUsable);
  const collected = lists.data.find(isBeingCollected);
  const chosen = usable.find((list) => list.id === asked) ?? usable[0];
  return (
    <section aria-labelledby={titleId} className={classes('grid grid-cols-1 gap-3', className)}>
      <div>
        <h3 id={titleId} className="text-md font-semibold font-stretch-normal tracking-normal [overflow-wrap:anywhere]">
          {texts.title(name)}
        </h3>
        <p className="mt-1 text-sm text-muted [overflow-wrap:anywhere]">{texts.hint(name)}</p>
      </div>
      {usable.length > 1 && (
        <div className="-m-1 max-h-64 overflow-y-auto p-1">
          <ChoiceField
            legend={texts.legend}
            choices={usable.map((list) => ({ value: list.id, label: described(list) }))}
            value={chosen?.id ?? ''}
            onChange={(listId) => {
              setAsked(listId);
              protect.reset();
            }}
          />
        </div>
      )}
      {usable.length === 1 && chosen && <p className="text-md font-semibold">{described(chosen)}</p>}
      {collected && <p className="text-sm [overflow-wrap:anywhere]">{texts.collecting(name, formatCount(collected.total_records))}</p>}
      {!chosen && !collected && (
        <div className="text-sm">
          <p className="[overflow-wrap:anywhere]">{texts.empty.text(name)}</p>
          <Link to={firstExtractorPath} className="inline-flex min-h-11 items-center link">
            {texts.empty.create}
          </Link>
        </div>
      )}
      {chosen && (
        <Button
          variant="secondary"
          className="justify-self-start py-2 leading-tight whitespace-normal"
          isBusy={protect.isPending}
          aria-describedby={protect.isError ? errorId : undefined}
          onClick={() => protect.mutate(chosen.id)}
        >
          {texts.button}
        </Button>
      )}
      <p role="status" className="text-sm font-medium empty:hidden">
        {protect.isPending ? texts.working : protect.isSuccess ? texts.done(formatCount(protect.data)) : null}
      </p>
      {protect.isError && <FieldError id={errorId}>{protect.error.message || texts.failed}</FieldError>}
    </section>
  );
}
