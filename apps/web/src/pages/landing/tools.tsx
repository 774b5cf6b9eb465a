import { Check, Download, FileText, Heart, MessageCircle, UserPlus } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Lamp } from '../../components/ui/lamp';
import { Marks, Ticks } from '../../components/ui/ticks';
import { classes } from '../../lib/classes';
import { Initials, Section, StressedSentence } from './section';
import { sceneTexts, toolsTexts } from './texts';

const tools = [
  { tool: 'follow', icon: UserPlus, scene: <FollowScene />, ...toolsTexts.follow },
  { tool: 'like', icon: Heart, scene: <LikeScene />, ...toolsTexts.like },
  { tool: 'comment', icon: MessageCircle, scene: <CommentScene />, ...toolsTexts.comment },
  { tool: 'list', icon: Download, scene: <ExtractScene />, ...toolsTexts.extract },
  { tool: 'blog', icon: FileText, scene: <BlogScene />, ...toolsTexts.blog },
] as const;

/** The tools, each with a picture of what it does. On a phone the cards scroll sideways, and the edge of the next card is visible. */
export function Tools() {
  return (
    <Section id="ferramentas" title={toolsTexts.title} lead={toolsTexts.lead}>
      <ul tabIndex={0} aria-label={toolsTexts.label} className="strip gap-3.5 md:grid md:grid-cols-2 lg:grid-cols-12 lg:gap-5">
        {tools.map(({ tool, icon: Icon, scene, title, text }, index) => (
          <li
            key={tool}
            data-tool={tool}
            className={classes(
              'lit flex flex-col rounded-panel p-3 shadow-1 lg:p-3.5',
              index === 0 ? 'md:max-lg:col-span-2 lg:col-span-7' : index === 1 ? 'lg:col-span-5' : 'lg:col-span-4',
            )}
          >
            <Well className={index < 2 ? 'lg:h-69 lg:px-8' : 'lg:h-58'}>{scene}</Well>
            <div className="px-2.5 pt-4.5 pb-3 lg:px-3.5 lg:pt-5.5">
              <h3 className="flex items-center gap-2.5 text-[1.1875rem]">
                <Icon className="size-5 text-tool" strokeWidth={1.75} aria-hidden /> {title}
              </h3>
              <p className="mt-1.5 text-md text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The tinted box around a picture. */
function Well({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div
      aria-hidden
      className={classes(
        'well grid min-h-57 flex-1 grid-cols-1 content-center overflow-hidden rounded-tile px-4.5 py-5 lg:flex-none',
        className,
      )}
    >
      {children}
    </div>
  );
}

function FollowScene() {
  const { sentence, people, done, now, next } = sceneTexts.follow;
  const hues = ['like', 'list', 'comment', 'wheel'];
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-[0.85fr_1fr] lg:items-center lg:gap-11">
      <StressedSentence parts={sentence} className="lg:text-[1.75rem] lg:leading-[1.28]" />
      <div>
        {people.map((handle, index) => (
          <p key={handle} className="flex min-h-12 items-center gap-3 text-sm not-first:shadow-[0_-1px_0_var(--line)]">
            <Initials tool={hues[index]!}>{handle.slice(1, 3).toUpperCase()}</Initials>
            <b className="mr-auto min-w-0 truncate font-[550]">{handle}</b>
            {index < 2 ? (
              <span className="flex items-center gap-1.5 font-[550] text-success">
                <Check className="size-4" /> {done}
              </span>
            ) : index === 2 ? (
              <span className="flex items-center gap-1.5 font-[550] text-tool">
                <Marks value={0} of={1} isGoing /> {now}
              </span>
            ) : (
              <span className="text-muted tabular-nums">{next}</span>
            )}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Number of likes in each hour of an example day. The hours after `currentHour` are still to come. */
const likesByHour = [...Array<number>(8).fill(0), 2, 3, 3, 3, 2, 3, 3, 3, ...Array<number>(8).fill(0)];
const [currentHour, lastHour] = [15, 20];

function LikeScene() {
  const { count, today, pace, hours } = sceneTexts.like;
  return (
    <div>
      <p className="mb-4 flex items-baseline justify-between text-sm text-muted">
        <span>
          <b className="display text-[2rem] leading-none tracking-[-0.03em] text-ink">{count}</b> {today}
        </span>
        {pace}
      </p>
      <div className="grid grid-cols-24 gap-[3px]">
        {likesByHour.map((likes, hour) => (
          <span key={hour} className="grid gap-[3px]">
            {[3, 2, 1].map((level) => (
              <i
                key={level}
                className={classes(
                  'h-[15px] rounded-[2px]',
                  likes >= level
                    ? 'bg-tool'
                    : hour > currentHour && hour <= lastHour
                      ? 'inset-ring inset-ring-tool/55'
                      : 'bg-tick opacity-55',
                  likes === level && hour === currentHour && 'blinks',
                )}
              />
            ))}
          </span>
        ))}
      </div>
      <p className="mt-2.5 flex justify-between text-xs text-muted">
        {hours.map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </p>
    </div>
  );
}

function CommentScene() {
  return (
    <div className="grid justify-items-start gap-2.5 text-md">
      {sceneTexts.comment.map((words, index) => (
        <p
          key={words}
          className={classes(
            'rounded-tile rounded-bl-sm px-4 py-2.5',
            index === 1 ? 'ml-5 bg-tool font-[550] text-surface' : 'bg-surface text-muted',
          )}
        >
          {words}
        </p>
      ))}
    </div>
  );
}

function ExtractScene() {
  const { collected, columns, rows } = sceneTexts.extract;
  return (
    <div className="text-sm">
      <p className="mb-2">
        {collected.map((part, index) => (index === 1 ? <b key={part}>{part}</b> : <Fragment key={part}>{part}</Fragment>))}
      </p>
      <Ticks value={(4_870 / 5_000) * 60} of={60} label={collected.join('')} />
      <table className="mt-1 w-full tabular-nums [&_:is(td,th)]:py-1.5 [&_:is(td,th)]:text-left [&_:is(td,th)]:whitespace-nowrap [&_:is(td,th)]:shadow-[0_1px_0_var(--line)] [&_:is(td,th):last-child]:text-right">
        <thead>
          <tr className="text-xs text-muted">
            {columns.map((column) => (
              <th key={column} className="font-normal">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell) => (
                <td key={cell}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Days of the week from 0, Sunday: the schedule is Monday to Friday, and today is Wednesday. */
const [firstDay, today, lastDay] = [1, 3, 5];

function BlogScene() {
  const { days, article, state, date } = sceneTexts.blog;
  return (
    <div className="grid gap-3">
      <p className="grid grid-cols-7 gap-1 text-center text-xs text-muted">
        {days.map((day, index) => (
          <span key={day} className={classes('grid gap-1.5', index === today && 'font-[650] text-ink')}>
            <i
              className={classes(
                'h-2.5 rounded-[2px]',
                index < firstDay || index > lastDay ? 'bg-tick opacity-55' : index <= today ? 'bg-tool' : 'inset-ring inset-ring-tool',
              )}
            />
            {day}
          </span>
        ))}
      </p>
      <div className="grid gap-1.5 rounded-[12px] bg-surface p-3.5">
        <p className="text-md leading-snug font-semibold">{article}</p>
        <p className="flex items-center gap-2.5 text-xs text-muted">
          <Lamp state="on">{state}</Lamp> <span className="tabular-nums">{date}</span>
        </p>
      </div>
    </div>
  );
}
