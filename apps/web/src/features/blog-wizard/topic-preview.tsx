import type { WizardProblem } from '@decola/contracts';
import { AlertTriangle } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { Skeleton } from '../../components/ui/surface';
import { formatDateOfWeek } from './dates';
import { topicPreviewTexts as texts } from './texts';
import { TopicFacts } from './topic-facts';
import type { useTopicPreview } from './use-topic-preview';

interface TopicPreviewProps {
  preview: ReturnType<typeof useTopicPreview>;
  /** When the next articles are due. */
  dates: readonly Date[];
  /** What is missing in the steps before, without which no topic can be chosen. */
  missing: WizardProblem | undefined;
  /** An automation that is not stored yet is kept as a draft first. */
  isNew: boolean;
  goTo: (step: number) => void;
}

/** What the next five articles will be about, and why, before anything is written. */
export function TopicPreview({
  preview: { topics, isBusy, isChoosing, problem, choose, replace },
  dates,
  missing,
  isNew,
  goTo,
}: TopicPreviewProps) {
  return (
    <section aria-labelledby="next-topics" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-1">
        <h3 id="next-topics" className="text-md font-semibold font-stretch-normal">
          {texts.title}
        </h3>
        <p className="text-sm text-muted">{topics ? texts.lede : isNew ? texts.ledeNew : texts.ledeOpen}</p>
      </div>
      {isChoosing && (
        <div role="status" aria-label={texts.choosing} className="grid gap-3">
          <p className="text-sm">{texts.choosingText}</p>
          {[0, 1, 2].map((line) => (
            <Skeleton key={line} className="h-14" />
          ))}
        </div>
      )}
      {!isChoosing && topics && (
        <>
          <ol aria-labelledby="next-topics" className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line border-y border-line">
            {topics.map(({ id, title, focusKeyword, why }, index) => (
              <li key={id} className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 py-3 sm:grid-cols-[5rem_minmax(0,1fr)]">
                <span className="text-sm text-muted tabular-nums sm:pt-0.5">
                  {dates[index] && <time dateTime={dates[index].toISOString()}>{formatDateOfWeek(dates[index]).replace(/,.*/, '')}</time>}
                </span>
                <div className="grid min-w-0 gap-0.5 wrap-anywhere">
                  <TopicFacts heading="h4" title={title} keyword={focusKeyword} why={why} />
                </div>
              </li>
            ))}
          </ol>
          <Button variant="secondary" className="justify-self-start" isBusy={isBusy} onClick={replace}>
            {texts.replace}
          </Button>
        </>
      )}
      {!isChoosing && !topics && problem && (
        <p role="alert" className="flex items-start gap-2 text-sm text-danger">
          <AlertTriangle className="mt-0.5 size-4 shrink-0" aria-hidden />
          <span className="min-w-0 wrap-anywhere">{problem.message || texts.failedText}</span>
        </p>
      )}
      {!isChoosing && !topics && missing && (
        <div className="grid justify-items-start gap-3">
          <p className="text-sm">{texts.missing}</p>
          <Button variant="secondary" onClick={() => goTo(missing.step)}>
            {texts.complete(missing.step)}
          </Button>
        </div>
      )}
      {!isChoosing && !topics && !missing && (
        <Button variant="secondary" className="justify-self-start" isBusy={isBusy} onClick={choose}>
          {problem ? texts.again : texts.choose}
        </Button>
      )}
    </section>
  );
}
