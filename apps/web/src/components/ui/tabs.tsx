import type { LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';

interface TabsProps<Value extends string> {
  label: string;
  tabs: readonly { value: Value; label: string; Icon?: LucideIcon }[];
  value: Value;
  onChange: (value: Value) => void;
  /** `bar`: at the head of a panel, scrolled sideways when the tabs need more room than there is. */
  look?: keyof typeof looks;
  /** Content of the selected tab. */
  children: ReactNode;
}

const looks = {
  pill: {
    list: 'mb-6 grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-sunken p-1',
    tab: 'min-h-11 rounded-[9px] text-md font-semibold text-muted hover:text-ink aria-selected:bg-raised aria-selected:text-ink aria-selected:shadow-1',
  },
  bar: {
    list: 'flex gap-1 overflow-x-auto px-3 py-2.5 shadow-[0_1px_0_var(--line)] [scrollbar-width:none]',
    tab: 'inline-flex min-h-11 shrink-0 items-center gap-2 rounded-control px-3.5 text-md font-semibold whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-selected:bg-sunken aria-selected:text-ink',
  },
};

/** Index of the tab that a key leads to; null for other keys. */
function indexFor(key: string, index: number, count: number): number | null {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** Tabs after the pattern of the ARIA authoring practices. Radix would add 10 kB to the sign-in page. */
export function Tabs<Value extends string>({ label, tabs, value, onChange, look = 'pill', children }: TabsProps<Value>) {
  const id = useId();
  const select = (event: KeyboardEvent<HTMLButtonElement>, index: number) => {
    const next = indexFor(event.key, index, tabs.length);
    if (next === null) return;
    event.preventDefault();
    onChange(tabs[next]!.value);
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div>
      <div role="tablist" aria-label={label} className={looks[look].list}>
        {tabs.map((tab, index) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            className={looks[look].tab}
            onClick={() => onChange(tab.value)}
            onKeyDown={(event) => select(event, index)}
          >
            {tab.Icon && <tab.Icon className="size-[18px] shrink-0" aria-hidden />}
            {tab.label}
          </button>
        ))}
      </div>
      <div key={value} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}
