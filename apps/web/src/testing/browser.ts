import { configure, getConfig } from '@testing-library/dom';
import { webcrypto } from 'node:crypto';
import { TextDecoder, TextEncoder } from 'node:util';
import * as React from 'react';

const { getElementError } = getConfig();
/** Whether the query is one look of a wait; its types do not have it. */
const isLookOfWait = () => (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics === true;

configure({
  // It only bounds a hang: in the gate these tests get what others leave of the processor.
  asyncUtilTimeout: 30_000,
  // Printing the page takes longer than the query. While something is waited for, each look that does not find it yet would print it for nobody: the
  // last one's error, which the test gets, is printed after the wait.
  getElementError: (message, container) =>
    isLookOfWait() ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' }) : getElementError(message, container),
});

/**
 * React makes an error for each of the first ten thousand elements of a render, for a stack in its warnings. That is an eighth of the time of these
 * tests, so here React believes that it has made them all. A React without this counter makes them again.
 */
const internals = (React as unknown as Record<string, object | undefined>)[
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
];
if (internals) Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => undefined });

const matchMedia = (query: string) => Object.assign(new EventTarget(), { matches: false, media: query });

class ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** The part of `Request` that the router uses. */
class Request {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | null | undefined;
  constructor(url: string | URL, { method = 'GET', signal }: RequestInit = {}) {
    this.url = String(url);
    this.method = method;
    this.signal = signal;
  }
}

// Browser APIs that jsdom lacks.
Object.assign(globalThis, { TextEncoder, TextDecoder, matchMedia, ResizeObserver, Request, scrollTo: () => undefined });
Element.prototype.scrollIntoView = () => undefined;
Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
if (!('text' in Blob.prototype)) {
  Object.assign(Blob.prototype, {
    text(this: Blob) {
      return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(new Error('the file cannot be read'));
        reader.readAsText(this);
      });
    },
  });
}
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.setAttribute('open', '');
  },
  close(this: HTMLDialogElement) {
    this.removeAttribute('open');
  },
});

/**
 * The labels of an element, as `labels` has them. jsdom compares every label with every node of the page for each element, which took an eighth of the time
 * of the longest of these tests: roles are looked up by name, and a name may come from a label.
 */
function labelsOf(this: HTMLElement): HTMLLabelElement[] | null {
  if (this instanceof HTMLInputElement && this.type === 'hidden') return null;
  return [...this.ownerDocument.getElementsByTagName('label')].filter((label) =>
    label.hasAttribute('for') ? label.htmlFor !== '' && label.htmlFor === this.id : label.contains(this) && label.control === this,
  );
}
for (const type of [HTMLInputElement, HTMLButtonElement, HTMLSelectElement, HTMLTextAreaElement])
  Object.defineProperty(type.prototype, 'labels', { get: labelsOf, configurable: true });
