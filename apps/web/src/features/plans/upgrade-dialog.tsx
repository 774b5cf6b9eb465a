import { useSubscription } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Badge } from '../../components/ui/surface';
import { PlanPicker } from './plan-picker';

export function UpgradeDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const subscription = useSubscription();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Hora de Decolar!"
      description="Mais slots para mais automações ao mesmo tempo."
      size="full"
    >
      <div className="mx-auto grid max-w-[1200px] gap-6">
        <div className="text-center">
          <Badge tone="warning">Limite de slots atingido!</Badge>
        </div>
        <PlanPicker subscription={subscription.data ?? null} hideFree hasHistory />
        <Button variant="quiet" className="mx-auto" onClick={onClose}>
          Talvez depois...
        </Button>
      </div>
    </Dialog>
  );
}
