import { Check, Circle } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Marks } from '../../components/ui/ticks';
import { classes } from '../../lib/classes';
import { passwordRuleTexts as texts } from './texts';

/** Requirements for the password of a new account (specification, section 5). */
export const passwordRules: readonly { label: string; holds: (password: string) => boolean }[] = [
  { label: texts.length, holds: (password) => password.length >= 8 },
  { label: texts.upperCase, holds: (password) => /[A-Z]/.test(password) },
  { label: texts.lowerCase, holds: (password) => /[a-z]/.test(password) },
  { label: texts.digit, holds: (password) => /\d/.test(password) },
  { label: texts.special, holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password) },
];

export const isStrong = (password: string): boolean => passwordRules.every(({ holds }) => holds(password));

/** Shows which rules the typed password meets, and announces their number to screen readers. */
export function PasswordChecklist({ id, password }: { id: string; password: string }) {
  const met = passwordRules.filter(({ holds }) => holds(password)).length;
  return (
    <div id={id} className="text-sm">
      <p className="mb-1.5 flex items-center gap-3 text-muted" style={{ '--t': 'var(--success-lamp)' } as CSSProperties}>
        <Marks value={met} of={passwordRules.length} /> <span id={`${id}-label`}>{texts.label}</span>
      </p>
      <ul className="grid gap-0.5" aria-labelledby={`${id}-label`}>
        {passwordRules.map(({ label, holds }) => {
          const isMet = holds(password);
          const Icon = isMet ? Check : Circle;
          return (
            <li key={label} className={classes('flex min-h-7 items-center gap-2.5', isMet ? 'text-ink' : 'text-muted')}>
              <Icon
                className={classes('size-4 shrink-0', isMet && 'text-success')}
                role="img"
                aria-label={isMet ? texts.met : texts.unmet}
              />
              {label}
            </li>
          );
        })}
      </ul>
      <p role="status" className="sr-only">
        {password === '' ? '' : texts.summary(met, passwordRules.length)}
      </p>
    </div>
  );
}
