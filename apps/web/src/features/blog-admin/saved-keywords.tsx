import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { Failure, Skeleton } from '../../components/ui/surface';
import { keywordsQuery, useRemoveKeyword } from './keywords';
import { Pane } from './pane';
import { keywordTexts as texts } from './texts';

interface SavedKeywordsProps {
  userId: string;
  onPick: (keyword: string) => void;
  /** False while the field cannot be changed. */
  isPickable: boolean;
}

/** The saved keywords: a press puts one into the field. */
export function SavedKeywords({ userId, onPick, isPickable }: SavedKeywordsProps) {
  const keywords = useQuery(keywordsQuery(userId));
  const remove = useRemoveKeyword(userId);
  return (
    <Pane title={texts.title} lead={texts.lead}>
      {keywords.isPending && <Skeleton className="h-24" />}
      {keywords.isError && <Failure text={texts.loadFailed} onRetry={() => void keywords.refetch()} />}
      {keywords.data?.length === 0 && <p className="text-md text-muted">{texts.none}</p>}
      {keywords.data && keywords.data.length > 0 && (
        // Hundreds of keywords scroll inside; their buttons can be reached by keyboard, so the box needs no focus of its own.
        <ul className="-m-1 flex max-h-80 flex-wrap gap-1.5 overflow-y-auto p-1">
          {keywords.data.map((saved) => (
            <li key={saved.id} className="inline-flex max-w-full items-center rounded-control inset-ring inset-ring-line">
              <button
                type="button"
                className="min-h-11 min-w-0 py-1.5 pr-1 pl-3.5 text-left text-md font-medium wrap-anywhere underline-offset-4 hover:underline disabled:text-muted disabled:no-underline"
                disabled={!isPickable}
                onClick={() => onPick(saved.keyword)}
              >
                {saved.keyword}
              </button>
              <button
                type="button"
                className="grid size-11 shrink-0 place-content-center rounded-control text-muted hover:text-ink disabled:opacity-40"
                aria-label={texts.remove(saved.keyword)}
                disabled={remove.isPending && remove.variables.id === saved.id}
                onClick={() => remove.mutate(saved)}
              >
                <X className="size-4" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Pane>
  );
}
