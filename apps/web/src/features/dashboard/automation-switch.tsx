import { Switch } from '../../components/ui/switch';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { useUser } from '../../session/session';
import { type ListedAutomation, useChangeAutomation } from './automations';
import { automationItemTexts as texts } from './texts';

/** Switches an automation on and off. */
export function AutomationSwitch({ automation: { id, table, name, isActive } }: { automation: ListedAutomation }) {
  const change = useChangeAutomation(useUser().id);
  const failureToast = useErrorToast();
  const toggle = (isOn: boolean) => {
    failureToast.clear();
    change.mutate(
      { table, id, patch: { is_active: isOn } },
      {
        onSuccess: () => toast.success(isOn ? texts.switchedOn : texts.switchedOffToast),
        onError: (error) => failureToast.show(texts.switchFailed, { description: error.message || undefined }),
      },
    );
  };
  return <Switch label={texts.switchLabel(name)} isOn={isActive} onChange={toggle} disabled={change.isPending} />;
}
