/**
 * Remembers what a person does on a prerendered page before React has taken it over: the press of a button, or Enter in a form.
 * @returns what ends that, and repeats the last action
 */
export function keepEarlyActions(container: HTMLElement): () => void {
  let repeat: (() => void) | undefined;
  const onClick = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button) repeat = () => button.click();
  };
  const onKey = ({ key, target }: KeyboardEvent) => {
    const button = target instanceof HTMLInputElement && target.form?.querySelector<HTMLButtonElement>('button[type=submit]');
    if (key === 'Enter' && button) repeat = () => pressWhenEnabled(button);
  };
  container.addEventListener('click', onClick);
  container.addEventListener('keydown', onKey);
  return () => {
    container.removeEventListener('click', onClick);
    container.removeEventListener('keydown', onKey);
    repeat?.();
  };
}

/**
 * Presses the button of a form, at once or when React enables it. The form itself is not submitted: React takes over a page for the press of a button, and not for
 * the submission of a form, which the browser would then send to the server. Somebody who goes on typing presses the button themselves.
 */
function pressWhenEnabled(button: HTMLButtonElement): void {
  if (!button.disabled) return button.click();
  const end = () => {
    observer.disconnect();
    button.form?.removeEventListener('input', end);
  };
  const observer = new MutationObserver(() => {
    end();
    button.click();
  });
  observer.observe(button, { attributeFilter: ['disabled'] });
  button.form?.addEventListener('input', end);
}
