import { feedTarget, type WizardChoice } from '@decola/contracts';
import { ChoiceField, TextField } from '../../../components/ui/field';
import { Notice } from '../../../components/ui/surface';
import { textOf } from '../sentence-parts';
import { configurationTexts as texts } from '../texts';
import type { FieldsProps } from '../tools/tool-steps';
import type { Configuration } from '../use-draft';
import { ExtractedListField } from './extracted-list-field';
import { fieldProps, nameInput } from './field-props';
import { Region } from './region';

/** Clears what belongs to another method: the server would still use its list, and `feed` is no hashtag that the customer typed. */
function patchFor(method: string, before: Configuration): Configuration {
  const targets = before['method'] === 'feed' && before['targets'] === feedTarget ? { targets: '' } : {};
  return { method, ...targets, ...(method === 'slot' ? { dataSource: 'extracted' } : { dataSource: null, extractedSlotId: null }) };
}

interface SourceFieldsProps extends FieldsProps {
  legend: string;
  methods: readonly WizardChoice[];
  /** Shown below the field for the profile. */
  profileHint?: string;
  /** What a method means for this tool, by method. */
  notes?: Readonly<Record<string, string>>;
}

/** Where people or posts come from: the method, and what it needs. */
export function SourceFields({ legend, methods, profileHint, notes = {}, ...props }: SourceFieldsProps) {
  const { configuration, onChange, problems } = props;
  const method = textOf(configuration, 'method');
  const note = notes[method];
  return (
    <>
      <Region>
        <ChoiceField
          legend={legend}
          choices={methods}
          value={method}
          onChange={(value) => onChange(patchFor(value, configuration))}
          error={problems['method']}
        />
      </Region>
      {method !== '' && (
        <Region>
          {method === 'hashtag' && (
            <TextField
              label={texts.hashtag.label}
              placeholder={texts.hashtag.placeholder}
              hint={texts.hashtag.hint}
              {...nameInput}
              {...fieldProps(props, 'targets')}
            />
          )}
          {method === 'list' && <ProfileField hint={profileHint} {...props} />}
          {method === 'slot' && <SlotField {...props} />}
          {note && <Notice tone="neutral">{note}</Notice>}
        </Region>
      )}
    </>
  );
}

export function ProfileField({ hint, ...props }: FieldsProps & { hint?: string | undefined }) {
  const { label, placeholder } = texts.profile;
  return <TextField label={label} placeholder={placeholder} hint={hint} {...nameInput} {...fieldProps(props, 'targets')} />;
}

/** The list that a tool takes its people from. */
export function SlotField({ configuration, onChange, problems }: FieldsProps) {
  return (
    <ExtractedListField
      value={textOf(configuration, 'extractedSlotId')}
      onChange={(id) => onChange({ extractedSlotId: id, dataSource: 'extracted' })}
      error={problems['extractedSlotId']}
    />
  );
}

/** The address of a post. */
export function PostField({ hint, ...props }: FieldsProps & { hint?: string }) {
  const { label, placeholder } = texts.post;
  return <TextField label={label} type="url" placeholder={placeholder} hint={hint} {...fieldProps(props, 'targets')} />;
}
