import type { StopSignal } from '@decola/contracts';

/** The run ends here: the network objected, or the account is no longer ours. */
export class StopError extends Error {
  constructor(readonly signal: StopSignal) {
    super(`stopped: ${signal.class}`);
    this.name = 'StopError';
  }
}

/** An ambiguous sign (row 10): the page may be loaded again once. */
export class RepairNeededError extends Error {
  constructor() {
    super('the page has to be loaded again');
    this.name = 'RepairNeededError';
  }
}

/** The worker was asked to stop, or nobody wants the run any more: it ends as partial after the current action. */
export class StoppingError extends Error {
  constructor() {
    super('the run ends here');
    this.name = 'StoppingError';
  }
}

/** The browser or its page is gone; nothing can be said about what was going on. */
export class BrowserGoneError extends Error {
  constructor(cause: unknown) {
    super('the browser is gone', { cause });
    this.name = 'BrowserGoneError';
  }
}

/** True for what playwright throws when a page, context or browser closed under it. */
export function isBrowserGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Target (page, context or browser|closed)|has been closed|Browser closed|Page crashed|Target crashed|Protocol error.*closed/i.test(
      error.message,
    )
  );
}
