import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Notice } from '../../components/ui/surface';
import { formatCount, formatDate } from '../../lib/format';
import { useConfirmedRemoval } from '../../lib/use-confirmed-removal';
import { extractorTypes, type ExtractionRow, isWheel, type ListedAutomation, useDeleteAutomation } from './automations';
import { deleteDialogTexts as texts } from './texts';
import { undeliveredQuery } from './undelivered';

const reloadAfterMs = 1_000;

interface DeleteDialogProps {
  automation: ListedAutomation | null;
  /** What the automation does, as `whatItDoes` returns it. */
  what: readonly string[];
  /** The automation's lists with people, which are deleted with it. */
  lists: readonly ExtractionRow[];
  /** Automations that use a list of this one, each with what it does. */
  dependents: readonly { id: string; name: string; what: readonly string[] }[];
  onClose: () => void;
}

export function DeleteDialog({ automation, what, lists, dependents, onClose }: DeleteDialogProps) {
  const remove = useDeleteAutomation();
  const reload = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(reload.current), []);
  const hasDependents = dependents.length > 0;
  const { close, confirm } = useConfirmedRemoval({
    remove,
    item: automation,
    texts,
    onClose,
    onRemoved: () => {
      if (hasDependents) reload.current = setTimeout(() => window.location.reload(), reloadAfterMs);
    },
  });
  const isExtractor = automation !== null && extractorTypes.includes(automation.type);
  return (
    <Dialog isOpen={automation !== null} onClose={close} title={texts.title} description={texts.description(automation?.name ?? '')}>
      {automation && (
        <div className="mb-5 grid gap-1.5 text-md">
          <p className="font-semibold">{texts.goes}</p>
          <ul className="max-h-40 list-disc overflow-y-auto pl-5 [overflow-wrap:anywhere]" tabIndex={0} aria-label={texts.goes}>
            <li>{[automation.name, ...what].join(' · ')}</li>
            {lists.map(({ id, data_type, total_records, created_at }) => (
              <li key={id}>{texts.list(formatCount(total_records), formatDate(created_at), data_type)}</li>
            ))}
            {isExtractor && lists.length === 0 && <li>{texts.nothingElse}</li>}
          </ul>
        </div>
      )}
      {automation && isWheel(automation) && !automation.isDraft && <Undelivered automationId={automation.id} />}
      {hasDependents && (
        <Notice className="mb-5">
          <p className="font-semibold">{texts.dependents}</p>
          <ul
            className="mt-2 max-h-[200px] list-disc overflow-y-auto pl-5 [overflow-wrap:anywhere]"
            tabIndex={0}
            aria-label={texts.dependentsLabel}
          >
            {dependents.map(({ id, name, what: does }) => (
              <li key={id}>
                {name} <span className="text-muted">{does.join(' · ')}</span>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button variant="danger" onClick={confirm} isBusy={remove.isPending}>
          {hasDependents ? texts.removeAnyway : texts.remove}
        </Button>
        <Button variant="secondary" onClick={close} disabled={remove.isPending}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

/** Prizes whose winners would come for nothing. */
function Undelivered({ automationId }: { automationId: string }) {
  const { data: count, isError } = useQuery(undeliveredQuery(automationId));
  if (!isError && !count) return null;
  return (
    <div role="status" className="mb-5">
      <Notice>{count ? texts.undelivered(formatCount(count)) : texts.undeliveredUnknown}</Notice>
    </div>
  );
}
