import { consentChannels, wheelLimits } from '@decola/contracts';
import { TextField } from '../../../../components/ui/field';
import { Checkbox } from '../../fields/checkbox';
import type { FieldsProps } from '../tool-steps';
import { sectionFields } from './sections';
import { consentTexts as texts } from './texts';

/** What visitors agree to, and how long their data is kept. */
export function ConsentFields(props: FieldsProps) {
  const { settings, change, number } = sectionFields(props, 'consent');
  const { number: promotionNumber } = sectionFields(props, 'promotion');
  const { consent } = settings;
  const { minAge, retentionDays } = wheelLimits;
  return (
    <>
      <Checkbox
        label={texts.ask}
        hint={texts.askHint}
        isChecked={consent !== null}
        onChange={(isAsked) => props.onChange({ consent: isAsked ? { channels: [], retentionDays: retentionDays.default } : null })}
      />
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <TextField label={texts.minAge} placeholder={String(minAge.default)} {...promotionNumber('minAge', 3)} />
        {consent !== null && (
          <TextField
            label={texts.retention}
            hint={texts.retentionHint(retentionDays.min, retentionDays.max)}
            placeholder={String(retentionDays.default)}
            {...number('retentionDays', 4)}
          />
        )}
      </div>
      {consent !== null && (
        <fieldset>
          <legend className="mb-1 text-md font-semibold">{texts.channels}</legend>
          {consentChannels.map((channel) => (
            <Checkbox
              key={channel}
              label={texts.channelNames[channel]}
              isChecked={consent.channels.includes(channel)}
              onChange={(isAsked) =>
                change({ channels: consentChannels.filter((each) => (each === channel ? isAsked : consent.channels.includes(each))) })
              }
            />
          ))}
          <p className="mt-1 text-sm text-muted">{texts.channelsHint}</p>
        </fieldset>
      )}
    </>
  );
}
