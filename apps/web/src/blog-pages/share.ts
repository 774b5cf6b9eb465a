import { copyText } from '../components/copy-text';
import { shareTexts as texts } from './share-texts';

const shownMs = 4_000;

/** Shows the buttons for sharing, and lets them share: by the browser's own function, or else by copying the link. */
export function prepareSharing(): void {
  for (const hidden of document.querySelectorAll<HTMLElement>('[data-share], [data-needs-script]')) hidden.hidden = false;
  for (const button of document.querySelectorAll('[data-share]')) button.addEventListener('click', () => void share());
  for (const button of document.querySelectorAll('[data-copy-link]')) button.addEventListener('click', () => void copyLink());
}

/** The address for others: the canonical one, without a fragment or parameters of a campaign. */
const address = () => document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href;

async function share(): Promise<void> {
  if (typeof navigator.share !== 'function') return copyLink();
  try {
    await navigator.share({ title: document.querySelector('h1')?.textContent ?? document.title, url: address() });
  } catch (error) {
    // Who closes the browser's dialog has decided not to share.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyLink();
  }
}

async function copyLink(): Promise<void> {
  showToast((await copyText(address())) ? texts.copied : texts.notCopied);
}

let hiding: ReturnType<typeof setTimeout> | undefined;

function showToast(text: string): void {
  const toast = document.getElementById('toast');
  if (!toast) return;
  toast.textContent = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => (toast.textContent = ''), shownMs);
}
