import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Badge } from '../../components/ui/surface';
import { client, unwrap } from '../../lib/api-client';
import { formatDateTime } from '../../lib/format';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { type SessionRow, sessionsQuery } from './account-queries';
import { deviceName, isPhone } from './device';
import { QueryContent } from './settings-section';
import { sessionsTexts as texts } from './texts';

const shownFirst = 5;

/** Lists the person's sessions; every session but the current one can be ended. */
export function SessionsCard({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const [isWhole, setWhole] = useState(false);
  const failure = useErrorToast();
  const sessions = useQuery(sessionsQuery(userId));
  const reload = () => queryClient.invalidateQueries({ queryKey: ['account', userId] });
  const end = useMutation({
    mutationFn: async (id: string) => {
      unwrap(await client().from('user_sessions').delete().eq('id', id).select('id'));
    },
    onSuccess: () => toast.success(texts.ended),
    onError: () => failure.show(texts.endFailed.title, { description: texts.endFailed.text }),
    onMutate: failure.clear,
    onSettled: reload,
  });
  const endOthers = useMutation({
    mutationFn: async () => {
      const { error } = await client().auth.signOut({ scope: 'others' });
      if (error) throw error;
    },
    onSuccess: () => toast.success(texts.othersEnded),
    onError: () => failure.show(texts.endOthersFailed.title, { description: texts.endOthersFailed.text }),
    onMutate: failure.clear,
    onSettled: reload,
  });
  return (
    <QueryContent query={sessions} failure={texts.loadFailed}>
      {(rows) => (
        <div className="grid gap-4">
          <ul className="divide-y divide-line" aria-label={texts.label}>
            {(isWhole ? rows : rows.slice(0, shownFirst)).map((row) => (
              <SessionItem key={row.id} row={row} isBusy={end.isPending && end.variables === row.id} onEnd={() => end.mutate(row.id)} />
            ))}
          </ul>
          {!isWhole && rows.length > shownFirst && (
            <Button variant="quiet" className="justify-self-start" onClick={() => setWhole(true)}>
              {texts.showAll(rows.length)}
            </Button>
          )}
          {rows.some(({ is_current: isCurrent }) => !isCurrent) ? (
            <Button variant="secondary" className="justify-self-start" isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
              {texts.endOthers}
            </Button>
          ) : (
            <p className="text-md text-muted">{texts.onlyHere}</p>
          )}
        </div>
      )}
    </QueryContent>
  );
}

function SessionItem({ row, isBusy, onEnd }: { row: SessionRow; isBusy: boolean; onEnd: () => void }) {
  const Icon = isPhone(row.user_agent) ? Smartphone : Monitor;
  const name = deviceName(row.user_agent);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 py-3 first:pt-0">
      <Icon className="size-5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          {name}
          {row.is_current && <Badge tone="success">{texts.current}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {texts.lastUsed} {formatDateTime(row.refreshed_at)}
          {row.ip && <span className="block break-all">IP {row.ip}</span>}
        </p>
      </div>
      {!row.is_current && (
        <Button variant="quiet" isBusy={isBusy} aria-label={texts.endNamed(name, formatDateTime(row.refreshed_at))} onClick={onEnd}>
          {texts.end}
        </Button>
      )}
    </li>
  );
}
