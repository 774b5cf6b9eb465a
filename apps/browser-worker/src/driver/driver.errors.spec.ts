import { isBrowserGone } from './driver.errors.js';

describe('an error of the browser', () => {
  it.each([
    'page.evaluate: Target page, context or browser has been closed',
    'page.goto: Page crashed',
    'elementHandle.click: Target crashed ',
    'Protocol error (Runtime.evaluate): Session closed. Most likely the page has been closed.',
  ])('"%s" says that it is gone', (message) => expect(isBrowserGone(new Error(message))).toBe(true));

  it.each(['page.goto: Timeout 30000ms exceeded.', 'Execution context was destroyed, most likely because of a navigation'])(
    '"%s" does not',
    (message) => expect(isBrowserGone(new Error(message))).toBe(false),
  );
});
