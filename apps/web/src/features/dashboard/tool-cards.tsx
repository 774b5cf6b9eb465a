import { type ToolType, tools } from '@decola/contracts';
import { Link } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Dial } from '../../components/ui/dial';
import { Skeleton } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { useSlots } from '../../session/subscription';
import { sceneTexts, toolGridTexts as texts } from './texts';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { useToolRoom } from './tool-room';
import { ToolScene } from './tool-scenes';

type Shape = 'lead' | 'small' | 'wide';

/** The seven tools of the dashboard, in the order in which the large cards fill their rows. */
const cards: readonly (readonly [ToolType, Shape])[] = [
  ['auto-follow-unfollow', 'lead'],
  ['auto-like', 'small'],
  ['auto-comment', 'small'],
  ['prize-extractor', 'small'],
  ['auto-dm-sender', 'small'],
  ['followers-following-extractor', 'wide'],
  ['post-interactions-extractor', 'wide'],
];

const shapes: Record<Shape, string> = {
  lead: 'p-3.5 shadow-2 sm:col-span-2 lg:col-span-6 lg:row-span-2 lg:p-4',
  small: 'p-4.5 shadow-1 lg:col-span-3 lg:p-3',
  wide: 'p-4.5 shadow-1 lg:col-span-6 lg:grid lg:grid-cols-[min(15.5rem,44%)_minmax(0,1fr)] lg:p-3',
};

/** The tools as large cards with a picture of what each does, for customers who have no automation yet. */
export function ToolCards({ onNoSlots }: { onNoSlots: () => void }) {
  return (
    <ul className="grid grid-cols-1 gap-3.5 sm:grid-cols-2 lg:grid-cols-12 lg:gap-4" aria-label={texts.tools}>
      {cards.map(([type, shape]) => (
        <ToolCard key={type} type={type} shape={shape} onNoSlots={onNoSlots} />
      ))}
    </ul>
  );
}

function ToolCard({ type, shape, onNoSlots }: { type: ToolType; shape: Shape; onNoSlots: () => void }) {
  const { title, description, slotCost } = tools[type];
  const slots = useSlots();
  const { isFull, isRunning } = useToolRoom()(type);
  const isLead = shape === 'lead';
  const cost = texts.slots(slotCost);
  const size = isLead ? 'large' : 'normal';
  const variant = isLead ? 'primary' : 'secondary';
  return (
    <li
      data-tool={dialToolOf(type)}
      className={classes(
        'tool-card lit relative flex min-w-0 flex-col rounded-panel transition-shadow duration-200 hover:shadow-2',
        shapes[shape],
      )}
    >
      <ToolScene type={type} isLead={isLead} className={isLead ? 'lg:flex-1' : 'hidden lg:grid'} />
      <div
        className={classes(
          'flex min-w-0 flex-1 flex-col',
          isLead
            ? 'px-1.5 pt-4.5 pb-1.5 lg:flex-none lg:px-4 lg:pt-6 lg:pb-3'
            : shape === 'wide'
              ? 'lg:py-2.5 lg:pr-2.5 lg:pl-6'
              : 'lg:px-2.5 lg:pt-4 lg:pb-2',
        )}
      >
        <div className={classes('flex flex-wrap items-center gap-x-3 gap-y-1', shape === 'small' && 'lg:block')}>
          <Dial
            tool={dialToolOf(type)}
            state="idle"
            filled={1}
            size="small"
            className={classes(
              'tool-dial',
              shape === 'small' &&
                'lg:z-10 lg:-mt-10 lg:-ml-1 lg:mb-2.5 lg:rounded-full lg:bg-surface lg:shadow-[0_0_0_4px_var(--surface)]',
            )}
          >
            <ToolIcon type={type} />
          </Dial>
          <h2 className={isLead ? 'text-xl lg:text-[1.625rem]' : 'min-w-0 flex-1 text-[1.0625rem] leading-tight font-stretch-normal'}>
            {title}
          </h2>
          {isLead && (
            <span className="ml-auto hidden min-h-6 items-center rounded-md bg-tool-soft px-2.5 text-xs font-semibold whitespace-nowrap text-tool min-[26rem]:inline-flex">
              {sceneTexts.good}
            </span>
          )}
        </div>
        <p className={classes('mt-2 text-md text-muted', isLead && 'lg:text-base')}>{description}</p>
        {!isRunning && <p className="mt-1 text-sm text-muted">{texts.soonHint}</p>}
        <div className="mt-auto flex flex-wrap items-center justify-between gap-3 pt-4">
          {slots.isPending ? (
            <Skeleton className={isLead ? 'h-13 w-44' : 'h-11 w-28'} />
          ) : isFull ? (
            <Button variant="secondary" size={size} aria-disabled aria-label={texts.useOf(texts.noSlots, title, cost)} onClick={onNoSlots}>
              {texts.noSlots}
            </Button>
          ) : (
            <Button asChild variant={variant} size={size} className={classes(isLead && 'lg:min-w-45')}>
              <Link to={`/automation/${type}`} aria-label={texts.useOf(texts.use, title, cost)}>
                {texts.use}
              </Link>
            </Button>
          )}
          <span className="text-xs text-muted">
            {!isRunning && <>{texts.soon} · </>}
            <span>{cost}</span>
          </span>
        </div>
      </div>
    </li>
  );
}
