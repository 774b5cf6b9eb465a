import { startTexts, stateTexts } from './ui/texts';

/** Says that the page could not be loaded. Without React, because that may be what is missing. */
export function showStartFailure(container: HTMLElement, onRetry: () => void): void {
  const text = document.createElement('p');
  text.textContent = startTexts.failed;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = stateTexts.retry;
  button.className = 'inline-flex min-h-11 items-center rounded-control bg-raised px-[18px] text-md font-semibold shadow-1';
  button.addEventListener('click', onRetry);
  const box = document.createElement('div');
  box.className = 'mx-auto grid min-h-dvh max-w-lg content-center justify-items-center gap-3 p-4 text-center';
  box.setAttribute('role', 'alert');
  box.append(text, button);
  container.replaceChildren(box);
}
