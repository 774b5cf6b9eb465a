import { wheelSettings } from '@decola/contracts';
import type { FieldsProps } from '../tool-steps';
import type { Configuration } from '../../use-draft';

type SectionName = 'promotion' | 'consent' | 'options' | 'theme' | 'notices';

/** The fields of an object; none where it is absent. */
export const recordOf = (value: unknown): Configuration => (typeof value === 'object' && value !== null ? (value as Configuration) : {});

/** Values, changes and errors of the fields of one section. Error messages are kept by path: `promotion.endsAt`. */
export function sectionFields({ configuration, onChange, problems }: FieldsProps, name: SectionName) {
  const section = recordOf(configuration[name]);
  const change = (patch: Configuration) => onChange({ [name]: { ...section, ...patch } });
  const error = (field: string) => problems[`${name}.${field}`];
  return {
    settings: wheelSettings(configuration),
    section,
    change,
    error,
    text: (field: string) => ({
      value: typeof section[field] === 'string' ? section[field] : '',
      onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
      error: error(field),
    }),
    /** A whole number; empty means the usual one. */
    number: (field: string, mostDigits: number) => ({
      inputMode: 'numeric' as const,
      value: typeof section[field] === 'number' ? String(section[field]) : '',
      onChange: (event: { target: { value: string } }) => {
        const digits = event.target.value.replace(/\D/g, '').slice(0, mostDigits);
        change({ [field]: digits === '' ? null : Number(digits) });
      },
      error: error(field),
    }),
    flag: (field: string) => ({
      isChecked: section[field] === true,
      onChange: (isChecked: boolean) => change({ [field]: isChecked }),
      error: error(field),
    }),
  };
}
