import { cleanup, renderHook } from '@testing-library/react';
import { usePageHeight } from './use-page-height';

let changed: () => void = () => undefined;
const parent = { postMessage: jest.fn() };

beforeEach(() => {
  document.body.innerHTML = '<div id="root"></div>';
  document.getElementById('root')!.getBoundingClientRect = () => ({ height: 700.2 }) as DOMRect;
  parent.postMessage.mockClear();
  jest.spyOn(globalThis, 'ResizeObserver').mockImplementation((callback) => {
    changed = () => callback([], {} as ResizeObserver);
    return { observe: changed, unobserve: changed, disconnect: () => undefined };
  });
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

const told = { type: 'decola:height', height: 701 };

it('tells the page around its frame how high it is, at first, when that changes, and when it is asked', () => {
  jest.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window & typeof globalThis);
  renderHook(() => usePageHeight());
  expect(parent.postMessage.mock.calls).toEqual([[told, '*']]);
  changed();
  expect(parent.postMessage).toHaveBeenCalledTimes(2);
  const ask = (source: unknown) =>
    window.dispatchEvent(new MessageEvent('message', { data: { type: 'decola:ask-height' }, source: source as Window }));
  ask(window);
  expect(parent.postMessage).toHaveBeenCalledTimes(2);
  jest.spyOn(MessageEvent.prototype, 'source', 'get').mockReturnValue(parent as unknown as Window);
  ask(null);
  expect(parent.postMessage).toHaveBeenCalledTimes(3);
});

it('tells nobody without a frame', () => {
  renderHook(() => usePageHeight());
  expect(parent.postMessage).not.toHaveBeenCalled();
});
