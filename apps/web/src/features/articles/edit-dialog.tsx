import { useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, useId, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { FieldError, TextField } from '../../components/ui/field';
import { Failure, Skeleton } from '../../components/ui/surface';
import { useUpdateArticle } from './article-actions';
import { contentQuery, type Entry } from './article-data';
import { editTexts as texts, readTexts } from './texts';

const longestTitle = 300;

/** Changes title and text of an article. */
export function EditDialog({ entry, onClose }: { entry: Entry | null; onClose: () => void }) {
  const article = entry?.article ?? null;
  return (
    <Dialog isOpen={article !== null} onClose={onClose} title={texts.title} size="wide">
      {article && <Editor key={article.id} articleId={article.id} onClose={onClose} />}
    </Dialog>
  );
}

function Editor({ articleId, onClose }: { articleId: string; onClose: () => void }) {
  const content = useQuery({
    ...contentQuery(articleId),
    queryKey: ['customer_articles', articleId, 'edited'],
    // A refetch would overwrite what is being typed.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
    meta: { tables: [] },
  });
  if (content.isPending || content.isRefetching)
    return (
      <div role="status" aria-label={readTexts.loading} className="grid gap-3">
        <Skeleton className="h-12" />
        <Skeleton className="h-60" />
      </div>
    );
  if (content.isError) return <Failure text={readTexts.loadFailed} onRetry={() => void content.refetch()} />;
  return <Form articleId={articleId} title={content.data.title} html={content.data.content_html} onClose={onClose} />;
}

interface FormProps {
  articleId: string;
  title: string;
  html: string;
  onClose: () => void;
}

/** Text only: the look of another page does not belong into an article, and the server would remove it. */
function pasteText(event: ClipboardEvent<HTMLElement>) {
  event.preventDefault();
  document.execCommand('insertText', false, event.clipboardData.getData('text/plain'));
}

function Form({ articleId, title, html, onClose }: FormProps) {
  const id = useId();
  const [typed, setTyped] = useState(title);
  // React must not render the text again while it is being edited.
  const [initial] = useState({ __html: html });
  const text = useRef<HTMLDivElement>(null);
  const [problems, setProblems] = useState<{ title?: string | undefined; text?: string | undefined }>({});
  const update = useUpdateArticle();
  const save = () => {
    const edited = text.current;
    const isEmpty = (edited?.textContent ?? '').trim() === '';
    const found = { title: typed.trim() === '' ? texts.nameMissing : undefined, text: isEmpty ? texts.textMissing : undefined };
    setProblems(found);
    if (found.title || found.text || !edited) return;
    update.mutate({ articleId, title: typed.trim(), content_html: edited.innerHTML }, { onSuccess: onClose });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TextField
        label={texts.name}
        maxLength={longestTitle}
        value={typed}
        error={problems.title}
        onChange={({ target }) => {
          setProblems({ ...problems, title: undefined });
          setTyped(target.value);
        }}
      />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
        <span id={`${id}-label`} className="text-md font-semibold">
          {texts.text}
        </span>
        <div
          ref={text}
          role="textbox"
          aria-multiline
          aria-labelledby={`${id}-label`}
          aria-describedby={[problems.text && `${id}-error`, `${id}-hint`].filter(Boolean).join(' ')}
          aria-invalid={problems.text ? true : undefined}
          tabIndex={0}
          contentEditable
          suppressContentEditableWarning
          onPaste={pasteText}
          onInput={() => problems.text && setProblems({ ...problems, text: undefined })}
          className="article-text max-h-[48dvh] min-h-40 overflow-y-auto rounded-control bg-surface p-4 inset-ring inset-ring-edge hover:inset-ring-ink focus-visible:inset-ring-ink aria-invalid:inset-ring-[1.5px] aria-invalid:inset-ring-danger-lamp"
          // The server has removed everything active, and does so again when the article is saved.
          dangerouslySetInnerHTML={initial}
        />
        {problems.text && <FieldError id={`${id}-error`}>{problems.text}</FieldError>}
        <p id={`${id}-hint`} className="text-sm text-muted">
          {texts.textHint}
        </p>
      </div>
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button isBusy={update.isPending} onClick={save}>
          {texts.save}
        </Button>
        <Button variant="secondary" disabled={update.isPending} onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}
