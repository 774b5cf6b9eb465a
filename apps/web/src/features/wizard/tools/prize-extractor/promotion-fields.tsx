import { ChoiceField, TextField } from '../../../../components/ui/field';
import { Notice } from '../../../../components/ui/surface';
import type { FieldsProps } from '../tool-steps';
import { instantOf, localTime } from './local-time';
import { sectionFields } from './sections';
import { promotionTexts as texts } from './texts';

/** Who promotes, from when until when, and what the law asks. */
export function PromotionFields(props: FieldsProps) {
  const { section, change, error, text } = sectionFields(props, 'promotion');
  const words = texts.proposals;
  const time = (field: 'startsAt' | 'endsAt') => ({
    type: 'datetime-local' as const,
    value: localTime(section[field]),
    onChange: (event: { target: { value: string } }) => change({ [field]: instantOf(event.target.value) }),
    error: error(field),
  });
  const answer = typeof section['authorisation'] === 'string' ? section['authorisation'] : '';
  return (
    <>
      <TextField label={words.company} maxLength={150} autoComplete="organization" {...text('company')} />
      <TextField label={words.contact} hint={words.contactHint} maxLength={200} {...text('contact')} />
      <div className="grid gap-2">
        <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
          <TextField label={words.starts} {...time('startsAt')} />
          <TextField label={words.ends} {...time('endsAt')} />
        </div>
        <p className="text-sm text-muted">{words.zone}</p>
      </div>
      <TextField
        label={words.rules}
        hint={words.rulesHint}
        type="url"
        inputMode="url"
        placeholder="https://"
        maxLength={500}
        autoCapitalize="none"
        {...text('rulesUrl')}
      />
      <ChoiceField
        legend={words.question}
        choices={[
          { value: 'same_prize', label: texts.same, description: words.sameHint },
          { value: 'authorised', label: texts.authorised, description: words.authorisedHint },
          { value: 'to_check', label: texts.later, description: words.laterHint },
        ]}
        value={answer}
        onChange={(authorisation) => change({ authorisation })}
        error={error('authorisation')}
      />
      {answer === 'authorised' && <TextField label={words.number} maxLength={60} {...text('authorisationNumber')} />}
      <Notice>{texts.law}</Notice>
    </>
  );
}
