import type { FieldBinding } from '../../components/forms/use-validated-form';
import { TextField } from '../../components/ui/field';
import { emailFieldTexts as texts } from './texts';

/** The forms of this page share one email: what was typed in one is there in the next. */
export interface EmailProps {
  email: string;
  onEmail: (email: string) => void;
}

/** Rules of the email's field for `useValidatedForm`; every change is reported to the page. */
export const emailRules = (onEmail: EmailProps['onEmail']) => ({
  validate: emailProblem,
  onChange: ({ target }: { target: { value: string } }) => onEmail(target.value),
});

function emailProblem(typed: string): string | undefined {
  const email = typed.trim();
  if (email === '') return texts.missing;
  return /^[^\s@]+@[^\s@]+$/.test(email) ? undefined : texts.invalid;
}

/** The email of every form of this page; password managers and phone keyboards recognise it. */
export function EmailField(props: FieldBinding & { hint?: string; autoFocus?: boolean }) {
  return (
    <TextField
      label={texts.label}
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  );
}
