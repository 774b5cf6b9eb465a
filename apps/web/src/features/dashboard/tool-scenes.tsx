import type { ToolType } from '@decola/contracts';
import { Check, Heart, Image, MessageCircle, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { Marks } from '../../components/ui/ticks';
import { classes } from '../../lib/classes';
import { sceneTexts as texts } from './texts';

/** A picture of what a tool does, with invented people. It is decoration: the card's text says the same. @param isLead whether it is on the large first card */
export function ToolScene({ type, isLead, className }: { type: ToolType; isLead: boolean; className?: string }) {
  const scene = scenes[type];
  if (!scene) return null;
  return (
    <div
      aria-hidden
      className={classes(
        'overflow-hidden rounded-tile text-sm',
        isLead
          ? 'flex flex-col bg-linear-to-b from-tool-soft to-tool-soft/35 px-4 pt-4.5 pb-1.5 lg:px-8 lg:pt-8 lg:pb-3'
          : 'h-40 content-center bg-linear-to-b from-tool-soft/70 to-tool-soft/20 px-4 pb-6 in-[li:nth-child(n+6)]:h-full in-[li:nth-child(n+6)]:min-h-41 in-[li:nth-child(n+6)]:pb-0',
        className,
      )}
    >
      {scene()}
    </div>
  );
}

/** Null for tools that have no card on the dashboard. */
const scenes: Record<ToolType, (() => ReactNode) | null> = {
  'auto-follow-unfollow': FollowScene,
  'auto-like': LikeScene,
  'auto-comment': CommentScene,
  'prize-extractor': WheelScene,
  'auto-dm-sender': DirectScene,
  'followers-following-extractor': ListScene,
  'post-interactions-extractor': PostScene,
  'mass-story-viewer': null,
  'blog-automation': null,
};

function FollowScene() {
  const { start, people, often, hour, among, tag } = texts.follow;
  const word = (text: string) => <span className="whitespace-nowrap text-tool shadow-[0_2px_0] shadow-tool/40">{text}</span>;
  return (
    <>
      <p className="mb-3.5 text-xl leading-tight font-medium text-balance lg:mb-9 lg:max-w-[15em] lg:text-[1.9375rem]">
        {start} {word(people)} {often} {word(hour)} {among} {word(tag)}
      </p>
      <p className="hidden grid-cols-[1fr_auto] gap-2 text-muted lg:grid">
        <span>{texts.day}</span>
        <span>
          <span className="font-semibold text-ink">{texts.done}</span> {texts.most}
        </span>
        <span className="ticks col-span-2 h-4!" style={{ '--n': 60, '--v': 18 } as React.CSSProperties} />
      </p>
      <div className="mt-auto grid divide-y divide-line lg:pt-5">
        {texts.people.map((name, index) => (
          <div key={name} className={classes('flex min-h-12 items-center gap-3', index > 2 && 'hidden lg:flex')}>
            <span className="grid size-8 shrink-0 place-content-center rounded-full bg-surface text-xs font-semibold">
              {name.slice(1, 3).toUpperCase()}
            </span>
            <span className="mr-auto truncate font-medium">{name}</span>
            {index < 2 ? (
              <span className="inline-flex items-center gap-1.5 font-medium text-success">
                <Check className="size-4" /> {texts.following}
              </span>
            ) : index === 2 ? (
              <span className="inline-flex items-center gap-2 font-medium text-tool">
                <Marks value={0} of={1} isGoing /> {texts.now}
              </span>
            ) : (
              <span className="text-muted tabular-nums">{texts.later}</span>
            )}
          </div>
        ))}
      </div>
    </>
  );
}

/** Number of likes in each hour of an example day, until now; later hours are drawn as planned. */
const likesByHour = [0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 3, 3, 2, 3, 3, 2];
const firstPlannedHour = 16;
const lastPlannedHour = 20;

function LikeScene() {
  return (
    <div className="grid gap-2.5">
      <div className="grid grid-cols-[repeat(24,1fr)] gap-[3px]">
        {Array.from({ length: 24 }, (_, hour) => (
          <span key={hour} className="grid gap-[3px]">
            {[2, 1, 0].map((level) => {
              const isDone = (likesByHour[hour] ?? 0) > level;
              const isPlanned = hour >= firstPlannedHour && hour <= lastPlannedHour;
              return (
                <i
                  key={level}
                  className={classes('h-3 rounded-xs', isDone ? 'bg-tool' : isPlanned ? 'inset-ring inset-ring-tool/55' : 'bg-tick/55')}
                />
              );
            })}
          </span>
        ))}
      </div>
      <div className="flex justify-between text-xs text-muted">
        {texts.hours.map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
    </div>
  );
}

function CommentScene() {
  return (
    <div className="grid justify-items-start gap-1.5">
      {texts.comments.map((comment, index) => (
        <span
          key={comment}
          className={classes(
            'max-w-full rounded-[14px_14px_14px_4px] px-3 py-1.5',
            index === 1 ? 'ml-5 bg-tool font-medium text-surface' : 'bg-surface text-muted',
          )}
        >
          {comment}
        </span>
      ))}
    </div>
  );
}

const sliceHues = ['wheel', 'follow', 'list', 'like', 'post', 'comment', 'direct', 'story'];

function WheelScene() {
  const slices = sliceHues.map((hue, index) => `var(--${hue}-soft) ${index * 45}deg ${(index + 1) * 45}deg`).join(', ');
  return (
    <i
      className="mx-auto mt-23 block size-37 rounded-full shadow-[0_0_0_6px_var(--surface),0_0_0_7px_var(--line)]"
      style={{ background: `radial-gradient(circle, var(--surface) 0 17%, transparent 18%), conic-gradient(${slices})` }}
    />
  );
}

function DirectScene() {
  const { who, asks, gets } = texts.direct;
  return (
    <div className="grid gap-2">
      <span className="max-w-max rounded-[14px_14px_14px_4px] bg-surface px-3 py-2 text-muted">
        <span className="font-semibold text-ink">{who}</span> {asks}
      </span>
      <span className="flex max-w-max items-center gap-2 justify-self-end rounded-[14px_14px_4px_14px] bg-tool px-3 py-2 font-medium text-surface">
        <Send className="size-4 shrink-0" /> {gets}
      </span>
    </div>
  );
}

function ListScene() {
  return (
    <div className="grid divide-y divide-line">
      {[texts.list.head, ...texts.list.rows].map(([user, name], index) => (
        <span key={user} className={classes('grid grid-cols-2 gap-3 py-1.5 whitespace-nowrap', index === 0 && 'text-xs text-muted')}>
          <span>{user}</span> <span>{name}</span>
        </span>
      ))}
    </div>
  );
}

function PostScene() {
  const { likes, liked, comments, commented } = texts.post;
  return (
    <div className="flex items-center gap-3.5">
      <span className="grid size-16 shrink-0 place-content-center rounded-tile bg-tool/20 text-tool">
        <Image className="size-5" />
      </span>
      <span className="grid gap-2.5 text-muted">
        <span className="flex items-center gap-2">
          <Heart className="size-4 text-tool" /> <span className="font-semibold text-ink">{likes}</span> {liked}
        </span>
        <span className="flex items-center gap-2">
          <MessageCircle className="size-4 text-tool" /> <span className="font-semibold text-ink">{comments}</span> {commented}
        </span>
      </span>
    </div>
  );
}
