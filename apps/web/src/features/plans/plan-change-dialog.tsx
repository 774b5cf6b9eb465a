import { ArrowRight } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Notice } from '../../components/ui/surface';
import { Marks } from '../../components/ui/ticks';
import { formatDate, formatPrice } from '../../lib/format';
import type { Subscription } from '../../session/subscription';
import type { Plan } from './plan-catalogue';
import { changeDialogTexts as texts, proposedTexts } from './texts';
import type { ChangePreview, ProposedChange } from './use-plan-choice';

function dueNow({ amount_due_now: amount, currency }: ChangePreview): string {
  if (amount > 0) return formatPrice(amount, currency);
  return amount < 0 ? texts.credit(formatPrice(-amount, currency)) : texts.nothing;
}

function Amounts({ preview }: { preview: ChangePreview }) {
  return (
    <dl className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-2.5 border-y border-line py-4 text-md">
      <dt>{texts.dueNow}</dt>
      <dd className="text-right text-xl font-[660]">{dueNow(preview)}</dd>
      <dt className="text-muted">{texts.nextPayment(formatDate(preview.next_date))}</dt>
      <dd className="text-right font-semibold">{formatPrice(preview.next_amount, preview.currency)}</dd>
    </dl>
  );
}

/** Slots of the current plan and of the new one, as marks. The dialog's description says the same in words. */
function FromTo({ from, plan, mostSlots }: { from: Subscription; plan: Plan; mostSlots: number }) {
  const end = (name: string | null, slots: number) => (
    <div className="grid min-w-0 content-start gap-2">
      <p className="text-lg font-semibold wrap-anywhere">{name}</p>
      <Marks value={slots} of={mostSlots} className="flex-wrap" />
    </div>
  );
  return (
    <div className="mb-5 grid grid-cols-[1fr_24px_1fr] items-center gap-3" aria-hidden>
      {end(from.plan_name, from.max_slots)}
      <ArrowRight className="size-5 text-muted" strokeWidth={1.75} />
      {end(plan.name, plan.max_slots)}
    </div>
  );
}

interface ChangeDialogProps {
  proposal: ProposedChange | null;
  subscription: Subscription | null;
  /** Slots of the largest plan. */
  mostSlots: number;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Shows the cost of a plan change and asks for confirmation. */
export function ChangeDialog({ proposal, subscription, mostSlots, isBusy, onConfirm, onClose }: ChangeDialogProps) {
  const plan = proposal?.plan;
  const slots = plan?.max_slots ?? 0;
  // The provider ends the trial when the plan becomes larger.
  const endsTrial = Boolean(subscription?.is_trial) && slots > (subscription?.max_slots ?? 0);
  return (
    <Dialog
      isOpen={proposal !== null}
      onClose={onClose}
      title={texts.title(plan?.name ?? '')}
      description={texts.description(subscription?.plan_name ?? '—', slots)}
    >
      {plan && subscription && <FromTo from={subscription} plan={plan} mostSlots={mostSlots} />}
      {endsTrial && <Notice className="mb-5">{proposedTexts.trialEnds}</Notice>}
      {proposal?.preview ? <Amounts preview={proposal.preview} /> : <Notice>{texts.noPreview}</Notice>}
      <div className="mt-6 grid gap-2 sm:flex sm:flex-row-reverse">
        <Button onClick={onConfirm} isBusy={isBusy}>
          {isBusy ? texts.busy : texts.confirm}
        </Button>
        <Button variant="quiet" onClick={onClose} disabled={isBusy}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
