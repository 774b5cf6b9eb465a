import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { turnTo } from './prize-wheel';

/** Degrees a second while the result is awaited, and how long the wheel takes to reach that. */
const [speed, startMs] = [720, 400];
/** Longer than any wait: the page gives up before. */
const longestWaitMs = 600_000;
export const landingMs = 4_000;

export interface WheelTurn {
  /** For the box that turns. */
  ref: RefObject<HTMLDivElement | null>;
  /** Degrees at which the wheel rests, or will when it has landed. */
  rotation: number;
  /** Turns until it lands or stops. */
  turn: () => void;
  /** Lands on a slice, from the speed of the moment. Resolves when it has. */
  land: (index: number, count: number, ms?: number) => Promise<void>;
  /** Ends a landing at once, as do people who want less motion. */
  skip: () => void;
  /** Back to where it was, without a result. */
  stop: () => void;
}

const wantsStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Degrees that the even turn has made after some time: it gains speed evenly at first. */
const turnedAfter = (ms: number) => (ms < startMs ? (speed * ms * ms) / (2_000 * startMs) : (speed * (ms - startMs / 2)) / 1_000);

/**
 * Turns a wheel by the Web Animations API: only the box is transformed, on the compositor, so that a busy page does not make it stutter. Landings end by a
 * timer, since a browser may hold back the events of animations in a tab that is not seen.
 * @param first degrees at which the wheel rests at first
 */
export function useWheelTurn(first = 0): WheelTurn {
  const ref = useRef<HTMLDivElement>(null);
  const [rotation, setRotation] = useState(first);
  const resting = useRef(first);
  const running = useRef<{ animation?: Animation | undefined; since: number; isEven: boolean } | null>(null);
  const landing = useRef<{ timer: ReturnType<typeof setTimeout>; end: () => void } | null>(null);

  const clear = useCallback(() => {
    running.current?.animation?.cancel();
    running.current = null;
  }, []);

  const turn = useCallback(() => {
    if (running.current || wantsStillness()) return;
    const from = resting.current;
    const at = (degrees: number) => `rotate(${from + degrees}deg)`;
    // jsdom has no animations.
    const animation = ref.current?.animate?.(
      [
        { transform: at(0), easing: 'cubic-bezier(0.333, 0, 0.667, 0.333)' },
        { transform: at(turnedAfter(startMs)), offset: startMs / longestWaitMs },
        { transform: at(turnedAfter(longestWaitMs)) },
      ],
      { duration: longestWaitMs },
    );
    running.current = { animation, since: performance.now(), isEven: true };
  }, []);

  const land = useCallback(
    (index: number, count: number, ms = landingMs) => {
      const current = running.current;
      const turned = current?.isEven ? turnedAfter(Number(current.animation?.currentTime ?? performance.now() - current.since)) : 0;
      const moving = current?.isEven ? speed * Math.min(1, (performance.now() - current.since) / startMs) : 0;
      const from = resting.current + turned;
      const target = turnTo(index, count, from, Math.random() * 2 - 1);
      clear();
      resting.current = target;
      setRotation(target);
      if (wantsStillness()) return Promise.resolve();
      // The curve begins with the speed that the wheel has, and ends without any.
      const easing =
        moving > 0
          ? `cubic-bezier(0.2, ${Math.min(1, (0.2 * moving * ms) / (1_000 * (target - from))).toFixed(3)}, 0.25, 1)`
          : 'cubic-bezier(0.12, 0.7, 0.1, 1)';
      const animation = ref.current?.animate?.([{ transform: `rotate(${from}deg)` }, { transform: `rotate(${target}deg)` }], {
        duration: ms,
        easing,
      });
      running.current = { animation, since: performance.now(), isEven: false };
      return new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(landing.current?.timer);
          landing.current = null;
          clear();
          resolve();
        };
        landing.current = { timer: setTimeout(end, ms), end };
      });
    },
    [clear],
  );

  const skip = useCallback(() => landing.current?.end(), []);

  useEffect(
    () => () => {
      clearTimeout(landing.current?.timer);
      clear();
    },
    [clear],
  );

  return useMemo(() => ({ ref, rotation, turn, land, skip, stop: clear }), [rotation, turn, land, skip, clear]);
}
