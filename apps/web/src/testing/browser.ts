import { TextDecoder, TextEncoder } from 'node:util';

// What every browser has and jsdom lacks.
Object.assign(globalThis, { TextEncoder, TextDecoder });
window.matchMedia ??= (query) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
window.scrollTo = () => undefined;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
