import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../../lib/classes';
import type { DiaryLine } from './diary-lines';

/** Usual heights, px. A line that is shown is measured. */
const heights: Record<DiaryLine['kind'], number> = { now: 44, day: 52, run: 64, head: 36, entry: 60, note: 52, picture: 48 };

/** Lines that are rendered above and below the window, so that a keyboard can reach the next one. */
const overscan = 8;

/** How close to its end the list asks for more. */
const moreWithin = 20;

interface DiaryListProps {
  lines: readonly DiaryLine[];
  children: (line: DiaryLine) => ReactNode;
  /** Called when the end is near; undefined when there is no more, or it is on its way. */
  onEndNear: (() => void) | undefined;
}

/** The lines near the window. A diary of 100,000 lines has as many elements on the page as one of 50. */
export function DiaryList({ lines, children, onEndNear }: DiaryListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- It breaks only with React's compiler, which the build does not use.
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => heights[lines[index]?.kind ?? 'entry'],
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan,
    scrollMargin: top,
  });
  // What stands above the list changes its height without telling it.
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  useHeldPosition(virtualizer, lines, top);
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const isEndNear = last >= lines.length - moreWithin;
  useEffect(() => {
    if (isEndNear) onEndNear?.();
  }, [isEndNear, onEndNear]);
  return (
    <ul ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {shown.map(({ index, key, start }) => {
        const line = lines[index];
        if (!line) return null;
        return (
          <li
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className={classes('absolute inset-x-0 top-0', index > 0 && isFirstOfPart(line, lines[index - 1]) && 'border-t border-line')}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {children(line)}
          </li>
        );
      })}
    </ul>
  );
}

/** Whether a hairline stands above a line: above days, and above runs that do not follow the name of their day. */
function isFirstOfPart(line: DiaryLine, before: DiaryLine | undefined): boolean {
  if (line.kind === 'day' || line.kind === 'now') return true;
  return line.kind === 'run' && before?.kind !== 'day' && before?.kind !== 'now';
}

/** Keeps what a person reads where it is when lines are added above it, such as those of a run that has just begun. */
function useHeldPosition(virtualizer: Virtualizer<Window, Element>, lines: readonly DiaryLine[], top: number): void {
  const held = useRef<{ lines: readonly DiaryLine[]; key: string; start: number } | null>(null);
  useLayoutEffect(() => {
    const before = held.current;
    const positions = virtualizer.measurementsCache;
    if (before && before.lines !== lines && window.scrollY > top) {
      const now = lines.findIndex(({ key }) => key === before.key);
      const moved = (positions[now]?.start ?? before.start) - before.start;
      if (moved !== 0) window.scrollBy(0, moved);
    }
    const first = virtualizer.getVirtualItems().find(({ end }) => end > window.scrollY);
    const line = first && lines[first.index];
    held.current = line ? { lines, key: line.key, start: first.start } : null;
  });
}
