import { setTimeout as sleep } from 'node:timers/promises';

export interface BrowserStartsOptions {
  /** Starts a browser, unless one is up. @throws Error when none starts. */
  readonly start: () => Promise<void>;
  /** Called when it turns out that browsers start, or that they do not, and why; not again for the same reason. */
  readonly onChange: (problem: string | null) => void;
  /** Pauses between attempts while none succeeds; the last one repeats. */
  readonly retryMs?: readonly number[];
}

/**
 * Knows whether browsers start here. A worker on a machine that forbids Chromium's sandbox must take no runs: it would put each of them back, and
 * their customers would wait although other workers could carry them out.
 */
export class BrowserStarts {
  /** Why no browser starts; null when one does. */
  private problem: string | null = 'no browser has started yet';
  private readonly stopping = new AbortController();
  private isTrying = false;

  constructor(private readonly options: BrowserStartsOptions) {}

  get work(): boolean {
    return this.problem === null;
  }

  /** Starts the first browser, and tries until one has started. */
  begin(): void {
    if (this.isTrying || this.stopping.signal.aborted) return;
    this.isTrying = true;
    void this.tryUntilStarted();
  }

  /** To be told of every start of a browser. @param error why it failed, or null when it succeeded. */
  note(error: unknown): void {
    const problem = error === null ? null : startProblem(error);
    if (problem !== this.problem) {
      this.problem = problem;
      this.options.onChange(problem);
    }
    if (problem !== null) this.begin();
  }

  /** @throws Error with the reason while no browser starts. */
  check(): Promise<void> {
    return this.problem === null ? Promise.resolve() : Promise.reject(new Error(this.problem));
  }

  stop(): void {
    this.stopping.abort();
  }

  private async tryUntilStarted(): Promise<void> {
    const { start, retryMs = [1_000, 2_000, 5_000, 15_000] } = this.options;
    const { signal } = this.stopping;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      // `note` hears of the failure.
      await start().catch(() => undefined);
      if (this.problem === null) break;
      await sleep(retryMs[Math.min(attempt, retryMs.length - 1)], undefined, { signal }).catch(() => undefined);
    }
    this.isTrying = false;
  }
}

/** One line for operators. Playwright's own message is long, and advises to switch the sandbox off. */
export function startProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/No usable sandbox|sandboxing failed/.test(text))
    return 'No usable sandbox: the seccomp profile of the container, or the kernel, forbids user namespaces (deploy/seccomp/README.md)';
  return text.split('\n', 1)[0]!;
}
