import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classes } from '../../lib/classes';

export const dialTools = ['follow', 'like', 'comment', 'wheel', 'list', 'post', 'direct', 'story', 'blog'] as const;
export type DialTool = (typeof dialTools)[number];

/** `run` sweeps; `on` is filled so far; `stop` is red with a sign; `done` is green with a check; `draft` is unlit; `idle` waits to be used. */
export type DialState = 'run' | 'on' | 'stop' | 'done' | 'draft' | 'idle';

const ring = 'M28 3a25 25 0 1 1-.01 0';

interface DialProps {
  tool?: DialTool | undefined;
  state: DialState;
  /** How much of the ring is lit, 0 to 1: time to the next run, share of what was extracted, answers given. Ignored by `stop`, `done`, `draft`. */
  filled?: number;
  size?: 'normal' | 'small';
  className?: string;
  /** An icon, or the number of a step. */
  children: ReactNode;
}

/** An automation as its tool's icon in a ring of 40 marks. The ring is the state; the words beside it say the same. */
export function Dial({ tool, state, filled = 0, size = 'normal', className, children }: DialProps) {
  const marks = useId();
  const share =
    state === 'stop' || state === 'done' ? 1 : state === 'draft' ? 0 : state === 'run' ? 0.26 : Math.min(Math.max(filled, 0), 1);
  return (
    <span className={classes('dial', className)} data-tool={tool} data-state={state} data-size={size} aria-hidden>
      <svg className="marks-ring" viewBox="0 0 56 56">
        <mask id={marks}>
          <path d={ring} pathLength="120" fill="none" stroke="#fff" strokeWidth="5" strokeDasharray="1.1 1.9" />
        </mask>
        <circle className="face" cx="28" cy="28" r="19.5" />
        <g mask={`url(#${marks})`} fill="none" strokeWidth="5">
          <circle className="base" cx="28" cy="28" r="25" />
          {share > 0 && <path className="arc" d={ring} pathLength="100" strokeDasharray={`${share * 100} 100`} />}
        </g>
      </svg>
      {children}
      {(state === 'stop' || state === 'done') && (
        <span className="sign">
          {state === 'done' ? (
            <Check />
          ) : (
            <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeLinecap="round">
              <path d="M12 4v9M12 19.5v.1" />
            </svg>
          )}
        </span>
      )}
    </span>
  );
}
