import { textOf } from '../sentence-parts';
import type { FieldsProps } from '../tools/tool-steps';

/** Input attributes for usernames and hashtags, which phones must neither correct nor capitalise. */
export const nameInput = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const;

/** Value, change and error of the text field `name` of a configuration. */
export function fieldProps({ configuration, onChange, problems }: FieldsProps, name: string) {
  const value = configuration[name];
  return {
    value: typeof value === 'string' ? value : '',
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
    error: problems[name],
  };
}

/** The chosen value of a field with radio buttons. */
export function choiceProps({ configuration, onChange, problems }: FieldsProps, name: string) {
  return { value: textOf(configuration, name), onChange: (value: string) => onChange({ [name]: value }), error: problems[name] };
}
