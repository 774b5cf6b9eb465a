import { PasswordField } from '../ui/field';
import { newPasswordTexts as texts } from './texts';
import type { FieldBinding } from './use-validated-form';

export interface NewPassword {
  password: string;
  confirmation: string;
}

interface NewPasswordProblem {
  /** Messages below the fields. */
  errors: Partial<NewPassword>;
  /** Title and text of the toast (specification, section 5). */
  title: string;
  text: string;
}

const minLength = 6;

/** Why these two cannot become the password; null when they can. */
export function newPasswordProblem({ password, confirmation }: NewPassword): NewPasswordProblem | null {
  if (!password || !confirmation) {
    return {
      errors: {
        ...(password ? {} : { password: texts.missing.password }),
        ...(confirmation ? {} : { confirmation: texts.missing.confirmation }),
      },
      title: texts.missing.title,
      text: texts.missing.text,
    };
  }
  if (password !== confirmation) {
    return {
      errors: { confirmation: texts.different.confirmation },
      title: texts.different.title,
      text: texts.different.text,
    };
  }
  if (password.length < minLength) {
    return {
      errors: { password: texts.tooShort.password(minLength) },
      title: texts.tooShort.title,
      text: texts.tooShort.text(minLength),
    };
  }
  return null;
}

/** Rules of both fields for `useValidatedForm`. */
export const newPasswordRules = {
  password: { validate: (_: string, values: NewPassword) => newPasswordProblem(values)?.errors.password },
  confirmation: { validate: (_: string, values: NewPassword) => newPasswordProblem(values)?.errors.confirmation },
};

/** A new password, typed twice so that a typing error locks nobody out. */
export function NewPasswordFields({ password, confirmation }: Record<keyof NewPassword, FieldBinding>) {
  return (
    <>
      <PasswordField label={texts.password} hint={texts.passwordHint(minLength)} autoComplete="new-password" required {...password} />
      <PasswordField label={texts.confirmation} autoComplete="new-password" required {...confirmation} />
    </>
  );
}

/** Hidden: password managers store the new password under this email. */
export function AccountName({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}
