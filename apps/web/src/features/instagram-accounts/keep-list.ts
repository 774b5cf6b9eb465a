import { normaliseUsername, splitTargets } from '@decola/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, requireChangedRow, unwrap } from '../../lib/api-client';

/** The account whose list is shown. */
export interface KeptAccount {
  id: string;
  /** `@name` */
  name: string;
}

/** Names of the people whom no automation of an account unfollows, without `@`. @param id of the account */
async function loadKeepList(id: string): Promise<string[]> {
  const [account] = unwrap(
    await client()
      .from('instagram_accounts')
      .select('keep_list')
      .eq('id', id)
      .overrideTypes<{ keep_list: string[] | null }[], { merge: false }>(),
  );
  return account?.keep_list ?? [];
}

export const keepListQuery = (id: string) => queryOptions({ queryKey: ['keep_list', id], queryFn: () => loadKeepList(id) });

/** The names in a pasted text, each once, as the server stores them; or the first piece that is not a name. */
export function namesIn(text: string): { names: string[] } | { unreadable: string } {
  const names = new Set<string>();
  for (const piece of splitTargets(text)) {
    const name = normaliseUsername(piece);
    if (name === null) return { unreadable: piece };
    names.add(name);
  }
  return { names: [...names] };
}

interface ListChange {
  /** The list that the customer began with. */
  before: readonly string[];
  after: readonly string[];
}

/** A list with the customer's changes alone: what was added to it meanwhile, such as an imported list, stays. */
function withChange(stored: readonly string[], { before, after }: ListChange): string[] {
  const [known, wanted] = [new Set(before), new Set(after)];
  const isRemoved = (name: string) => known.has(name) && !wanted.has(name);
  return [...new Set([...stored.filter((name) => !isRemoved(name)), ...after.filter((name) => !known.has(name))])];
}

/** Stores a change of the list. Changes of one account are stored one after the other: each begins with what the one before it stored. */
export function useChangeKeepList(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: `keep_list ${id}` },
    mutationFn: async (change: ListChange) => {
      const keepList = withChange(await loadKeepList(id), change);
      requireChangedRow(await client().from('instagram_accounts').update({ keep_list: keepList }).eq('id', id).select('id'));
      return keepList;
    },
    onSuccess: (keepList) => queryClient.setQueryData(keepListQuery(id).queryKey, keepList),
  });
}
