import type { ArticleDecision } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { ChoiceField, TextField } from '../../components/ui/field';
import { Lamp } from '../../components/ui/lamp';
import { Failure, Skeleton } from '../../components/ui/surface';
import { useNow } from '../dashboard/use-now';
import { useDecide } from './article-actions';
import { type Entry, contentQuery } from './article-data';
import { ArticleText, Claims } from './article-text';
import { isDecidable, stateOf } from './entry-state';
import { readTexts as texts } from './texts';

const longestNote = 1_000;

interface ReadDialogProps {
  /** Null while the dialog is closed. */
  entry: Entry | null;
  onClose: () => void;
}

/** The text of an article and, while it waits for its owner, the three decisions. */
export function ReadDialog({ entry, onClose }: ReadDialogProps) {
  const article = entry?.article ?? null;
  return (
    <Dialog isOpen={article !== null} onClose={onClose} title={article?.title ?? ''} size="wide">
      {entry && article && <Content key={article.id} entry={entry} articleId={article.id} onClose={onClose} />}
    </Dialog>
  );
}

function Content({ entry, articleId, onClose }: { entry: Entry; articleId: string; onClose: () => void }) {
  const content = useQuery(contentQuery(articleId));
  const { lamp, sentence } = stateOf(entry, useNow());
  if (content.isPending)
    return (
      <div role="status" aria-label={texts.loading} className="grid gap-3">
        <Skeleton className="h-6" />
        <Skeleton className="h-60" />
      </div>
    );
  if (content.isError) return <Failure text={texts.loadFailed} onRetry={() => void content.refetch()} />;
  const { content_html: html, claims, publish_mode: mode } = content.data;
  const isOpen = isDecidable(entry);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-6">
      <ArticleText html={html} claims={isOpen ? claims : []} />
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <Lamp state={lamp} className="whitespace-normal">
          {sentence}
        </Lamp>
        {isOpen && <Claims claims={claims} />}
        {isOpen && <Decisions articleId={articleId} isDraft={mode === 'draft'} onDone={onClose} />}
      </div>
    </div>
  );
}

/** Approve, have it changed, or refuse it; the last two ask why first. */
function Decisions({ articleId, isDraft, onDone }: { articleId: string; isDraft: boolean; onDone: () => void }) {
  const [asking, setAsking] = useState<Exclude<ArticleDecision, 'approve'> | null>(null);
  const [note, setNote] = useState('');
  const [why, setWhy] = useState<string>(texts.reasons[0]!);
  const [problem, setProblem] = useState<string>();
  const decide = useDecide();
  const send = (decision: ArticleDecision, said?: string) => {
    if (decision === 'change' && !said) return setProblem(texts.noteMissing);
    decide.mutate({ articleId, decision, ...(said ? { note: said } : {}) }, { onSuccess: onDone });
  };
  const back = (
    <Button variant="quiet" disabled={decide.isPending} onClick={() => setAsking(null)}>
      {texts.back}
    </Button>
  );
  if (asking === 'change')
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <TextField
          isMultiline
          autoFocus
          label={texts.whatToChange}
          hint={texts.changeHint}
          error={problem}
          maxLength={longestNote}
          value={note}
          onChange={({ target }) => {
            setProblem(undefined);
            setNote(target.value);
          }}
        />
        <Button isBusy={decide.isPending} onClick={() => send('change', note.trim())}>
          {texts.sendChange}
        </Button>
        {back}
      </div>
    );
  if (asking === 'reject')
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <ChoiceField
          legend={texts.why}
          choices={texts.reasons.map((reason) => ({ value: reason, label: reason }))}
          value={why}
          onChange={setWhy}
        />
        <p className="text-sm text-muted">{texts.rejectHint}</p>
        <Button isBusy={decide.isPending} onClick={() => send('reject', why)}>
          {texts.sendReject}
        </Button>
        {back}
      </div>
    );
  return (
    <div className="grid gap-2">
      <Button size="large" isBusy={decide.isPending} onClick={() => send('approve')}>
        {isDraft ? texts.approveDraft : texts.approve}
      </Button>
      <Button variant="secondary" disabled={decide.isPending} onClick={() => setAsking('change')}>
        {texts.change}
      </Button>
      <Button variant="quiet" disabled={decide.isPending} onClick={() => setAsking('reject')}>
        {texts.reject}
      </Button>
    </div>
  );
}
