import type { AccountUsageRow, UsageKind } from '@decola/contracts';
import { Ticks } from '../../components/ui/ticks';
import { formatCount } from '../../lib/format';
import { usageTexts as texts } from './texts';
import { usageLooks } from './usage-kinds';

/** Rare actions are shown only when the account has done them today. */
const actions: readonly { action: UsageKind; isRare?: boolean }[] = [
  { action: 'follow' },
  { action: 'unfollow', isRare: true },
  { action: 'like' },
  { action: 'comment' },
  { action: 'message' },
  { action: 'view-story', isRare: true },
];

/** From this share of the limit on, a text says that the limit is close. */
export const nearShare = 0.85;

/** Today's actions of one account against its safety limits, with one mark per action. @param usage the account's rows; empty while there is no data */
export function TodayLimits({ usage }: { usage: readonly AccountUsageRow[] }) {
  const rows = actions.flatMap(({ action, isRare }) => {
    const row = usage.find((each) => each.action === action);
    return isRare && !row?.day_used ? [] : [{ action, ...usageLooks[action], used: row?.day_used ?? 0, most: row?.day_ceiling ?? 0 }];
  });
  return (
    <>
      <ul className="grid gap-3">
        {rows.map(({ action, tool, Icon, used, most }) => {
          const name = texts.actions[action] ?? action;
          return (
            <li
              key={action}
              data-tool={tool ?? undefined}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-2 gap-y-1.5 text-sm"
            >
              <span className="flex items-center gap-2 font-medium">
                <Icon className="size-4 shrink-0 text-tool" aria-hidden /> {name}
              </span>
              <span className="text-muted">
                {most > 0 ? (
                  <>
                    {used >= most * nearShare && <span className="mr-2 font-medium text-warning">{texts.near}</span>}
                    <span className="font-semibold text-ink">{formatCount(used)}</span> {texts.of(formatCount(most))}
                  </>
                ) : (
                  texts.unknown
                )}
              </span>
              <Ticks
                className="col-span-full"
                value={used}
                of={most}
                label={most > 0 ? texts.spoken(name, formatCount(used), formatCount(most)) : texts.spokenUnknown(name)}
              />
            </li>
          );
        })}
      </ul>
      {usage.length === 0 && <p className="mt-4 text-sm text-muted">{texts.empty}</p>}
    </>
  );
}
