import type { FieldsProps } from '../tool-steps';
import { AppearanceFields } from './appearance-fields';
import { ConsentFields } from './consent-fields';
import { Fold } from './fold';
import { LeadFields } from './lead-fields';
import { LimitFields } from './limit-fields';
import { PromotionFields } from './promotion-fields';
import { foldAnswers } from './said';
import { formTexts as texts } from './texts';
import { wheelName } from './wheel-name';

const folds = [
  { name: 'leadFields', Fields: LeadFields, fields: ['leadFields'] },
  { name: 'appearance', Fields: AppearanceFields, fields: ['theme', 'domains'] },
  { name: 'promotion', Fields: PromotionFields, fields: ['promotion'] },
  { name: 'consent', Fields: ConsentFields, fields: ['consent', 'promotion.minAge'] },
  { name: 'options', Fields: LimitFields, fields: ['options', 'notices'] },
] as const;

/** The fold that shows a field: that of the longest path it begins with. */
function foldOf(field: string) {
  const isWithin = (path: string) => field === path || field.startsWith(`${path}.`);
  const [best] = folds
    .flatMap(({ name, fields }) => fields.filter(isWithin).map((path) => ({ name, length: path.length })))
    .sort((one, other) => other.length - one.length);
  return best?.name;
}

/** The form of the wheel and everything about its page, in folds that say their answers. */
export function FormStep(props: FieldsProps) {
  const said = foldAnswers(props.configuration, wheelName(props.configuration, props.editing));
  const failing = new Set(Object.keys(props.problems).map(foldOf));
  return (
    <div className="-mt-3">
      {folds.map(({ name, Fields }, index) => (
        <Fold key={name} title={texts.folds[name]} said={said[name]} isOpenAtFirst={index === 0} isFailing={failing.has(name)}>
          <Fields {...props} />
        </Fold>
      ))}
    </div>
  );
}
