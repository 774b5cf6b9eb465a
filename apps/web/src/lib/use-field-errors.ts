import { useCallback, useEffect, useRef, useState } from 'react';

/** What is wrong with the fields of one form. The first wrong field takes the focus, so that it is read out with its error. */
export function useFieldErrors<Field extends string>() {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [checks, setChecks] = useState(0);
  useEffect(() => {
    // After a check only: a field that is being corrected keeps the focus.
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [checks]);
  /** Shows the errors given. @returns whether there are none */
  const accept = useCallback((found: Partial<Record<Field, string | null | undefined>>) => {
    const wrong = Object.fromEntries(Object.entries(found).filter(([, text]) => text)) as Partial<Record<Field, string>>;
    setErrors(wrong);
    setChecks((before) => before + 1);
    return Object.keys(wrong).length === 0;
  }, []);
  /** A field that is being corrected is not called wrong any more. */
  const clear = useCallback((field: Field) => {
    setErrors((before) => (before[field] ? (({ [field]: _gone, ...rest }) => rest as typeof before)(before) : before));
  }, []);
  return { form, errors, accept, clear };
}

/** Why an email address cannot be right; null when it may be. */
export function emailProblem(email: string): string | null {
  if (email === '') return 'Digite seu email.';
  return /^[^\s@]+@[^\s@]+$/.test(email) ? null : 'Digite um email válido, como nome@exemplo.com.';
}
