import type { ArticleRun } from '@decola/contracts';
import { PenLine } from 'lucide-react';
import { Dial } from '../../components/ui/dial';
import { Ticks } from '../../components/ui/ticks';
import { stepCount, stepsDone, stepSentence } from './runs';
import { generateTexts, runTexts as texts } from './texts';

interface LiveRunProps {
  /** Undefined until the server has begun. */
  run: ArticleRun | undefined;
  /** What is said until then. */
  opening: string;
}

/** The step under way of an article that is being written. */
export function LiveRun({ run, opening }: LiveRunProps) {
  const done = run ? stepsDone(run) : 0;
  const sentence = run ? stepSentence(run) : opening;
  return (
    <div
      data-tool="blog"
      className="grid grid-cols-[44px_minmax(0,1fr)] items-center gap-x-3.5 gap-y-1 rounded-tile bg-tool-soft p-4 wrap-anywhere"
    >
      <Dial tool="blog" state={run?.state === 'waiting_provider' ? 'on' : 'run'} size="small">
        <PenLine className="icon" aria-hidden />
      </Dial>
      <p className="font-semibold" aria-hidden>
        {sentence}
      </p>
      {/* Without the number of words, which would be read aloud every second. */}
      <p role="status" className="sr-only">
        {run ? stepSentence({ ...run, progress: null }) : opening}
      </p>
      <p className="col-start-2 text-sm text-muted">
        {run?.title ? texts.about(run.title, generateTexts.mayLeave) : generateTexts.mayLeave}
      </p>
      <Ticks
        kind="progress"
        value={done}
        of={stepCount}
        label={`${texts.stepOf(Math.min(done + 1, stepCount), stepCount)}: ${texts.steps}`}
        className="col-span-full mt-2"
      />
    </div>
  );
}
