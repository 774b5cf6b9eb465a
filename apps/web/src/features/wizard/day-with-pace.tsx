import { actionsPerRunOf, defaultCeilings, frequencies, type UsageKind } from '@decola/contracts';
import { DayScale } from '../../components/ui/day-scale';
import { Notice } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import { planDay, type QuietHours } from './day-plan';
import type { Unit } from './sentence-parts';
import { dayTexts as texts } from './texts';
import { useCeilings } from './use-ceilings';
import type { Configuration } from './use-draft';

interface DayWithPaceProps {
  userId: string;
  accountId: string | null;
  quiet: QuietHours;
  usage: UsageKind;
  unit: Unit;
  configuration: Configuration;
}

/** What the chosen frequency and number of actions come to in a day, hour by hour, within the account's ceilings. */
export function DayWithPace({ userId, accountId, quiet, usage, unit, configuration }: DayWithPaceProps) {
  const ceilings = useCeilings(userId, accountId, usage);
  const frequency = frequencies.find((each) => each === configuration['frequency']);
  if (!frequency || !ceilings) return null;
  const { byHour, total, asked } = planDay(frequency, actionsPerRunOf(configuration['rowsPerLaunch']), ceilings, quiet);
  const [wakes, rests] = [quiet.to, quiet.from].map((time) => Number(time.slice(0, 2))) as [number, number];
  const most = formatCount(ceilings.perDay);
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap justify-between gap-x-3 text-sm text-muted">
        <h3 className="text-sm leading-6 font-medium font-stretch-normal tracking-normal">{texts.title}</h3>
        <p className="leading-6">
          <span className="font-semibold text-ink">{formatCount(total)}</span> {texts.total(most, unit.many)}
        </p>
      </div>
      <DayScale
        byHour={byHour}
        isResting={(hour) => isResting(hour, wakes, rests)}
        label={texts.spoken(wakes, rests, formatCount(total), total === 1 ? unit.one : unit.many, most)}
      />
      {asked > total && <Notice>{texts.exceeds(formatCount(asked), formatCount(total), unit.many)}</Notice>}
      <p className="text-sm text-muted">
        {wakes !== rests && texts.rests(rests, wakes)} {ceilings.isNew && newAccountText(usage)}
      </p>
    </div>
  );
}

const isResting = (hour: number, wakes: number, rests: number) =>
  wakes <= rests ? hour < wakes || hour >= rests : hour < wakes && hour >= rests;

/** How the ceiling grows with the age of an account. */
function newAccountText(usage: UsageKind): string {
  const [first, second] = defaultCeilings.byAge;
  const grown = defaultCeilings.byAge.at(-1);
  if (!first?.untilDay || !second?.untilDay || !grown) return '';
  return texts.newAccount(formatCount(first.perDay[usage]), first.untilDay, formatCount(grown.perDay[usage]), second.untilDay);
}
