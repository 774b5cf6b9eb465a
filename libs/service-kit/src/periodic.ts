export interface PeriodicOptions {
  /** Pause between the end of a run and the start of the next one. */
  intervalMs: number;
  /** Pause after a failed run, when it is shorter than the interval. Default: 30 s. */
  retryMs?: number;
  onError: (error: unknown) => void;
}

export interface PeriodicWork {
  /** Starts no further run, and resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` now and then repeatedly, never twice at the same time. The first run does not wait for the interval, or a replica that is restarted more
 * often would never run it.
 */
export function periodically(work: () => Promise<unknown>, { intervalMs, retryMs = 30_000, onError }: PeriodicOptions): PeriodicWork {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    let pauseMs = intervalMs;
    try {
      await work();
    } catch (error) {
      pauseMs = Math.min(intervalMs, retryMs);
      onError(error);
    }
    if (!isStopped) timer = setTimeout(start, pauseMs).unref();
  };
  const start = (): void => void (running = run());
  start();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
