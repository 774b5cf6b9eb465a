import { Check, Circle } from 'lucide-react';
import { classes } from '../../lib/classes';

/** What a password of a new account must have (specification, section 5). */
export const passwordRules: readonly { label: string; holds: (password: string) => boolean }[] = [
  { label: 'Mínimo 8 caracteres', holds: (password) => password.length >= 8 },
  { label: 'Pelo menos 1 letra maiúscula', holds: (password) => /[A-Z]/.test(password) },
  { label: 'Pelo menos 1 letra minúscula', holds: (password) => /[a-z]/.test(password) },
  { label: 'Pelo menos 1 número', holds: (password) => /\d/.test(password) },
  { label: 'Pelo menos 1 caractere especial (!@#$%^&*)', holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password) },
];

export const isStrong = (password: string): boolean => passwordRules.every(({ holds }) => holds(password));

/** Which rules a password meets while it is typed; how many are met is also said to whoever cannot see it. */
export function PasswordChecklist({ id, password }: { id: string; password: string }) {
  const met = passwordRules.filter(({ holds }) => holds(password)).length;
  return (
    <div id={id}>
      <ul className="grid gap-1.5 text-[15px]" aria-label="A senha precisa de">
        {passwordRules.map(({ label, holds }) => {
          const isMet = holds(password);
          const Icon = isMet ? Check : Circle;
          return (
            <li key={label} className={classes('flex items-center gap-2', isMet ? 'text-success' : 'text-muted')}>
              <Icon className="size-4 shrink-0" role="img" aria-label={isMet ? 'Cumprido' : 'Falta'} />
              {label}
            </li>
          );
        })}
      </ul>
      <p role="status" className="sr-only">
        {password === '' ? '' : `${met} de ${passwordRules.length} regras cumpridas`}
      </p>
    </div>
  );
}
