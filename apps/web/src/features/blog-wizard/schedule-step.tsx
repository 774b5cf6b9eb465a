import { ChoiceField, TextField } from '../../components/ui/field';
import { CheckSegments } from '../../components/ui/segments';
import { Region } from '../wizard/fields/region';
import { type Approval, type BlogDraft, nextDatesOf, type PublishMode } from './blog-draft';
import { formatDateOfWeek } from './dates';
import { scheduleStepTexts as texts } from './texts';

interface ScheduleStepProps {
  draft: BlogDraft;
  onChange: (patch: Partial<BlogDraft>) => void;
  problems: Readonly<Record<string, string>>;
  now: Date;
}

const days = texts.shortDays.map((label, value) => ({ value, label, name: texts.dayNames[value]! }));
const shownDates = 5;

/** When articles are published, and what happens before. */
export function ScheduleStep({ draft, onChange, problems, now }: ScheduleStepProps) {
  const dates = nextDatesOf(draft, now, shownDates);
  return (
    <>
      <Region>
        <CheckSegments
          legend={texts.days}
          segments={days}
          values={draft.days}
          error={problems['days']}
          onChange={(chosen) => onChange({ days: chosen })}
        />
        <TextField
          type="time"
          label={texts.time}
          hint={texts.timeHint}
          className="max-w-50"
          value={draft.time}
          error={problems['time']}
          onChange={({ target }) => onChange({ time: target.value })}
        />
        <div className="grid gap-2">
          <h3 id="next-dates" className="text-md font-semibold font-stretch-normal">
            {texts.nextDates}
          </h3>
          {dates.length === 0 ? (
            <p className="text-sm text-muted">{texts.noDates}</p>
          ) : (
            <ol aria-labelledby="next-dates" className="flex flex-wrap gap-1.5 text-sm font-medium tabular-nums">
              {dates.map((date) => (
                <li key={date.getTime()} className="inline-flex min-h-9 items-center rounded-lg bg-sunken px-3">
                  <time dateTime={date.toISOString()}>{formatDateOfWeek(date)}</time>
                </li>
              ))}
            </ol>
          )}
        </div>
      </Region>
      <Region>
        <ChoiceField
          legend={texts.approval}
          choices={texts.approvals}
          value={draft.approval}
          onChange={(approval) => onChange({ approval: approval as Approval })}
        />
        <ChoiceField
          legend={texts.mode}
          choices={texts.modes}
          value={draft.publishMode}
          onChange={(publishMode) => onChange({ publishMode: publishMode as PublishMode })}
        />
      </Region>
    </>
  );
}
