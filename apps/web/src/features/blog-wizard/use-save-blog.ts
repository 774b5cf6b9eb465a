import { wizardTexts } from '@decola/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, client, requireChangedRow, unwrap } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { useUser } from '../../session/session';
import { saveTexts } from '../wizard/texts';
import type { SaveKind } from '../wizard/use-save';
import { type BlogDraft, rowOf, type StoredBlogAutomation } from './blog-draft';
import { pageTexts as texts } from './texts';

/**
 * Saves the automation as a draft or published. `save` says in a toast how that went (`isQuiet`: only a failure), and returns the automation's id; null when it
 * was not saved.
 */
export function useSaveBlog(stored: StoredBlogAutomation | undefined) {
  const user = useUser();
  const queryClient = useQueryClient();
  const failure = useErrorToast();
  const [saving, setSaving] = useState<SaveKind | null>(null);
  const save = async (kind: SaveKind, draft: BlogDraft, { isQuiet = false } = {}): Promise<string | null> => {
    const row = rowOf(draft, stored, kind === 'publish');
    const table = client().from('blog_automations');
    failure.clear();
    if (!isQuiet) setSaving(kind);
    const update = (id: string) => table.update(row).eq('id', id).eq('user_id', user.id).select('id');
    try {
      let id = stored?.id ?? draft.savedId;
      if (stored) requireChangedRow(await update(stored.id));
      // A draft that was kept for its topics may have been deleted elsewhere.
      else if (id === undefined || unwrap(await update(id)).length === 0)
        id = unwrap(
          await client()
            .from('blog_automations')
            .insert({ user_id: user.id, ...row })
            .select('id')
            .overrideTypes<{ id: string }[], { merge: false }>(),
        )[0]?.id;
      if (id === undefined) throw new ApiError('');
      if (!isQuiet) toast.success(saveTexts[kind][stored ? 'edited' : 'created']);
      void queryClient.invalidateQueries(isQuiet ? { queryKey: ['blog_automations'] } : undefined);
      return id;
    } catch (error) {
      failure.show(texts.saveFailed, { description: reasonOf(error) });
      return null;
    } finally {
      setSaving(null);
    }
  };
  return { save, saving };
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.status === 401 || error.code?.startsWith('PGRST30') ? wizardTexts.loginRequired : error.message || undefined;
}
