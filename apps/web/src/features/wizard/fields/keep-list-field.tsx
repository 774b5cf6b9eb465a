import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { TextField } from '../../../components/ui/field';
import { Failure, Skeleton } from '../../../components/ui/surface';
import { toast } from '../../../lib/toast';
import { type KeptAccount, keepListQuery, namesIn, useChangeKeepList } from '../../instagram-accounts/keep-list';
import { keepListTexts as texts } from '../../instagram-accounts/texts';
import { nameInput } from './field-props';

interface Edited {
  text: string;
  /** The stored list when the customer began to edit it. */
  before: readonly string[];
}

/**
 * People whom no automation of the account unfollows. The list belongs to the account, not to the automation: it is saved at once, by a button of
 * its own.
 */
export function KeepListField({ account: { id, name } }: { account: KeptAccount }) {
  const stored = useQuery(keepListQuery(id));
  const [edited, setEdited] = useState<Edited | null>(null);
  const [error, setError] = useState<string>();
  const change = useChangeKeepList(id);
  if (stored.isPending) return <Skeleton className="h-28 rounded-control" />;
  if (stored.isLoadingError) return <Failure text={texts.loadFailed} onRetry={() => void stored.refetch()} />;
  const value = edited?.text ?? stored.data.map((username) => `@${username}`).join('\n');
  const submit = () => {
    const read = namesIn(value);
    if ('unreadable' in read) return setError(texts.unreadable(read.unreadable));
    change.mutate(
      { before: edited?.before ?? stored.data, after: read.names },
      {
        onSuccess: () => {
          setEdited(null);
          toast.success(texts.saved);
        },
        onError: (failure) => setError(failure.message || texts.failed),
      },
    );
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <TextField
        isMultiline
        label={texts.label(name)}
        hint={texts.hint}
        placeholder={texts.placeholder}
        value={value}
        onChange={(event) => {
          setEdited({ text: event.target.value, before: edited?.before ?? stored.data });
          setError(undefined);
        }}
        error={error}
        {...nameInput}
      />
      {edited && (
        <Button variant="secondary" className="justify-self-start" isBusy={change.isPending} onClick={submit}>
          {texts.save}
        </Button>
      )}
    </div>
  );
}
