import { Plus } from 'lucide-react';
import { useId } from 'react';
import { Lamp, type LampState } from '../../components/ui/lamp';
import { formatDue, formatRelativeTime } from '../../lib/relative-time';
import { accountNameOf, healthOf } from '../instagram-accounts/account-health';
import { AccountInitials } from '../instagram-accounts/account-initials';
import { accountTexts } from '../instagram-accounts/texts';
import { newAccount, type OfferedAccount } from './stored-accounts';
import { accountStepTexts as texts } from './texts';

interface AccountChoiceProps {
  offered: readonly OfferedAccount[];
  /** Id of an account, or `newAccount`. */
  value: string;
  onChange: (value: string) => void;
}

/** The state of an account as a lamp and its label. */
function stateOf({ account, sessionId, checkedAt }: OfferedAccount): [LampState, string] {
  const words = accountTexts.health;
  switch (healthOf(account)) {
    case 'needs-you':
      return ['warn', words.needsYou];
    case 'checking':
      return ['off', words.checking];
    case 'resting':
      return ['stop', account.paused_until ? words.resting(formatDue(account.paused_until)) : words.restingWithoutEnd];
    case 'paused':
      return ['off', words.paused];
    case 'on':
      if (sessionId === null) return ['off', words.noSession];
      return ['on', checkedAt ? texts.checked(formatRelativeTime(checkedAt)) : texts.stored];
  }
}

const tile =
  'relative grid min-h-18 cursor-pointer grid-cols-[44px_minmax(0,1fr)_22px] items-center gap-x-3.5 rounded-tile px-3.5 py-3 inset-ring inset-ring-line transition-shadow duration-150 hover:inset-ring-edge has-checked:bg-raised has-checked:shadow-1 has-checked:inset-ring-[1.5px] has-checked:inset-ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus';
const radio = 'size-5 accent-ink focus-visible:outline-none';

/** Radio buttons for the customer's accounts, each with its state, and for a new account whose session is pasted. */
export function AccountChoice({ offered, value, onChange }: AccountChoiceProps) {
  const group = useId();
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="sr-only">{texts.legend}</legend>
      <div className="-m-1 grid max-h-96 grid-cols-1 gap-2 overflow-y-auto p-1">
        {offered.map((each) => {
          const { id, username } = each.account;
          const name = accountNameOf(username);
          const [lamp, words] = stateOf(each);
          return (
            <label key={id} className={tile}>
              <AccountInitials name={name} className="size-11" />
              <span className="min-w-0">
                <span className="block font-semibold [overflow-wrap:anywhere]">{name}</span>{' '}
                <Lamp state={lamp} className="-ml-[3px] font-medium">
                  {words}
                </Lamp>
              </span>
              <input type="radio" name={group} className={radio} checked={id === value} onChange={() => onChange(id)} />
            </label>
          );
        })}
      </div>
      <label className={tile}>
        <span className="grid size-11 place-content-center rounded-full inset-ring-[1.5px] inset-ring-edge" aria-hidden>
          <Plus className="size-5" />
        </span>
        <span className="min-w-0">
          <span className="block font-semibold">{texts.another}</span> <span className="block text-sm text-muted">{texts.anotherHint}</span>
        </span>
        <input type="radio" name={group} className={radio} checked={value === newAccount} onChange={() => onChange(newAccount)} />
      </label>
    </fieldset>
  );
}
