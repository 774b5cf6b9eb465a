/** Focuses the first field of a form that has an error, once its errors are shown. A group of fields has its error at its fieldset. */
export function focusFirstProblem(form: { readonly current: HTMLElement | null }): void {
  setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid] input')?.focus());
}
