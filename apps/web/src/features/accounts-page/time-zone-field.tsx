import { useMemo } from 'react';
import { SelectField } from '../../components/ui/field';
import { timeZoneTexts as texts } from './texts';
import { brazilianZones, otherZones, zoneName } from './time-zones';

/** Value of the choice to follow the browser. */
export const automaticZone = 'auto';

interface TimeZoneFieldProps {
  /** An IANA name, or `automaticZone`. */
  value: string;
  onChange: (value: string) => void;
  browserZone: string;
  error: string | undefined;
}

/** The customer's time zone: that of the browser, one of Brazil, or any other. */
export function TimeZoneField({ value, onChange, browserZone, error }: TimeZoneFieldProps) {
  const others = useMemo(() => otherZones(), []);
  const isKnown = value === automaticZone || brazilianZones.includes(value) || others.includes(value);
  return (
    <SelectField label={texts.label} hint={texts.hint} value={value} onChange={(event) => onChange(event.target.value)} error={error}>
      <option value={automaticZone}>{texts.automatic(zoneName(browserZone))}</option>
      {!isKnown && <option value={value}>{zoneName(value)}</option>}
      <optgroup label={texts.brazil}>
        {brazilianZones.map((zone) => (
          <option key={zone} value={zone}>
            {zoneName(zone)}
          </option>
        ))}
      </optgroup>
      <optgroup label={texts.others}>
        {others.map((zone) => (
          <option key={zone} value={zone}>
            {zoneName(zone)}
          </option>
        ))}
      </optgroup>
    </SelectField>
  );
}
