import type { RefreshDecision } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Lamp, type LampState } from '../../components/ui/lamp';
import { Card, Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import { formatRelativeTime } from '../../lib/relative-time';
import { useDecideRefresh } from './article-actions';
import { ArticleText, Claims } from './article-text';
import { type Refresh, refreshesQuery, refreshTextQuery } from './refresh-data';
import { reasonSentence } from './refresh-reasons';
import { actionTexts, readTexts, refreshTexts as texts, runTexts } from './texts';

const shownAtFirst = 3;

interface RefreshesProps {
  userId: string;
  /** Only those of this automation. */
  automationId: string | null;
  now: Date;
}

/** Articles on the customer's sites that should be written anew, and why. Without any there is nothing to see. */
export function Refreshes({ userId, automationId, now }: RefreshesProps) {
  const query = useQuery(refreshesQuery(userId));
  const [readId, setReadId] = useState<string | null>(null);
  const [isWhole, setWhole] = useState(false);
  const all = (query.data ?? []).filter(({ blogAutomationId: id }) => automationId === null || id === automationId);
  if (query.isLoadingError)
    return (
      <section aria-label={texts.title}>
        <Failure text={texts.loadFailed} onRetry={() => void query.refetch()} />
      </section>
    );
  if (all.length === 0) return null;
  const shown = isWhole ? all : all.slice(0, shownAtFirst);
  const read = all.find(({ text }) => text?.id === readId && text.state === 'waiting') ?? null;
  return (
    <section aria-labelledby="refreshes" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 id="refreshes" className="text-xl">
          {texts.title}
        </h2>
        <p className="mt-1 text-md text-muted">{texts.lede}</p>
      </div>
      <Card className="overflow-hidden p-0! sm:p-0!">
        <ul className="divide-y divide-line">
          {shown.map((refresh) => (
            <RefreshLine key={refresh.articleId} refresh={refresh} now={now} onRead={() => setReadId(refresh.text?.id ?? null)} />
          ))}
        </ul>
        {all.length > shown.length && (
          <div className="flex min-h-15 items-center border-t border-line px-4 py-2 sm:px-6">
            <Button variant="quiet" className="-ml-3" onClick={() => setWhole(true)}>
              {texts.more(formatCount(all.length - shown.length))}
            </Button>
          </div>
        )}
      </Card>
      <Dialog isOpen={read !== null} onClose={() => setReadId(null)} title={read?.title ?? ''} size="wide">
        {read?.text && <NewText key={read.text.id} refresh={read} textId={read.text.id} onClose={() => setReadId(null)} />}
      </Dialog>
    </section>
  );
}

/** What the customer reads of a new text; undefined while there is none. */
function stateOf({ text, run }: Refresh, now: Date): { lamp: LampState; sentence: string } | undefined {
  switch (text?.state) {
    case 'writing':
      if (run?.state === 'drafting') return { lamp: 'run', sentence: runTexts.drafting(run.progress ? formatCount(run.progress) : null) };
      if (run?.state === 'outlining' || run?.state === 'reviewing') return { lamp: 'run', sentence: runTexts[run.state] };
      if (run?.state === 'waiting_provider')
        return {
          lamp: 'warn',
          sentence: run.retry_at === null ? runTexts.pausedOpen : runTexts.paused(formatRelativeTime(run.retry_at, now)),
        };
      return { lamp: 'run', sentence: texts.writing };
    case 'waiting':
      return { lamp: 'warn', sentence: text.problem ?? texts.waiting };
    case 'failed':
      return { lamp: 'stop', sentence: text.problem || texts.failed };
    default:
      return undefined;
  }
}

function RefreshLine({ refresh, now, onRead }: { refresh: Refresh; now: Date; onRead: () => void }) {
  const { title, proposals, text } = refresh;
  const state = stateOf(refresh, now);
  const isOpen = text?.state === 'writing' || text?.state === 'waiting';
  const decide = useDecideRefresh();
  const isBusy = (decision: RefreshDecision) => decide.isPending && decide.variables.decision === decision;
  const button = (decision: 'accept' | 'dismiss', label: string) => (
    <Button
      variant={decision === 'accept' ? 'secondary' : 'quiet'}
      isBusy={isBusy(decision)}
      disabled={decide.isPending && !isBusy(decision)}
      aria-label={actionTexts.of(label, title)}
      onClick={() => decide.mutate({ articleId: refresh.articleId, decision })}
    >
      {label}
    </Button>
  );
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 px-4 py-4 sm:px-6 min-[56.25rem]:grid-cols-[minmax(0,1fr)_auto] min-[56.25rem]:items-center">
      <div className="grid min-w-0 gap-1 wrap-anywhere">
        <h3 className="text-base leading-snug font-semibold font-stretch-normal">{title}</h3>
        {state && (
          <Lamp state={state.lamp} className="items-start whitespace-normal [&>.light]:mt-[7px]">
            <span className="min-w-0 wrap-anywhere">{state.sentence}</span>
          </Lamp>
        )}
        {!isOpen &&
          proposals.map(({ id, reason, detail }) => (
            <p key={id} className="text-sm text-muted">
              {reasonSentence(reason, detail, now)}
            </p>
          ))}
      </div>
      <div className="flex flex-wrap gap-2">
        {text?.state === 'waiting' && (
          <Button variant="secondary" aria-label={actionTexts.of(actionTexts.decide, title)} onClick={onRead}>
            {actionTexts.decide}
          </Button>
        )}
        {!isOpen && button('accept', text?.state === 'failed' ? actionTexts.retryRun : texts.accept)}
        {!isOpen && button('dismiss', texts.dismiss)}
      </div>
    </li>
  );
}

function NewText({ refresh, textId, onClose }: { refresh: Refresh; textId: string; onClose: () => void }) {
  const content = useQuery(refreshTextQuery(textId));
  const decide = useDecideRefresh();
  if (content.isPending)
    return (
      <div role="status" aria-label={readTexts.loading} className="grid gap-3">
        <Skeleton className="h-6" />
        <Skeleton className="h-60" />
      </div>
    );
  if (content.isError) return <Failure text={readTexts.loadFailed} onRetry={() => void content.refetch()} />;
  const { title, content_html: html, claims } = content.data;
  const send = (decision: RefreshDecision) => decide.mutate({ articleId: refresh.articleId, decision }, { onSuccess: onClose });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-6">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
        {title !== null && title !== refresh.title && (
          <p className="text-md">
            <span className="text-muted">{texts.newTitle}</span> <b className="font-semibold wrap-anywhere">{title}</b>
          </p>
        )}
        <ArticleText html={html ?? ''} claims={claims} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <Lamp state="warn" className="items-start whitespace-normal [&>.light]:mt-[7px]">
          {refresh.text?.problem ?? texts.waiting}
        </Lamp>
        <Claims claims={claims} />
        <div className="grid gap-2">
          <Button
            size="large"
            isBusy={decide.isPending && decide.variables.decision === 'publish'}
            disabled={decide.isPending}
            onClick={() => send('publish')}
          >
            {texts.publish}
          </Button>
          <Button variant="quiet" disabled={decide.isPending} onClick={() => send('discard')}>
            {texts.discard}
          </Button>
          <p className="text-sm text-muted">{texts.publishHint}</p>
        </div>
      </div>
    </div>
  );
}
