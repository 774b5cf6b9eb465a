import { type AutomationType, defaultAutomationName, defaultConfiguration, tools, wizardTexts } from '@decola/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, client, requireChangedRow, unwrap } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useUser } from '../../session/session';
import { isSameConfiguration } from './saved-configuration';
import { saveTexts as texts } from './texts';
import type { Configuration } from './use-draft';

export type SaveKind = 'draft' | 'publish';

/** A stored automation that is being edited. */
export interface Editing {
  id: string;
  name: string;
  configuration: Configuration;
  isDraft: boolean;
  isActive: boolean;
  /** Id of the Instagram account that it acts with, and why the automation was switched off. */
  accountId: string | null;
  cause: string | null;
}

function textOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.failed;
  return error.status === 401 || error.code?.startsWith('PGRST30') ? wizardTexts.loginRequired : error.message || texts.failed;
}

/**
 * The columns that are sent. An unchanged extraction is neither configured nor switched: its configuration would request a new list, and
 * switching it off would be the customer's own choice, so that it would not resume by itself after a pause of the service.
 */
function rowOf(type: AutomationType, editing: Editing | undefined, kind: SaveKind, configuration: Configuration, chosenName: string) {
  const name = chosenName || (editing?.name ?? defaultAutomationName(type, configuration));
  const stored = editing && { ...defaultConfiguration(type), ...editing.configuration };
  if (stored && kind === 'publish' && !editing.isDraft && tools[type].isExtractor && isSameConfiguration(stored, configuration))
    return { name, type, is_draft: false };
  return { name, type, configuration, is_draft: kind === 'draft', is_active: kind === 'publish' };
}

/**
 * Saves the automation as a draft or published. `save` shows a toast and returns the automation's id, or null when it failed. An empty `chosenName` keeps the
 * name, or gives the tool's own.
 */
export function useSave(type: AutomationType, editing: Editing | undefined) {
  const user = useUser();
  const queryClient = useQueryClient();
  const [saving, setSaving] = useState<SaveKind | null>(null);
  const save = async (kind: SaveKind, configuration: Configuration, chosenName: string): Promise<string | null> => {
    const row = rowOf(type, editing, kind, configuration, chosenName);
    const table = client().from('automations');
    setSaving(kind);
    try {
      let id = editing?.id;
      if (id !== undefined) requireChangedRow(await table.update(row).eq('id', id).eq('user_id', user.id).select('id'));
      else
        ({ id } = unwrap(
          await table
            .insert({ user_id: user.id, ...row })
            .select('id')
            .single<{ id: string }>(),
        ));
      toast.success(texts[kind][editing ? 'edited' : 'created']);
      // Refetches active queries now, such as the free slots; the dashboard's lists when it is shown.
      void queryClient.invalidateQueries();
      return id;
    } catch (error) {
      toast.error(textOf(error));
      return null;
    } finally {
      setSaving(null);
    }
  };
  return { save, saving };
}
