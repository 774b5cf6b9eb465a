import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { useUser } from '../../app/session';
import { Button } from '../../components/ui/button';
import { Switch } from '../../components/ui/switch';
import { AutomationCard, Collected, Facts } from './automation-card';
import { blogNamePrefix, type ExtractionRow, extractorTypes, type ListedAutomation, titleOf, useChangeAutomation } from './automations';
import { DownloadButton } from './download-button';
import { formatMoment } from './moments';
import { RenameField } from './rename-field';
import { ToolIcon } from './tool-icons';

interface AutomationItemProps {
  automation: ListedAutomation;
  extraction: ExtractionRow | undefined;
  onDelete: () => void;
}

const lastOutcome = ({ lastRun }: ListedAutomation) =>
  lastRun && lastRun.tried > 0 ? `${lastRun.confirmed} de ${lastRun.tried} confirmadas` : null;

export function AutomationItem({ automation, extraction, onDelete }: AutomationItemProps) {
  const { id, table, type, isDraft, isActive, status } = automation;
  const { id: userId } = useUser();
  const change = useChangeAutomation(userId);
  const [isRenaming, setRenaming] = useState(false);

  const rename = (typed: string) => {
    setRenaming(false);
    const next = table === 'blog_automations' && typed.startsWith(blogNamePrefix) ? typed.slice(blogNamePrefix.length).trim() : typed;
    if (next === '' || next === automation.editableName) return;
    change.mutate(
      { table, id, patch: table === 'blog_automations' ? { keyword: next } : { name: next } },
      {
        onSuccess: () => toast.success('Nome atualizado'),
        onError: (error) => toast.error('Erro ao renomear automação', { description: error.message || undefined }),
      },
    );
  };
  const toggle = (isOn: boolean) =>
    change.mutate(
      { table, id, patch: { is_active: isOn } },
      {
        onSuccess: () => toast.success(isOn ? 'Automação ativada' : 'Automação desativada'),
        onError: (error) => toast.error('Erro ao atualizar automação', { description: error.message || undefined }),
      },
    );

  return (
    <li data-testid={`automation-${id}`}>
      <AutomationCard
        icon={<ToolIcon type={type} />}
        title={
          isRenaming ? (
            <RenameField name={automation.editableName} onRename={rename} onCancel={() => setRenaming(false)} />
          ) : (
            <button
              type="button"
              className="-my-2 flex min-h-11 max-w-full items-center py-2 text-left font-display text-lg leading-snug font-semibold hover:underline"
              onClick={() => setRenaming(true)}
              title="Renomear"
            >
              <span className="line-clamp-2 wrap-anywhere">{automation.name}</span>
            </button>
          )
        }
        subtitle={titleOf(automation)}
        status={status}
        isInactive={!isActive && !isDraft && status !== 'done'}
        reason={automation.reason}
        control={
          !isDraft && (
            <Switch label={`Ligar ou desligar ${automation.name}`} isOn={isActive} onChange={toggle} disabled={change.isPending} />
          )
        }
        actions={
          <>
            {extractorTypes.includes(type) && !isDraft && <DownloadButton automationId={id} />}
            <Button asChild variant="outline" size="small">
              <Link to={`/automation/${type}?edit=${id}`}>
                <Pencil className="size-4" aria-hidden /> Editar
              </Link>
            </Button>
            <Button variant="quiet" size="small" className="ml-auto sm:ml-0" onClick={onDelete}>
              <Trash2 className="size-4" aria-hidden /> <span className="sr-only sm:not-sr-only">Excluir</span>
            </Button>
          </>
        }
      >
        {extraction && (
          <Collected
            collected={extraction.total_records}
            total={extraction.profile_total}
            isRunning={extraction.state === 'running'}
            isComplete={extraction.state === 'complete'}
            reason={extraction.state_reason}
          />
        )}
        {!isDraft && (
          <Facts
            facts={[
              ['Última execução', automation.lastRunAt ? formatMoment(automation.lastRunAt) : 'ainda nenhuma'],
              ['Próxima', automation.nextRunAt && formatMoment(automation.nextRunAt)],
              ['Na última', lastOutcome(automation)],
            ]}
          />
        )}
      </AutomationCard>
    </li>
  );
}
