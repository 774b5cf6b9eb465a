import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

export interface BrowserPoolOptions {
  readonly executablePath: string;
  /** Chromium's own sandbox; it needs a user that is not root. */
  readonly sandbox: boolean;
  /** After so many contexts a browser takes no new ones and ends with its last, so that its memory stays flat. */
  readonly contextsPerBrowser: number;
}

/** Quiet in a closed network; none of them changes what a page sees of the browser. */
const quietArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--disable-dev-shm-usage',
];

interface Generation {
  readonly browser: Promise<Browser>;
  opened: number;
  open: number;
  retired: boolean;
}

/**
 * One shared Chromium for all runs of this worker, one context per run. A browser that crashed is replaced when the next
 * context is asked for; one that has served its number of contexts ends when the last of them closes.
 */
export class BrowserPool {
  private current: Generation | undefined;
  private readonly all = new Set<Generation>();
  private closed = false;

  constructor(private readonly options: BrowserPoolOptions) {}

  /** Browsers that are up: one, or two for a while when a used-up one still serves runs. */
  get browsers(): number {
    return this.all.size;
  }

  /** @throws Error when Chromium does not start. */
  async open(contextOptions: BrowserContextOptions): Promise<BrowserContext> {
    const generation = this.generation();
    generation.opened += 1;
    generation.open += 1;
    try {
      const browser = await generation.browser;
      const context = await browser.newContext(contextOptions);
      context.once('close', () => this.leave(generation));
      return context;
    } catch (error) {
      if (this.current === generation) this.current = undefined;
      generation.retired = true;
      this.leave(generation);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const ending = [...this.all].map(async ({ browser }) => (await browser.catch(() => null))?.close().catch(() => undefined));
    this.all.clear();
    this.current = undefined;
    await Promise.all(ending);
  }

  private generation(): Generation {
    if (this.closed) throw new Error('the browser pool is closed');
    if (this.current && this.current.opened >= this.options.contextsPerBrowser) {
      this.current.retired = true;
      this.endIfUnused(this.current);
      this.current = undefined;
    }
    return (this.current ??= this.launch());
  }

  private launch(): Generation {
    const browser = chromium.launch({
      executablePath: this.options.executablePath,
      chromiumSandbox: this.options.sandbox,
      args: quietArguments,
      // The worker decides when the browser ends: a run finishes its action first.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    const generation: Generation = { browser, opened: 0, open: 0, retired: false };
    this.all.add(generation);
    browser.then(
      (launched) => launched.once('disconnected', () => this.forget(generation)),
      () => this.forget(generation),
    );
    return generation;
  }

  private leave(generation: Generation): void {
    generation.open -= 1;
    this.endIfUnused(generation);
  }

  private endIfUnused(generation: Generation): void {
    if (!generation.retired || generation.open > 0 || !this.all.delete(generation)) return;
    void generation.browser.then((browser) => browser.close()).catch(() => undefined);
  }

  private forget(generation: Generation): void {
    this.all.delete(generation);
    if (this.current === generation) this.current = undefined;
  }
}
