import { FieldError, TextField } from '../../../../components/ui/field';
import { SegmentField } from '../../../../components/ui/segments';
import { Checkbox } from '../../fields/checkbox';
import type { FieldsProps } from '../tool-steps';
import { instantOf, localTime, nextEvent } from './local-time';
import { recordOf, sectionFields } from './sections';
import { limitTexts as texts } from './texts';

const nextEventFromNow = () => nextEvent(new Date());

/** What keeps repetitions away, how long a prize waits, and what the owner hears of. */
export function LimitFields(props: FieldsProps) {
  const { settings, section, change, error, flag, number } = sectionFields(props, 'options');
  const { change: changeNotices } = sectionFields(props, 'notices');
  const event = recordOf(section['eventHours']);
  const hasEvent = section['eventHours'] !== null && section['eventHours'] !== undefined;
  const eventError = error('eventHours');
  const eventTime = (field: 'from' | 'until') => ({
    type: 'datetime-local' as const,
    value: localTime(event[field]),
    onChange: ({ target }: { target: { value: string } }) => change({ eventHours: { ...event, [field]: instantOf(target.value) } }),
    ...(eventError ? { 'aria-invalid': true as const, 'aria-describedby': 'event-error' } : {}),
  });
  return (
    <>
      <fieldset>
        <legend className="mb-1 text-md font-semibold">{texts.repeats}</legend>
        <Checkbox label={texts.oncePerEmail} {...flag('oncePerEmail')} />
        <Checkbox label={texts.oncePerPhone} {...flag('oncePerPhone')} />
        <Checkbox label={texts.noThrowaway} {...flag('noThrowawayEmails')} />
        <Checkbox label={texts.codeByEmail} hint={texts.codeByEmailHint} {...flag('codeByEmailOnly')} />
        <Checkbox
          label={texts.event}
          hint={texts.eventHint}
          isChecked={hasEvent}
          onChange={(isEvent) => change({ eventHours: isEvent ? nextEventFromNow() : null })}
        />
      </fieldset>
      {hasEvent && (
        <div className="grid gap-2">
          <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
            <TextField label={texts.from} {...eventTime('from')} />
            <TextField label={texts.until} {...eventTime('until')} />
          </div>
          {eventError && <FieldError id="event-error">{eventError}</FieldError>}
        </div>
      )}
      <TextField label={texts.valid} hint={texts.validHint} {...number('validDays', 4)} />
      <SegmentField
        legend={texts.notices}
        segments={(['each', 'daily', 'none'] as const).map((value) => ({ value, label: texts.noticeChoices[value] }))}
        value={settings.notices.leads}
        onChange={(leads) => changeNotices({ leads })}
        error={props.problems['notices']}
      />
      <Checkbox label={texts.audit} hint={texts.auditHint} {...flag('publishAudit')} />
    </>
  );
}
