import type { Subscription } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { formatDate, formatPrice } from '../../lib/format';
import type { ChangePreview, ProposedChange } from './use-plan-choice';

function dueNow({ amount_due_now: amount, currency }: ChangePreview): string {
  if (amount > 0) return formatPrice(amount, currency);
  return amount < 0 ? `Nada. Você fica com ${formatPrice(-amount, currency)} de crédito.` : 'Nada';
}

function Amounts({ preview }: { preview: ChangePreview }) {
  return (
    <dl className="grid gap-3 rounded-xl bg-sunken p-4">
      <div className="flex items-baseline justify-between gap-4">
        <dt>Você paga agora</dt>
        <dd className="text-right font-semibold">{dueNow(preview)}</dd>
      </div>
      <div className="flex items-baseline justify-between gap-4">
        <dt>Próxima cobrança, em {formatDate(preview.next_date)}</dt>
        <dd className="text-right font-semibold">{formatPrice(preview.next_amount, preview.currency)}</dd>
      </div>
    </dl>
  );
}

interface ChangeDialogProps {
  proposal: ProposedChange | null;
  subscription: Subscription | null;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** What a change of plan costs, before it is made. */
export function ChangeDialog({ proposal, subscription, isBusy, onConfirm, onClose }: ChangeDialogProps) {
  const plan = proposal?.plan;
  const slots = plan?.max_slots ?? 0;
  return (
    <Dialog
      isOpen={proposal !== null}
      onClose={onClose}
      title={`Mudar para ${plan?.name ?? ''}`}
      description={`Seu plano hoje: ${subscription?.plan_name ?? '—'}. No novo, ${slots === 1 ? '1 slot' : `${slots} slots`}.`}
    >
      {proposal?.preview ? (
        <Amounts preview={proposal.preview} />
      ) : (
        <p className="rounded-xl bg-warning-soft p-4 text-warning">
          Não foi possível calcular os valores agora. A diferença até o fim do período é cobrada ou devolvida em crédito, proporcionalmente.
        </p>
      )}
      <div className="mt-6 grid gap-2 sm:flex sm:flex-row-reverse">
        <Button onClick={onConfirm} isBusy={isBusy}>
          {isBusy ? 'Processando...' : 'Confirmar mudança'}
        </Button>
        <Button variant="outline" onClick={onClose} disabled={isBusy}>
          Cancelar
        </Button>
      </div>
    </Dialog>
  );
}
