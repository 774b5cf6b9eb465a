import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type FormEvent, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { type KeptAccount, keepListQuery, namesIn, useChangeKeepList } from '../instagram-accounts/keep-list';
import { KeepListImport } from '../instagram-accounts/keep-list-import';
import { keepListTexts } from '../instagram-accounts/texts';
import { Block } from './block';
import { KeptPeopleList } from './kept-people-list';
import { keptPeopleTexts as texts } from './texts';

/** A shorter list needs no search. */
const leastSearched = 8;

/** The people whom no automation of the account unfollows: search, add many, remove, take over whom the account follows. */
export function KeptPeople({ account }: { account: KeptAccount }) {
  const stored = useQuery(keepListQuery(account.id));
  const change = useChangeKeepList(account.id);
  const failureToast = useErrorToast();
  const [sought, setSought] = useState('');
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const adder = useRef<HTMLTextAreaElement>(null);
  const deferred = useDeferredValue(sought);
  const people = useMemo(() => (stored.data ?? []).filter((name) => !leaving.has(name)), [stored.data, leaving]);
  const found = useMemo(() => {
    const wanted = deferred.trim().replace(/^@/, '').toLowerCase();
    return wanted === '' ? people : people.filter((name) => name.includes(wanted));
  }, [people, deferred]);
  const remove = (name: string) => {
    failureToast.clear();
    setLeaving((before) => new Set(before).add(name));
    change.mutate(
      { before: [name], after: [] },
      {
        onError: (failure) => failureToast.show(texts.removeFailed.title, { description: failure.message || texts.removeFailed.text }),
        onSettled: () => setLeaving((before) => new Set([...before].filter((each) => each !== name))),
      },
    );
  };
  return (
    <Block title={texts.title} aside={stored.data && texts.count(formatCount(people.length))}>
      {stored.isPending ? (
        <Skeleton className="h-64" />
      ) : stored.isLoadingError ? (
        <Failure text={keepListTexts.loadFailed} onRetry={() => void stored.refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-6 md:grid-cols-2 md:gap-10">
          <div className="grid grid-cols-1 content-start gap-6">
            <AddPeople accountId={account.id} people={people} field={adder} />
            {account.name.startsWith('@') && <KeepListImport account={account} className="border-t border-line pt-5" />}
          </div>
          <div className="grid grid-cols-1 content-start gap-4">
            {people.length >= leastSearched && (
              <div className="relative">
                <TextField
                  type="search"
                  label={texts.search}
                  value={sought}
                  onChange={(event) => setSought(event.target.value)}
                  autoCapitalize="none"
                  autoCorrect="off"
                  spellCheck={false}
                />
                <Search className="pointer-events-none absolute right-3.5 bottom-3.5 size-5 text-muted" aria-hidden />
                <p role="status" className="sr-only">
                  {deferred.trim() === '' ? '' : texts.found(formatCount(found.length))}
                </p>
              </div>
            )}
            {people.length === 0 ? (
              <p className="text-md text-muted">{texts.none}</p>
            ) : found.length === 0 ? (
              <p className="text-md text-muted [overflow-wrap:anywhere]">{texts.notFound(deferred.trim())}</p>
            ) : (
              <KeptPeopleList people={found} onRemove={remove} onLastRemoved={() => adder.current?.focus()} />
            )}
          </div>
        </div>
      )}
    </Block>
  );
}

interface AddPeopleProps {
  accountId: string;
  people: readonly string[];
  field: React.RefObject<HTMLTextAreaElement | null>;
}

function AddPeople({ accountId, people, field }: AddPeopleProps) {
  const change = useChangeKeepList(accountId);
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const refuse = (message: string) => {
      setError(message);
      field.current?.focus();
    };
    const read = namesIn(text);
    if ('unreadable' in read) return refuse(keepListTexts.unreadable(read.unreadable));
    if (read.names.length === 0) return refuse(texts.empty);
    const known = new Set(people);
    const added = read.names.filter((name) => !known.has(name)).length;
    if (added === 0) {
      toast.info(texts.alreadyThere);
      return setText('');
    }
    change.mutate(
      { before: [], after: read.names },
      {
        onSuccess: () => {
          setText('');
          toast.success(texts.added(formatCount(added)));
          field.current?.focus();
        },
        onError: (failure) => refuse(failure.message || keepListTexts.failed),
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-2">
      <TextField
        isMultiline
        ref={field}
        rows={2}
        className="[&_textarea]:min-h-18"
        label={texts.add}
        hint={texts.addHint}
        placeholder={keepListTexts.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
        error={error}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <Button type="submit" variant="secondary" className="justify-self-start" isBusy={change.isPending}>
        {texts.addButton}
      </Button>
    </form>
  );
}
