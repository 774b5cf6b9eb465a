import { useVirtualizer } from '@tanstack/react-virtual';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { AccountInitials } from '../instagram-accounts/account-initials';
import { keptPeopleTexts as texts } from './texts';

/** Height of a row in rem: it grows with the size of text that the person wants. */
const rowRem = 3.25;

interface KeptPeopleListProps {
  people: readonly string[];
  onRemove: (name: string) => void;
  /** Called when the list is empty after a removal. */
  onLastRemoved: () => void;
}

/** Up to ten thousand names, of which only those in view are in the document. */
export function KeptPeopleList({ people, onRemove, onLastRemoved }: KeptPeopleListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [rowPx] = useState(() => rowRem * (parseFloat(getComputedStyle(document.documentElement).fontSize) || 16));
  // oxlint-disable-next-line react/incompatible-library -- It breaks only with React's compiler, which the build does not use.
  const rows = useVirtualizer({
    count: people.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => people[index] ?? index,
    overscan: 6,
  });
  const remove = (index: number, name: string) => {
    onRemove(name);
    if (people.length === 1) return onLastRemoved();
    // The row that takes the place of the removed one keeps the focus in the list.
    const next = Math.min(index, people.length - 2);
    setTimeout(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus());
  };
  return (
    <div ref={scroller} className="-mx-1 max-h-104 overflow-y-auto overscroll-contain px-1">
      <ul aria-label={texts.list} className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start, size }) => {
          const name = people[index];
          if (name === undefined) return null;
          return (
            <li
              key={key}
              data-index={index}
              aria-setsize={people.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 flex items-center gap-3 border-line not-first:border-t"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              <AccountInitials name={name} className="size-8 text-xs" />
              <span className="mr-auto truncate text-md font-medium">@{name}</span>
              <Button variant="quiet" size="icon" aria-label={texts.remove(name)} onClick={() => remove(index, name)}>
                <X className="size-5" aria-hidden />
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
