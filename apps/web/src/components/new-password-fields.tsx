import { PasswordField } from './ui/field';

export type NewPasswordField = 'password' | 'confirmation';

interface NewPasswordProblem {
  errors: Partial<Record<NewPasswordField, string>>;
  /** What the toast says (specification, section 5). */
  title: string;
  text: string;
}

const fewest = 6;

/** Why these two cannot become the password; null when they can. */
export function newPasswordProblem(password: string, confirmation: string): NewPasswordProblem | null {
  if (!password || !confirmation) {
    return {
      errors: {
        ...(password ? {} : { password: 'Digite a nova senha.' }),
        ...(confirmation ? {} : { confirmation: 'Repita a nova senha.' }),
      },
      title: 'Campos obrigatórios',
      text: 'Preencha a nova senha e a confirmação.',
    };
  }
  if (password !== confirmation) {
    return {
      errors: { confirmation: 'Digite a mesma senha nos dois campos.' },
      title: 'Senhas não coincidem',
      text: 'A nova senha e a confirmação precisam ser iguais.',
    };
  }
  if (password.length < fewest) {
    return {
      errors: { password: `Use pelo menos ${fewest} caracteres.` },
      title: 'Senha muito curta',
      text: `A nova senha deve ter pelo menos ${fewest} caracteres.`,
    };
  }
  return null;
}

interface NewPasswordFieldsProps {
  errors: Partial<Record<NewPasswordField, string>>;
  onCorrect: (field: NewPasswordField) => void;
}

/** A password to change to, and again, so that a slip of the finger locks nobody out. */
export function NewPasswordFields({ errors, onCorrect }: NewPasswordFieldsProps) {
  const field = (name: NewPasswordField) => ({
    name,
    autoComplete: 'new-password',
    required: true,
    error: errors[name],
    onChange: () => onCorrect(name),
  });
  return (
    <>
      <PasswordField label="Nova senha" hint={`Pelo menos ${fewest} caracteres.`} {...field('password')} />
      <PasswordField label="Confirmar nova senha" {...field('confirmation')} />
    </>
  );
}

/** Nobody sees it: password managers file the new password under this name. */
export function AccountName({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}
