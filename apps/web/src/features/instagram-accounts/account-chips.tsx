import { useEffect, useId, useRef } from 'react';
import { Lamp } from '../../components/ui/lamp';
import { accountNameOf } from './account-health';
import { AccountInitials } from './account-initials';
import { accountLamp } from './account-lamp';
import type { InstagramAccount } from './stopped-accounts';

/** Between an account that was scrolled to and the edge of the window on phones, px. */
const sideMargin = 16;

interface AccountChipsProps {
  /** Id of the heading that names the choice. */
  labelledBy: string;
  accounts: readonly InstagramAccount[];
  chosen: string;
  onChoose: (id: string) => void;
  /** Number of automations that run with an account, by the account's id. */
  running: ReadonlyMap<string, number>;
  /** Ids of the accounts that automations wait for. */
  awaited: ReadonlySet<string>;
}

/** Scrolls a list, but not the page, so that one of its elements is in view. */
function bringIntoView(list: HTMLElement, element: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right) list.scrollLeft += inner.left - outer.left - sideMargin;
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top;
}

/** Radio buttons for the customer's accounts, each with its state. */
export function AccountChips({ labelledBy, accounts, chosen, onChoose, running, awaited }: AccountChipsProps) {
  const group = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const label = box.current?.querySelector('input:checked')?.closest('label');
    if (label) bringIntoView(box.current!, label);
  }, [chosen]);
  return (
    <div
      ref={box}
      role="radiogroup"
      aria-labelledby={labelledBy}
      className="-mx-4 flex snap-x scroll-px-4 [scrollbar-width:none] gap-2 overflow-x-auto px-4 py-1 sm:-mx-6 sm:px-6 lg:mx-0 lg:grid lg:max-h-80 lg:gap-1 lg:overflow-y-auto lg:px-1"
    >
      {accounts.map((account) => {
        const name = accountNameOf(account.username);
        const [lamp, words] = accountLamp(account, running.get(account.id) ?? 0, awaited.has(account.id));
        return (
          <label
            key={account.id}
            className="relative flex min-h-15 shrink-0 snap-start items-center gap-3 rounded-tile py-2 pr-3.5 pl-2.5 transition-shadow duration-150 hover:bg-sunken has-checked:bg-raised has-checked:inset-ring-[1.5px] has-checked:inset-ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus lg:min-w-0 lg:shrink"
          >
            <input type="radio" name={group} className="sr-only" checked={account.id === chosen} onChange={() => onChoose(account.id)} />
            <AccountInitials name={name} className="size-10" />
            <span className="min-w-0">
              <span className="block max-w-60 truncate text-md font-semibold lg:max-w-none">{name}</span>
              <Lamp state={lamp} className="-ml-[3px] gap-1.5 text-xs font-medium">
                {words}
              </Lamp>
            </span>
          </label>
        );
      })}
    </div>
  );
}
