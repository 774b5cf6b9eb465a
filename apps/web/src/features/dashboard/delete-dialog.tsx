import { useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { type ListedAutomation, useDeleteAutomation } from './automations';

const reloadAfterMs = 1_000;

interface DeleteDialogProps {
  automation: ListedAutomation | null;
  /** Automations that would be left without their list. */
  dependents: readonly ListedAutomation[];
  onClose: () => void;
}

export function DeleteDialog({ automation, dependents, onClose }: DeleteDialogProps) {
  const remove = useDeleteAutomation();
  const reload = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(reload.current), []);
  const hasDependents = dependents.length > 0;
  // What is on its way cannot be called back: closing would look as if it could.
  const close = () => !remove.isPending && onClose();
  const confirm = () => {
    if (!automation) return;
    remove.mutate(automation, {
      onSuccess: () => {
        toast.success('Automação excluída');
        onClose();
        if (hasDependents) reload.current = setTimeout(() => window.location.reload(), reloadAfterMs);
      },
      onError: (error) => toast.error('Erro ao excluir automação', { description: error.message || undefined }),
    });
  };
  return (
    <Dialog
      isOpen={automation !== null}
      onClose={close}
      title="Excluir automação"
      description={`"${automation?.name ?? ''}" e os dados coletados por ela serão apagados. Esta ação é irreversível.`}
    >
      {hasDependents && (
        <div className="mb-5 rounded-xl bg-warning-soft p-4 text-warning">
          <p className="font-semibold">Estas automações usam os dados dela e vão parar:</p>
          <ul className="mt-2 max-h-[200px] list-disc overflow-y-auto pl-5" tabIndex={0} aria-label="Automações dependentes">
            {dependents.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button variant="danger" onClick={confirm} isBusy={remove.isPending}>
          {hasDependents ? 'Excluir mesmo assim' : 'Excluir'}
        </Button>
        <Button variant="outline" onClick={close} disabled={remove.isPending}>
          Cancelar
        </Button>
      </div>
    </Dialog>
  );
}
