import { useQuery } from '@tanstack/react-query';
import { Failure, Skeleton } from '../../components/ui/surface';
import { Ticks } from '../../components/ui/ticks';
import { formatCount } from '../../lib/format';
import { accountUsageQuery } from '../instagram-accounts/account-usage';
import { usageTexts } from '../instagram-accounts/texts';
import { nearShare } from '../instagram-accounts/today-limits';
import { shownUsage, usageLooks } from '../instagram-accounts/usage-kinds';
import { Block } from './block';
import { limitTexts as texts } from './texts';

/** More marks would run together in the narrow column of the hour. */
const mostMarksOfHour = 30;

/** How much of each ceiling the account has used today and within this hour, over all of its automations. */
export function Limits({ userId, accountId }: { userId: string; accountId: string }) {
  const usage = useQuery(accountUsageQuery(userId));
  const rows = (usage.data ?? []).filter(({ instagram_account_id: id }) => id === accountId);
  return (
    <Block title={texts.title} aside={texts.hint}>
      {usage.isPending ? (
        <Skeleton className="h-64" />
      ) : usage.isLoadingError ? (
        <Failure text={texts.loadFailed} onRetry={() => void usage.refetch()} />
      ) : (
        <>
          {rows.length === 0 && <p className="text-sm text-muted">{texts.unproven}</p>}
          <ul className="grid grid-cols-1 gap-x-10 gap-y-5 md:grid-cols-2">
            {shownUsage.map((action) => {
              const { tool, Icon } = usageLooks[action];
              const name = usageTexts.actions[action] ?? action;
              const row = rows.find((each) => each.action === action);
              return (
                <li key={action} data-tool={tool ?? undefined} className="grid grid-cols-1 gap-2">
                  <span className="flex items-center gap-2 text-md font-medium">
                    <Icon className={tool ? 'size-4 shrink-0 text-tool' : 'size-4 shrink-0'} aria-hidden /> {name}
                  </span>
                  <div className="grid grid-cols-[minmax(0,1fr)_minmax(7rem,auto)] gap-4">
                    <Scale period={texts.day} used={row?.day_used ?? 0} most={row?.day_ceiling ?? 0} name={name} spoken={texts.spokenDay} />
                    <Scale
                      period={texts.hour}
                      used={row?.hour_used ?? 0}
                      most={row?.hour_ceiling ?? 0}
                      mostMarks={mostMarksOfHour}
                      name={name}
                      spoken={texts.spokenHour}
                    />
                  </div>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Block>
  );
}

interface ScaleProps {
  period: string;
  used: number;
  /** 0 while it is unknown. */
  most: number;
  /** Maximum number of marks; with more, a mark stands for several actions. */
  mostMarks?: number;
  name: string;
  spoken: (action: string, used: string, most: string) => string;
}

function Scale({ period, used, most, mostMarks, name, spoken }: ScaleProps) {
  return (
    <div className="grid min-w-0 content-start gap-1.5 text-sm text-muted">
      <span>
        {period}{' '}
        {most > 0 ? (
          <>
            {used >= most * nearShare && <span className="font-semibold text-warning">{usageTexts.near} </span>}
            <span className="whitespace-nowrap">
              <b className="font-semibold text-ink">{formatCount(used)}</b> {texts.of(formatCount(most))}
            </span>
          </>
        ) : (
          usageTexts.unknown
        )}
      </span>
      <Ticks
        value={used}
        of={most}
        {...(mostMarks === undefined ? {} : { mostMarks })}
        label={most > 0 ? spoken(name, formatCount(used), formatCount(most)) : `${period}: ${usageTexts.spokenUnknown(name)}`}
      />
    </div>
  );
}
