import { Check, Heart, MessageCircle, MessagesSquare, Send, UserPlus, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dial, type DialState, type DialTool } from '../../components/ui/dial';
import { Lamp } from '../../components/ui/lamp';
import { Marks, Ticks } from '../../components/ui/ticks';
import { classes } from '../../lib/classes';
import { exampleTexts as texts } from './texts';
import { Initials } from './section';

const icons = { follow: UserPlus, like: Heart, comment: MessageCircle, direct: Send } as const;

/** Parts of the dashboard with example data, as an inert picture with a label for screen readers. */
export function PanelPicture() {
  return (
    <div role="img" aria-label={texts.label} className="lit overflow-hidden rounded-panel shadow-3">
      <div inert>
        <div className="flex items-center gap-3 px-4 py-3 text-sm shadow-[0_1px_0_var(--line)] lg:px-7 lg:py-3.5">
          <span className="mr-auto flex items-center gap-2.5 font-semibold">
            <Initials tool="follow">EA</Initials> {texts.account}
          </span>
          <Lamp state="on">{texts.accountState}</Lamp>
        </div>
        <div className="grid lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_340px]">
          <Limits />
          <Followers />
          <Automations />
          <Diary />
        </div>
      </div>
    </div>
  );
}

function Limits() {
  return (
    <div className="p-4 pb-5 lg:p-7 lg:pt-6">
      <p className="mb-3.5 flex items-baseline justify-between text-sm leading-6 font-semibold text-muted">
        {texts.today} <span className="text-xs font-normal">{texts.ceiling}</span>
      </p>
      <div className="grid gap-3">
        {texts.limits.map(({ tool, name, value, most }) => {
          const Icon = icons[tool];
          return (
            <div key={tool} data-tool={tool} className="grid gap-1.5 text-sm">
              <p className="flex items-center gap-2 font-[550]">
                <Icon className="size-4 text-tool" /> <span className="mr-auto">{name}</span>
                {value / most > 0.8 && <span className="text-warning">{texts.almost}</span>}
                <span className="font-normal text-muted">
                  <b className="font-[650] text-ink">{value}</b> {texts.of} {most}
                </span>
              </p>
              <Ticks value={value} of={most} label={`${name}: ${value} ${texts.of} ${most}`} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Heights of the followers chart for the last seven days: y coordinates from 0 at the top to 100 at the bottom. */
const curve = [88, 82.3, 64, 59, 40.3, 28.5, 12];

const curvePath = curve
  .map((y, day) => {
    const x = (day * 100) / (curve.length - 1);
    const middle = x - 100 / (curve.length - 1) / 2;
    return day === 0 ? `M0 ${y}` : `C${middle} ${curve[day - 1]} ${middle} ${y} ${x} ${y}`;
  })
  .join('');

function Followers() {
  const { title, count, grown } = texts.followers;
  return (
    <div className="hidden p-7 pt-6 shadow-[-1px_0_0_var(--line)] lg:block">
      <p className="mb-3.5 text-sm leading-6 font-semibold text-muted">{title}</p>
      <p className="mb-3 flex items-baseline gap-3">
        <span className="display text-[2.5rem] leading-none font-[620] tracking-[-0.035em]">{count}</span>
        <span className="text-md font-semibold text-success">{grown}</span>
      </p>
      <div className="relative h-[116px]">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="size-full overflow-visible" aria-hidden>
          <linearGradient id="followers" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="var(--ink)" stopOpacity="0.13" />
            <stop offset="1" stopColor="var(--ink)" stopOpacity="0" />
          </linearGradient>
          {curve.map((y, day) => (
            <path key={y} d={`M${(day * 100) / (curve.length - 1)} ${y + 6}V100`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          ))}
          <path d={`${curvePath}V100H0Z`} fill="url(#followers)" />
          <path d={curvePath} fill="none" stroke="var(--ink)" strokeWidth="2" vectorEffect="non-scaling-stroke" strokeLinecap="round" />
        </svg>
        <span className="absolute top-[12%] left-full -m-[5px] size-2.5 rounded-full bg-ink shadow-[0_0_0_3px_var(--surface),0_0_0_7px_color-mix(in_srgb,var(--ink)_12%,transparent)]" />
      </div>
      <p className="mt-2.5 flex justify-between text-xs text-muted">
        {texts.days.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </p>
    </div>
  );
}

/** Marks of a list of thousands of people; each mark represents the same number of people. */
const listMarks = 60;

function Automations() {
  const { like, followers, comments } = texts.automations;
  return (
    <div className="lg:col-span-2">
      <Row
        tool="like"
        state="run"
        icon={<Heart className="icon" />}
        text={like}
        lamp={
          <>
            <Lamp state="run">{texts.states.running}</Lamp> <Marks value={2} of={3} isGoing />
          </>
        }
      />
      <Row
        tool="list"
        state="on"
        filled={4_870 / 12_400}
        icon={<Users className="icon" />}
        text={followers}
        className="max-lg:hidden"
        lamp={<Lamp state="run">{texts.states.running}</Lamp>}
        ticks={<Ticks value={(4_870 / 12_400) * listMarks} of={listMarks} label={followers.what} />}
      />
      <Row
        tool="post"
        state="done"
        icon={<MessagesSquare className="icon" />}
        text={comments}
        className="max-lg:hidden"
        lamp={<Lamp state="done">{texts.states.done}</Lamp>}
        ticks={<Ticks value={listMarks} of={listMarks} label={comments.what} />}
      />
    </div>
  );
}

interface RowProps {
  tool: DialTool;
  state: DialState;
  filled?: number;
  icon: ReactNode;
  text: { name: string; what: string };
  lamp: ReactNode;
  ticks?: ReactNode;
  className?: string;
}

function Row({ tool, state, filled = 0, icon, text, lamp, ticks, className }: RowProps) {
  return (
    <div
      data-tool={tool}
      className={classes(
        'grid grid-cols-[56px_minmax(0,1fr)_48px] items-center gap-x-4 gap-y-2.5 px-4 py-4 shadow-[0_-1px_0_var(--line)] lg:grid-cols-[56px_minmax(0,1fr)_252px_48px] lg:gap-x-5 lg:px-7 lg:py-3.5',
        className,
      )}
    >
      <Dial tool={tool} state={state} filled={filled}>
        {icon}
      </Dial>
      <div>
        <p className="display text-base leading-snug font-semibold tracking-[-0.012em] lg:text-lg">{text.name}</p>
        <p className="text-sm text-muted">{text.what}</p>
      </div>
      <div className="grid gap-1.5 max-lg:order-last max-lg:col-span-full">
        <p className="-ml-[3px] flex items-center gap-3">{lamp}</p>
        {ticks}
      </div>
      {state === 'done' ? (
        <span />
      ) : (
        <span className="flex h-7 items-center justify-end rounded-full bg-ink px-[5px]">
          <span className="size-[18px] rounded-full bg-canvas" />
        </span>
      )}
    </div>
  );
}

function Diary() {
  return (
    <div className="hidden bg-sunken/40 px-7 py-6 shadow-[-1px_0_0_var(--line)] lg:col-start-3 lg:row-span-2 lg:row-start-1 lg:block">
      <p className="mb-1.5 text-sm leading-6 font-semibold text-muted">{texts.diary}</p>
      {texts.steps.map(([time, action, whom], index) => (
        <p
          key={time + whom}
          className={classes(
            'grid min-h-11.5 grid-cols-[44px_1fr_auto] items-center gap-2 text-sm',
            index > 0 ? 'shadow-[0_-1px_0_var(--line)]' : 'arrives',
          )}
        >
          <span className="text-muted tabular-nums">{time}</span>
          <span>
            <b className="font-semibold">{action}</b> {whom}
          </span>
          <Check className="size-4 text-success" />
        </p>
      ))}
    </div>
  );
}
