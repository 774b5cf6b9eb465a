import { TextDecoder, TextEncoder } from 'node:util';
import { configure } from '@testing-library/dom';

// How long an expected text may take: a busy machine draws a page in seconds.
configure({ asyncUtilTimeout: 5_000 });

const matchMedia = (query: string) => Object.assign(new EventTarget(), { matches: false, media: query });

class ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** As much of a request as the router makes of an address. */
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

// What every browser has and jsdom lacks.
Object.assign(globalThis, { TextEncoder, TextDecoder, matchMedia, ResizeObserver, Request, scrollTo: () => undefined });
