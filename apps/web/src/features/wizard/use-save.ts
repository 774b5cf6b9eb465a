import { type AutomationType, defaultAutomationName, wizardTexts } from '@decola/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { useUser } from '../../app/session';
import { ApiError, client, dataOf, mustChange } from '../../lib/runtime';
import type { Configuration } from './use-draft';

export type SaveKind = 'draft' | 'publish';

/** A stored automation that is being edited. */
export interface Editing {
  id: string;
  name: string;
  configuration: Configuration;
}

const done: Record<SaveKind, { created: string; edited: string }> = {
  draft: { created: 'Rascunho salvo com sucesso!', edited: 'Rascunho atualizado!' },
  publish: { created: 'Automação criada com sucesso!', edited: 'Automação atualizada com sucesso!' },
};

function textOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Erro ao salvar automação';
  return error.status === 401 || error.code?.startsWith('PGRST30')
    ? wizardTexts.loginRequired
    : error.message || 'Erro ao salvar automação';
}

/** Stores the automation as a draft or published. `save` tells whether it was stored; the person is told by a toast. */
export function useSave(type: AutomationType, editing: Editing | undefined) {
  const user = useUser();
  const queryClient = useQueryClient();
  const [saving, setSaving] = useState<SaveKind | null>(null);
  const save = async (kind: SaveKind, configuration: Configuration): Promise<boolean> => {
    const row = {
      name: editing?.name ?? defaultAutomationName(type, configuration),
      type,
      configuration,
      is_draft: kind === 'draft',
      is_active: kind === 'publish',
    };
    const table = client().from('automations');
    setSaving(kind);
    try {
      if (editing) mustChange(await table.update(row).eq('id', editing.id).eq('user_id', user.id).select('id'));
      else
        dataOf(
          await table
            .insert({ user_id: user.id, ...row })
            .select('id')
            .single(),
        );
      toast.success(done[kind][editing ? 'edited' : 'created']);
      // The dashboard asks for what changed when it is shown; how many slots are free is asked now.
      void queryClient.invalidateQueries();
      return true;
    } catch (error) {
      toast.error(textOf(error));
      return false;
    } finally {
      setSaving(null);
    }
  };
  return { save, saving };
}
