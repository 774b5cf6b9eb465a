import { dashboardTools, tools } from '@decola/contracts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Dial } from '../../components/ui/dial';
import { classes } from '../../lib/classes';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { useToolRoom } from './tool-room';
import { toolGridTexts as texts } from './texts';

/** The tools in one compact row, for customers who have automations. Each tile is a button as a whole. */
export function ToolRow({ onNoSlots }: { onNoSlots: () => void }) {
  const roomFor = useToolRoom();
  return (
    <ul className="-mx-[16px] flex snap-x scroll-px-[16px] [scrollbar-width:none] gap-2.5 overflow-x-auto px-[16px] pt-1 pb-2 xl:mx-0 xl:grid xl:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] xl:gap-3 xl:overflow-visible xl:px-0">
      {dashboardTools.map((type) => {
        const { title, description, slotCost } = tools[type];
        const { isFull, isRunning } = roomFor(type);
        const cost = texts.slots(slotCost);
        const content: ReactNode = (
          <>
            <Dial tool={dialToolOf(type)} state={isFull ? 'draft' : 'idle'} size="small" filled={1} className="tool-dial">
              <ToolIcon type={type} />
            </Dial>
            <span className="self-end text-sm leading-tight font-semibold">
              <span className="sr-only">{isFull ? texts.noSlots : texts.use}:</span> {title} <span className="sr-only">({cost})</span>
            </span>{' '}
            <span className="absolute top-3.5 right-3.5 text-xs font-normal text-muted" aria-hidden={isRunning}>
              {isFull ? texts.noSlots : isRunning ? cost : texts.soon}
            </span>
          </>
        );
        const tile =
          'relative grid min-h-32 w-full grid-rows-[auto_1fr] gap-3 rounded-2xl p-3.5 text-left transition duration-200 ease-calm';
        const id = `tool-${type}`;
        return (
          <li key={type} className="tool-card group relative grid shrink-0 basis-34 snap-start" data-tool={dialToolOf(type)}>
            {isFull ? (
              <button
                type="button"
                className={classes(tile, 'text-muted inset-ring inset-ring-line')}
                aria-disabled
                aria-describedby={id}
                onClick={onNoSlots}
              >
                {content}
              </button>
            ) : (
              <Link
                to={`/automation/${type}`}
                className={classes(
                  tile,
                  'lit shadow-1 hover:-translate-y-0.5 hover:shadow-2 focus-visible:-translate-y-0.5 focus-visible:shadow-2',
                )}
                aria-describedby={id}
              >
                {content}
              </Link>
            )}
            <span
              id={id}
              role="tooltip"
              className="pointer-events-none absolute top-[calc(100%+8px)] left-1/2 z-10 hidden w-52 -translate-x-1/2 rounded-xl bg-ink px-3.5 py-3 text-sm leading-snug text-canvas group-focus-within:block group-hover:block pointer-coarse:hidden!"
            >
              {description} {!isRunning && texts.soonHint}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
