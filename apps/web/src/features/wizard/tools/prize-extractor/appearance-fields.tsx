import { wheelSettings } from '@decola/contracts';
import { useState } from 'react';
import { RadioGroup, TextField } from '../../../../components/ui/field';
import { textOf } from '../../sentence-parts';
import type { FieldsProps } from '../tool-steps';
import { wheelName } from './wheel-name';
import { LogoField } from './logo-field';
import { isColour } from './row-colours';
import { namedColours } from './said';
import { recordOf, sectionFields } from './sections';
import { appearanceTexts as texts } from './texts';

const nameLimit = 120;
/** Shown by a browser's colour field until there is a colour. */
const firstColour = '#7c3aed';

const slices = (colours: readonly string[]) => {
  const size = 100 / colours.length;
  return `conic-gradient(${colours.map((colour, index) => `${colour} ${index * size}% ${(index + 1) * size}%`).join(', ')})`;
};
const soft = (colour: string) => `color-mix(in srgb, ${colour} var(--field), var(--surface))`;
const twoTones = (colour: string) => slices([colour, soft(colour), colour, soft(colour), colour, soft(colour)]);

const swatchLook = {
  options: 'flex flex-wrap gap-2',
  option:
    'relative grid min-w-20 cursor-pointer justify-items-center gap-1.5 rounded-tile px-2 py-2.5 text-sm font-medium inset-ring inset-ring-line transition-shadow duration-150 hover:inset-ring-edge has-checked:bg-raised has-checked:shadow-1 has-checked:inset-ring-[1.5px] has-checked:inset-ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
  radio: 'absolute inset-0 size-full cursor-pointer opacity-0',
};

/** Logo, title and colours of the public page, and the sites that may show it. */
export function AppearanceFields(props: FieldsProps) {
  const { configuration, onChange, problems, editing } = props;
  const { section, change, error } = sectionFields(props, 'theme');
  const colour = typeof section['colour'] === 'string' ? section['colour'] : null;
  const [isOwn, setOwn] = useState(colour !== null && colour !== namedColours.gold && colour !== namedColours.blue);
  const chosen = isOwn ? 'own' : colour === namedColours.gold ? 'gold' : colour === namedColours.blue ? 'blue' : 'twelve';
  const options = [
    { value: 'twelve', label: texts.twelve, ground: slices([0, 1, 2, 3, 5, 6].map((hue) => soft(`var(--rim-${hue})`))) },
    { value: 'gold', label: texts.gold, ground: twoTones(namedColours.gold) },
    { value: 'blue', label: texts.blue, ground: twoTones(namedColours.blue) },
    { value: 'own', label: texts.own, ground: twoTones(isOwn && isColour(colour) ? colour : firstColour) },
  ];
  const choose = (value: string) => {
    setOwn(value === 'own');
    change({
      colour:
        value === 'own' ? (isColour(colour) ? colour : firstColour) : value === 'gold' || value === 'blue' ? namedColours[value] : null,
    });
  };
  return (
    <>
      <LogoField logo={wheelSettings(configuration).theme.logo} onChange={(logo) => change({ logo })} error={error('logo')} />
      <TextField
        label={texts.title}
        hint={texts.titleHint}
        maxLength={nameLimit}
        value={typeof configuration['chosenName'] === 'string' ? configuration['chosenName'] : wheelName(configuration, editing)}
        onChange={(event) => onChange({ chosenName: event.target.value })}
        onBlur={() => textOf(configuration, 'chosenName') === '' && onChange({ chosenName: undefined })}
      />
      <RadioGroup legend={texts.colours} options={options} value={chosen} onChange={choose} look={swatchLook}>
        {({ label, ground }) => (
          <>
            <span className="size-10 rounded-full inset-ring inset-ring-rim" style={{ background: ground }} aria-hidden />
            {label}
          </>
        )}
      </RadioGroup>
      {isOwn && (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:max-w-72">
          <TextField
            label={texts.ownField}
            hint={texts.ownHint}
            error={error('colour')}
            maxLength={7}
            autoCapitalize="none"
            spellCheck={false}
            value={colour ?? ''}
            onChange={(event) => change({ colour: event.target.value.trim() })}
          />
          <input
            type="color"
            className="mt-8 h-12 w-14 cursor-pointer rounded-control bg-surface p-1 inset-ring inset-ring-edge"
            aria-label={texts.pick}
            value={isColour(colour) ? colour : firstColour}
            onChange={(event) => change({ colour: event.target.value })}
          />
        </div>
      )}
      <DomainsField domains={configuration['domains']} onChange={(domains) => onChange({ domains })} error={problems['domains']} />
    </>
  );
}

interface DomainsFieldProps {
  domains: unknown;
  onChange: (domains: string[]) => void;
  error: string | undefined;
}

/** What a customer pastes is an address; a page is allowed by its host alone. */
const hostsIn = (text: string) =>
  text
    .split(/[\s,;]+/)
    .map((line) =>
      line
        .trim()
        .replace(/^https?:\/\//i, '')
        .replace(/\/.*$/, '')
        .toLowerCase(),
    )
    .filter((host) => host !== '');

function DomainsField({ domains, onChange, error }: DomainsFieldProps) {
  const [typed, setTyped] = useState(() =>
    Object.values(recordOf(domains))
      .filter((each) => typeof each === 'string')
      .join('\n'),
  );
  return (
    <TextField
      isMultiline
      label={texts.domains}
      hint={texts.domainsHint}
      error={error}
      rows={2}
      style={{ minHeight: '4.75rem' }}
      inputMode="url"
      autoCapitalize="none"
      spellCheck={false}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(hostsIn(event.target.value));
      }}
    />
  );
}
