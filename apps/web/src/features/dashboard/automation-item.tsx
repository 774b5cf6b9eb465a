import type { AutomationRow, AutomationStatus } from '@decola/contracts';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { useUser } from '../../app/session';
import { Button } from '../../components/ui/button';
import { Badge, type Tone } from '../../components/ui/surface';
import { Switch } from '../../components/ui/switch';
import { classes } from '../../lib/classes';
import { fieldText } from '../../lib/forms';
import { formatCount, formatDateTime } from '../../lib/format';
import { type ExtractionRow, titleOf, useChangeAutomation } from './automations';

const statuses: Record<AutomationStatus, { label: string; tone: Tone }> = {
  draft: { label: 'Rascunho', tone: 'neutral' },
  waiting: { label: 'Ativo', tone: 'success' },
  running: { label: 'Executando agora', tone: 'brand' },
  paused: { label: 'Parado', tone: 'danger' },
  blocked: { label: 'Parado', tone: 'danger' },
  done: { label: 'Concluído', tone: 'success' },
};

interface AutomationItemProps {
  automation: AutomationRow;
  extraction: ExtractionRow | undefined;
  onDelete: () => void;
}

export function AutomationItem({ automation, extraction, onDelete }: AutomationItemProps) {
  const { id: userId } = useUser();
  const change = useChangeAutomation(userId);
  const [isRenaming, setRenaming] = useState(false);
  const status = statuses[automation.status];
  const isInactive = !automation.is_active && !automation.is_draft && automation.status !== 'done';

  const rename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = fieldText(new FormData(event.currentTarget), 'name').trim();
    if (name === '') {
      toast.error('Nome inválido', { description: 'O nome da automação não pode estar vazio.' });
      return;
    }
    setRenaming(false);
    if (name === automation.name) return;
    change.mutate(
      { id: automation.id, patch: { name } },
      { onSuccess: () => toast.success('Nome atualizado'), onError: () => toast.error('Erro ao renomear automação') },
    );
  };
  const toggle = (isOn: boolean) =>
    change.mutate(
      { id: automation.id, patch: { is_active: isOn } },
      {
        onSuccess: () => toast.success(isOn ? 'Automação ativada' : 'Automação desativada'),
        onError: (error) => toast.error('Erro ao atualizar automação', { description: error.message }),
      },
    );

  return (
    <li
      className={classes('grid grid-cols-1 gap-3 rounded-2xl border bg-surface p-4 sm:p-5', isInactive ? 'border-danger' : 'border-line')}
      data-testid={`automation-${automation.id}`}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          {isRenaming ? (
            <form onSubmit={rename}>
              <input
                name="name"
                aria-label="Nome da automação"
                defaultValue={automation.name}
                autoFocus
                className="h-11 w-full rounded-lg border border-line bg-surface px-3 font-semibold"
                onBlur={(event) => event.currentTarget.form?.requestSubmit()}
                onKeyDown={(event) => event.key === 'Escape' && setRenaming(false)}
              />
            </form>
          ) : (
            <button
              type="button"
              className="block max-w-full truncate text-left font-display text-lg font-semibold"
              onClick={() => setRenaming(true)}
              title="Renomear"
            >
              {automation.name}
            </button>
          )}
          <p className="text-sm text-muted">{titleOf(automation)}</p>
        </div>
        {isInactive && <Badge tone="danger">Inativo</Badge>}
        <Badge tone={status.tone}>{status.label}</Badge>
        {!automation.is_draft && (
          <Switch
            label={`Ligar ou desligar ${automation.name}`}
            isOn={automation.is_active}
            onChange={toggle}
            disabled={change.isPending}
          />
        )}
      </div>
      {automation.status_reason && (
        <p
          className={classes(
            'rounded-xl px-4 py-3 text-[15px]',
            automation.status === 'blocked' ? 'bg-danger-soft text-danger' : 'bg-sunken',
          )}
        >
          {automation.status_reason}
        </p>
      )}
      {extraction && <ExtractionProgress extraction={extraction} />}
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
        <div className="flex gap-1.5">
          <dt>Última execução:</dt>
          <dd className="text-ink">{formatDateTime(automation.last_run_at)}</dd>
        </div>
        {automation.is_active && automation.next_run_at && (
          <div className="flex gap-1.5">
            <dt>Próxima:</dt>
            <dd className="text-ink">{formatDateTime(automation.next_run_at)}</dd>
          </div>
        )}
        {automation.last_run && automation.last_run.tried > 0 && (
          <div className="flex gap-1.5">
            <dt>Na última:</dt>
            <dd className="text-ink">
              {automation.last_run.confirmed} de {automation.last_run.tried} confirmadas
            </dd>
          </div>
        )}
      </dl>
      <div className="flex flex-wrap gap-2">
        {extraction && <DownloadButton extraction={extraction} />}
        <Button asChild variant="outline" size="small">
          <Link to={`/automation/${automation.type}?edit=${automation.id}`}>
            <Pencil className="size-4" aria-hidden /> Editar
          </Link>
        </Button>
        <Button variant="quiet" size="small" onClick={onDelete}>
          <Trash2 className="size-4" aria-hidden /> Excluir
        </Button>
      </div>
    </li>
  );
}

function ExtractionProgress({ extraction }: { extraction: ExtractionRow }) {
  const { total_records: collected, profile_total: total, state, state_reason: reason } = extraction;
  const share = total ? Math.min(1, collected / total) : 0;
  return (
    <div className="grid gap-1.5">
      <p className="text-[15px]" data-testid="progress">
        obtidos <strong>{formatCount(collected)}</strong>
        {total !== null && <> de {formatCount(total)}</>}
        {state === 'running' && <span className="text-muted"> · coletando</span>}
      </p>
      {total !== null && state !== 'complete' && (
        <div
          className="h-2 overflow-hidden rounded-full bg-sunken"
          role="progressbar"
          aria-label="Pessoas coletadas"
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={collected}
        >
          <div className="h-full bg-brand transition-[width] duration-200" style={{ width: `${share * 100}%` }} />
        </div>
      )}
      {reason && <p className="text-sm text-muted">{reason}</p>}
    </div>
  );
}

function DownloadButton({ extraction }: { extraction: ExtractionRow }) {
  const download = () => {
    if (!extraction.csv_url) {
      toast.error(extraction.state === 'waiting' || extraction.state === 'running' ? 'Dados não disponíveis' : 'Nenhum dado encontrado', {
        description: extraction.state === 'waiting' || extraction.state === 'running' ? 'A extração ainda está em andamento.' : undefined,
      });
      return;
    }
    const link = document.createElement('a');
    link.href = extraction.csv_url;
    link.download = extraction.file_name;
    link.click();
    toast.success('Download iniciado', { description: `${formatCount(extraction.total_records)} registros` });
  };
  return (
    <Button variant="outline" size="small" onClick={download}>
      <Download className="size-4" aria-hidden /> Baixar CSV
    </Button>
  );
}
