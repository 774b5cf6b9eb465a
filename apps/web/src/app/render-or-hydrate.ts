import type { ReactNode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';

/** Shows a page; where the container already holds its prerendered markup, React takes that over. */
export function renderOrHydrate(container: HTMLElement, page: ReactNode): Root {
  if (container.hasChildNodes()) return hydrateRoot(container, page);
  const root = createRoot(container);
  root.render(page);
  return root;
}
