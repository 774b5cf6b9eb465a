import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceField } from '../../components/ui/field';
import { client, requireChangedRow } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { automationsQuery, type ListedAutomation } from '../dashboard/automations';
import { storedSettings } from './stored-settings';
import { settingTexts as texts } from './texts';

type MailChoice = keyof typeof texts.mailChoices;

/** How often the owner gets mails with leads. It is a part of the wheel's configuration. */
export function MailChoiceField({ userId, automation }: { userId: string; automation: ListedAutomation }) {
  const { id, configuration } = automation;
  const queryClient = useQueryClient();
  const failure = useErrorToast();
  const stored = storedSettings(configuration).mails;
  const [chosen, setChosen] = useState<MailChoice | null>(null);
  const save = useMutation({
    mutationFn: async (leads: MailChoice) =>
      requireChangedRow(
        await client()
          .from('automations')
          .update({ configuration: { ...configuration, notices: { leads } } })
          .eq('id', id)
          .select('id'),
      ),
    // One after the other, so that the last of several choices is the one that counts.
    scope: { id: `notices ${id}` },
    onMutate: (leads) => {
      failure.clear();
      setChosen(leads);
    },
    onSuccess: () => toast.success(texts.mailsSaved),
    onError: (error) => {
      setChosen(null);
      failure.show(texts.mailsFailed, { description: error.message || undefined });
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: automationsQuery(userId).queryKey });
      setChosen(null);
    },
  });
  return (
    <ChoiceField
      legend={texts.mails}
      choices={(Object.keys(texts.mailChoices) as MailChoice[]).map((value) => ({
        value,
        label: texts.mailChoices[value].label,
        description: texts.mailChoices[value].text,
      }))}
      value={chosen ?? stored}
      onChange={(value) => save.mutate(value as MailChoice)}
    />
  );
}
