import { isBrowserGone, isOwnStop } from './driver.errors.js';

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

describe('a stop', () => {
  it.each(['action_blocked', 'challenge', 'session_ended', 'silent_block', 'site_trouble', 'site_changed', 'unrecognised'] as const)(
    '"%s" is an objection of the network',
    (stopClass) => expect(isOwnStop(stopClass)).toBe(false),
  );

  it.each(['lease_lost', 'worker_stopped', 'no_connection'] as const)('"%s" is our own', (stopClass) =>
    expect(isOwnStop(stopClass)).toBe(true),
  );
});
