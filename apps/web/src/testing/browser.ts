import { configure } from '@testing-library/dom';
import { webcrypto } from 'node:crypto';
import { TextDecoder, TextEncoder } from 'node:util';

// Timeout for an expected text: a busy machine needs seconds to render a page.
configure({ asyncUtilTimeout: 5_000 });

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
