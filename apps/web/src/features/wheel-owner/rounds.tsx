import type { PrizeStats } from '@decola/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Download, ExternalLink } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Lamp } from '../../components/ui/lamp';
import { Failure, Notice, Skeleton } from '../../components/ui/surface';
import { ApiError, callFunction } from '../../lib/api-client';
import { formatCount } from '../../lib/format';
import { formatRelativeTime } from '../../lib/relative-time';
import { saveFile } from '../../lib/save-file';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import type { ListedAutomation } from '../dashboard/automations';
import { useNow } from '../dashboard/use-now';
import { prizeStatsQuery } from './stats-query';
import { storedSettings } from './stored-settings';
import { figureTexts, roundTexts as texts } from './texts';
import { useCopy } from './use-copy';
import { callWheelFunction, refusalOf } from './wheel-function';

interface RoundsProps {
  userId: string;
  automation: ListedAutomation;
}

/** The round and its proof, with what ends it or begins the next, and the file that shows every draw. */
export function Rounds({ userId, automation }: RoundsProps) {
  const { id: automationId, name, configuration } = automation;
  const title = useId();
  const stats = useQuery(prizeStatsQuery(userId, automationId, '14'));
  const [asked, setAsked] = useState<'open' | 'close' | null>(null);
  const round = stats.data?.round;
  // Anybody may download the file of such a wheel, so the page needs no upload.
  const isPublished = round?.isOpen === false && storedSettings(configuration).publishAudit;
  return (
    <section aria-labelledby={title}>
      <h2 id={title} className="text-xl">
        {texts.title}
      </h2>
      <p className="mt-0.5 max-w-[72ch] text-md text-pretty text-muted">{texts.lead}</p>
      <div className="lit mt-4 grid gap-6 rounded-panel p-4 py-5 shadow-2 sm:p-7 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-start lg:gap-12">
        {round === undefined ? (
          stats.isError ? (
            <Failure text={figureTexts.failed} onRetry={() => void stats.refetch()} />
          ) : (
            <div role="status" aria-label={figureTexts.loading} className="grid gap-3">
              <Skeleton className="h-6 w-40" />
              <Skeleton className="h-12" />
            </div>
          )
        ) : (
          <RoundState round={round} />
        )}
        <div className="grid content-start gap-2 sm:flex sm:flex-wrap lg:grid lg:justify-items-stretch">
          {round && (
            <Button variant="secondary" onClick={() => setAsked(round.isOpen ? 'close' : 'open')}>
              {round.isOpen ? texts.close : texts.openNext}
            </Button>
          )}
          <AuditButton automationId={automationId} name={name} />
          <Button asChild variant="quiet">
            <a href={isPublished ? `/auditoria?roleta=${automationId}` : '/auditoria'} target="_blank" rel="noreferrer">
              <ExternalLink className="size-4" aria-hidden /> {texts.auditPage}
            </a>
          </Button>
        </div>
      </div>
      <RoundDialog automationId={automationId} action={asked} onClose={() => setAsked(null)} />
    </section>
  );
}

function RoundState({ round }: Pick<PrizeStats, 'round'>) {
  const now = useNow(60_000);
  if (!round)
    return (
      <div>
        <p className="font-semibold">{texts.none}</p>
        <p className="mt-1 text-md text-muted">{texts.noneText}</p>
      </div>
    );
  return (
    <div className="grid min-w-0 gap-4">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <Lamp state={round.isOpen ? 'on' : 'off'} className="-ml-[3px]">
          {round.isOpen ? texts.open(round.number) : texts.closed(round.number)}
        </Lamp>
        <span className="text-sm text-muted">{texts.since(formatRelativeTime(round.openedAt, now))}</span>
      </p>
      <Hexadecimal name={texts.commitment} value={round.commitment} hint={texts.commitmentHint} copy={texts.copyCommitment} />
      {round.seed !== null && <Hexadecimal name={texts.seed} value={round.seed} copy={texts.copySeed} />}
    </div>
  );
}

function Hexadecimal({ name, value, hint, copy }: { name: string; value: string; hint?: string; copy: string }) {
  const { copyText } = useCopy();
  return (
    <div className="grid grid-cols-[minmax(0,auto)_auto] items-center justify-start gap-x-2">
      <p className="text-sm font-semibold">{name}</p>
      <Button variant="quiet" size="icon" className="row-span-2" aria-label={copy} title={copy} onClick={() => copyText(value)}>
        <Copy className="size-5" aria-hidden />
      </Button>
      <p className="text-sm break-all tabular-nums">{value}</p>
      {hint && <p className="col-span-full mt-1 text-sm text-muted">{hint}</p>}
    </div>
  );
}

interface RoundDialogProps {
  automationId: string;
  action: 'open' | 'close' | null;
  onClose: () => void;
}

/** Explains what happens to the seed before a round ends or begins. */
function RoundDialog({ automationId, action, onClose }: RoundDialogProps) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (next: 'open' | 'close') => callWheelFunction('wheel-round', { automationId, action: next }),
    onSuccess: (_, next) => {
      toast.success(next === 'close' ? texts.closing.done : texts.opening.done);
      onClose();
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['prize_stats'] }),
  });
  const close = () => {
    if (change.isPending) return;
    change.reset();
    onClose();
  };
  const words = action === 'open' ? texts.opening : texts.closing;
  return (
    <Dialog isOpen={action !== null} onClose={close} title={words.title} description={words.text}>
      <p className="text-pretty">{words.seed}</p>
      {change.isError && (
        <div role="alert" className="mt-4">
          <Notice tone="danger">{refusalOf(change.error) ?? texts.failed}</Notice>
        </div>
      )}
      <div className="mt-6 grid gap-2 sm:flex sm:flex-row-reverse">
        <Button variant={action === 'open' ? 'ink' : 'danger'} isBusy={change.isPending} onClick={() => action && change.mutate(action)}>
          {words.confirm}
        </Button>
        <Button variant="secondary" onClick={close} disabled={change.isPending}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

/** Downloads the chain of the wheel: JSON lines that `/auditoria` checks. */
function AuditButton({ automationId, name }: { automationId: string; name: string }) {
  const failure = useErrorToast();
  const download = useMutation({
    mutationFn: async () => {
      const content = await callFunction<unknown>('prize-audit', { automationId });
      const text = content instanceof Blob ? await content.text() : content;
      if (typeof text !== 'string') throw new ApiError('');
      return text;
    },
    onMutate: failure.clear,
    onSuccess: (text) => {
      saveFile(new Blob([text], { type: 'application/x-ndjson' }), texts.auditFile(fileNameOf(name)));
      const lines = Math.max(0, text.split('\n').filter(Boolean).length - 1);
      toast.success(texts.auditStarted.title, { description: texts.auditStarted.text(formatCount(lines)) });
    },
    onError: (error) => failure.show(texts.auditFailed.title, { description: refusalOf(error) ?? texts.auditFailed.text }),
  });
  return (
    <Button variant="secondary" isBusy={download.isPending} onClick={() => download.mutate()}>
      {!download.isPending && <Download className="size-4" aria-hidden />}
      {texts.audit}
    </Button>
  );
}

/** The name of a wheel as part of a file's name. */
const fileNameOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'roleta';
