import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { classes } from '../../../../lib/classes';
import { formTexts as texts } from './texts';

interface FoldProps {
  title: string;
  /** Its answer, read while it is closed. */
  said: string;
  isOpenAtFirst?: boolean;
  /** Whether one of its fields has an error: it opens, so that the error is seen. */
  isFailing: boolean;
  children: ReactNode;
}

/** A part of a step that says its answer when it is closed. Its fields stay where they are, so that nothing typed is lost. */
export function Fold({ title, said, isOpenAtFirst = false, isFailing, children }: FoldProps) {
  const id = useId();
  const [isOpened, setOpened] = useState(isOpenAtFirst);
  const [wasFailing, setWasFailing] = useState(isFailing);
  if (isFailing !== wasFailing) {
    setWasFailing(isFailing);
    if (isFailing) setOpened(true);
  }
  const isOpen = isOpened || (isFailing && !wasFailing);
  return (
    <section className="border-line not-first:border-t">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpened(!isOpen)}
          className="grid min-h-19 w-full grid-cols-[minmax(0,1fr)_20px] items-center gap-x-4 gap-y-0.5 rounded-control py-3.5 text-left"
        >
          <span className="text-lg leading-snug">
            {title}
            {isFailing && <span className="sr-only"> {texts.missing}</span>}
          </span>{' '}
          <span className="col-start-1 text-md leading-snug font-normal font-stretch-normal tracking-normal [overflow-wrap:anywhere] text-muted">
            {said}
          </span>
          <ChevronDown
            className={classes(
              'col-start-2 row-span-2 row-start-1 size-5 text-muted transition-[rotate] duration-240',
              isOpen && 'rotate-180',
            )}
            aria-hidden
          />
        </button>
      </h3>
      <div id={id} hidden={!isOpen} className="grid grid-cols-1 gap-5 pt-1 pb-7">
        {children}
      </div>
    </section>
  );
}
