import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { copyText } from '../../components/copy-text';
import { Button } from '../../components/ui/button';
import { RevealButton } from '../../components/ui/field';
import { Failure, Skeleton } from '../../components/ui/surface';
import { toast } from '../../lib/toast';
import { tokenTexts as texts } from './texts';
import { useCreateToken, useRevokePreviousToken, webhookTokenQuery } from './webhook-token';

/** Characters at both ends of a token that are shown, so that a person can compare it with the one in their site. */
const shownEnds = 4;

const masked = (token: string) =>
  token.length <= shownEnds * 3 ? '•'.repeat(token.length) : `${token.slice(0, shownEnds)}${'•'.repeat(16)}${token.slice(-shownEnds)}`;

/** The customer's token: it can be created, copied, shown and replaced. */
export function TokenField({ userId }: { userId: string }) {
  const id = useId();
  const token = useQuery(webhookTokenQuery(userId));
  const create = useCreateToken(userId, token.data === null);
  const revoke = useRevokePreviousToken();
  // The token of before, if there was one, still signs along until the site knows the new one.
  const [isReplaced, setReplaced] = useState(false);
  const [isShown, setShown] = useState(false);
  if (token.isPending)
    return (
      <div role="status" aria-label={texts.loading}>
        <Skeleton className="h-12" />
      </div>
    );
  if (token.isError) return <Failure text={texts.loadFailed} onRetry={() => void token.refetch()} />;
  if (token.data === null)
    return (
      <div className="grid justify-items-start gap-2">
        <p className="text-sm text-muted">{texts.none}</p>
        <Button variant="secondary" isBusy={create.isPending} onClick={() => create.mutate()}>
          {texts.create}
        </Button>
      </div>
    );
  const value = token.data;
  const copy = async () => {
    if (await copyText(value)) toast.success(texts.copied);
    else toast.error(texts.copyFailed);
  };
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <label htmlFor={id} className="sr-only">
        {texts.label}
      </label>
      <div className="flex flex-wrap gap-2">
        <div className="relative min-w-0 flex-[1_1_14rem]">
          <input
            id={id}
            readOnly
            aria-describedby={`${id}-hint`}
            value={isShown ? value : masked(value)}
            onFocus={({ currentTarget }) => isShown && currentTarget.select()}
            className="min-h-12 w-full rounded-control bg-sunken pr-12 pl-3.5 text-ellipsis text-muted tabular-nums inset-ring inset-ring-line"
          />
          <RevealButton isShown={isShown} label={isShown ? texts.hide : texts.show} onToggle={() => setShown(!isShown)} />
        </div>
        <Button variant="secondary" className="min-h-12" onClick={() => void copy()}>
          <Copy className="size-[18px]" aria-hidden /> {texts.copy}
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {texts.hint}
      </p>
      <div className="flex flex-wrap gap-x-5">
        <TextButton isBusy={create.isPending} onClick={() => create.mutate(undefined, { onSuccess: () => setReplaced(true) })}>
          {texts.regenerate}
        </TextButton>
        {isReplaced && (
          <TextButton isBusy={revoke.isPending} onClick={() => revoke.mutate(undefined, { onSuccess: () => setReplaced(false) })}>
            {texts.revoke}
          </TextButton>
        )}
      </div>
    </div>
  );
}

function TextButton({ isBusy, onClick, children }: { isBusy: boolean; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      className="inline-flex min-h-11 items-center link text-sm disabled:text-muted"
      aria-busy={isBusy}
      disabled={isBusy}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
