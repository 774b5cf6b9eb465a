import type { BaseSyntheticEvent } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type SubmitErrorHandler,
  type SubmitHandler,
  useForm,
  type UseFormRegisterReturn,
} from 'react-hook-form';
import { useErrorToast } from '../../lib/use-error-toast';

/** Props that connect an input to its form. `error` is the message to show below the input. */
export interface FieldBinding extends UseFormRegisterReturn {
  error: string | undefined;
}

interface FieldRules<Values extends FieldValues, Name extends Path<Values>> {
  /** @returns what is wrong with the value, undefined when it is valid */
  validate?: (value: PathValue<Values, Name>, values: Values) => string | undefined;
  onChange?: (event: { target: { value: string } }) => void;
}

/**
 * react-hook-form as every form of the app uses it. Fields are validated on submit, and the first invalid one gets the focus. Editing a
 * field removes its error until the next submit, and closes the toast about a failed submit (`failureToast`).
 */
export function useValidatedForm<Values extends FieldValues>(defaultValues: Values) {
  const failureToast = useErrorToast();
  const form = useForm<Values>({
    defaultValues: defaultValues as DefaultValues<Values>,
    reValidateMode: 'onSubmit',
  });
  const { register, setError, setValue, clearErrors, getFieldState, formState, control, getValues, reset } = form;
  const field = <Name extends Path<Values>>(name: Name, { validate, onChange }: FieldRules<Values, Name> = {}): FieldBinding => {
    const registered = register(name, {
      ...(validate && { validate }),
      onChange: (event: { target: { value: string } }) => {
        clearErrors(name);
        failureToast.clear();
        onChange?.(event);
      },
    });
    // What the person or a password manager has written into a prerendered input was no event for React, and react-hook-form may reset it.
    const ref = (input: HTMLInputElement | null) => {
      const written = input?.value;
      registered.ref(input);
      if (!input || !written) return;
      if (input.value !== written) setValue(name, written as PathValue<Values, Name>);
      if (written !== defaultValues[name]) onChange?.({ target: { value: written } });
    };
    return { ...registered, ref, error: getFieldState(name, formState).error?.message };
  };
  const handleSubmit = (onValid: SubmitHandler<Values>, onInvalid?: SubmitErrorHandler<Values>) => (event?: BaseSyntheticEvent) => {
    failureToast.clear();
    return form.handleSubmit(onValid, onInvalid)(event);
  };
  /** Shows why the server refused the value of a field, and focuses the field; does nothing without a message. */
  const showError = (name: Path<Values>, message: string | null) => {
    if (message) setError(name, { message }, { shouldFocus: true });
  };
  return { field, handleSubmit, showError, failureToast, isSubmitting: formState.isSubmitting, control, getValues, setValue, reset };
}
