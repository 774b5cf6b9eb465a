import { useQuery } from '@tanstack/react-query';
import { Rocket } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '../../app/session';
import { useSubscription, useUsedSlots } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Card, Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import { AutomationItem } from './automation-item';
import { dependentsOf, type ExtractionRow, extractionsQuery, type ListedAutomation, useAutomations } from './automations';
import { DeleteDialog } from './delete-dialog';
import { formatMoment } from './moments';

/** So many are drawn at first, and more at each wish: a thousand at once would freeze a phone. */
const pageSize = 30;

/** At a glance: how many work, how many stand still, and when the next one runs. */
export function glanceOf(list: readonly ListedAutomation[], now: Date = new Date()): string {
  const published = list.filter(({ isDraft, status }) => !isDraft && status !== 'done');
  const stopped = published.filter(({ isActive }) => !isActive).length;
  const next = published
    .flatMap(({ nextRunAt }) => nextRunAt ?? [])
    .filter((at) => new Date(at) > now)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
  const active = published.length - stopped;
  return [
    `${active} ${active === 1 ? 'ativa' : 'ativas'}`,
    stopped > 0 && `${stopped} ${stopped === 1 ? 'parada' : 'paradas'}`,
    next && `próxima execução ${formatMoment(next, now)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

export function AutomationList({ onMoreSlots }: { onMoreSlots: () => void }) {
  const { id: userId } = useUser();
  const { list, isError, retry } = useAutomations(userId);
  const extractions = useQuery(extractionsQuery(userId));
  const total = useSubscription().data?.max_slots ?? 0;
  const used = useUsedSlots();
  const [toDelete, setToDelete] = useState<ListedAutomation | null>(null);
  return (
    <section aria-labelledby="automations">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="mr-auto">
          <h2 id="automations" className="text-2xl">
            Suas automações
          </h2>
          {list && list.length > 0 && <p className="text-[15px] text-muted">{glanceOf(list)}</p>}
        </div>
        <div className="flex flex-wrap-reverse items-center gap-x-4">
          <Button variant="outline" onClick={onMoreSlots}>
            Adicionar mais slots
          </Button>
          {used >= total && (
            <Link to="/planos" className="inline-flex min-h-11 items-center font-semibold text-brand underline-offset-4 hover:underline">
              Upgrade Plano
            </Link>
          )}
        </div>
      </div>
      <div className="mt-4">
        {list ? (
          <Rows list={list} extractions={extractions.data ?? []} onDelete={setToDelete} />
        ) : isError ? (
          <Failure text="Não foi possível carregar suas automações." onRetry={() => void retry()} />
        ) : (
          <div role="status" aria-label="Carregando automações" className="grid gap-3">
            <Skeleton className="h-36" />
            <Skeleton className="h-36" />
          </div>
        )}
      </div>
      <DeleteDialog
        automation={toDelete}
        dependents={toDelete ? dependentsOf(toDelete, list ?? [], extractions.data ?? []) : []}
        onClose={() => setToDelete(null)}
      />
    </section>
  );
}

interface RowsProps {
  list: readonly ListedAutomation[];
  extractions: readonly ExtractionRow[];
  onDelete: (automation: ListedAutomation) => void;
}

function Rows({ list, extractions, onDelete }: RowsProps) {
  const [shown, setShown] = useState(pageSize);
  const extractionOf = new Map(extractions.toReversed().map((extraction) => [extraction.automation_id, extraction]));
  if (list.length === 0) {
    return (
      <Card className="grid justify-items-center gap-1 py-10 text-center">
        <span className="mb-2 grid size-14 place-content-center rounded-2xl bg-brand-soft text-brand">
          <Rocket className="size-7" aria-hidden />
        </span>
        <p className="font-display text-lg font-semibold">Nenhuma automação configurada</p>
        <p className="text-muted">Escolha uma ferramenta acima: são dois ou três passos curtos.</p>
      </Card>
    );
  }
  const hidden = list.length - shown;
  return (
    <>
      <ul className="grid grid-cols-1 gap-3">
        {list.slice(0, shown).map((automation) => (
          <AutomationItem
            key={automation.id}
            automation={automation}
            extraction={extractionOf.get(automation.id)}
            onDelete={() => onDelete(automation)}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="outline" className="mx-auto mt-4 flex" onClick={() => setShown(shown + pageSize)}>
          Mostrar mais ({formatCount(hidden)})
        </Button>
      )}
    </>
  );
}
