import type { ComponentProps } from 'react';
import { TextField } from '../ui/field';
import { codeFieldTexts as texts } from './texts';
import type { FieldBinding } from './use-validated-form';

const digits = 6;

/** Removes the spaces that authenticator apps and mails put between the digits of a code. */
export const normaliseCode = (typed: string): string => typed.replace(/\s/g, '');

/** Rules of a code's field for `useValidatedForm`. */
export const codeRules = {
  validate: (typed: string) => (new RegExp(`^\\d{${digits}}$`).test(normaliseCode(typed)) ? undefined : texts.invalid(digits)),
};

interface CodeFieldProps extends FieldBinding, Pick<ComponentProps<typeof TextField>, 'hint' | 'placeholder' | 'autoFocus'> {
  label?: string;
}

/** A one-time code of an authenticator app or of a mail; phone keyboards and password managers recognise it. */
export function CodeField({ label = texts.label(digits), ...rest }: CodeFieldProps) {
  return <TextField label={label} inputMode="numeric" autoComplete="one-time-code" maxLength={digits + 1} required {...rest} />;
}
