import { defaultQuietHours } from '@decola/contracts';
import { useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { DayClock } from '../../components/ui/day-clock';
import { focusSoon } from '../../lib/focus-soon';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';
import { Block } from './block';
import type { ProfileZone } from './chosen-time-zone';
import { QuietHoursForm } from './quiet-hours-form';
import { quietTexts as texts } from './texts';
import { wallTimeAt, zoneTime } from './time-zones';

interface QuietHoursProps {
  userId: string;
  account: InstagramAccount;
  zone: ProfileZone;
  timeZone: string;
  now: Date;
}

/** When the account rests, in the customer's own time zone. */
export function QuietHours({ userId, account, zone, timeZone, now }: QuietHoursProps) {
  const [isEditing, setEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    focusSoon(opener);
  };
  const { from, to } = { from: account.quiet_from ?? defaultQuietHours.from, to: account.quiet_to ?? defaultQuietHours.to };
  const time = wallTimeAt(now, timeZone);
  return (
    <Block title={texts.title} aside={zoneTime(timeZone, now)}>
      {isEditing ? (
        <QuietHoursForm userId={userId} account={account} zone={zone} timeZone={timeZone} now={now} onClose={close} />
      ) : (
        <div className="grid grid-cols-[minmax(6rem,8.25rem)_minmax(0,1fr)] items-center gap-5">
          <DayClock from={from} to={to} now={time} label={texts.spoken(from, to, time)} />
          <div>
            <p className="text-lg font-semibold">{texts.range(from, to)}</p>
            {account.quiet_from === null && <p className="text-sm text-muted">{texts.usual}</p>}
            <p className="mt-1 text-sm text-muted">{texts.text}</p>
            <Button ref={opener} variant="secondary" size="small" className="mt-3" onClick={() => setEditing(true)}>
              {texts.change}
            </Button>
          </div>
        </div>
      )}
    </Block>
  );
}
