import { useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { type SettingsProblems, settingsProblems, storedSettings, type TypedSettings, typedSettings } from './article-settings';
import { type BlogAutomation, useSaveSettings } from './automations';
import { focusFirstProblem } from './focus-first-problem';
import { SettingsFields } from './settings-fields';
import { automationTexts, settingsTexts as texts } from './texts';

interface SettingsDialogProps {
  userId: string;
  automation: BlogAutomation | null;
  onClose: () => void;
}

/** How an automation writes its next articles. What was typed stays when the dialog is closed by accident, and goes with 'Cancelar'. */
export function SettingsDialog({ userId, automation, onClose }: SettingsDialogProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, TypedSettings>>>({});
  const [problems, setProblems] = useState<SettingsProblems>({});
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveSettings(userId);
  const failureToast = useErrorToast();
  const id = automation?.id ?? '';
  const shown = typed[id] ?? typedSettings(automation?.settings);

  const leave = () => {
    if (save.isPending) return;
    failureToast.clear();
    setProblems({});
    onClose();
  };
  const forget = () => setTyped(({ [id]: _, ...others }) => others);
  const send = () => {
    if (!automation) return;
    failureToast.clear();
    const found = settingsProblems(shown);
    setProblems(found);
    if (Object.keys(found).length > 0) {
      focusFirstProblem(form);
      return;
    }
    save.mutate(
      { id, settings: storedSettings(shown, automation.settings) },
      {
        onSuccess: () => {
          toast.success(texts.saved);
          forget();
          onClose();
        },
        onError: (error) => failureToast.show(automationTexts.switchFailed, { description: error.message || undefined }),
      },
    );
  };
  return (
    <Dialog isOpen={automation !== null} onClose={leave} title={texts.title} description={texts.about(automation?.keyword ?? '')}>
      <form
        ref={form}
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <SettingsFields
          typed={shown}
          problems={problems}
          onChange={(next) => {
            setTyped((all) => ({ ...all, [id]: next }));
            setProblems({});
            failureToast.clear();
          }}
        />
        <div className="grid gap-2 sm:flex sm:flex-row-reverse">
          <Button type="submit" isBusy={save.isPending}>
            {texts.save}
          </Button>
          <Button
            variant="secondary"
            disabled={save.isPending}
            onClick={() => {
              forget();
              leave();
            }}
          >
            {automationTexts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
