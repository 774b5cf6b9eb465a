import type { StopClass, StopSignal } from '@decola/contracts';

/** The run must stop: the network objected, or the account's lease was lost. */
export class StopError extends Error {
  constructor(readonly signal: StopSignal) {
    super(`stopped: ${signal.class}`);
    this.name = 'StopError';
  }
}

const ownStops: ReadonlySet<StopClass> = new Set(['lease_lost', 'worker_stopped', 'no_connection']);

/** True for a stop that is no objection of the network: no page shows why, and it says nothing about an action that was under way. */
export function isOwnStop(stopClass: StopClass): boolean {
  return ownStops.has(stopClass);
}

/** An ambiguous sign (row 10, for example): the page has to be reloaded once before it counts. */
export class ReloadNeededError extends Error {
  constructor() {
    super('the page has to be reloaded');
    this.name = 'ReloadNeededError';
  }
}

/** The worker is stopping, the run's time is over, or the run is no longer wanted: it ends as partial after the current action. */
export class StoppingError extends Error {
  constructor() {
    super('the run ends early');
    this.name = 'StoppingError';
  }
}

/** The browser or its page crashed, hangs or was closed; what an action under way came to is unknown. */
export class BrowserGoneError extends Error {
  constructor(cause: unknown) {
    super('the browser is gone', { cause });
    this.name = 'BrowserGoneError';
  }
}

/** True for Playwright's errors about a page, context or browser that was closed or crashed. */
export function isBrowserGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Target (page, context or browser|closed)|has been closed|Browser closed|Page crashed|Target crashed|Protocol error.*closed/i.test(
      error.message,
    )
  );
}
