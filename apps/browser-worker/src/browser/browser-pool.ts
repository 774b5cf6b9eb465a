import pTimeout from 'p-timeout';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright';
import { CallGate } from './call-gate.js';
import { chromiumArguments } from './chromium-arguments.js';
import type { ContextLease } from './context-lease.js';
import type { GatedRequest } from './gated-requests.js';
import { killGroup, type ProcessGroup, processGroupOf, Watchdog } from './watchdog.js';

export interface BrowserPoolOptions {
  readonly executablePath: string;
  /** Chromium's own sandbox; it needs a user that is not root. */
  readonly sandbox: boolean;
  /** A browser that opened this many contexts gets no new ones and is closed after its last one, so that memory use stays flat. */
  readonly contextsPerBrowser: number;
  /** Called for each request that the gate refused. */
  readonly onRefusedRequest?: (request: GatedRequest) => void;
  /** Called when a watchdog killed its browser because a lease expired (`late`), or was killed, which ends its browser too (`died`). */
  readonly onWatchdogEnd?: (reason: 'late' | 'died') => void;
  /** Called after every start of a browser, with the error when it failed. */
  readonly onStart?: (error: Error | null) => void;
}

/** A browser with its gate and its watchdog. */
interface GuardedBrowser {
  readonly browser: Browser;
  readonly gate: CallGate;
  readonly group: ProcessGroup;
  readonly watchdog: Watchdog;
}

interface Generation {
  readonly guarded: Promise<GuardedBrowser>;
  /** Leases of its open contexts. */
  readonly leases: Set<ContextLease>;
  opened: number;
  open: number;
  retired: boolean;
}

/**
 * One shared Chromium for all runs of this worker, one context per run. A crashed browser is replaced when the next context is opened; one
 * that opened its number of contexts is closed after the last of them. Each browser has a gate for its requests and a watchdog process
 * (decision record 0020).
 */
export class BrowserPool {
  private current: Generation | undefined;
  private readonly all = new Set<Generation>();
  private readonly generationOf = new WeakMap<BrowserContext, Generation>();
  /** Browsers and watchdogs that are being closed. */
  private readonly ending = new Set<Promise<unknown>>();
  private closed = false;

  constructor(private readonly options: BrowserPoolOptions) {}

  /** Running browsers: one, or two while a retired one still has open contexts. */
  get browsers(): number {
    return this.all.size;
  }

  /** Starts the browser of the next context now, unless it is up. @throws Error when Chromium or its watchdog does not start. */
  async start(): Promise<void> {
    await this.generation().guarded;
  }

  /**
   * Opens a context that depends on a lease: its requests leave only while the lease is held, it is closed when the lease is lost, and its
   * browser is killed when the lease expires while this process is frozen.
   * @param mayAct called before every request that acts. @throws Error when Chromium or its watchdog does not start.
   */
  async open(contextOptions: BrowserContextOptions, lease: ContextLease, mayAct: () => boolean = () => true): Promise<BrowserContext> {
    const generation = this.generation();
    generation.opened += 1;
    generation.open += 1;
    let removeLease: () => void = () => undefined;
    try {
      const guarded = await generation.guarded;
      removeLease = this.addLease(generation, guarded, lease);
      const context = await guarded.gate.open(contextOptions, ({ isActing }) => lease.held && (!isActing || mayAct()));
      this.generationOf.set(context, generation);
      const close = () => void context.close().catch(() => undefined);
      lease.lost.addEventListener('abort', close, { once: true });
      context.once('close', () => {
        lease.lost.removeEventListener('abort', close);
        removeLease();
        this.leave(generation);
      });
      if (lease.lost.aborted) close();
      return context;
    } catch (error) {
      removeLease();
      if (this.current === generation) this.current = undefined;
      generation.retired = true;
      this.leave(generation);
      throw error;
    }
  }

  /**
   * Closes a context, or kills its browser when the context does not close in time: it could still act after another worker took the
   * account. @returns false when the browser was killed.
   */
  async closeContext(context: BrowserContext, timeoutMs: number): Promise<boolean> {
    const closed = context.close().then(
      () => true,
      () => true, // it was closed already
    );
    if (await pTimeout(closed, { milliseconds: timeoutMs, fallback: () => false })) return true;
    const generation = this.generationOf.get(context);
    if (generation) {
      this.forget(generation);
      killGroup((await generation.guarded).group);
    }
    return false;
  }

  async close(): Promise<void> {
    this.closed = true;
    const ending = [...this.all].map(async ({ guarded }) => (await guarded.catch(() => null))?.browser.close().catch(() => undefined));
    this.all.clear();
    this.current = undefined;
    await Promise.all(ending);
    await Promise.all(this.ending);
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
    const generation: Generation = { guarded: this.startGuarded(), leases: new Set(), opened: 0, open: 0, retired: false };
    this.all.add(generation);
    generation.guarded.then(
      ({ browser, group, watchdog }) => {
        this.options.onStart?.(null);
        const gone = () => {
          this.forget(generation);
          this.waitForEnd(watchdog.end());
        };
        browser.once('disconnected', gone);
        if (!browser.isConnected()) gone();
        // A browser without a watchdog is not used any more.
        void watchdog.ended.then((reason) => {
          if (reason !== 'done') this.options.onWatchdogEnd?.(reason);
          this.forget(generation);
          killGroup(group);
        });
      },
      (error: Error) => {
        this.forget(generation);
        if (!this.closed) this.options.onStart?.(error);
      },
    );
    return generation;
  }

  private async startGuarded(): Promise<GuardedBrowser> {
    const browser = await chromium.launch({
      executablePath: this.options.executablePath,
      chromiumSandbox: this.options.sandbox,
      args: [...chromiumArguments],
      // Signals are for the worker, which lets actions finish before it closes the browser.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    try {
      const group = processGroupOf(await browserPid(browser));
      const [gate, watchdog] = await Promise.all([CallGate.attach(browser, this.options.onRefusedRequest), Watchdog.start(group)]);
      return { browser, gate, group, watchdog };
    } catch (error) {
      await browser.close().catch(() => undefined);
      throw error;
    }
  }

  /** Adds a lease to those whose earliest end is the watchdog's deadline. @returns a function that removes it. */
  private addLease(generation: Generation, { watchdog }: GuardedBrowser, lease: ContextLease): () => void {
    const setDeadline = () => {
      const times = [...generation.leases].map(({ msUntilEnd }) => msUntilEnd);
      watchdog.allow(times.length === 0 ? null : Math.min(...times));
    };
    generation.leases.add(lease);
    const stopListening = lease.onRenewed(setDeadline);
    setDeadline();
    return () => {
      stopListening();
      if (generation.leases.delete(lease)) setDeadline();
    };
  }

  private leave(generation: Generation): void {
    generation.open -= 1;
    this.endIfUnused(generation);
  }

  private endIfUnused(generation: Generation): void {
    if (!generation.retired || generation.open > 0 || !this.all.delete(generation)) return;
    this.waitForEnd(generation.guarded.then(({ browser }) => browser.close()).catch(() => undefined));
  }

  private forget(generation: Generation): void {
    this.all.delete(generation);
    if (this.current === generation) this.current = undefined;
  }

  private waitForEnd(ending: Promise<unknown>): void {
    this.ending.add(ending);
    void ending.finally(() => this.ending.delete(ending));
  }
}

/** The id of the browser's main process. */
async function browserPid(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  void session.detach().catch(() => undefined);
  const own = processInfo.find(({ type }) => type === 'browser');
  if (!own) throw new Error('the browser does not report its process');
  return own.id;
}
