import { TextField } from '../../components/ui/field';

/** The forms share one address: what was typed in one is there in the next. */
export interface EmailProps {
  email: string;
  onEmail: (email: string) => void;
}

interface EmailFieldProps extends EmailProps {
  error: string | undefined;
  hint?: string;
  autoFocus?: boolean;
  /** The person corrects what was called wrong. */
  onCorrect: () => void;
}

/** The address of every form of this page, as password managers and phone keyboards know it. */
export function EmailField({ email, onEmail, error, hint, autoFocus = false, onCorrect }: EmailFieldProps) {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      autoFocus={autoFocus}
      value={email}
      error={error}
      hint={hint}
      onChange={(event) => {
        onEmail(event.target.value);
        onCorrect();
      }}
    />
  );
}
