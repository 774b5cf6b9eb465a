import { publicWheelTexts as texts } from './app-texts';

interface StoredWheel {
  id: string;
  isDraft: boolean;
  configuration: Readonly<Record<string, unknown>>;
}

/** Path of the public page of a wheel; null for an automation without one. The server makes the token when the wheel is first published. */
export function publicPageOf({ id, isDraft, configuration }: StoredWheel): string | null {
  const token = configuration['publicToken'];
  if (isDraft || typeof token !== 'string' || token === '') return null;
  return `/prize-wheel/${id}?token=${encodeURIComponent(token)}`;
}

const inAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** HTML that shows a public page in the customer's own site. @param address with its origin */
export function embedCodeOf(address: string, name: string): string {
  const style = 'width:100%;max-width:560px;height:780px;border:0';
  return `<iframe src="${inAttribute(address)}" title="${inAttribute(texts.frame(name))}" loading="lazy" allow="clipboard-write; web-share" style="${style}"></iframe>`;
}
