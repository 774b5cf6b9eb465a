import { TextDecoder, TextEncoder } from 'node:util';

const matchMedia = (query: string) => Object.assign(new EventTarget(), { matches: false, media: query });

class ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// What every browser has and jsdom lacks.
Object.assign(globalThis, { TextEncoder, TextDecoder, matchMedia, ResizeObserver, scrollTo: () => undefined });
