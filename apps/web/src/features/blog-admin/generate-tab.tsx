import { articleAddress, keywordProblem, maxLengths } from '@decola/contracts';
import { type Dispatch, type SetStateAction, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { Notice } from '../../components/ui/surface';
import type { Generation, GenerationResult } from './generation';
import { useSaveKeyword } from './keywords';
import { LiveRun } from './live-run';
import { Pane, Panes } from './pane';
import { SavedKeywords } from './saved-keywords';
import { generateTexts as texts } from './texts';

interface GenerateTabProps {
  userId: string;
  generation: Generation;
  /** What stands in the field; kept while another tab is open. */
  keyword: string;
  onKeyword: Dispatch<SetStateAction<string>>;
}

/** Asks for one article, and keeps keywords for later ones. */
export function GenerateTab({ userId, generation, keyword, onKeyword }: GenerateTabProps) {
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const save = useSaveKeyword(userId);
  const { isBusy, result } = generation;

  const change = (typed: string) => {
    setProblem(undefined);
    onKeyword(typed);
  };
  /** Says what is wrong at the field, and focuses it. @returns true when nothing is wrong */
  const check = (found: string | null): boolean => {
    setProblem(found ?? undefined);
    if (found !== null) input.current?.focus();
    return found === null;
  };
  const generate = async () => {
    if (!check(keywordProblem(keyword)) || isBusy) return;
    if (await generation.generate(keyword.trim())) onKeyword((typed) => (typed === keyword ? '' : typed));
  };
  const saveTyped = () => {
    const typed = keyword.trim();
    if (check(typed === '' ? texts.saveEmpty : keywordProblem(typed))) save.mutate(typed);
  };
  return (
    <Panes>
      <Pane title={texts.title} lead={texts.lead}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void generate();
          }}
          className="grid grid-cols-[minmax(0,1fr)] gap-3"
        >
          <TextField
            label={texts.keyword}
            hint={texts.hint}
            placeholder={texts.placeholder}
            maxLength={maxLengths.keyword}
            autoComplete="off"
            readOnly={isBusy}
            ref={input}
            value={keyword}
            error={problem}
            onChange={({ target }) => change(target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" isBusy={isBusy} className="max-[420px]:flex-1">
              {texts.generate}
            </Button>
            <Button variant="secondary" isBusy={save.isPending} disabled={isBusy} onClick={saveTyped} className="max-[420px]:flex-1">
              {texts.save}
            </Button>
          </div>
        </form>
        {isBusy && <LiveRun run={generation.run} opening={generation.opening} />}
        {/* Present before it has content, so that screen readers announce what comes. */}
        <div role="status">{result && !(isBusy && result.kind !== 'failed') && <Result result={result} />}</div>
      </Pane>
      <SavedKeywords userId={userId} onPick={change} isPickable={!isBusy} />
    </Panes>
  );
}

function Result({ result }: { result: GenerationResult }) {
  if (result.kind === 'failed') return <Notice tone="danger">{result.message}</Notice>;
  if (result.kind === 'draft') return <Notice tone="warning">{texts.draft(result.title, result.reason)}</Notice>;
  return (
    <Notice tone="success">
      <b className="font-semibold">{texts.done}</b> <span>{texts.published(result.title)}</span>{' '}
      {result.slug !== null && (
        <a
          className="relative link whitespace-nowrap before:absolute before:-inset-x-1 before:-inset-y-3"
          href={articleAddress(result.slug)}
        >
          {texts.open}
        </a>
      )}
    </Notice>
  );
}
