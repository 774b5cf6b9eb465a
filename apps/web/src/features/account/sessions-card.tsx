import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { Badge } from '../../components/ui/surface';
import { formatDateTime } from '../../lib/format';
import { client, dataOf } from '../../lib/runtime';
import { type SessionRow, sessionsQuery } from './account';
import { deviceName, isPhone } from './device';
import { Loaded } from './settings';

const shownFirst = 5;

/** Where the person is signed in; any other session can be ended from here. */
export function SessionsCard({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const [isWhole, setWhole] = useState(false);
  const sessions = useQuery(sessionsQuery(userId));
  const reload = () => queryClient.invalidateQueries({ queryKey: ['account', userId] });
  const end = useMutation({
    mutationFn: async (id: string) => {
      dataOf(await client().from('user_sessions').delete().eq('id', id).select('id'));
    },
    onSuccess: () => toast.success('Sessão encerrada'),
    onError: () => toast.error('Erro ao encerrar sessão', { description: 'Tente novamente em alguns instantes.' }),
    onSettled: reload,
  });
  const endOthers = useMutation({
    mutationFn: async () => {
      const { error } = await client().auth.signOut({ scope: 'others' });
      if (error) throw error;
    },
    onSuccess: () => toast.success('Outras sessões encerradas'),
    onError: () => toast.error('Erro ao encerrar sessões', { description: 'Tente novamente em alguns instantes.' }),
    onSettled: reload,
  });
  return (
    <Loaded query={sessions} failure="Não foi possível carregar suas sessões.">
      {(rows) => (
        <div className="grid gap-4">
          <ul className="divide-y divide-line" aria-label="Sessões">
            {(isWhole ? rows : rows.slice(0, shownFirst)).map((row) => (
              <SessionItem key={row.id} row={row} isBusy={end.isPending && end.variables === row.id} onEnd={() => end.mutate(row.id)} />
            ))}
          </ul>
          {!isWhole && rows.length > shownFirst && (
            <Button variant="quiet" className="justify-self-start" onClick={() => setWhole(true)}>
              Mostrar todas ({rows.length})
            </Button>
          )}
          {rows.some(({ is_current: isCurrent }) => !isCurrent) ? (
            <Button variant="outline" className="justify-self-start" isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
              Encerrar todas as outras
            </Button>
          ) : (
            <p className="text-[15px] text-muted">Você só está conectado aqui.</p>
          )}
        </div>
      )}
    </Loaded>
  );
}

function SessionItem({ row, isBusy, onEnd }: { row: SessionRow; isBusy: boolean; onEnd: () => void }) {
  const Icon = isPhone(row.user_agent) ? Smartphone : Monitor;
  const name = deviceName(row.user_agent);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 py-3 first:pt-0">
      <Icon className="size-5 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {row.is_current && <Badge tone="success">Esta sessão</Badge>}
        </p>
        <p className="text-sm text-muted">
          Último uso: {formatDateTime(row.refreshed_at)}
          {row.ip && <span className="block break-all">IP {row.ip}</span>}
        </p>
      </div>
      {!row.is_current && (
        <Button
          variant="outline"
          isBusy={isBusy}
          aria-label={`Encerrar sessão: ${name}, ${formatDateTime(row.refreshed_at)}`}
          onClick={onEnd}
        >
          Encerrar
        </Button>
      )}
    </li>
  );
}
