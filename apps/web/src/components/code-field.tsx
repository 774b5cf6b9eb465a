import type { ComponentProps } from 'react';
import { fieldText } from '../lib/forms';
import { TextField } from './ui/field';

const digits = 6;

/** The code in a form's `CodeField`, without the blanks that apps and mails set between its digits. */
export const codeIn = (form: HTMLFormElement) => fieldText(form, 'code').replace(/\s/g, '');

/** Why this cannot be the code; null when it can. */
export const codeProblem = (code: string) => (new RegExp(`^\\d{${digits}}$`).test(code) ? null : `Digite os ${digits} números do código.`);

interface CodeFieldProps extends Pick<ComponentProps<typeof TextField>, 'hint' | 'placeholder' | 'autoFocus' | 'error'> {
  label?: string;
  /** The person corrects what was called wrong. */
  onCorrect: () => void;
}

/** A code of an authenticator app or of a mail, as phone keyboards and password managers know it. */
export function CodeField({ label = `Código de ${digits} números`, onCorrect, ...rest }: CodeFieldProps) {
  return (
    <TextField
      label={label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={digits + 1}
      required
      onChange={onCorrect}
      {...rest}
    />
  );
}
