import { followWarmUp } from '@decola/contracts';
import type { CSSProperties } from 'react';
import { Notice } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';
import { Block } from './block';
import { warmUpTexts as texts } from './texts';

/** Days that are drawn after the warm-up. */
const daysAfter = 8;

interface Stage {
  name: string;
  perDay: number;
  /** The days of the stage, from 1. */
  days: readonly number[];
}

/** The stages of the usual table of ceilings. */
const stages: readonly Stage[] = followWarmUp.map(({ untilDay, perDay }, index) => {
  const from = (followWarmUp[index - 1]?.untilDay ?? 0) + 1;
  const to = untilDay ?? from + daysAfter - 1;
  return {
    name: untilDay === null ? texts.after : texts.until(from, untilDay),
    perDay,
    days: Array.from({ length: to - from + 1 }, (_, day) => from + day),
  };
});
const usualDays = followWarmUp.findLast(({ untilDay }) => untilDay !== null)?.untilDay ?? 0;

/** A longest bar as high as its number of people, px. */
const heightOf = (perDay: number) => perDay;

interface WarmUpProps {
  account: InstagramAccount;
  /** Whether the account has had a session that was found good. */
  isProven: boolean;
  halvedUntil: string | null;
}

/** How far the account's warm-up is: a mark for each day, as high as the number of people that it may follow on that day. */
export function WarmUp({ account, isProven, halvedUntil }: WarmUpProps) {
  const { warmup_day: day, warmup_days: days } = account;
  // An operator may switch it off, and may configure other days than the usual table has; then only the days are known.
  const isUsual = days === usualDays;
  const drawn: readonly Stage[] = isUsual
    ? stages
    : [{ name: texts.until(1, days), perDay: heightOf(32), days: Array.from({ length: days }, (_, index) => index + 1) }];
  const reached = day ?? (isProven ? Infinity : 0);
  const said = day !== null ? texts.today(day) : isProven ? texts.isOver : texts.isNotBegun;
  return (
    <Block title={texts.title} aside={day !== null ? texts.day(day, days) : isProven ? texts.over : texts.notBegun}>
      {halvedUntil !== null && <Notice>{texts.halved(halvedUntil)}</Notice>}
      {days === 0 && <p className="text-md text-muted">{texts.none}</p>}
      {days > 0 && (
        <div className="grid grid-cols-1 gap-3">
          <div
            role="img"
            aria-label={isUsual ? texts.spoken(stages.map(({ name, perDay }) => texts.stage(name, perDay)).join(', '), said) : said}
            className="flex h-15 items-end gap-1"
          >
            {drawn.map((stage, index) =>
              stage.days.map((each, place) => (
                <i
                  key={each}
                  className={classes(
                    'h-(--high) max-w-[9px] flex-1 rounded-[1.5px]',
                    each <= reached ? 'bg-ink' : 'bg-tick',
                    index > 0 && place === 0 && 'ml-1',
                  )}
                  style={{ '--high': `${heightOf(stage.perDay)}px` } as CSSProperties}
                />
              )),
            )}
          </div>
          {isUsual && (
            <>
              <dl className="flex justify-between gap-3 text-sm text-muted">
                {stages.map(({ name, perDay }) => (
                  <div key={name} className="flex flex-col-reverse">
                    <dt>{name}</dt>
                    <dd className="display text-[1.375rem] leading-tight text-ink">{perDay}</dd>
                  </div>
                ))}
              </dl>
              <p className="text-sm text-muted">{texts.why}</p>
            </>
          )}
        </div>
      )}
    </Block>
  );
}
